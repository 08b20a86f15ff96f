//! A compiler that builds tests for WebAssembly, where they are explored.

use std::process::{Command, Stdio};

use crate::cargo;

/// What Debian has where rustup can fetch nothing: a compiler, the sources of its standard
/// library, and a linker.
const PACKAGES: [&str; 4] = ["rustc-web", "cargo-web", "rust-web-src", "rust-web-llvm"];

/// Sees to it that there is one: from rustup, else from Debian. Where neither has it, tests that
/// need it say that they are skipped.
pub(crate) fn install() {
    if is_there() || (add_sources() && is_there()) || (install_packages() && is_there()) {
        return;
    }
    eprintln!("note: no compiler builds for WebAssembly; tests that explore are skipped");
}

/// Whether tests can be built; builds the standard library if its sources are all there is.
fn is_there() -> bool {
    let arguments = ["run", "--quiet", "--package", "rebut-build", "--example", "toolchain"];
    cargo(&arguments).stdout(Stdio::null()).status().is_ok_and(|status| status.success())
}

fn add_sources() -> bool {
    is_done(Command::new("rustup").args(["component", "add", "rust-src"]))
}

fn install_packages() -> bool {
    let apt = || {
        let mut command = Command::new("apt-get");
        command.env("DEBIAN_FRONTEND", "noninteractive");
        command
    };
    let is_root = std::env::var_os("USER").is_none_or(|user| user == "root");
    is_root
        && is_done(apt().arg("update"))
        && is_done(apt().args(["install", "--yes", "--no-install-recommends"]).args(PACKAGES))
}

fn is_done(command: &mut Command) -> bool {
    let command = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
