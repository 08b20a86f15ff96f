//! Short strings: types of the crate `compact_str`.
