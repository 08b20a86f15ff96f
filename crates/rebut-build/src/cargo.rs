//! Has cargo build, and reads what it says.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use cargo_metadata::diagnostic::{Diagnostic, DiagnosticLevel};
use cargo_metadata::{Message, PackageId};

use crate::package::Target;
use crate::{Problem, Toolchain, WASM};

/// One call of cargo.
#[derive(Debug)]
pub(crate) struct Call<'a> {
    /// Where the user's settings of cargo are looked for.
    pub(crate) folder: &'a Path,
    pub(crate) manifest: &'a Path,
    pub(crate) package: &'a str,
    pub(crate) targets: &'a [Target],
    pub(crate) features: &'a [String],
    pub(crate) target_folder: &'a Path,
}

/// What came of it.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// The modules that were built.
    pub(crate) built: BTreeMap<Target, PathBuf>,
    /// What could not be built.
    pub(crate) failures: Vec<Failure>,
    pub(crate) is_success: bool,
    /// What cargo said on its standard error.
    pub(crate) said: String,
}

/// Something that could not be built.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    /// The package, if it is known by its identity.
    pub(crate) id: Option<PackageId>,
    /// The package's name.
    pub(crate) name: String,
    /// The target, if it is one of those that are built.
    pub(crate) target: Option<Target>,
    /// The first error.
    pub(crate) why: String,
}

/// The profile that is built with: overflows and debug assertions are checked, places in the
/// sources are known, and the code is simple and not slow.
const PROFILE: &str = "rebut-explore";
const SETTINGS: [&str; 7] = [
    "inherits=\"dev\"",
    "opt-level=1",
    "debug=\"line-tables-only\"",
    "debug-assertions=true",
    "overflow-checks=true",
    "lto=\"off\"",
    "incremental=false",
];

/// Builds the tests of a package; what cargo does is told to `say`.
pub(crate) fn build_tests(
    toolchain: &Toolchain,
    call: &Call<'_>,
    say: &mut dyn FnMut(&str),
) -> Result<Outcome, Problem> {
    let mut command = toolchain.cargo();
    command
        .current_dir(call.folder)
        .args(["test", "--no-run", "--message-format=json"])
        .args(["--target", WASM, "--profile", PROFILE, "--package", call.package])
        .arg("--manifest-path")
        .arg(call.manifest)
        .arg("--target-dir")
        .arg(call.target_folder)
        .args(call.targets.iter().flat_map(Target::arguments))
        .args(call.features)
        .env_remove("CARGO_TARGET_DIR")
        .env_remove("CARGO_BUILD_TARGET_DIR");
    for setting in SETTINGS {
        command.args(["--config", &format!("profile.{PROFILE}.{setting}")]);
    }
    let said = run(&mut command, say)?;
    let mut outcome =
        Outcome { is_success: said.is_success, said: said.words, ..Outcome::default() };
    for message in said.messages {
        take(message, call.package, &mut outcome);
    }
    outcome.failures.extend(failed_build_scripts(&outcome.said));
    Ok(outcome)
}

/// What cargo said.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) messages: Vec<Message>,
    pub(crate) is_success: bool,
    /// On its standard error.
    pub(crate) words: String,
}

/// Runs cargo; what it does is told to `say`.
pub(crate) fn run(command: &mut Command, say: &mut dyn FnMut(&str)) -> Result<Said, Problem> {
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| Problem::cargo(format!("cannot start cargo: {error}")))?;
    let stdout = child.stdout.take();
    // On a thread of its own, so that neither pipe fills up while the other is read.
    let reader = thread::spawn(move || stdout.map(read_messages).unwrap_or_default());
    let mut words = String::new();
    for line in child.stderr.take().into_iter().flat_map(|pipe| BufReader::new(pipe).lines()) {
        let line = line.unwrap_or_default();
        if is_status(&line) {
            say(&line);
        }
        words.push_str(&line);
        words.push('\n');
    }
    let messages = reader.join().unwrap_or_default();
    let status = child
        .wait()
        .map_err(|error| Problem::cargo(format!("lost cargo while it was running: {error}")))?;
    Ok(Said { messages, is_success: status.success(), words })
}

fn read_messages(pipe: impl Read) -> Vec<Message> {
    Message::parse_stream(BufReader::new(pipe)).map_while(Result::ok).collect()
}

/// Whether cargo says what it is doing, as in `   Compiling serde v1.0.0`.
fn is_status(line: &str) -> bool {
    let word = line.trim_start().split(' ').next().unwrap_or_default();
    line.starts_with(' ') && ["Compiling", "Downloading", "Updating", "Blocking"].contains(&word)
}

