//! Maps and sets that remember the order of insertion: types of the crate `indexmap`.
