//! `cargo rebut generalize` turns unit tests into tests with parameters.
//!
//! The idea is from "Generalization of existing unit tests" in Tillmann and Schulte, "Unit Tests
//! Reloaded" (2005). The literals of an ordinary `#[test]` become parameters, the result is
//! explored, and its paths are sorted:
//!
//! - Paths that pass become a property, with the assumption that selects them and one example for
//!   each kind of path.
//! - Paths on which the code under test rejects its input become a property that expects the panic.
//! - Bugs of the code under test are reported with an input.
//!
//! Reading order: `generalize` (the steps), `plan` (a test on its way), `read` (the source text),
//! `explore` (the paths), `decide` (what to claim; its module comment explains how), `write` (the
//! new tests), `package` (builds and runs), `summary` and `words` (the output).
//!
//! Invariant: everything is built in a shadow of the package. Files of the user are written only
//! with `--apply`.
//! Invariant: no test is shown that was not built and run.
//!
//! # Example
//!
//! The command calls this crate with its arguments:
//!
//! ```no_run
//! # fn example(arguments: &rebut_cli::arguments::Generalize) {
//! match rebut_generalize::run(arguments) {
//!     Ok(exit) => println!("exit code {}", exit as u8),
//!     Err(failure) => eprintln!("{failure:?}"),
//! }
//! # }
//! ```

mod decide;
mod explore;
mod generalize;
mod package;
mod patch;
mod plan;
mod read;
mod reasons;
mod summary;
mod words;
mod write;

use decide::mocks;
use package::edited_package::EditedPackage;
use patch::{file_changes, patch};
use plan::Plan;
use read::source_index::SourceIndex;
use read::unit_test::{self, UnitTest};
use reasons::WhyKept;
use rebut_build::{Request, TestFile, Toolchain};
use rebut_cli::arguments::{Generalize, Shape};
use rebut_cli::exit::{Exit, Failure};
use rebut_cli::output::to_stdout;
use rebut_cli::status::{shown, status};
use rebut_explore::{pool, problem};
use std::fs;
use std::path::{Path, PathBuf};
use summary::TestSummary;

/// Generalizes the tests that the arguments select, and returns the exit code.
///
/// # Errors
/// If there are no such tests, or they cannot be built.
pub fn run(arguments: &Generalize) -> Result<Exit, Failure> {
    // Exploration recurses deeply, so it needs the large stack.
    pool::run_command(|| generalize_files(arguments))
}

fn generalize_files(arguments: &Generalize) -> Result<Exit, Failure> {
    let mut step = |step: &str| words::say(step);
    let toolchain = Toolchain::find(&mut step).map_err(problem)?;
    let mut exit = Exit::Success;
    let mut count = 0;
    for (file, test) in selected_files(&arguments.paths)? {
        let result = generalize_file(arguments, &toolchain, &file, test.as_deref())?;
        count += result.tests;
        if result.has_findings {
            exit = Exit::Failed;
        }
    }
    if count == 0 {
        return Err(Failure::new(Exit::Nothing, words::nothing_to_generalize(&arguments.paths)));
    }
    Ok(exit)
}

/// Returns the files that the arguments name, each with the path of a test if there is one.
fn selected_files(paths: &[String]) -> Result<Vec<(PathBuf, Option<String>)>, Failure> {
    let mut found = Vec::new();
    for path in paths {
        let (file, test) = match path.split_once("::") {
            Some((file, test)) => (file, Some(test.to_owned())),
            None => (path.as_str(), None),
        };
        let file = Path::new(file);
        if file.is_dir() {
            let mut files = Vec::new();
            collect_files(file, &mut files);
            found.extend(files.into_iter().map(|file| (file, test.clone())));
        } else if file.is_file() {
            found.push((file.to_owned(), test));
        } else {
            return Err(Failure::new(Exit::File, words::no_such_file(file)));
        }
    }
    Ok(found)
}

/// Collects the files below a directory that may have tests.
fn collect_files(folder: &Path, files: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() && !path.ends_with("target") {
            collect_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && fs::read_to_string(&path).is_ok_and(|text| text.contains("#[test]"))
        {
            files.push(path);
        }
    }
}

struct FileResult {
    /// The number of tests.
    tests: usize,
    has_findings: bool,
}