fn take(message: Message, package: &str, outcome: &mut Outcome) {
    match message {
        Message::CompilerArtifact(artifact) if artifact.profile.test => {
            if let (Some(path), Some(target)) = (artifact.executable, Target::of(&artifact.target))
            {
                outcome.built.insert(target, path.into_std_path_buf());
            }
        }
        Message::CompilerMessage(message)
            if matches!(message.message.level, DiagnosticLevel::Error | DiagnosticLevel::Ice) =>
        {
            let is_own = name_in(&message.package_id) == package;
            outcome.failures.push(Failure {
                name: name_in(&message.package_id),
                id: Some(message.package_id),
                target: Target::of(&message.target).filter(|_| is_own),
                why: first_error(&message.message),
            });
        }
        _ => {}
    }
}

/// What an error says; of one of the linker, what the linker said.
fn first_error(error: &Diagnostic) -> String {
    const SAID: &str = ": error: ";
    let notes = error.children.iter().map(|child| child.message.as_str());
    let mut linker = notes.flat_map(str::lines).filter_map(|line| line.split_once(SAID));
    match linker.next() {
        Some((_, said)) => match said.strip_prefix("unable to find library -l") {
            Some(library) => format!("it needs the library `{library}`, which is not Rust"),
            None => format!("it cannot be linked: {said}"),
        },
        None => error.message.clone(),
    }
}

/// The name in an identity such as `registry+https://..#serde@1.0.0` or `path+file:///a/b#0.1.0`.
fn name_in(id: &PackageId) -> String {
    let (place, rest) = id.repr.rsplit_once('#').unwrap_or(("", &id.repr));
    match rest.split_once('@') {
        Some((name, _)) => name.to_owned(),
        None if rest.starts_with(|c: char| c.is_ascii_digit()) => {
            place.rsplit('/').next().unwrap_or_default().to_owned()
        }
        None => rest.to_owned(),
    }
}

/// Build scripts that failed: cargo says that in words only.
fn failed_build_scripts(said: &str) -> Vec<Failure> {
    const BEGIN: &str = "error: failed to run custom build command for `";
    let mut failures = Vec::new();
    let mut lines = said.lines();
    while let Some(line) = lines.next() {
        let Some(rest) = line.strip_prefix(BEGIN) else { continue };
        let name = rest.split([' ', '`']).next().unwrap_or_default().to_owned();
        let is_other = |line: &&str| line.starts_with("error") || line.starts_with("warning");
        let block = lines.clone().take_while(|line| !is_other(line)).map(str::trim);
        let reason = block.clone().find(|line| line.starts_with("error"));
        let reason = reason.or_else(|| block.clone().find(|line| line.contains("panicked at")));
        let why = match reason {
            Some(reason) => format!("its build script failed: {}", without_color(reason)),
            None => "its build script failed".to_owned(),
        };
        failures.push(Failure { id: None, name, target: None, why });
    }
    failures
}

fn without_color(text: &str) -> String {
    text.split('\u{1b}').enumerate().fold(String::new(), |mut all, (n, part)| {
        let part = if n == 0 { part } else { part.split_once('m').map_or("", |(_, rest)| rest) };
        all.push_str(part);
        all
    })
}

/// The last lines of what a command said.
pub(crate) fn last_words(said: &str) -> String {
    let lines: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(12)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_known_by_name() {
        let name = |repr: &str| name_in(&PackageId { repr: repr.to_owned() });
        assert_eq!(
            name("registry+https://github.com/rust-lang/crates.io-index#serde@1.0.0"),
            "serde"
        );
        assert_eq!(name("path+file:///home/me/demo#0.1.0"), "demo");
        assert_eq!(name("path+file:///home/me/here#demo@0.1.0"), "demo");
    }

    #[test]
    fn a_failed_build_script_is_told_with_its_package() {
        let said = "\
   Compiling zstd-sys v2.0.1
error: failed to run custom build command for `zstd-sys v2.0.1`

Caused by:
  process didn't exit successfully: `build-script-build` (exit status: 1)
  --- stderr
  error occurred in cc-rs: failed to find tool \"clang\"
warning: build failed, waiting for other jobs to finish...
";
        let failures = failed_build_scripts(said);
        assert_eq!(failures.len(), 1);
        assert_eq!(failures[0].name, "zstd-sys");
        assert!(failures[0].why.contains("failed to find tool \"clang\""), "{:?}", failures[0]);
    }

    #[test]
    fn only_what_cargo_does_is_progress() {
        assert!(is_status("   Compiling serde v1.0.0"));
        assert!(!is_status("warning: unused variable"));
        assert!(!is_status("    Finished in 3s"));
    }
}
