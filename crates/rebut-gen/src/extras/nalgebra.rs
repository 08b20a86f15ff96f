//! Small vectors and matrices: types of the crate `nalgebra`.
