//! Decimal numbers of any size: types of the crate `bigdecimal`.
