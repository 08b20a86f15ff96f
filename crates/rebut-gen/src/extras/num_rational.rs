//! Fractions: types of the crate `num-rational`.
