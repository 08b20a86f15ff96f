//! Reads unit tests: their literals, the objects that they create, and what to call both.
//!
//! Everything here is decided from the source text. Types are not known yet.

pub(crate) mod literals;
pub(crate) mod mockable;
pub(crate) mod source_index;
pub(crate) mod unit_test;
pub(crate) mod value;
