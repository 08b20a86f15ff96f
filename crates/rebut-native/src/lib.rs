//! The regression tests that Rebut prints: compiled, run, formatted, and written to `tests/`.
//!
//! Whatever this crate reports about a printed test was found out by building and running it.
//!
//! ```
//! // A file that is no printed test is not taken for one.
//! assert!(rebut_native::Printed::of("fn main() {}".to_owned()).is_none());
//! ```

mod emit;
mod words;

pub use emit::{
    Failed, Outcome, Printed, check, emit_paths, flatten, formatted, function, text_of,
};
