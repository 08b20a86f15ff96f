//! Writes the tests that were decided on, and builds and runs them before they are shown.

pub(crate) mod draft;
pub(crate) mod verify;
