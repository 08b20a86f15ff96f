//! Builds the tests of a package for this machine, with other contents for some of its files.
//!
//! The package is built from a [shadow](crate::shadow), into a directory that keeps the artifacts
//! for the next build. Compiler errors are returned with their locations, so that the caller can
//! correct the contents.

use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use cargo_metadata::Message;
use cargo_metadata::diagnostic::{Diagnostic, DiagnosticLevel};

use crate::cargo::{last_lines, run};
use crate::fingerprints;
use crate::shadow::{OmittedParts, Shadow, directory_name};
use crate::workspace::{Request, metadata, packages, target_folder, targets};
use crate::{Problem, Target};

/// A package with other contents in some of its files, to build and run on this machine.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct NativePackage {
    /// Its name.
    pub package: String,
    /// The manifest of its shadow.
    pub manifest: PathBuf,
    /// The user's directory of the package; its tests run there.
    pub home: PathBuf,
    /// The user's directory of the workspace; locations in panics are relative to it.
    pub root: PathBuf,
    /// The directory for artifacts.
    pub target_folder: PathBuf,
    /// The targets to build.
    pub targets: Vec<Target>,
    features: Vec<String>,
}

/// Compiled test programs, and the errors of those that did not compile.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct TestPrograms {
    /// The programs that were built.
    pub programs: BTreeMap<Target, PathBuf>,
    /// The compiler errors of the others.
    pub errors: Vec<CompilerError>,
}

/// An error of the compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CompilerError {
    /// The message, in one line.
    pub message: String,
    /// The error as the compiler prints it.
    pub rendered: String,
    /// The spans of the error, the primary ones first. For code from a macro, the span of the macro
    /// call.
    pub spans: Vec<SourceSpan>,
}

/// A range of bytes in a file, with the line and column at which it starts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SourceSpan {
    /// The path, relative to the directory of the workspace.
    pub file: PathBuf,
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
    /// The line of the first byte, from 1.
    pub line: usize,
    /// The column of the first byte, from 1.
    pub column: usize,
}

impl NativePackage {
    /// Creates the shadow of the one package that the request selects.
    ///
    /// # Errors
    /// If there is no such package, or a file cannot be written.
    pub fn prepare(request: &Request) -> Result<NativePackage, Problem> {
        let metadata = metadata(None, request)?;
        let found = packages(&metadata, request)?;
        let [package] = found.as_slice() else {
            let names: Vec<&str> = found.iter().map(|package| package.name.as_str()).collect();
            return Err(Problem::request(format!(
                "only one package can be built at a time; specify one of {}",
                names.join(", ")
            )));
        };
        let target_folder = target_folder(&metadata, request, "native")?;
        let folder = target_folder.join("overlay").join(directory_name(package));
        let shadow =
            Shadow::make(&metadata, package, &OmittedParts::default(), &request.overlay, &folder)?;
        let root = metadata.workspace_root.as_std_path();
        let home = package.manifest_path.as_std_path().parent().unwrap_or(root);
        Ok(NativePackage {
            package: package.name.to_string(),
            manifest: shadow.manifest,
            home: home.to_owned(),
            root: root.to_owned(),
            target_folder,
            targets: targets(package, request),
            features: request.features.arguments(),
        })
    }

    /// Builds the tests; `progress` receives a line for each step.
    ///
    /// # Errors
    /// If cargo cannot start. Compiler errors are part of the [result](TestPrograms).
    pub fn build(&self, progress: &mut dyn FnMut(&str)) -> Result<TestPrograms, Problem> {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command
            // Cargo looks for the user's configuration in the working directory.
            .current_dir(&self.root)
            .args(["test", "--no-run", "--message-format=json", "--package", &self.package])
            .arg("--manifest-path")
            .arg(&self.manifest)
            .arg("--target-dir")
            .arg(&self.target_folder)
            .args(self.targets.iter().flat_map(Target::arguments))
            .args(&self.features)
            .env_remove("CARGO_TARGET_DIR")
            .env_remove("CARGO_BUILD_TARGET_DIR")
            .stdin(Stdio::null());
        let _lock = fingerprints::lock(&self.target_folder, &self.package, &self.manifest);
        let output = run(&mut command, progress)?;
        let mut tests = TestPrograms::default();
        for message in output.messages {
            add_message(message, &mut tests);
        }
        if !output.is_success && tests.errors.is_empty() {
            return Err(Problem::cargo(last_lines(&output.stderr)));
        }
        Ok(tests)
    }

    /// A command that runs a test program as cargo does, without colors, because the caller parses
    /// its output.
    #[must_use]
    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(&self.home)
            .env("CARGO_MANIFEST_DIR", &self.home)
            .env("CARGO_PKG_NAME", &self.package)
            .env("NO_COLOR", "1")
            .stdin(Stdio::null());
        command
    }
}

fn add_message(message: Message, tests: &mut TestPrograms) {
    match message {
        Message::CompilerArtifact(artifact) if artifact.profile.test => {
            if let (Some(path), Some(target)) =
                (artifact.executable, Target::from_metadata(&artifact.target))
            {
                tests.programs.insert(target, path.into_std_path_buf());
            }
        }
        Message::CompilerMessage(message)
            if matches!(message.message.level, DiagnosticLevel::Error | DiagnosticLevel::Ice)
                && !is_summary(&message.message) =>
        {
            let spans = spans(&message.message);
            tests.errors.push(CompilerError {
                message: message.message.message.lines().next().unwrap_or_default().to_owned(),
                rendered: message.message.rendered.unwrap_or_default(),
                spans,
            });
        }
        _ => {}
    }
}

/// Whether an error only counts the others.
fn is_summary(error: &Diagnostic) -> bool {
    error.spans.is_empty() && error.message.starts_with("aborting due to")
}

/// The spans of an error in the user's files, followed by those of its notes.
fn spans(error: &Diagnostic) -> Vec<SourceSpan> {
    let mut own: Vec<_> = error.spans.iter().collect();
    own.sort_by_key(|span| !span.is_primary);
    let of_notes = error.children.iter().flat_map(|child| &child.spans);
    let outermost = |span: &cargo_metadata::diagnostic::DiagnosticSpan| {
        let mut span = span.clone();
        while let Some(expansion) = span.expansion.take() {
            span = expansion.span;
        }
        SourceSpan {
            file: span.file_name.into(),
            start: span.byte_start as usize,
            end: span.byte_end as usize,
            line: span.line_start,
            column: span.column_start,
        }
    };
    own.into_iter().chain(of_notes).map(outermost).collect()
}
