//! Integers of any size: types of the crate `num-bigint`.
