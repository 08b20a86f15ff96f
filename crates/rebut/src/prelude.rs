//! Re-exports what most tests need: `use rebut::prelude::*;`.
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
pub use rebut_gen::*;
pub use rebut_macros::{Generate, Specify, ToCode};
pub use rebut_run::{Case, maximize, maximize_as, minimize, minimize_as, reset_search};

pub use crate::{assert_panics, assume, cover, label, note};
