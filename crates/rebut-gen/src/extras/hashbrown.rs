//! Hash maps and hash sets: types of the crate `hashbrown`.
