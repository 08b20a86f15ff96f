//! The types of generators, for signatures that name them.
//!
//! Functions such as [`vecs`](crate::vecs) return these types, and methods of
//! [`Generator`](crate::Generator) wrap them. Most code does not name them: a function that returns
//! a generator has the type `impl Generator<Value = ..>`. Name a type to store a generator in a
//! struct, or use [`Boxed`] for generators of different types with the same values.
//!
//! # Examples
//! ```
//! use rebut::generators::{Boxed, Integers, Vecs};
//! use rebut::{Generator, booleans, integers, simplest, vecs};
//!
//! struct Inputs {
//!     readings: Vecs<Integers<i16>>,
//!     flags: Vec<Boxed<'static, bool>>,
//! }
//!
//! let inputs = Inputs {
//!     readings: vecs(integers().max_value(500)).min_size(2),
//!     flags: vec![booleans().boxed(), integers::<u8>().map(|n| n > 9).boxed()],
//! };
//! assert_eq!(simplest(&inputs.readings), [0, 0]);
//! assert!(inputs.flags.iter().all(|flag| !simplest(flag)));
//! ```

pub use rebut_contract::program::Programs;
#[cfg(feature = "arbitrary")]
pub use rebut_gen::Arbitraries;
#[cfg(feature = "bitflags")]
pub use rebut_gen::Flags;
#[cfg(feature = "quickcheck")]
pub use rebut_gen::QuickcheckValues;
#[cfg(any(feature = "rand", feature = "rand_08", feature = "rand_010"))]
pub use rebut_gen::Rngs;
#[cfg(feature = "proptest")]
pub use rebut_gen::Strategies;
pub use rebut_gen::{
    Any, Arrays, BTreeMaps, BTreeSets, BinaryHeaps, Booleans, Boxed, BoxedSlices, Chars, Deferred,
    Durations, Filter, FlatMap, Floats, FromFn, Functions, HashMaps, HashSets, Integers, Just,
    LinkedLists, Map, Neighbors, OneOf, Options, Paths, Permutations, Ranges, Recursive,
    RecursiveRef, Results, SampledFrom, SampledFromSlice, Strings, Subsequences, SystemTimes,
    UniqueVecs, VecDeques, Vecs,
};
#[cfg(feature = "regex")]
pub use rebut_gen::{BytesMatching, StringsMatching};
