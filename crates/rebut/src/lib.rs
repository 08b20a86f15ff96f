//! Rebut finds inputs that break your Rust code.
//!
//! You write a test with parameters. Rebut generates arguments, runs the test many times, and
//! shrinks what fails. It prints the smallest failing input that it found, as Rust code.
//!
//! # A failing test
//!
//! In `tests/shorten.rs`:
//!
//! ```
//! /// Returns the first `max` bytes of a string, or all of it.
//! fn shorten(text: &str, max: usize) -> &str {
//!     if text.len() <= max { text } else { &text[..max] }
//! }
//!
//! #[rebut::test]
//! fn shorten_never_exceeds_max(text: &str, max: usize) {
//!     assert!(shorten(text, max).len() <= max);
//! }
//! # // Keeps the report below honest.
//! # let report = rebut::Check::new("shorten_never_exceeds_max").seed(1).run(|case| {
//! #     let text = case.draw_as("text", rebut::strings());
//! #     let max = case.draw_as("max", rebut::integers::<usize>());
//! #     assert!(shorten(&text, max).len() <= max);
//! # });
//! # let report = report.to_string();
//! # assert!(report.contains(r#"= "\u{80}""#) && report.contains("max = 1;"), "{report}");
//! # assert!(report.contains("r1.AoACAg"), "{report}");
//! ```
//!
//! `cargo test` runs it like any other test:
//!
//! ```text
//! error[R001]: `shorten_never_exceeds_max` failed
//!   --> tests/shorten.rs:7:4
//!
//!     let text: &str = "\u{80}";
//!     let max: usize = 1;
//!
//!   panicked at tests/shorten.rs:3:47:
//!     end byte index 1 is not a char boundary; it is inside '\u{80}' (bytes 0..2) of `\u{80}`
//!
//!   found by: random testing, case 11, seed 1; shrunk in 33 runs
//!   saved to: .rebut/failures/shorten__shorten_never_exceeds_max/
//!   replay:   REBUT_REPLAY=r1.AoACAg.1ih8 cargo test -p demo --test shorten shorten_never_exceeds_max -- --exact
//!   keep:     #[example("\u{80}", 1)]
//!   test:     target/rebut/tests/demo-test-shorten__shorten_never_exceeds_max.rs
//! ```
//!
//! A character can take several bytes, and `shorten` cuts one in half. The next run tries this
//! input first. To keep it for good, add the `keep` line above the test, or copy the ordinary
//! `#[test]` from the file in the last line.
//!
//! # Engines
//!
//! One test serves several engines. Each supplies inputs in its own way; shrinking, replay and
//! reports are the same for all.
//!
//! | engine | you write | you run | Rebut finds |
//! |---|---|---|---|
//! | [random testing][start] | [`#[rebut::test]`](macro@test) | `cargo test` | the smallest failing input, or a proof if there are few inputs |
//! | [targeted search][search] | [`maximize`] or [`minimize`] in the test | `cargo test` | the input with the best score, or the failure on the way to it |
//! | [program generation][contracts] | [`#[rebut::contract]`](macro@contract) on a type, a [`Program`] as the parameter | `cargo test` | a short program, and which side violated the contract |
//! | [generated mocks][mocks] | [`#[rebut::mock]`](macro@mock) on a trait | `cargo test` | the answers that make the test fail |
//! | [symbolic exploration][explore] | nothing new | `cargo rebut explore` | an input for every path, a proof for all inputs, or what stopped it |
//! | [solvers][language] | a specification, a JSON Schema or an OpenAPI file | `cargo rebut generate` | valid, different inputs for tests in any language |
//! | [generalization][generalize] | nothing: it reads your `#[test]`s | `cargo rebut generalize` | parameterized tests and their preconditions |
//! | [inference][infer] | nothing: it reads your types | `cargo rebut infer` | tests that describe what the code does |
//!
//! The commands come with the crates `cargo-rebut` and `cargo-rebut-explore`; see
//! [Installation][installation].
//!
//! # Attributes and macros
//!
//! Each page below lists all settings with examples.
//!
//! | attribute | what it does |
//! |---|---|
//! | [`#[rebut::test]`](macro@test) | runs a function with generated arguments and fails if one call fails |
//! | [`#[rebut::exists]`](macro@exists) | passes if Rebut finds arguments for which the function returns `true` |
//! | [`#[rebut::not_exists]`](macro@not_exists) | fails if Rebut finds such arguments |
//! | [`#[rebut::contract]`](macro@contract) | checks pre- and postconditions, and makes a type usable in a [`Program`] |
//! | [`#[rebut::mock]`](macro@mock) | implements a trait with generated answers |
//! | [`#[rebut::summary]`](macro@summary) | states a fact about a function that exploration uses instead of the call |
//! | [`#[derive(Generate)]`](derive@Generate) | generates values of your type |
//! | [`#[derive(ToCode)]`](derive@ToCode) | prints values of your type as Rust code |
//! | [`#[derive(Specify)]`](derive@Specify) | writes your type as an input specification |
//!
//! In the body of a test: [`assume!`] rejects an input, [`assert_panics!`] expects a panic,
//! [`note!`] adds a line to the report, [`label!`] and [`cover!`] measure what the test covers.
//!
//! # Generators
//!
//! Most types of the standard library can be parameters of a test. Other types use
//! [`derive(Generate)`](derive@Generate). To choose the values, write `#[from(..)]` on the
//! parameter, with a range, an array or a generator. Generators have plural names ([`integers`],
//! [`strings`], [`vecs`], [`one_of!`], [`permutations`]) and methods to refine and combine them
//! ([`map`](Generator::map), [`filter`](Generator::filter), [`flat_map`](Generator::flat_map)).
//!
//! ```
//! use rebut::prelude::*;
//!
//! #[derive(Clone, Debug, Generate)]
//! enum Shape {
//!     Circle { radius: u16 },
//!     Polygon(#[generate(min_size = 3)] Vec<(i16, i16)>),
//! }
//!
//! #[rebut::test]
//! fn scaling_keeps_the_corners(shape: Shape, #[from(1..10)] scale: u8) {
//!     let Shape::Polygon(corners) = shape else { return };
//!     let scaled = corners.iter().map(|(x, y)| (x / i16::from(scale), y / i16::from(scale)));
//!     assert_eq!(scaled.count(), corners.len());
//! }
//! ```
//!
//! # Without macros
//!
//! [`check`] runs a closure as `#[rebut::test]` runs a function. [`Check`] returns the
//! [`Report`](report::Report) as a value. [`find`] returns an input that satisfies a condition,
//! shrunk.
//!
//! ```
//! use rebut::{Check, integers, vecs};
//!
//! let report = Check::new("sums are small").seed(1).run(|case| {
//!     let list = case.draw_as("list", vecs(integers::<u8>()));
//!     list.iter().map(|&n| u32::from(n)).sum::<u32>() < 300
//! });
//! assert!(report.to_string().contains("let list = vec![45, 255];"));
//! ```
//!
//! # Modules
//!
//! The root has the macros, the traits, all functions, and the types that tests name. The other
//! types are in modules.
//!
//! | module | what is in it |
//! |---|---|
//! | [`prelude`] | what most tests need |
//! | [`generators`] | the types of generators |
//! | [`report`] | the result of a [`Check`]: verdict, counterexamples, statistics |
//! | [`settings`] | the settings of a [`Check`] |
//! | [`database`] | where failures are saved |
//! | [`search`] | strategies of targeted search; unstable |
//! | [`choice`] | choices, tapes and drivers; unstable |
//!
//! # Cargo features
//!
//! No feature is on by default.
//!
//! | feature | what it adds |
//! |---|---|
//! | `regex` | strings and bytes that match a regular expression: [`strings_matching`], `#[from("[a-z]+")]` |
//! | `proptest` | strategies of proptest as generators: `strategies`; suites of proptest: `proptest!` |
//! | `quickcheck` | types with QuickCheck's `Arbitrary` as generators: `quickcheck_values` |
//! | `contracts` | checks contracts in release builds too, not only in tests and debug builds |
//! | the name of a crate, such as `chrono` or `uuid` | [`Generate`](trait@Generate) for [the types of this crate][extras] |
//! | `arbitrary` | `arbitraries`: values of types with `Arbitrary` |
//! | `rand`, `rand_08`, `rand_010` | `ChoiceRng`: random numbers for code that uses `rand` 0.9, 0.8 or 0.10 |
//!
//! # Where to read on
//!
//! - [The guide][guide] has tutorials, how-to pages and a reference.
//! - [Tutorial: your first test][start] leads from an empty crate to a bug that is fixed and stays
//!   fixed.
//! - [Reading a failure report][failure-report] explains each line above.
//! - [Settings][settings]: `rebut.toml`, attributes and environment variables.
//! - [Limits][limits]: what Rebut cannot do, and what a passed test means.
//! - [Stability][stability]: what a new version may change. The modules [`choice`] and [`search`]
//!   are not stable.
//!
//! This crate has no code of its own: it collects the items that tests use.
//!
#![doc = concat!("[guide]: ", env!("CARGO_PKG_HOMEPAGE"))]
#![doc = concat!("[contracts]: ", env!("CARGO_PKG_HOMEPAGE"), "/contracts.md")]
#![doc = concat!("[explore]: ", env!("CARGO_PKG_HOMEPAGE"), "/explore.md")]
#![doc = concat!("[extras]: ", env!("CARGO_PKG_HOMEPAGE"), "/generators.md#types-of-other-crates")]
#![doc = concat!("[failure-report]: ", env!("CARGO_PKG_HOMEPAGE"), "/failure-report.md")]
#![doc = concat!("[generalize]: ", env!("CARGO_PKG_HOMEPAGE"), "/generalize.md")]
#![doc = concat!("[infer]: ", env!("CARGO_PKG_HOMEPAGE"), "/infer.md")]
#![doc = concat!("[installation]: ", env!("CARGO_PKG_HOMEPAGE"), "/installation.md")]
#![doc = concat!("[language]: ", env!("CARGO_PKG_HOMEPAGE"), "/language.md")]
#![doc = concat!("[limits]: ", env!("CARGO_PKG_HOMEPAGE"), "/limits.md")]
#![doc = concat!("[mocks]: ", env!("CARGO_PKG_HOMEPAGE"), "/mocks.md")]
#![doc = concat!("[search]: ", env!("CARGO_PKG_HOMEPAGE"), "/search.md")]
#![doc = concat!("[settings]: ", env!("CARGO_PKG_HOMEPAGE"), "/settings.md")]
#![doc = concat!("[stability]: ", env!("CARGO_PKG_HOMEPAGE"), "/stability.md")]
#![doc = concat!("[start]: ", env!("CARGO_PKG_HOMEPAGE"), "/start.md")]

