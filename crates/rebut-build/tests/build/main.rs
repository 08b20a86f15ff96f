//! Builds the crates below `testdata/` for WebAssembly.

mod beyond;
mod overlay;
mod packages;
mod support;
