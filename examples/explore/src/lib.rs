//! Ordinary Rust to be explored: `cargo rebut explore -p explore-examples`.
//!
//! Nothing in this library knows of Rebut, let alone of symbols. The properties are in `tests/`,
//! where they are ordinary `#[rebut::test]`s that `cargo test` runs at random. Those for which a
//! failing input exists are marked with `#[ignore = "fails: .."]`, so that `cargo test` stays
//! green; `tests/witnesses.rs` shows that there is such an input for each.
//!
//! - [`array_list`], [`enumerator`], [`hash_table`], [`linked_list`], [`red_black_tree`]: the
//!   collections on which UnitMeister was measured (Tillmann and Schulte 2006), written anew. Where
//!   it found a bug there is a variant with one: `ArrayList<true>`, `drop_last::<true>`,
//!   `LinkedList<true>`.
//! - [`b_tree`]: what WASP and Owi are measured on.
//! - [`bombs`]: small puzzles, each of which goes off for few inputs or for none. They are the
//!   places where explorers are known to give up.

pub mod array_list;
pub mod enumerator;

pub mod hash_table;
pub mod linked_list;

pub mod b_tree;
pub mod red_black_tree;
pub mod roots;

pub mod bombs;
