//! The settings of a run, for [`Check::configure`](crate::Check::configure).
//!
//! Tests set them in `rebut.toml`, in the attribute `#[rebut::test(..)]` and in `REBUT_*`
//! variables. [Settings][guide] describes each.
//!
//! # Examples
//! ```
//! use rebut::settings::SearchMode;
//! use rebut::{Check, integers, maximize};
//!
//! let check = Check::new("high").seed(1).configure(|settings| {
//!     settings.search = SearchMode::Climbing;
//! });
//! let report = check.run(|case| {
//!     maximize(case.draw(integers::<u8>()));
//! });
//! assert!(report.verdict.is_success());
//! ```
//!
#![doc = concat!("[guide]: ", env!("CARGO_PKG_HOMEPAGE"), "/settings.md")]

pub use rebut_run::{EventLevel, Isolation, SearchMode, Settings, Verbosity};
