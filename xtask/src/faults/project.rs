//! The crate whose tests die.
//!
//! A lane is a copy of the crate. All copies are one workspace with one target directory, so that
//! Rebut is built once, and cells can run at the same time with a `.rebut` of their own.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::canary;
use super::deaths::DEATHS;
use super::kills;
use super::sites::{NEIGHBOR_CODE, SITES, Site};
use crate::compat::clean_environment;
use crate::{root, setup, target};

/// The crate, built.
#[derive(Debug)]
pub(crate) struct Project {
    lanes: Vec<Lane>,
}

/// A copy of the crate.
#[derive(Debug)]
pub(crate) struct Lane {
    pub(crate) name: String,
    pub(crate) home: PathBuf,
    /// The test binary.
    pub(crate) binary: PathBuf,
}

/// Where the crate is built.
pub(crate) fn build_directory() -> PathBuf {
    target().join("faults").join("build")
}

impl Project {
    /// Writes and builds the crate.
    pub(crate) fn build(lanes: usize) -> Result<Project, String> {
        let work = target().join("faults").join("work");
        let names: Vec<String> = (0..lanes).map(|nth| format!("lane{nth}")).collect();
        write(&work, &names).map_err(|error| format!("cannot write the crate: {error}"))?;
        let mut command = cargo(&work);
        command.args(["test", "--no-run", "--lib", "--workspace", "--message-format=json"]);
        eprintln!("> {} (in {})", crate::command_line(&command), work.display());
        let output = command.stderr(std::process::Stdio::inherit()).output();
        let output = output.map_err(|error| format!("cannot start cargo: {error}"))?;
        if !output.status.success() {
            return Err("the crate of the faults does not build".to_owned());
        }
        let messages = String::from_utf8_lossy(&output.stdout).into_owned();
        let lanes = names.into_iter().map(|name| {
            let home = work.join(&name);
            let binary = binary(&messages, &name).ok_or(format!("no test binary of {name}"))?;
            Ok(Lane { name, home, binary })
        });
        Ok(Project { lanes: lanes.collect::<Result<_, String>>()? })
    }

    pub(crate) fn lanes(&self) -> &[Lane] {
        &self.lanes
    }
}

fn binary(messages: &str, package: &str) -> Option<PathBuf> {
    let parsed = messages.lines().filter_map(|line| serde_json::from_str(line).ok());
    let mut artifacts = parsed.filter(|message: &serde_json::Value| {
        message["target"]["name"] == package && message["profile"]["test"] == true
    });
    artifacts.find_map(|message| message["executable"].as_str().map(PathBuf::from))
}

/// Cargo, as it runs the tests of the crate.
pub(crate) fn cargo(directory: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(directory);
    set_environment(&mut command);
    command
}

/// Sets the environment of everything that runs tests of the crate.
pub(crate) fn set_environment(command: &mut Command) {
    if let Some(jobs) = std::env::var_os("CARGO_BUILD_JOBS") {
        command.env("CARGO_BUILD_JOBS", jobs);
    }
    let own = target().join("debug");
    let path = setup::path();
    let path = std::env::join_paths(std::iter::once(own).chain(std::env::split_paths(&path)));
    command
        .env("CARGO_TARGET_DIR", build_directory())
        .env("CARGO_NET_OFFLINE", "true")
        .env("CARGO_TERM_COLOR", "never")
        .env("CARGO_INCREMENTAL", "0")
        .env("CARGO_PROFILE_DEV_DEBUG", "line-tables-only")
        .env("REBUT_SEED", "1")
        .env("REBUT_DEADLINE", "300ms")
        .env("PATH", path.unwrap_or_else(|_| setup::path()));
    clean_environment(command);
}

impl Lane {
    /// Removes everything that earlier runs have left.
    pub(crate) fn reset(&self) -> Result<(), String> {
        let reset = || -> io::Result<()> {
            for name in [".rebut", "tmp", "tests"] {
                match fs::remove_dir_all(self.home.join(name)) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                    _ => {}
                }
            }
            self.forget_notes();
            fs::create_dir_all(self.temporary())
        };
        reset().map_err(|error| format!("cannot reset {}: {error}", self.home.display()))
    }

    /// The directory for temporary files.
    pub(crate) fn temporary(&self) -> PathBuf {
        self.home.join("tmp")
    }

    /// The file to which a test writes the inputs that it dies of.
    pub(crate) fn notes_file(&self) -> PathBuf {
        self.home.join("notes")
    }

    pub(crate) fn forget_notes(&self) {
        let _ = fs::remove_file(self.notes_file());
    }

    /// The inputs that tests died of.
    pub(crate) fn notes(&self) -> Vec<u32> {
        let text = fs::read_to_string(self.notes_file()).unwrap_or_default();
        text.lines().filter_map(|line| line.parse().ok()).collect()
    }

    /// The number of saved failures of some tests, and the files that should not be there.
    pub(crate) fn saved(&self, tests: &[&str]) -> (usize, Vec<String>) {
        let (mut saved, mut stray) = (0, Vec::new());
        for path in files(&self.home.join(".rebut/failures")) {
            let shown = self.shown(&path);
            if path.extension().is_none_or(|extension| extension != "case") {
                stray.push(shown);
            } else if tests.iter().any(|test| shown.contains(test)) {
                saved += 1;
            }
        }
        stray.extend(files(&self.temporary()).iter().map(|path| self.shown(path)));
        (saved, stray)
    }

    /// The notes of runs that do not run anymore.
    pub(crate) fn journals(&self) -> Vec<String> {
        let mut running = files(&self.home.join(".rebut/running"));
        // A process that is killed while it writes leaves an unfinished file. Another process cannot
        // know that it is abandoned, so it is removed after an hour.
        running.retain(|path| {
            !path.ends_with(".gitignore") && path.extension().is_none_or(|name| name != "new")
        });
        running.iter().map(|path| self.shown(path)).collect()
    }

    /// The files that are being written. Only a process that is killed leaves one.
    pub(crate) fn unfinished(&self) -> Vec<String> {
        let mut running = files(&self.home.join(".rebut/running"));
        running.retain(|path| path.extension().is_some_and(|name| name == "new"));
        running.iter().map(|path| self.shown(path)).collect()
    }

    fn shown(&self, path: &Path) -> String {
        path.strip_prefix(&self.home).unwrap_or(path).to_string_lossy().into_owned()
    }
}

