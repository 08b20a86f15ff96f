//! Collections of fixed capacity: types of the crate `heapless`.
