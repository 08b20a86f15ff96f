//! Paths in UTF-8: types of the crate `camino`.
