//! Sets of flags: types of the crate `bitflags`.