/// The files below a directory.
pub(crate) fn files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        match entry.path() {
            path if path.is_dir() => found.extend(files(&path)),
            path => found.push(path),
        }
    }
    found.sort();
    found
}

const MANIFEST: &str = "\
[package]
name = \"NAME\"
version = \"0.0.0\"
edition = \"2024\"
publish = false

[dependencies]
libc = \"0.2\"
rebut = { path = \"REBUT\" }
";

/// The code that all sites use.
const SUPPORT: &str = r#"//! Written by `cargo xtask faults`.

#![allow(unused, unconditional_recursion)]

use std::io::Write as _;

MODULES
/// Dies if the input is large.
fn deadly(n: u16) {
    if n > 100 {
        note(n);
        die();
    }
}

/// Writes down what a test is about to die of.
fn note(n: impl std::fmt::Display) {
    if let Some(path) = std::env::var_os("FAULTS_NOTES") {
        let file = std::fs::OpenOptions::new().append(true).create(true).open(path);
        if let Ok(mut file) = file {
            let _ = file.write_all(format!("{n}\n").as_bytes());
        }
    }
}

/// Dies in the way that this variable names.
fn die() {
    match std::env::var("FAULTS_DEATH").unwrap_or_default().as_str() {
DEATHS        _ => {}
    }
}

fn raise(signal: i32) {
    // SAFETY: has no preconditions.
    unsafe { libc::raise(signal) };
}

/// The handler of a crash reporter: it writes a line and lets the signal end the process.
extern "C" fn on_signal(signal: i32) {
    let line = c"the handler of the user\n";
    // SAFETY: these functions may be called in a handler.
    unsafe {
        libc::write(2, line.as_ptr().cast(), line.count_bytes());
        libc::signal(signal, libc::SIG_DFL);
        libc::raise(signal);
    }
}

fn install_handlers() {
    for signal in [libc::SIGSEGV, libc::SIGABRT] {
        // SAFETY: all zeroes is a valid `sigaction`, and the handler has the signature that it
        // must have without SA_SIGINFO.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = on_signal as extern "C" fn(i32) as usize;
            action.sa_flags = libc::SA_ONSTACK;
            libc::sigaction(signal, &action, std::ptr::null_mut());
        }
    }
}
"#;

fn write(work: &Path, lanes: &[String]) -> io::Result<()> {
    let manifest = format!("[workspace]\nresolver = \"3\"\nmembers = {lanes:?}\n");
    write_changed(&work.join("Cargo.toml"), &manifest)?;
    // With the versions of this workspace nothing has to be looked up.
    fs::copy(root().join("Cargo.lock"), work.join("Cargo.lock"))?;
    let mut modules: Vec<(&str, String)> = Vec::new();
    for site in SITES.iter().chain(canary::SITES) {
        modules.push((site.module, module(site)));
    }
    modules.push((kills::MODULE, kills::CODE.to_owned()));
    let library = library(&modules);
    let rebut = root().join("crates/rebut").to_string_lossy().into_owned();
    for lane in lanes {
        let home = work.join(lane);
        let manifest = MANIFEST.replace("NAME", lane).replace("REBUT", &rebut);
        write_changed(&home.join("Cargo.toml"), &manifest)?;
        write_changed(&home.join("src/lib.rs"), &library)?;
        for (name, code) in &modules {
            write_changed(&home.join(format!("src/{name}.rs")), code)?;
        }
    }
    Ok(())
}

fn library(modules: &[(&str, String)]) -> String {
    let mut names: Vec<String> =
        modules.iter().map(|(name, _)| format!("#[cfg(test)]\nmod {name};\n")).collect();
    names.sort();
    let mut arms = String::new();
    for death in DEATHS {
        let code = death.code.trim();
        arms.push_str(&format!("        {:?} => {{\n            {code}\n        }}\n", death.name));
    }
    SUPPORT.replace("MODULES\n", &names.concat()).replace("DEATHS", &arms)
}

fn module(site: &Site) -> String {
    format!("use super::*;\nuse rebut::prelude::*;\n{}{NEIGHBOR_CODE}", site.code)
}

/// Writes a file unless it says so already: what did not change is not built again.
pub(crate) fn write_changed(path: &Path, text: &str) -> io::Result<()> {
    if fs::read_to_string(path).is_ok_and(|there| there == text) {
        return Ok(());
    }
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory)?;
    }
    fs::write(path, text)
}
