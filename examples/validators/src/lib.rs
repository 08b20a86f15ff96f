//! Section 7 of the paper behind the input language, rebuilt: validators of texts, and how
//! much of each is reached by inputs that are only different, and by inputs that cover the
//! structure of a pattern.
//!
//! The validators ([`VALIDATORS`]) are written from public specifications. Each condition in
//! them is a `when!`, which notes its outcome, so coverage is a count that depends on nothing
//! but the inputs. For each validator `inputs/<name>.rebut` has a black-box pattern, written
//! from the description of the texts alone, and a white-box one, written with the code at
//! hand; `inputs/basic.rebut` has a pattern that knows nothing.
//!
//! ```console
//! $ cargo run -p rebut-validators-example --example coverage
//! $ cargo rebut generate examples/validators/inputs/isbn.rebut black-cover
//! ```

#[macro_use]
mod branches;
mod study;
mod validators;

pub use branches::Branches;
pub use study::{APPROACHES, Approach, Study, inputs};
pub use validators::{VALIDATORS, Validator};
