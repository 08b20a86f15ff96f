//! Arrays of one to three dimensions: types of the crate `ndarray`.
