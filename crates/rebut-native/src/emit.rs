//! The regression tests that Rebut prints for failures: it compiles and runs them to confirm that
//! they fail, and writes them to the directory `tests` of the package with `--emit`.
//!
//! A regression test uses the names that its property sees. It is therefore compiled next to the
//! property: `REBUT_PRINTED` names a directory, and the macro of the property includes the test
//! from there. In `tests/` only the public items of the library are visible. A test that does not
//! compile or does not fail there is deleted again.

mod function;
mod header;

pub use function::{PropertyFunction, find_function};

use crate::cargo_build::{self, BuiltProgram};
use crate::program::{RunOptions, TestName};
use crate::result::TestResult;
use crate::rustfmt::formatted;
use crate::words::{self, say};
use rebut_cli::exit::{self, Exit};
use rebut_cli::runs::Workspace;
use rebut_protocol::test_path::TestPath;
use rebut_report::Property;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The regression tests of one property.
#[derive(Clone, Debug)]
pub struct RegressionTests {
    /// The file that contains them; empty if there is none yet.
    path: PathBuf,
    /// The path of the property: `krate::module::name`.
    property: String,
    /// The file of the property, as the compiler names it.
    file: PathBuf,
    /// The line of the property.
    line: usize,
    text: String,
    /// The names of the tests.
    names: Vec<String>,
    /// The flags with which cargo builds the target of the property, such as `-p demo --lib`; empty
    /// if unknown.
    selection: Vec<String>,
}

/// A failed test that may have regression tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedTest {
    /// Its name in its program.
    pub test: String,
    /// The flags with which cargo builds its target; empty if unknown.
    pub selection: Vec<String>,
}

impl FailedTest {
    /// Returns the test of a property; `None` if cargo cannot run it by its name.
    #[must_use]
    pub fn from_property(property: &Property) -> Option<FailedTest> {
        let selection = property.selection().unwrap_or_default();
        let selection = selection.into_iter().map(str::to_owned).collect();
        Some(FailedTest { test: property.test_name()?.to_owned(), selection })
    }

    fn has(&self, tests: &RegressionTests) -> bool {
        let is_open = self.selection.is_empty() || tests.selection.is_empty();
        self.test == tests.test_name() && (is_open || self.selection == tests.selection)
    }
}

/// The outcome of a regression test that was compiled and run.
#[derive(Clone, Debug)]
pub(crate) enum RegressionOutcome {
    /// It compiles; the result of its run.
    Ran(TestResult),
    /// It does not compile, and why.
    NotBuilt(String),
}

impl RegressionOutcome {
    /// Returns whether the test fails in any way, as it is expected to.
    pub(crate) fn is_failure(&self) -> bool {
        let RegressionOutcome::Ran(result) = self else { return false };
        matches!(result, TestResult::Failed(_) | TestResult::Crashed { .. } | TestResult::Hung)
    }
}

/// How a test of an explored path ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpectedEnd {
    /// It passes.
    Passes,
    /// It fails.
    Fails,
}

impl ExpectedEnd {
    fn is_met_by(self, outcome: &RegressionOutcome) -> bool {
        let RegressionOutcome::Ran(result) = outcome else { return false };
        match self {
            ExpectedEnd::Passes => matches!(result, TestResult::Passed),
            ExpectedEnd::Fails => {
                matches!(result, TestResult::Failed(_) | TestResult::Crashed { .. })
            }
        }
    }
}

impl RegressionTests {
    /// Reads a file of regression tests; `None` if it is not one.
    fn read(path: &Path) -> Option<RegressionTests> {
        let tests = RegressionTests::parse(fs::read_to_string(path).ok()?)?;
        Some(RegressionTests { path: path.to_owned(), ..tests })
    }

    /// Parses a file of regression tests. Its first lines name the property, in the format that
    /// `rebut-run` writes and the macro of the property reads: `// krate::name (src/lib.rs:3)` and
    /// `// cargo test -p krate --lib`. Returns `None` if the first line is another one.
    #[must_use]
    pub fn parse(text: String) -> Option<RegressionTests> {
        let first = text.lines().next()?.strip_prefix("// ")?;
        let (property, location) = first.split_once(" (")?;
        let (file, line) = location.strip_suffix(')')?.rsplit_once(':')?;
        let names = text.lines().filter_map(|line| line.strip_prefix("fn "));
        let names = names.filter_map(|line| Some(line.split_once('(')?.0.to_owned())).collect();
        let selection = text.lines().nth(1).and_then(|line| line.strip_prefix("// cargo test "));
        let selection = selection.unwrap_or_default().split_whitespace().map(str::to_owned);
        Some(RegressionTests {
            path: PathBuf::new(),
            property: property.to_owned(),
            file: PathBuf::from(file),
            line: line.parse().ok()?,
            names,
            selection: selection.collect(),
            text,
        })
    }

