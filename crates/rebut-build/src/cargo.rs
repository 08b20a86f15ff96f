//! Runs cargo and reads its output.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use cargo_metadata::diagnostic::{Diagnostic, DiagnosticLevel};
use cargo_metadata::{Message, PackageId};

use crate::package::Target;
use crate::{Problem, Toolchain};

/// One build of tests by cargo.
#[derive(Debug)]
pub(crate) struct BuildCall<'a> {
    /// The working directory, in which cargo looks for the user's `.cargo/config.toml`.
    pub(crate) folder: &'a Path,
    pub(crate) manifest: &'a Path,
    pub(crate) package: &'a str,
    pub(crate) targets: &'a [Target],
    pub(crate) features: &'a [String],
    pub(crate) target_folder: &'a Path,
}

/// The result of a [`BuildCall`].
#[derive(Debug, Default)]
pub(crate) struct BuildResult {
    /// The modules that were built.
    pub(crate) modules: BTreeMap<Target, PathBuf>,
    pub(crate) failures: Vec<BuildFailure>,
    pub(crate) is_success: bool,
    /// The standard error of cargo.
    pub(crate) stderr: String,
}

/// A package or target that could not be built.
#[derive(Clone, Debug)]
pub(crate) struct BuildFailure {
    /// The identity of the package, if cargo reported it.
    pub(crate) id: Option<PackageId>,
    /// The name of the package.
    pub(crate) name: String,
    /// The target, if it is one of those to build.
    pub(crate) target: Option<Target>,
    /// The first error.
    pub(crate) reason: String,
}

/// The profile of modules to explore. It checks overflows and debug assertions, has line tables,
/// and optimizes a little: the code stays simple and is not slow.
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

/// Builds the tests of a package; `progress` receives the status lines of cargo.
pub(crate) fn build_tests(
    toolchain: &Toolchain,
    call: &BuildCall<'_>,
    progress: &mut dyn FnMut(&str),
) -> Result<BuildResult, Problem> {
    let mut command = toolchain.cargo();
    command
        .current_dir(call.folder)
        .args(["test", "--no-run", "--message-format=json"])
        .args(["--target", toolchain.platform().triple()])
        .args(["--profile", PROFILE, "--package", call.package])
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
    let output = run(&mut command, progress)?;
    let mut result = BuildResult {
        is_success: output.is_success,
        stderr: output.stderr,
        ..BuildResult::default()
    };
    for message in output.messages {
        add_message(message, call.package, &mut result);
    }
    result.failures.extend(failed_build_scripts(&result.stderr));
    Ok(result)
}

/// The output of one run of cargo.
#[derive(Debug)]
pub(crate) struct CargoOutput {
    pub(crate) messages: Vec<Message>,
    pub(crate) is_success: bool,
    pub(crate) stderr: String,
}

/// Runs cargo; `progress` receives its status lines.
pub(crate) fn run(
    command: &mut Command,
    progress: &mut dyn FnMut(&str),
) -> Result<CargoOutput, Problem> {
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| Problem::cargo(format!("cannot start cargo: {error}")))?;
    let stdout = child.stdout.take();
    // A thread reads the other pipe, so that neither fills up.
    let reader = thread::spawn(move || stdout.map(read_messages).unwrap_or_default());
    let mut stderr = String::new();
    for line in child.stderr.take().into_iter().flat_map(|pipe| BufReader::new(pipe).lines()) {
        let line = line.unwrap_or_default();
        if is_status(&line) {
            progress(&line);
        }
        stderr.push_str(&line);
        stderr.push('\n');
    }
    let messages = reader.join().unwrap_or_default();
    let status = child
        .wait()
        .map_err(|error| Problem::cargo(format!("lost cargo while it was running: {error}")))?;
    Ok(CargoOutput { messages, is_success: status.success(), stderr })
}

fn read_messages(pipe: impl Read) -> Vec<Message> {
    Message::parse_stream(BufReader::new(pipe)).map_while(Result::ok).collect()
}

/// Whether a line of cargo reports progress, as in `   Compiling serde v1.0.0`.
fn is_status(line: &str) -> bool {
    let word = line.trim_start().split(' ').next().unwrap_or_default();
    line.starts_with(' ') && ["Compiling", "Downloading", "Updating", "Blocking"].contains(&word)
}

