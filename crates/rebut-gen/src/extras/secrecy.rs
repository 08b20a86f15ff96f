//! Values that are never printed: types of the crate `secrecy`.
