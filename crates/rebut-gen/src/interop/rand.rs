//! Random number generators of the crate `rand` whose draws are choices.
