//! Rebut tries to refute what you claim about your code.
//!
//! You write a claim: a test with parameters. Rebut looks for values that break it, shrinks
//! them and prints them as code.
//!
//! # Example
//! ```
//! #[rebut::test]
//! fn sorting_twice_changes_nothing(mut list: Vec<i32>) {
//!     list.sort();
//!     let once = list.clone();
//!     list.sort();
//!     assert_eq!(list, once);
//! }
//! ```
//!
//! Types of your own get a generator by `#[derive(Generate)]`; where the type alone does not
//! say enough, a generator stands before the parameter or the field:
//! ```
//! use rebut::prelude::*;
//!
//! #[derive(Debug, Generate)]
//! enum Shape {
//!     Circle { radius: f64 },
//!     Polygon(#[generate(min_size = 3)] Vec<(i16, i16)>),
//! }
//!
//! #[rebut::test(cases = 200)]
//! fn parses_what_it_prints(shape: Shape, #[from(integers().max_value(9))] digits: u8) {
//!     assume!(digits > 0, "a shape is printed with some precision");
//!     // ..
//! }
//! ```
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

pub use rebut_choice::{Label, Source, Tape};
pub use rebut_gen::*;
pub use rebut_macros::{Generate, ToCode, test};
pub use rebut_run::{
    Answer, Case, Check, Counterexample, Failure, FailureKind, Found, FreePart, Isolate, Location,
    Outcome, Report, Settings, ShownValue, Statistics, Verbosity, Verdict, is_reporting,
};
