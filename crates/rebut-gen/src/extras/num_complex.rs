//! Complex numbers: types of the crate `num-complex`.
