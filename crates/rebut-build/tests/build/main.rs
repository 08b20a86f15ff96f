//! Builds the crates below `testdata/` for WebAssembly.

mod beyond;
mod packages;
mod support;
