//! A program that is not for WebAssembly.
use std::os::unix::fs::PermissionsExt as _;

fn main() {
    let _ = std::fs::Permissions::from_mode(0o644);
}