fn add_message(message: Message, package: &str, result: &mut BuildResult) {
    match message {
        Message::CompilerArtifact(artifact) if artifact.profile.test => {
            if let (Some(path), Some(target)) =
                (artifact.executable, Target::from_metadata(&artifact.target))
            {
                result.modules.insert(target, path.into_std_path_buf());
            }
        }
        Message::CompilerMessage(message)
            if matches!(message.message.level, DiagnosticLevel::Error | DiagnosticLevel::Ice) =>
        {
            let is_own = package_name(&message.package_id) == package;
            result.failures.push(BuildFailure {
                name: package_name(&message.package_id),
                id: Some(message.package_id),
                target: Target::from_metadata(&message.target).filter(|_| is_own),
                reason: first_error(&message.message),
            });
        }
        _ => {}
    }
}

/// The message of an error; for a linker error, the message of the linker itself.
fn first_error(error: &Diagnostic) -> String {
    const MARK: &str = ": error: ";
    let notes = error.children.iter().map(|child| child.message.as_str());
    let mut linker = notes.flat_map(str::lines).filter_map(|line| line.split_once(MARK));
    match linker.next() {
        Some((_, message)) => match message.strip_prefix("unable to find library -l") {
            Some(library) => format!("it needs the library `{library}`, which is not Rust"),
            None => format!("it cannot be linked: {message}"),
        },
        None => error.message.clone(),
    }
}

/// The name in an identity such as `registry+https://..#serde@1.0.0` or `path+file:///a/b#0.1.0`.
fn package_name(id: &PackageId) -> String {
    let (source, rest) = id.repr.rsplit_once('#').unwrap_or(("", &id.repr));
    match rest.split_once('@') {
        Some((name, _)) => name.to_owned(),
        None if rest.starts_with(|c: char| c.is_ascii_digit()) => {
            source.rsplit('/').next().unwrap_or_default().to_owned()
        }
        None => rest.to_owned(),
    }
}

/// Build scripts that failed. Cargo reports them only as text, not as a JSON message.
fn failed_build_scripts(stderr: &str) -> Vec<BuildFailure> {
    const BEGIN: &str = "error: failed to run custom build command for `";
    let mut failures = Vec::new();
    let mut lines = stderr.lines();
    while let Some(line) = lines.next() {
        let Some(rest) = line.strip_prefix(BEGIN) else { continue };
        let name = rest.split([' ', '`']).next().unwrap_or_default().to_owned();
        let is_other = |line: &&str| line.starts_with("error") || line.starts_with("warning");
        let block = lines.clone().take_while(|line| !is_other(line)).map(str::trim);
        let reason = block.clone().find(|line| line.starts_with("error"));
        let reason = reason.or_else(|| block.clone().find(|line| line.contains("panicked at")));
        let reason = match reason {
            Some(reason) => format!("its build script failed: {}", without_color(reason)),
            None => "its build script failed".to_owned(),
        };
        failures.push(BuildFailure { id: None, name, target: None, reason });
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

/// The last lines of a command's output, for an error message, which begins with `error: ` itself.
pub(crate) fn last_lines(output: &str) -> String {
    /// Arbitrary: enough for one error of cargo or rustc. Earlier lines are dropped.
    const LINES_MAX: usize = 12;
    let lines: Vec<&str> = output.lines().filter(|line| !line.trim().is_empty()).collect();
    let last = lines[lines.len().saturating_sub(LINES_MAX)..].join("\n");
    last.strip_prefix("error: ").map(str::to_owned).unwrap_or(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn package_identities_contain_the_name() {
        let name = |repr: &str| package_name(&PackageId { repr: repr.to_owned() });
        assert_eq!(
            name("registry+https://github.com/rust-lang/crates.io-index#serde@1.0.0"),
            "serde"
        );
        assert_eq!(name("path+file:///home/me/demo#0.1.0"), "demo");
        assert_eq!(name("path+file:///home/me/here#demo@0.1.0"), "demo");
    }

    #[test]
    fn a_failed_build_script_is_reported_with_its_package() {
        let stderr = "\
   Compiling zstd-sys v2.0.1
error: failed to run custom build command for `zstd-sys v2.0.1`

Caused by:
  process didn't exit successfully: `build-script-build` (exit status: 1)
  --- stderr
  error occurred in cc-rs: failed to find tool \"clang\"
warning: build failed, waiting for other jobs to finish...
";
        let failures = failed_build_scripts(stderr);
        assert_eq!(failures.len(), 1);
        assert_eq!(failures[0].name, "zstd-sys");
        assert!(failures[0].reason.contains("failed to find tool \"clang\""), "{:?}", failures[0]);
    }

    #[test]
    fn only_status_lines_of_cargo_are_progress() {
        assert!(is_status("   Compiling serde v1.0.0"));
        assert!(!is_status("warning: unused variable"));
        assert!(!is_status("    Finished in 3s"));
    }
}