    /// Returns the name of the package, if it is known.
    fn package(&self) -> Option<&str> {
        match self.selection.as_slice() {
            [flag, package, ..] if flag == "-p" => Some(package),
            _ => None,
        }
    }

    /// Returns the name of the property in its program.
    fn test_name(&self) -> &str {
        TestPath::new(&self.property).in_crate()
    }

    /// Returns the name of the property without its modules, as part of other names.
    fn short_name(&self) -> &str {
        TestPath::new(&self.property).plain_function()
    }

    /// Returns the names of the tests when they are compiled next to the property.
    fn names_beside(&self) -> Vec<TestName> {
        let module = TestPath::new(&self.property).module();
        let before = if module.is_empty() { String::new() } else { format!("{module}::") };
        let inside = format!("{before}{}", TestPath::new(&self.property).printed_module());
        self.names.iter().map(|name| TestName::from(format!("{inside}::{name}"))).collect()
    }
}

/// Returns the regression tests of failed tests that were written after some time.
fn written_since(home: &Path, failed: &[FailedTest], since: SystemTime) -> Vec<RegressionTests> {
    let entries = fs::read_dir(home.join("tests")).into_iter().flatten().flatten();
    let is_new = |path: &PathBuf| {
        let changed = fs::metadata(path).and_then(|metadata| metadata.modified());
        changed.is_ok_and(|changed| changed >= since)
    };
    let mut found: Vec<RegressionTests> = entries
        .map(|entry| entry.path())
        .filter(is_new)
        .filter_map(|path| RegressionTests::read(&path))
        .filter(|tests| failed.iter().any(|failed| failed.has(tests)))
        .collect();
    found.sort_by(|a, b| (&a.property, &a.selection).cmp(&(&b.property, &b.selection)));
    found
}

/// Compiles and runs the regression tests that were written for failed tests after `begun`, and
/// prints the results. With `emit`, writes them to `tests/`. `arguments` are those of `cargo test`.
///
/// # Errors
/// If cargo cannot be started, or a file cannot be written.
pub fn check_regressions(
    failed: &[FailedTest],
    begun: SystemTime,
    arguments: &[String],
    workspace: &Workspace,
    emit: bool,
) -> Result<(), exit::Failure> {
    let home = workspace.home();
    let all = written_since(&home, failed, begun);
    for (tests, outcomes) in all.iter().zip(outcomes(&home, &all, arguments)?) {
        for outcome in outcomes {
            say(&words::regression_test(&tests.property, &outcome, &tests.path));
        }
        if emit {
            say(&emit_regressions(tests, workspace)?);
        }
    }
    if emit && all.is_empty() {
        say(words::NOTHING_TO_EMIT);
    }
    Ok(())
}

/// Returns the outcomes of each file, compiled together; one by one if one does not compile.
fn outcomes(
    home: &Path,
    all: &[RegressionTests],
    arguments: &[String],
) -> Result<Vec<Vec<RegressionOutcome>>, exit::Failure> {
    if all.is_empty() {
        return Ok(Vec::new());
    }
    let directory = home.join("printed").join(std::process::id().to_string());
    let outcomes = match run_beside(&directory.join("all"), all, arguments)? {
        Ok(outcomes) => outcomes,
        Err(why) if all.len() == 1 => vec![vec![RegressionOutcome::NotBuilt(why)]],
        Err(_) => {
            let mut outcomes = Vec::new();
            for (nth, tests) in all.iter().enumerate() {
                let alone = std::slice::from_ref(tests);
                outcomes.push(
                    match run_beside(&directory.join(nth.to_string()), alone, arguments)? {
                        Ok(mut own) => own.pop().unwrap_or_default(),
                        Err(why) => vec![RegressionOutcome::NotBuilt(why)],
                    },
                );
            }
            outcomes
        }
    };
    let _ = fs::remove_dir_all(directory);
    Ok(outcomes)
}