fn generalize_file(
    arguments: &Generalize,
    toolchain: &Toolchain,
    file: &Path,
    test: Option<&str>,
) -> Result<FileResult, Failure> {
    let package = package_of(arguments, file)?;
    let mut index = SourceIndex::read(&package.home.folder.join("src"));
    if !package.home.file.starts_with("src") {
        index.add(&package.text, None);
    }
    let unit_tests = |package: &EditedPackage, index: &SourceIndex| {
        let failure = |error| Failure::new(Exit::File, words::cannot_parse(file, &error));
        unit_test::unit_tests(&package.text, index).map_err(failure)
    };
    let without_new_mocks = unit_tests(&package, &index)?;
    let package = mocks::add_missing_mocks(package, &mut index, &without_new_mocks)?;
    let unit_tests = unit_tests(&package, &index)?;
    let is_selected =
        |path: &str| test.is_none_or(|test| path == test || path.ends_with(&format!("::{test}")));
    let names: Vec<String> = unit_tests.iter().map(UnitTest::full_path).collect();
    let mut plans: Vec<Plan> = unit_tests
        .into_iter()
        .filter(|unit_test| is_selected(&unit_test.full_path()))
        .map(Plan::new)
        .collect();
    if let Some(test) = test.filter(|_| plans.is_empty()) {
        return Err(Failure::new(Exit::Usage, words::no_such_test(file, test, &names)));
    }
    if plans.is_empty() {
        return Ok(FileResult { tests: 0, has_findings: false });
    }
    if package.home.edition == "2015" && !package.is_root() {
        plans.iter_mut().for_each(|plan| plan.give_up(WhyKept::OldEdition));
    }
    let (best, text) = generalize::generalize_plans(arguments, toolchain, &package, &mut plans)?;
    for ((plan, paths), decision) in plans.iter().zip(&best.paths).zip(&best.decisions) {
        let (paths, decision) = (paths.as_ref(), decision.as_ref());
        let summary = TestSummary { package: &package, plan, paths, decision };
        match arguments.format {
            Shape::Text => to_stdout(&summary.text())?,
            Shape::Json => to_stdout(&format!("{}\n", summary.json()))?,
        }
    }
    print_changes(arguments, &package, &text)?;
    let has_findings = best.decisions.iter().flatten().any(|one| !one.findings.is_empty());
    Ok(FileResult { tests: plans.len(), has_findings })
}

/// Prints the patch, and writes the files with `--apply`.
fn print_changes(
    arguments: &Generalize,
    package: &EditedPackage,
    text: &str,
) -> Result<(), Failure> {
    let changes = file_changes(package, text);
    let patch = patch(&package.home.root, &changes);
    match arguments.format {
        Shape::Text if !patch.is_empty() => to_stdout(&format!("\n{patch}"))?,
        Shape::Text => {}
        Shape::Json => {
            let file = package.file();
            let file = file.to_string_lossy();
            let line = serde_json::json!({ "file": file, "patch": patch });
            to_stdout(&format!("{line}\n"))?;
        }
    }
    if arguments.apply {
        for change in &changes {
            let path = &change.path;
            fs::write(path, &change.new).map_err(|error| {
                Failure::new(Exit::File, words::file_failed(path, "write", error))
            })?;
            status("Updated", shown(path));
        }
    }
    Ok(())
}

/// Finds the package of a file.
fn package_of(arguments: &Generalize, file: &Path) -> Result<EditedPackage, Failure> {
    let request = Request {
        manifest: arguments.manifest_path.clone(),
        features: rebut_explore::features(&arguments.features),
        ..Request::default()
    };
    let home = TestFile::find(file, &request).map_err(problem)?;
    let text = fs::read_to_string(file)
        .map_err(|error| Failure::new(Exit::File, words::file_failed(file, "read", error)))?;
    let rebut = home.rebut.clone().unwrap_or_else(|| "rebut".to_owned());
    let manifest = Some(home.folder.join("Cargo.toml"));
    let request = Request { manifest, ..request };
    let (original, crates, added_mocks) = (text.clone(), Vec::new(), Vec::new());
    let package = EditedPackage { home, request, original, text, crates, rebut, added_mocks };
    Ok(package.with_extern_crates())
}
