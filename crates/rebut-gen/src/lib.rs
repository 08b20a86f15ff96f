//! The generators of Rebut: code that draws choices and builds values from them.
//!
//! Use them through the crate `rebut`. Three traits describe what can be generated:
//!
//! - [`Generator`] is a description of values. Functions with plural names return one
//!   ([`integers`], [`vecs`]), and methods refine it.
//! - [`Generate`] is implemented by types with a default generator. [`any`] returns it.
//! - [`AsGenerator`] is implemented by everything that can be used as a generator: also ranges,
//!   arrays, strings and tuples.
//!
//! A generator is a pure function of the choices that it draws from a
//! [`Source`](rebut_choice::Source), and it draws only what its value needs. It never reads a
//! clock or the state of a thread, and it has no random numbers of its own. All bias toward
//! interesting values belongs to the driver that supplies the choices.
//!
//! # Examples
//! ```
//! use rebut::{any, sample, simplest, vecs};
//!
//! let digits = vecs(0..10u8).min_size(1);
//! assert!(sample(&digits, 1).iter().all(|&digit| digit < 10));
//! assert_eq!(simplest(&digits), [0]);
//! assert_eq!(simplest(&any::<(bool, Option<String>)>()), (false, None));
//! ```
//!
//! The feature `regex` adds strings from regular expressions. Features with the names of other crates
//! implement [`Generate`] for their types. The feature `arbitrary` uses the generators of
//! that crate, and the features `rand`, `rand_08` and `rand_010` generate random numbers for code that
//! uses `rand`. The features `proptest` and `quickcheck` use the generators of these crates.

mod as_generator;
pub mod code;
mod generator;
mod misuse;
#[doc(hidden)]
pub mod needs;
mod sample;
mod size;
mod specify;

mod booleans;
mod chars;
mod class;
mod floats;
mod integers;
mod strings;

#[macro_use]
mod maps;
mod options;
mod sequences;
#[macro_use]
mod sets;
mod tuples;
mod unique;

mod extras;
mod interop;
mod library;

mod choosing;
mod functions;
#[doc(hidden)]
pub mod mocks;
mod orders;
mod recursive;
#[cfg(feature = "regex")]
mod regex;
#[cfg(not(feature = "regex"))]
mod without_regex;

#[cfg(test)]
mod testing;

pub use as_generator::{AsGenerator, Ranged};
pub use code::{Code, ShowCode, ShowDebug, ShowNothing, Shown, ToCode};
pub use generator::{
    Any, Boxed, Filter, FlatMap, FromFn, Generate, Generator, Map, Neighbors, any, from_fn,
};
pub use sample::{sample, simplest};
pub use size::SIZE_MAX;
pub use specify::{
    Specify, specification, specified_assertion, specified_enum, specified_object, specified_part,
    specified_text,
};

pub use booleans::{Booleans, booleans};
pub use chars::{Chars, chars};
pub use floats::{Float, Floats, floats};
pub use integers::{Integer, Integers, integers};
pub use strings::{Strings, bytes, strings};

pub use maps::{BTreeMaps, HashMaps, btree_maps, hash_maps};
pub use options::{Options, Results, options, results};
pub use sequences::{
    Arrays, BinaryHeaps, BoxedSlices, LinkedLists, VecDeques, Vecs, arrays, binary_heaps,
    boxed_slices, linked_lists, vec_deques, vecs,
};
pub use sets::{BTreeSets, HashSets, btree_sets, hash_sets};
pub use unique::UniqueVecs;

#[cfg(feature = "arbitrary")]
pub use interop::{Arbitraries, arbitraries};
#[cfg(any(feature = "rand", feature = "rand_08", feature = "rand_010"))]
pub use interop::{ChoiceRng, Rngs, rngs};

pub use library::{
    Durations, Paths, REFERENCES_FULL, Ranges, SystemTimes, durations, ip_addresses,
    ipv4_addresses, ipv6_addresses, lend, paths, ranges, socket_addresses, system_times,
};

pub use choosing::{
    Just, OneOf, SampledFrom, SampledFromSlice, just, one_of, sampled_from, sampled_from_slice,
};
#[cfg(feature = "bitflags")]
pub use extras::{Flags, flags};
pub use functions::{Function, Functions, functions};
#[cfg(feature = "proptest")]
#[doc(hidden)]
pub use interop::expansion as proptest_expansion;
#[cfg(feature = "quickcheck")]
pub use interop::{QuickcheckValues, quickcheck_values};
#[cfg(feature = "proptest")]
pub use interop::{Strategies, strategies};
pub use orders::{Permutations, Subsequences, permutations, subsequences};
pub use recursive::{Deferred, Recursive, RecursiveRef, deferred, recursive};
#[cfg(feature = "regex")]
pub use regex::{
    BytesMatching, RegexError, StringsMatching, bytes_matching, strings_matching,
    try_bytes_matching, try_strings_matching,
};
#[cfg(not(feature = "regex"))]
pub use without_regex::{
    Matching, bytes_matching, strings_matching, try_bytes_matching, try_strings_matching,
};

/// Panics in the sources of this crate, so that a test can see that this is not reported as a failure
/// of the code under test.
#[doc(hidden)]
pub fn canary() -> ! {
    panic!("the canary of rebut-gen")
}
