//! Builds the crates below `testdata/` for WebAssembly.

mod overlay;
mod packages;
mod support;
mod unsupported;
mod widths;
