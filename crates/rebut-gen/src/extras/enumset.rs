//! Sets of the variants of an enum: types of the crate `enumset`.
