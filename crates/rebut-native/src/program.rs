//! A test program, and the commands that run its tests.

use crate::events::EventDirectory;
use crate::process::{self, ProcessEnd};
use crate::result::{self, TestResult};
use rebut_cli::runs::cargo;
use rebut_protocol::test_path::TestPath;
use rebut_protocol::variables::{PREFIX, REPLAYS};
use rebut_protocol::verdicts::VerdictCode;
use rebut_report::{ReplayedInput, Report, ReportedInput};
use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

/// A program with tests that was built for this machine.
#[derive(Debug)]
pub struct TestProgram {
    launch: Launch,
    /// Each run creates a directory for its events in here, and deletes it.
    scratch: PathBuf,
    /// The tests of the program, once they were listed.
    tests: OnceLock<Vec<TestName>>,
}

/// How the program is started.
#[derive(Clone, Debug)]
enum Launch {
    /// By its path, in the directory of its package.
    Executable { path: PathBuf, package_directory: PathBuf, package_name: String },
    /// By `cargo test` with these arguments. Cargo applies its `runner` and `[env]` settings, but
    /// hides how the program ended.
    Cargo { directory: PathBuf, selection: Vec<String> },
}

/// The name of a test in its program: its path without the crate.
///
/// ```
/// use rebut_native::TestName;
/// assert_eq!(TestName::from_path("shop::cart::adds_up").as_str(), "cart::adds_up");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TestName(String);

impl TestName {
    /// Creates the name of the test with this path, which begins with its crate.
    #[must_use]
    pub fn from_path(path: &str) -> TestName {
        TestName(TestPath::new(path).harness_name().to_owned())
    }

    /// Returns the name as the test harness prints and accepts it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<S: Into<String>> From<S> for TestName {
    fn from(name: S) -> TestName {
        TestName(name.into())
    }
}

impl fmt::Display for TestName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The environment and the limits of a run.
///
/// ```
/// use rebut_native::RunOptions;
/// use std::time::Duration;
///
/// let options = RunOptions::default()
///     .variable("REBUT_CASES", "200")
///     .time_max(Duration::from_secs(10));
/// # let _ = options;
/// ```
#[derive(Clone, Debug, Default)]
pub struct RunOptions {
    variables: Vec<(String, Option<String>)>,
    ignores_settings: bool,
    includes_ignored: bool,
    time_max: Option<Duration>,
    silence_max: Option<Duration>,
}

impl RunOptions {
    /// Sets an environment variable.
    #[must_use]
    pub fn variable(mut self, name: &str, value: impl Into<String>) -> RunOptions {
        self.variables.push((name.to_owned(), Some(value.into())));
        self
    }

    /// Removes an environment variable.
    #[must_use]
    pub fn without_variable(mut self, name: &str) -> RunOptions {
        self.variables.push((name.to_owned(), None));
        self
    }

    /// Removes all settings of Rebut from the environment, before variables are set.
    #[must_use]
    pub fn without_settings(mut self) -> RunOptions {
        self.ignores_settings = true;
        self
    }

    /// Runs the test even if it has `#[ignore]`.
    #[must_use]
    pub fn including_ignored(mut self) -> RunOptions {
        self.includes_ignored = true;
        self
    }

    /// Kills the program after this time. A program that cargo starts is not killed.
    #[must_use]
    pub fn time_max(mut self, time: Duration) -> RunOptions {
        self.time_max = Some(time);
        self
    }

    /// Kills the program if it prints nothing for this time. A program that cargo starts is not
    /// killed.
    #[must_use]
    pub fn silence_max(mut self, time: Duration) -> RunOptions {
        self.silence_max = Some(time);
        self
    }
}

/// One execution of a test program.
#[derive(Debug)]
pub struct Execution {
    /// How the process ended.
    pub end: ProcessEnd,
    /// The events of the properties that ran.
    pub events: Report,
    /// Everything that the process wrote to its standard output.
    pub stdout: String,
    /// Everything that the process wrote to its standard error.
    pub stderr: String,
}

impl Execution {
    /// Returns everything that the process wrote.
    pub(crate) fn output(&self) -> String {
        format!("{}{}", self.stdout, self.stderr)
    }
}

