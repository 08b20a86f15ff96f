//! Byte strings: types of the crate `bstr`.
