//! Dates, times and offsets: types of the crate `time`.
