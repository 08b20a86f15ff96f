//! Runs the tests of a program that was built from edited text.

use crate::package::notes::{self, CaseId, Notes, NotesFile};
use crate::read::unit_test::UnitTest;
use crate::words;
use rebut_build::NativePackage;
use rebut_cli::exit::{Exit, Failure};
use rebut_native::{RunOptions, TestName, TestResult};
use rebut_protocol::settings;
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A test program that prints nothing for longer is killed: its running test hangs. Arbitrary; a
/// slower unit test is rare.
const SILENCE_MAX: Duration = Duration::from_secs(15);
/// Skip the remaining tests after this many hung or killed the process. Arbitrary; with
/// [`SILENCE_MAX`], the wait ends after two minutes.
const STUCK_MAX: usize = 6;

/// A test program that was built from edited text.
#[derive(Debug)]
pub(crate) struct TestProgram {
    program: rebut_native::TestProgram,
    /// The directory for notes.
    directory: PathBuf,
}

impl TestProgram {
    pub(crate) fn new(package: &NativePackage, path: &Path) -> TestProgram {
        TestProgram {
            program: rebut_native::TestProgram::new(path, &package.home, &package.package),
            directory: path.parent().unwrap_or(Path::new(".")).to_owned(),
        }
    }

    /// Returns the tests with this path in the file. Modules of other files may end alike, so there
    /// may be several.
    pub(crate) fn names(&self, path: &str) -> Vec<TestName> {
        let end = format!("::{path}");
        let is_wanted = |name: &&TestName| name.as_str() == path || name.as_str().ends_with(&end);
        self.program.tests().iter().filter(is_wanted).cloned().collect()
    }

    /// Returns the names of a unit test.
    pub(crate) fn names_of(&self, unit_test: &UnitTest) -> Vec<TestName> {
        self.names(&unit_test.full_path())
    }

    /// Runs a test in a process of its own.
    pub(crate) fn run(&self, test: &TestName, cases: &str) -> Result<TestResult, Failure> {
        let options = options().variable(settings::CASES.variable, cases);
        self.program.run(test, &options).map_err(not_run)
    }

    /// Runs unit tests, each in a process of its own, and reads the types that they note. After too
    /// many that hang or crash, the others have no result.
    pub(crate) fn run_unit_tests(
        &self,
        tests: &[TestName],
    ) -> Result<(HashMap<TestName, TestResult>, Notes), Failure> {
        let file = NotesFile::new(&self.directory).map_err(not_run)?;
        let options = options().variable(notes::VARIABLE, file.path());
        let (mut results, mut stuck) = (HashMap::new(), 0);
        for test in tests {
            if stuck > STUCK_MAX {
                break;
            }
            let result = self.program.run(test, &options).map_err(not_run)?;
            stuck += usize::from(matches!(result, TestResult::Hung | TestResult::Crashed { .. }));
            results.insert(test.clone(), result);
        }
        Ok((results, file.read()))
    }

    /// Runs cases, many in a process. After a case that hangs or ends the process, a new process
    /// runs the others.
    pub(crate) fn run_cases(&self, cases: &[(CaseId, TestName)]) -> Result<Notes, Failure> {
        let file = NotesFile::new(&self.directory).map_err(not_run)?;
        let options = options().variable(notes::VARIABLE, file.path());
        let mut left = cases.to_vec();
        for _ in 0..=STUCK_MAX {
            if left.is_empty() {
                break;
            }
            let names = left.iter().map(|(_, name)| name.as_str());
            let arguments: Vec<&str> =
                ["--exact", "--test-threads=1"].into_iter().chain(names).collect();
            self.program.execute(&arguments, &options).map_err(not_run)?;
            let begun = file.read().cases;
            let before = left.len();
            left.retain(|(case, _)| !begun.contains_key(case));
            if left.len() == before {
                break;
            }
        }
        Ok(file.read())
    }
}

/// Returns options that hide the settings and the saved failures of the user.
fn options() -> RunOptions {
    RunOptions::default()
        .without_settings()
        .variable("RUST_BACKTRACE", "0")
        .variable(settings::DATABASE.variable, "false")
        .silence_max(SILENCE_MAX)
}

fn not_run(error: io::Error) -> Failure {
    Failure::new(Exit::File, words::tests_not_run(&error))
}
