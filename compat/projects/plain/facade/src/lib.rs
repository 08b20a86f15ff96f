pub use rebut;