/// How a property ended in a run of several.
#[derive(Clone, Debug)]
pub struct PropertyRun {
    /// The code of the verdict; `None` if a newer version wrote it.
    pub code: Option<VerdictCode>,
    /// The number of cases that satisfied the assumptions.
    pub cases: u64,
    /// The matching input, if the property looked for one and found it.
    pub witness: Option<ReportedInput>,
    /// The result.
    pub result: TestResult,
}

impl TestProgram {
    /// Creates a program that is started by its path, as cargo starts it.
    #[must_use]
    pub fn new(path: &Path, package_directory: &Path, package_name: &str) -> TestProgram {
        let scratch = path.parent().unwrap_or(Path::new(".")).to_owned();
        let launch = Launch::Executable {
            path: path.to_owned(),
            package_directory: package_directory.to_owned(),
            package_name: package_name.to_owned(),
        };
        TestProgram { launch, scratch, tests: OnceLock::new() }
    }

    /// Creates a program that `cargo test` starts. `selection` are the flags that select its
    /// target, and `scratch` is a directory for temporary files, such as `target/rebut`.
    #[must_use]
    pub fn with_cargo(directory: &Path, selection: &[String], scratch: &Path) -> TestProgram {
        let launch =
            Launch::Cargo { directory: directory.to_owned(), selection: selection.to_owned() };
        TestProgram { launch, scratch: scratch.to_owned(), tests: OnceLock::new() }
    }

