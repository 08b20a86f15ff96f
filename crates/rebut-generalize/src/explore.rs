//! Explores tests with parameters in place of their values.
//!
//! `learn_types` finds the type of each value, `variants` writes the tests that are built on the
//! way, `build_variants` builds them, `paths` explores them, `link` merges parameters that must be
//! equal, and `sequences` makes the strings and lists of different paths comparable.

pub(crate) mod build_variants;
pub(crate) mod learn_types;
pub(crate) mod link;
pub(crate) mod paths;
pub(crate) mod sequences;
pub(crate) mod variants;
