//! Re-exports what most tests need: `use rebut::prelude::*;`.
//!
//! It has the traits and derives, the functions that return generators, the macros for the body of
//! a test, and the scores. `bytes` is missing, because many tests name the crate of this name.
//! `any` is missing, because the prelude of proptest has a function with this name: write
//! `rebut::any`.
//!
//! # Examples
//! ```test_harness
//! use rebut::prelude::*;
//!
//! #[rebut::test]
//! fn sort_is_idempotent(#[from(vecs(0..10))] list: Vec<i32>) {
//!     label!("{} elements", list.len());
//!     let mut once = list;
//!     once.sort();
//!     let mut twice = once.clone();
//!     twice.sort();
//!     assert_eq!(once, twice);
//! }
//! ```

pub use rebut_choice::Source;
pub use rebut_contract::Program;
pub use rebut_gen::{AsGenerator, Generate, Generator, Specify, ToCode};
pub use rebut_gen::{
    arrays, binary_heaps, booleans, boxed_slices, btree_maps, btree_sets, bytes_matching, chars,
    deferred, durations, floats, from_fn, functions, hash_maps, hash_sets, integers, ip_addresses,
    ipv4_addresses, ipv6_addresses, just, linked_lists, one_of, options, paths, permutations,
    ranges, recursive, results, sampled_from, sampled_from_slice, socket_addresses, strings,
    strings_matching, subsequences, system_times, try_bytes_matching, try_strings_matching,
    vec_deques, vecs,
};
pub use rebut_macros::{Generate, Specify, ToCode};
pub use rebut_run::{Case, maximize, maximize_as, minimize, minimize_as};

pub use crate::{assert_panics, assume, cover, label, note};
