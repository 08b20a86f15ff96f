//! Ordinary Rust to be explored: `cargo rebut explore -p explore-examples`.
//!
//! Nothing in this library knows of Rebut, let alone of symbols. The properties are in `tests/`,
//! where they are ordinary `#[rebut::test]`s that `cargo test` runs at random. Those for which a
//! failing input exists are marked with `#[ignore = "fails: .."]`, so that `cargo test` stays
//! green; `tests/witnesses.rs` shows that there is such an input for each.
//!
//! - [`bombs`]: small puzzles, each of which goes off for few inputs or for none. They are the
//!   places where explorers are known to give up.

pub mod bombs;

/// The code of the guide to mocks compiles.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/MOCKS.md")]
pub struct Mocks;
