//! Builds crates below `testdata/`.
//!
//! Each is first copied to a directory of its own, so that nothing is written into the sources.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use rebut_build::{Built, Module, Problem, Request, Target, Toolchain};

/// A toolchain that builds for WebAssembly; reports it as missing if there is none.
#[track_caller]
pub(crate) fn toolchain() -> Option<Toolchain> {
    present(Toolchain::find(&mut |_| ()))
}

/// A toolchain that was looked for; reports it as missing if there is none.
#[track_caller]
pub(crate) fn present(found: Result<Toolchain, Problem>) -> Option<Toolchain> {
    match found {
        Ok(toolchain) => Some(toolchain),
        Err(problem) if problem.is_toolchain() => {
            rebut_testkit::missing("a compiler for WebAssembly", &problem.to_string());
            None
        }
        Err(problem) => panic!("{problem}"),
    }
}

/// Builds a crate of `testdata/`.
pub(crate) fn build(toolchain: &Toolchain, name: &str, request: Request) -> Result<Built, Problem> {
    let temporary = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let folder = copied(name);
    let request = Request {
        manifest: Some(folder.join("Cargo.toml")),
        target_folder: Some(temporary.join("explore")),
        ..request
    };
    rebut_build::build(toolchain, &request, &mut |_| ())
}

/// The module of a target.
pub(crate) fn module<'a>(built: &'a Built, target: &Target) -> &'a Module {
    let found = built.modules.iter().find(|module| module.target == *target);
    found.unwrap_or_else(|| panic!("no {target} in {built:?}"))
}

/// Copies a crate of `testdata/`, and inserts the path of `rebut` into its manifests.
pub(crate) fn copied(name: &str) -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("packages").join(name);
    // TestPrograms that run at the same time may want the same crate.
    static COPYING: Mutex<()> = Mutex::new(());
    let _copying = COPYING.lock().expect("a lock");
    copy(&here.join("testdata").join(name), &folder, &here.join("../rebut"));
    // With the versions of this workspace, cargo needs no network. Cargo shortens the file, perhaps
    // while another test reads it, so it is written only once.
    let lock = folder.join("Cargo.lock");
    if !lock.exists() {
        fs::copy(here.join("../../Cargo.lock"), lock).expect("a file");
    }
    folder
}

fn copy(from: &Path, to: &Path, rebut: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder").flatten() {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy(&from, &to, rebut);
        } else {
            let text = fs::read_to_string(&from).expect("text");
            let text = text.replace("REBUT", &rebut.display().to_string());
            if fs::read_to_string(&to).is_ok_and(|old| old == text) {
                continue;
            }
            fs::write(&to, text).expect("a file");
        }
    }
}