mod macros;

pub mod database;
pub mod generators;
pub mod prelude;
pub mod report;
pub mod search;
pub mod settings;

#[doc(hidden)]
pub mod __private;

/// Choices, tapes and drivers, which every engine is built on.
///
/// **This module is unstable:** every version may change it.
///
/// You need it to write an engine, not to write tests. [`Source`], [`Tape`] and [`Label`] are also
/// at the root. There they are stable, except for methods that name other types of this module.
///
/// # Examples
/// ```
/// use rebut::choice::{Source, Tape};
///
/// // A value is a function of its choices, so choices are enough to replay it.
/// let mut source = Source::replay(&Tape::from_text("i7")?);
/// assert_eq!(source.integer(0, 100), 7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub use rebut_choice as choice;

pub use rebut_macros::{
    Generate, Specify, ToCode, contract, exists, mined_constants, mock, not_exists, summary, test,
};

#[cfg(feature = "proptest")]
pub use rebut_macros::proptest;

// Traits.
pub use rebut_contract::Contracted;
pub use rebut_gen::{AsGenerator, Float, Generate, Generator, Integer, Ranged, Specify, ToCode};
pub use rebut_run::{PropertyResult, WitnessResult};

// Types that tests and generators name.
pub use rebut_choice::{Label, Source, Tape};
pub use rebut_contract::Program;
#[cfg(feature = "regex")]
pub use rebut_gen::RegexError;
pub use rebut_gen::{Code, Function};
pub use rebut_run::{Aim, Case, Check};

