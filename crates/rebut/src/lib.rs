//! Rebut tries to refute what you claim about your code.
//!
//! You write a claim: a test with parameters. Rebut looks for values that break it, shrinks
//! them and prints them as code.
//!
//! # Example
//! A test with parameters is run for many values of them. It works under `cargo test` like any
//! other:
//! ```
//! use rebut::prelude::*;
//!
//! #[derive(Clone, Debug, PartialEq, Generate)]
//! enum Shape {
//!     Circle { radius: u16 },
//!     Polygon(#[generate(min_size = 3)] Vec<(i16, i16)>),
//! }
//!
//! #[rebut::test]
//! fn a_shape_has_corners_or_none(shape: Shape, #[from(1..10)] scale: u8) {
//!     match shape {
//!         Shape::Circle { radius } => assert!(u32::from(radius) * u32::from(scale) < 1 << 20),
//!         Shape::Polygon(corners) => assert!(corners.len() >= 3),
//!     }
//! }
//!
//! // The same without the macro, for code that wants to look at what was found.
//! let report = rebut::Check::new("sums are small").cases(500).run(|case| {
//!     let list = case.draw(vecs(integers::<u8>()));
//!     list.iter().map(|&n| u32::from(n)).sum::<u32>() < 300
//! });
//! assert!(!report.verdict.is_success());
//! ```
//!
//! Features: `regex` draws text from regular expressions; `bytes`, `chrono`, `jiff`,
//! `rust_decimal`, `serde_json`, `url` and `uuid` draw the types of these crates.
//!
//! All settings and attributes are listed in the crate `rebut-macros`. This crate holds no
//! code of its own: it gathers what users name.

mod macros;
pub mod prelude;

#[doc(hidden)]
pub mod __private;

/// The representation under everything: choices, tapes and those who supply them. Needed to
/// write an engine, not to write tests.
pub use rebut_choice as choice;

/// Objectives, neighborhoods and strategies. Needed to write a search, not to use one:
/// [`maximize`] and [`minimize`] in a property are enough.
pub use rebut_search as search;

pub use rebut_choice::{Label, Source, Tape};
pub use rebut_contract::{Program, Subject, program::Programs};
pub use rebut_gen::*;
pub use rebut_macros::{
    Generate, Specify, ToCode, constants, contract, exists, mock, not_exists, summary, test,
};
pub use rebut_run::{
    Aim, Answer, Case, Check, Claim, Constructed, Counterexample, Database, Events, Failure,
    FailureKind, FileDatabase, Found, FreePart, FrontCase, Isolate, Location, MemoryDatabase,
    Origin, Outcome, Reached, Report, Search, Settings, ShownValue, Sought, Statistics, StoredCase,
    Traced, Verbosity, Verdict, check, find, find_within, is_reporting, maximize, maximize_as,
    minimize, minimize_as, neighborhood, reset_search,
};
