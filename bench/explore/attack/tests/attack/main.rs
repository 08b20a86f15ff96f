//! One module for each class of properties.

mod address;
mod environment;
mod floats;
mod hashes;
mod memory;
mod panics;
mod platform;
mod state;
mod width;
mod width_of_types;
