//! Builds the tests of a package for this machine, with other text for some of its files.
//!
//! As in an ordinary build, but from a shadow, and into a folder of its own, which is warm when
//! it is built again. What does not compile is told with its place, so that whoever wrote the
//! text can write another.

use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use cargo_metadata::Message;
use cargo_metadata::diagnostic::{Diagnostic, DiagnosticLevel};

use crate::build::{metadata, packages, target_folder, targets};
use crate::cargo::{last_words, run};
use crate::fingerprints;
use crate::shadow::{Lacks, Shadow, directory_name};
use crate::{Problem, Request, Target};

/// A package with other text in some of its files, to be built and run here.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Native {
    /// Its name.
    pub package: String,
    /// Its manifest, in the shadow.
    pub manifest: PathBuf,
    /// The user's folder of the package, in which its tests run.
    pub home: PathBuf,
    /// The user's folder of the workspace, to which places in panics are relative.
    pub root: PathBuf,
    /// The folder for what is built.
    pub target_folder: PathBuf,
    /// The targets that are to be built.
    pub targets: Vec<Target>,
    features: Vec<String>,
}

/// Test programs, and what did not compile.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Tests {
    /// The programs that were built.
    pub programs: BTreeMap<Target, PathBuf>,
    /// Why others were not.
    pub errors: Vec<Error>,
}

/// An error of the compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Error {
    /// What it says, in one line.
    pub message: String,
    /// As the compiler shows it.
    pub rendered: String,
    /// The places it is about, the most important first. Of code that a macro wrote, the call
    /// of the macro.
    pub spans: Vec<Span>,
}

/// A part of a file, in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Span {
    /// From the folder of the workspace.
    pub file: PathBuf,
    /// Where it begins.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// The line in which it begins, from 1.
    pub line: usize,
    /// The column in which it begins, from 1.
    pub column: usize,
}

/// Makes the shadow of the one package that is asked for.
///
/// # Errors
/// If there is no such package, or a file cannot be written.
pub fn native(request: &Request) -> Result<Native, Problem> {
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
    let shadow = Shadow::make(&metadata, package, &Lacks::default(), &request.overlay, &folder)?;
    let root = metadata.workspace_root.as_std_path();
    let home = package.manifest_path.as_std_path().parent().unwrap_or(root);
    Ok(Native {
        package: package.name.to_string(),
        manifest: shadow.manifest,
        home: home.to_owned(),
        root: root.to_owned(),
        target_folder,
        targets: targets(package, request),
        features: request.features.arguments(),
    })
}

impl Native {
    /// Builds the tests; what is done is told to `say`.
    ///
    /// # Errors
    /// If cargo cannot begin to build. What does not compile is no error but [told](Tests).
    pub fn build(&self, say: &mut dyn FnMut(&str)) -> Result<Tests, Problem> {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command
            // So that the user's settings of cargo are found.
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
        let _claim = fingerprints::claim(&self.target_folder, &self.package, &self.manifest);
        let said = run(&mut command, say)?;
        let mut tests = Tests::default();
        for message in said.messages {
            self.take(message, &mut tests);
        }
        if !said.is_success && tests.errors.is_empty() {
            return Err(Problem::cargo(last_words(&said.words)));
        }
        Ok(tests)
    }

    fn take(&self, message: Message, tests: &mut Tests) {
        match message {
            Message::CompilerArtifact(artifact) if artifact.profile.test => {
                if let (Some(path), Some(target)) =
                    (artifact.executable, Target::of(&artifact.target))
                {
                    tests.programs.insert(target, path.into_std_path_buf());
                }
            }
            Message::CompilerMessage(message)
                if matches!(
                    message.message.level,
                    DiagnosticLevel::Error | DiagnosticLevel::Ice
                ) && !is_summary(&message.message) =>
            {
                let spans = spans(&message.message);
                tests.errors.push(Error {
                    message: message.message.message.lines().next().unwrap_or_default().to_owned(),
                    rendered: message.message.rendered.unwrap_or_default(),
                    spans,
                });
            }
            _ => {}
        }
    }

    /// A command that runs a test program as cargo does, without colors, because its output is
    /// read.
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

/// Whether an error only counts the others.
fn is_summary(error: &Diagnostic) -> bool {
    error.spans.is_empty() && error.message.starts_with("aborting due to")
}

/// The places in the user's files that an error is about, and those of its notes.
fn spans(error: &Diagnostic) -> Vec<Span> {
    let mut own: Vec<_> = error.spans.iter().collect();
    own.sort_by_key(|span| !span.is_primary);
    let of_notes = error.children.iter().flat_map(|child| &child.spans);
    let outermost = |span: &cargo_metadata::diagnostic::DiagnosticSpan| {
        let mut span = span.clone();
        while let Some(expansion) = span.expansion.take() {
            span = expansion.span;
        }
        Span {
            file: span.file_name.into(),
            start: span.byte_start as usize,
            end: span.byte_end as usize,
            line: span.line_start,
            column: span.column_start,
        }
    };
    own.into_iter().chain(of_notes).map(outermost).collect()
}
