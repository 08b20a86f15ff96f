//! The input language of Rebut: describes which inputs are legal and what makes two of them
//! different, and generates such inputs.
//!
//! A program declares blanks, specifies assertions about them, and constrains how two sets of
//! inputs differ. A set of inputs is called a model. Evaluating a program yields an
//! [`Environment`] for each `generate`: variables, assertions about one model, and a constraint
//! between two. The language is that of Ringer, Grossman, Schwartz-Narbonne and Tasiran, "A
//! Solver-Aided Language for Test Input Generation" (OOPSLA 2017).
//!
//! The crate never runs the code under test, and it reads no files itself; the caller does.
//!
//! Invariant: every model satisfies the assertions, and every two models the constraint.
//! [`eval`] checks it, independently of the engine that found them.
//!
//! # Examples
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
