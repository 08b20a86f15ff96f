//! Stands for an executor of futures.
#[cfg(target_family = "wasm")]
compile_error!("only features of other targets are supported");

/// Waits.
pub fn wait() {}
