//! Reads the sources of a package: which type is meant, and what can be called on it.

mod definitions;
pub(crate) mod find_type;
mod methods;
pub(crate) mod sources;
pub(crate) mod subject;
pub(crate) mod subject_reader;
pub(crate) mod types;
