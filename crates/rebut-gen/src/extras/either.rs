//! One of two types: types of the crate `either`.