    /// Returns a command that runs tests of the program. `arguments` are those of the test
    /// harness.
    #[must_use]
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = match &self.launch {
            Launch::Executable { path, package_directory, package_name } => {
                let mut command = Command::new(path);
                command.current_dir(package_directory);
                command.env("CARGO_MANIFEST_DIR", package_directory);
                command.env("CARGO_PKG_NAME", package_name);
                add_library_path(&mut command, path);
                command
            }
            Launch::Cargo { directory, selection } => {
                let mut command = cargo();
                command.current_dir(directory);
                command.args(["test", "--quiet"]).args(selection).arg("--");
                command
            }
        };
        command.args(arguments).stdin(Stdio::null());
        command
    }

    /// Returns the tests of the program; empty if it cannot list them.
    pub fn tests(&self) -> &[TestName] {
        self.tests.get_or_init(|| {
            let output = self.command(&["--list", "--format", "terse"]).output();
            let listed = output.map(|output| output.stdout).unwrap_or_default();
            let listed = String::from_utf8_lossy(&listed);
            let names = listed.lines().filter_map(|line| line.strip_suffix(": test"));
            names.map(TestName::from).collect()
        })
    }

    /// Runs one test in a process of its own.
    ///
    /// # Errors
    /// If the program cannot be started, or its events cannot be read.
    pub fn run(&self, test: &TestName, options: &RunOptions) -> io::Result<TestResult> {
        let execution = self.execute(&["--exact", test.as_str()], options)?;
        let own: Vec<_> = execution
            .events
            .properties
            .iter()
            .filter(|property| property.test_name() == Some(test.as_str()))
            .collect();
        Ok(match execution.end {
            ProcessEnd::TimedOut => TestResult::Hung,
            ProcessEnd::Exited(0) if own.is_empty() && !self.tests().contains(test) => {
                TestResult::Missing
            }
            ProcessEnd::Exited(0) => TestResult::Passed,
            _ => match result::property_result(&own, &execution) {
                Some(result) => result,
                None => result::plain_result(&execution),
            },
        })
    }

    /// Runs all properties whose names contain one of these filters, in one process, and returns
    /// the result of each. Tests that are not properties run too, but write no events and are not
    /// among the results.
    ///
    /// # Errors
    /// If the program cannot be started, or its events cannot be read.
    pub fn run_properties(
        &self,
        filters: &[&str],
        options: &RunOptions,
    ) -> io::Result<BTreeMap<TestName, TestResult>> {
        let execution = self.execute(filters, options)?;
        let mut properties = BTreeMap::<TestName, Vec<_>>::new();
        for property in &execution.events.properties {
            if let Some(name) = property.test_name() {
                properties.entry(name.into()).or_default().push(property);
            }
        }
        let result = |(name, own): (TestName, Vec<_>)| {
            (name, result::property_result(&own, &execution).unwrap_or(TestResult::Passed))
        };
        Ok(properties.into_iter().map(result).collect())
    }

    /// Runs these properties in one process, and returns how each ended. A test without a
    /// result was not reached, because another one ended the process, or it is not a property.
    ///
    /// # Errors
    /// If the program cannot be started, or its events cannot be read.
    pub fn run_exactly(
        &self,
        tests: &[TestName],
        options: &RunOptions,
    ) -> io::Result<BTreeMap<TestName, PropertyRun>> {
        let mut arguments = vec!["--exact"];
        arguments.extend(tests.iter().map(TestName::as_str));
        let execution = self.execute(&arguments, options)?;
        let mut runs = BTreeMap::new();
        for property in &execution.events.properties {
            let (Some(name), Some(end)) = (property.test_name(), &property.end) else { continue };
            let result = result::property_result(&[property], &execution);
            let run = PropertyRun {
                code: end.code(),
                cases: end.cases,
                witness: property.witness.clone(),
                result: result.unwrap_or(TestResult::Passed),
            };
            runs.insert(name.into(), run);
        }
        Ok(runs)
    }

    /// Runs the inputs of these replay strings, in one process, without shrinking or storing
    /// anything. Returns the result of each; `None` for those that did not run, because too many
    /// before them ended the process, or one hung.
    ///
    /// # Errors
    /// If the program cannot be started, the list cannot be written, or its events cannot be read.
    pub fn replay(
        &self,
        test: &TestName,
        inputs: &[String],
        options: &RunOptions,
    ) -> io::Result<Vec<Option<ReplayedInput>>> {
        let list = EventDirectory::new(&self.scratch)?;
        let file = list.path().join("inputs");
        std::fs::write(&file, inputs.join("\n"))?;
        let options = options.clone().variable(REPLAYS, file.to_string_lossy());
        let execution = self.execute(&["--exact", test.as_str()], &options)?;
        let mut results: Vec<Option<ReplayedInput>> = vec![None; inputs.len()];
        for property in execution.events.properties {
            if property.test_name() != Some(test.as_str()) {
                continue;
            }
            for result in property.replayed {
                if let Some(slot) = results.get_mut(result.input) {
                    *slot = Some(result);
                }
            }
        }
        Ok(results)
    }

    /// Runs the program with these arguments of the test harness.
    ///
    /// # Errors
    /// If the program cannot be started, or its events cannot be read.
    pub fn execute(&self, arguments: &[&str], options: &RunOptions) -> io::Result<Execution> {
        let events = EventDirectory::new(&self.scratch)?;
        let mut command = self.command(arguments);
        if options.includes_ignored {
            command.arg("--include-ignored");
        }
        if options.ignores_settings {
            for (name, _) in std::env::vars_os() {
                if name.to_string_lossy().starts_with(PREFIX) {
                    command.env_remove(&name);
                }
            }
        }
        rebut_cli::color::pass_on(&mut command, false);
        for (name, value) in &options.variables {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        events.pass_to(&mut command);
        let limits = match self.launch {
            Launch::Executable { .. } => (options.time_max, options.silence_max),
            // Killing cargo would leave the test program running.
            Launch::Cargo { .. } => (None, None),
        };
        let output = process::run(&mut command, limits.0, limits.1)?;
        let process::Output { end, stdout, stderr } = output;
        Ok(Execution { end, events: events.read()?, stdout, stderr })
    }
}

/// Adds the directories in which cargo would let the loader look for libraries.
fn add_library_path(command: &mut Command, program: &Path) {
    let variable = if cfg!(target_os = "macos") {
        "DYLD_FALLBACK_LIBRARY_PATH"
    } else if cfg!(windows) {
        "PATH"
    } else {
        "LD_LIBRARY_PATH"
    };
    // Cargo puts test programs into `deps`, and libraries there or one directory above.
    let directories = program.ancestors().skip(1).take(2).map(Path::to_owned);
    let before = std::env::var_os(variable).unwrap_or_default();
    if let Ok(joined) = std::env::join_paths(directories.chain(std::env::split_paths(&before))) {
        command.env(variable, joined);
    }
}
