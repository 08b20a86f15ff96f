//! Ordinary Rust with ordinary tests, for `cargo rebut generalize`.

pub mod array_list;
pub mod letters;
pub mod prices;
pub mod shelf;
pub mod tills;
pub mod words;