/// Compiles tests next to their properties and runs them. The inner error is why they do not
/// compile.
fn run_beside(
    directory: &Path,
    all: &[RegressionTests],
    arguments: &[String],
) -> Result<Result<Vec<Vec<RegressionOutcome>>, String>, exit::Failure> {
    let not_written =
        |error| exit::Failure::new(Exit::File, words::file_failed(directory, "write", error));
    fs::create_dir_all(directory).map_err(not_written)?;
    for (nth, tests) in all.iter().enumerate() {
        fs::write(directory.join(format!("{nth}.rs")), &tests.text).map_err(not_written)?;
    }
    let built = cargo_build::build_quietly(arguments, Some(directory), None)?;
    Ok(built.map(|programs| {
        let run = |tests: &RegressionTests| {
            let names = tests.names_beside();
            names.iter().map(|name| run_one(&programs, &tests.selection, name)).collect()
        };
        all.iter().map(run).collect()
    }))
}

/// The time limit of a regression test.
///
/// A product decision: the user waits for each test, and the test of a hang always takes this long.
/// A test that takes longer is reported to hang, which is wrong for one that is just slow.
const TIME_MAX: Duration = Duration::from_secs(10);

fn run_one(programs: &[BuiltProgram], selection: &[String], test: &TestName) -> RegressionOutcome {
    let program = cargo_build::find(programs, selection, test);
    let options = RunOptions::default().time_max(TIME_MAX);
    let result = program.and_then(|program| program.run(test, &options).ok());
    RegressionOutcome::Ran(result.unwrap_or(TestResult::Missing))
}

/// Writes regression tests to the directory `tests` of their package, if they fail there too.
/// Returns a message about the result.
fn emit_regressions(
    tests: &RegressionTests,
    workspace: &Workspace,
) -> Result<String, exit::Failure> {
    let is_expected = |_, outcome: &RegressionOutcome| outcome.is_failure();
    let stem = format!("rebut_{}", tests.short_name());
    let is_inside = std::env::current_dir().is_ok_and(|here| here.starts_with(&workspace.root));
    let directory = (!is_inside).then_some(workspace.root.as_path());
    Ok(match write_checked(tests, directory, "a failure", &stem, &is_expected)? {
        EmittedFile::Created(path) => words::emitted(&path),
        EmittedFile::Unchanged(path) => words::emitted_before(&path),
        EmittedFile::NotATarget(path, is_there) => words::not_a_target(&path, is_there),
        EmittedFile::Refused(why) => words::not_emitted(&tests.property, &why, &tests.path, true),
        EmittedFile::NotBuilt(why) => words::not_emitted(&tests.property, &why, &tests.path, false),
    })
}

/// Writes tests of explored paths to the directory `tests` of the package, if each ends there as
/// expected. Returns a message about the result.
///
/// # Errors
/// If cargo cannot be started, or a file cannot be written.
pub fn emit_paths(
    root: &Path,
    tests: &RegressionTests,
    expected: &[ExpectedEnd],
) -> Result<String, exit::Failure> {
    let is_expected = |nth: usize, outcome: &RegressionOutcome| {
        expected.get(nth).is_some_and(|expected| expected.is_met_by(outcome))
    };
    let stem = format!("rebut_{}_paths", tests.short_name());
    Ok(match write_checked(tests, Some(root), "paths", &stem, &is_expected)? {
        EmittedFile::Created(path) => words::emitted_paths(&path, expected.len()),
        EmittedFile::Unchanged(path) => words::emitted_before(&path),
        EmittedFile::NotATarget(path, is_there) => words::not_a_target(&path, is_there),
        EmittedFile::Refused(why) | EmittedFile::NotBuilt(why) => {
            words::nothing_to_keep(&tests.property, &why)
        }
    })
}

/// The file of emitted tests.
enum EmittedFile {
    Created(PathBuf),
    /// It existed before, with the same text.
    Unchanged(PathBuf),
    /// It exists, but cargo does not build it before the manifest names it. So it was not run. Also
    /// whether it existed before.
    NotATarget(PathBuf, bool),
    /// There is none, and why.
    Refused(String),
    /// There is none, because it does not compile.
    NotBuilt(String),
}

