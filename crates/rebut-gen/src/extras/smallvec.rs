//! Vectors with inline storage: types of the crate `smallvec`.
