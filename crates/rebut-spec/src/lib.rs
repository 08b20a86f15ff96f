//! The input language of Rebut: say what inputs are legal, and what makes two of them
//! different.
//!
//! A program declares inputs that are left blank, specifies what holds for each, and
//! constrains how any two sets of inputs differ. What is asked for is an [`Environment`]:
//! variables, assertions about one model, a constraint between two. The language is that of
//! Ringer, Grossman, Schwartz-Narbonne and Tasiran, "A Solver-Aided Language for Test Input
//! Generation" (OOPSLA 2017).
//!
//! Every model satisfies the assertions, and every two satisfy the constraint: [`eval`]
//! checks it and knows nothing of how models are found.
//!
//! # Example
//! ```
//! let program = rebut_spec::Program::parse("hours.rebut", "
//!     (declare hours ?Integer)
//!     (specify hours (between 0 23))
//!     (generate test 3 (constrain-solutions hours (numeric-distance 5)))
//! ");
//! assert!(program.diagnostics.is_empty());
//! assert_eq!(&*program.environments[0].name, "test");
//! ```

pub mod builder;
mod dates;
pub mod diagnostic;
mod engine;
pub mod eval;
mod frontend;
pub mod ir;
mod lang;
pub mod number;
pub mod output;
mod program;
pub mod syntax;
pub mod zones;

pub use diagnostic::{Diagnostic, Severity, Sources, Span};
pub use engine::{
    Coupled, Encoding, Finder, Options, Outcome, Refused, Verdict, explain, generate,
};
pub use ir::{Environment, Model, Value};
pub use lang::{BUILTINS, Builtin, FORMS};
pub use program::{Program, ReadFile};
