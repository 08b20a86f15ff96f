//! Versions and version requirements: types of the crate `semver`.
