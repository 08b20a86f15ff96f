//! Contracts that generate programs.
//!
//! Each module is a small piece of code with a contract and a bug that only a program finds:
//! one that feeds results back, or hands over a callback that calls back in.

#![expect(
    clippy::new_without_default,
    reason = "the types have only the functions that their stories need"
)]

pub mod bitset;
pub mod editor;
pub mod lru;
pub mod observers;
pub mod queue;
pub mod stack;
pub mod tree;
