//! Floats with a total order: types of the crate `ordered-float`.
