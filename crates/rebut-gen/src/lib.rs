//! Generators: code that draws choices and builds values.
//!
//! [`Generator`] is a value that describes values, made by functions with plural names and
//! refined by methods; [`Generate`] is implemented by types that have a generator of their
//! own; [`AsGenerator`] by ranges, arrays and strings, which stand for generators. A generator
//! is a function of what it draws and draws only what its value needs: it never looks at a
//! clock, a thread or a random number of its own, and all bias toward interesting values is
//! the driver's.
//!
//! # Example
//! ```
//! use rebut_choice::{Drive, Random, Source};
//! use rebut_gen::{Generator, any, vecs};
//!
//! let digits = vecs(0..10u8).min_size(1);
//! let mut source = Source::new(Drive::Random(Box::new(Random::new(1))));
//! let drawn = digits.draw(&mut source);
//! assert!(!drawn.is_empty() && drawn.iter().all(|&d| d <= 9));
//! let _anything: (bool, Option<String>) = any().draw(&mut source);
//! ```
//!
//! The feature `regex` adds text from regular expressions; `bytes`, `chrono`, `jiff`,
//! `rust_decimal`, `serde_json`, `url` and `uuid` add the types of those crates.

mod as_generator;
pub mod code;
mod generator;
mod misuse;
mod sample;
mod size;
mod specify;

mod booleans;
mod chars;
mod class;
mod floats;
mod integers;
mod strings;

mod maps;
mod options;
mod sequences;
mod sets;
mod tuples;
mod unique;

mod extras;
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
    Any, Boxed, Filter, FlatMap, FromFn, Generate, Generator, Map, Neighbors, any, compose,
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

pub use library::{
    Durations, Paths, Ranges, SystemTimes, durations, ip_addresses, ipv4_addresses, ipv6_addresses,
    paths, ranges, socket_addresses, system_times,
};

pub use choosing::{Constants, Just, OneOf, SampledFrom, constants, just, one_of, sampled_from};
pub use functions::{Function, Functions, functions};
pub use orders::{Permutations, Subsequences, permutations, subsequences};
pub use recursive::{Deferred, Inner, Recursive, deferred, recursive};
#[cfg(feature = "regex")]
pub use regex::{
    BytesMatching, RegexError, StringsMatching, bytes_matching, strings_matching,
    try_bytes_matching, try_strings_matching,
};
#[cfg(not(feature = "regex"))]
pub use without_regex::{
    Matching, bytes_matching, strings_matching, try_bytes_matching, try_strings_matching,
};
