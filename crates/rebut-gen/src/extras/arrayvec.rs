//! Vectors and strings of fixed capacity: types of the crate `arrayvec`.
