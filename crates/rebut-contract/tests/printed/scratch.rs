//! A crate below `target` with printed programs.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The crate, and a lock on it: test runners may start a process for each test.
pub struct Scratch {
    home: PathBuf,
    _lock: File,
}

const MANIFEST: &str = "\
[package]
name = \"printed\"
version = \"0.0.0\"
edition = \"EDITION\"
publish = false

[dependencies]
rebut = { path = \"REBUT\" }

[workspace]

[profile.dev]
debug = false
";

impl Scratch {
    pub fn new(edition: &str) -> Scratch {
        let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("printed");
        fs::create_dir_all(&home).expect("a folder below `target`");
        let lock = File::create(home.join("lock")).expect("a file");
        lock.lock().expect("a lock");
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let rebut = here.join("../rebut").display().to_string();
        let manifest = MANIFEST.replace("EDITION", edition).replace("REBUT", &rebut);
        write(&home.join("Cargo.toml"), &manifest);
        // With the versions of this workspace nothing has to be looked up.
        if !home.join("Cargo.lock").exists() {
            let locked = fs::read_to_string(here.join("../../Cargo.lock")).expect("the lock file");
            write(&home.join("Cargo.lock"), &locked);
        }
        Scratch { home, _lock: lock }
    }

    /// Compiles these files and runs the tests in them. Returns the output, or the errors of the
    /// compiler.
    pub fn run(&self, files: &[(String, String)]) -> Result<String, String> {
        for (path, text) in files {
            write(&self.home.join(path), text);
        }
        let built = self.cargo(&["test", "--no-run", "--lib", "--offline"]);
        if !built.status.success() {
            return Err(String::from_utf8_lossy(&built.stderr).into_owned());
        }
        let arguments = ["test", "--lib", "--offline", "--", "--exact", "all::fail_alike"];
        let ran = self.cargo(&[&arguments[..], &["--nocapture"]].concat());
        Ok(String::from_utf8_lossy(&ran.stdout).into_owned())
    }

    fn cargo(&self, arguments: &[&str]) -> Output {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        rebut_testkit::clean(&mut cargo);
        cargo
            .args(arguments)
            .current_dir(&self.home)
            .env("CARGO_TARGET_DIR", self.home.with_file_name("fixture").join("target"))
            .stdin(Stdio::null())
            .output()
            .expect("cargo")
    }
}

/// Writes a file unless it has this text: what did not change is not built again.
fn write(path: &Path, text: &str) {
    if fs::read_to_string(path).is_ok_and(|there| there == text) {
        return;
    }
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, text).expect("a file below `target`");
}