// Generators.
#[cfg(feature = "arbitrary")]
pub use rebut_gen::arbitraries;
#[cfg(feature = "bitflags")]
pub use rebut_gen::flags;
#[cfg(feature = "quickcheck")]
pub use rebut_gen::quickcheck_values;
#[cfg(feature = "proptest")]
pub use rebut_gen::strategies;
#[cfg(any(feature = "rand", feature = "rand_08", feature = "rand_010"))]
pub use rebut_gen::{ChoiceRng, rngs};
pub use rebut_gen::{
    any, arrays, binary_heaps, booleans, boxed_slices, btree_maps, btree_sets, bytes,
    bytes_matching, chars, deferred, durations, floats, from_fn, functions, hash_maps, hash_sets,
    integers, ip_addresses, ipv4_addresses, ipv6_addresses, just, linked_lists, one_of, options,
    paths, permutations, ranges, recursive, results, sampled_from, sampled_from_slice,
    socket_addresses, strings, strings_matching, subsequences, system_times, try_bytes_matching,
    try_strings_matching, vec_deques, vecs,
};
pub use rebut_gen::{sample, simplest, specification};

// Properties and their scores.
pub use rebut_run::{
    check, find, find_within, fuzz, is_reporting, maximize, maximize_as, minimize, minimize_as,
    replay_corpus, reset_search,
};
