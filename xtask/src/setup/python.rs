//! Packages of Python, in a virtual environment next to the benches.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use super::{ReadyItem, quietly};
use crate::root;

/// Installs the packages that tests need: z3, and pytest for an example in the guide.
pub(super) fn install_for_tests() -> Result<ReadyItem, String> {
    let begun = Instant::now();
    let what = "z3 and pytest in bench/.venv";
    if ["z3", "pytest"].iter().all(|program| programs().join(program).exists()) {
        return ReadyItem::new("Found", what, begun);
    }
    install(&root().join("xtask/requirements.txt"))?;
    ReadyItem::new("Installed", what, begun)
}

/// The programs of the virtual environment.
pub(super) fn programs() -> PathBuf {
    directory().join("bin")
}

fn directory() -> PathBuf {
    root().join("bench").join(".venv")
}

/// Installs a list of packages unless one of its programs is there.
pub(crate) fn install_unless(program: &str, requirements: &Path) -> Result<(), String> {
    if programs().join(program).exists() { Ok(()) } else { install(requirements) }
}

fn install(requirements: &Path) -> Result<(), String> {
    let python = programs().join("python");
    if !python.exists() {
        quietly(Command::new("python3").args(["-m", "venv"]).arg(directory()))?;
    }
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"];
    quietly(Command::new(python).args(pip).arg(requirements)).map(|_| ())
}
