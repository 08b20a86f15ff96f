//! Values of the strategies of the crate `proptest`.