/// Writes tests to the directory `tests` of their package, unless they do not compile there or one
/// of them ends in an unexpected way. Cargo runs in `directory`, or in the current one.
fn write_checked(
    tests: &RegressionTests,
    directory: Option<&Path>,
    what: &str,
    stem: &str,
    is_expected: &dyn Fn(usize, &RegressionOutcome) -> bool,
) -> Result<EmittedFile, exit::Failure> {
    let header::TestPackage { directory: package, name, header } =
        match header::find_package(tests, directory)? {
            Ok(found) => found,
            Err(why) => return Ok(EmittedFile::Refused(why)),
        };
    let head = words::head_of_emitted(what, &tests.property);
    let text = format!("{head}{header}\n{}", tests.text);
    let text = formatted(&text).unwrap_or(text);
    let folder = package.join("tests");
    let (path, is_there) = free_path(&folder, stem, &text);
    if is_there {
        return Ok(match header::is_target(&path, directory)? {
            true => EmittedFile::Unchanged(path),
            false => EmittedFile::NotATarget(path, is_there),
        });
    }
    let not_written =
        |error| exit::Failure::new(Exit::File, words::file_failed(&path, "write", error));
    let had_folder = folder.is_dir();
    fs::create_dir_all(&folder).map_err(not_written)?;
    fs::write(&path, &text).map_err(not_written)?;
    if !header::is_target(&path, directory)? {
        return Ok(EmittedFile::NotATarget(path, is_there));
    }
    let target = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let arguments = ["-p".to_owned(), name, "--test".to_owned(), target];
    let unexpected = match cargo_build::build_quietly(&arguments, None, directory)? {
        Err(why) => Some(RegressionOutcome::NotBuilt(why)),
        Ok(programs) => {
            let names = tests.names.iter().map(|name| TestName::from(name.as_str()));
            let mut outcomes = names.map(|name| run_one(&programs, &[], &name)).enumerate();
            outcomes.find(|(nth, outcome)| !is_expected(*nth, outcome)).map(|(_, outcome)| outcome)
        }
    };
    let Some(unexpected) = unexpected else { return Ok(EmittedFile::Created(path)) };
    // Remove only what was created here.
    let _ = fs::remove_file(&path);
    if !had_folder {
        let _ = fs::remove_dir(&folder);
    }
    let why = format!("there it {}", words::outcome(&unexpected));
    Ok(match unexpected {
        RegressionOutcome::NotBuilt(_) => EmittedFile::NotBuilt(why),
        RegressionOutcome::Ran(_) => EmittedFile::Refused(why),
    })
}

/// Returns a path at which there is no file yet, or a file with this text, and whether it is the
/// latter.
fn free_path(directory: &Path, stem: &str, text: &str) -> (PathBuf, bool) {
    let mut nth = 1;
    loop {
        let number = if nth == 1 { String::new() } else { format!("_{nth}") };
        let path = directory.join(format!("{stem}{number}.rs"));
        match fs::read_to_string(&path) {
            Ok(there) if there == text => return (path, true),
            _ if !path.exists() => return (path, false),
            _ => nth += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_beside_a_property_are_in_a_module_of_their_own() {
        let text = "// krate::lists::tests::sorts (src/lists.rs:1)\nfn sorts_regression() {}\n";
        let tests = RegressionTests::parse(text.to_owned()).expect("regression tests");
        assert_eq!(tests.test_name(), "lists::tests::sorts");
        let names = tests.names_beside();
        let names: Vec<&str> = names.iter().map(TestName::as_str).collect();
        let module = TestPath::new("krate::lists::tests::sorts").printed_module();
        assert_eq!(names, [format!("lists::tests::{module}::sorts_regression")]);
    }

    #[test]
    fn regression_tests_belong_to_the_target_that_they_name() {
        let parse = |selection: &str| {
            let text = format!("// it::sorts (a/tests/it.rs:3)\n{selection}// panic: x\n#[test]\n");
            RegressionTests::parse(text).expect("regression tests")
        };
        let failed = |selection: &str| FailedTest {
            test: "sorts".to_owned(),
            selection: selection.split_whitespace().map(str::to_owned).collect(),
        };
        let tests = parse("// cargo test -p a --test it\n");
        assert_eq!(tests.package(), Some("a"));
        assert!(failed("-p a --test it").has(&tests) && failed("").has(&tests));
        assert!(!failed("-p b --test it").has(&tests), "another package");
        assert!(failed("-p b --test it").has(&parse("")), "an old file names no target");
    }
}
