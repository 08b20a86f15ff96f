//! The package of the tests: edited in memory, built in a shadow, and run.
//!
//! Invariant: nothing here writes a file of the user.

pub(crate) mod edit;
pub(crate) mod edited_package;
pub(crate) mod functions;
pub(crate) mod notes;
pub(crate) mod rustfmt;
pub(crate) mod test_program;
