//! Runs candidates, with limits, and reads their events.

use super::super::package::Package;
use super::CHANGED;
use crate::words::init as words;
use rebut_cli::exit::{Exit, Failure};
use rebut_protocol::settings;
use rebut_protocol::variables::PREFIX;
use serde_json::Value;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The time limit of one test. Arbitrary: far more than most tests need. A test that takes longer
/// has no result.
const TEST_MAX: Duration = Duration::from_secs(10);

/// The time limit for all questions about the strings of one parser. Arbitrary. Questions without
/// an answer by then count as not accepted.
const QUESTIONS_TIME_MAX: Duration = Duration::from_secs(20);

/// The number of cases of a test: twice the default of `cargo test`, so that a test that passes
/// here also passes in the user's first run.
const CASES: &str = "2000";

/// Runs tests of a binary.
#[derive(Debug)]
pub(in super::super) struct Runner<'a> {
    pub(in super::super) package: &'a Package,
    pub(in super::super) binary: &'a Path,
}

/// How a test ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) enum TestEnd {
    Passed,
    Failed {
        /// The first line of the message.
        message: String,
        /// The inputs, as code.
        inputs: Vec<String>,
        /// Whether the panic is in the crate itself, and not in the test.
        is_inside: bool,
    },
    /// Nearly all inputs were rejected.
    Rejected,
    /// The test crashed, hung or wrote no events.
    NoResult,
}

/// The result of one run of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct TrialResult {
    pub(in super::super) end: TestEnd,
    /// The number of cases that were not rejected.
    pub(in super::super) cases: u64,
    pub(in super::super) rejected: u64,
    /// How many cases had each kind of value, if the test has a probe.
    pub(in super::super) value_counts: Vec<u64>,
    /// How many cases had a change.
    pub(in super::super) changed: u64,
}

impl TrialResult {
    fn none() -> TrialResult {
        TrialResult {
            end: TestEnd::NoResult,
            cases: 0,
            rejected: 0,
            value_counts: Vec::new(),
            changed: 0,
        }
    }

    /// Whether most inputs reach the assertion, and it compares different values.
    pub(in super::super) fn is_meaningful(&self) -> bool {
        let reaches = self.cases > 0 && self.cases >= self.rejected;
        let all: u64 = self.value_counts.iter().sum();
        let most = self.value_counts.iter().max().copied().unwrap_or(0);
        // A test that compares the same value in nearly all cases tests little. The limit of 97 %
        // is arbitrary.
        let varies =
            self.value_counts.is_empty() || (self.value_counts.len() > 1 && most * 100 <= all * 97);
        reaches && varies
    }
}

impl Runner<'_> {
    /// Runs one test, for at most this time.
    pub(in super::super) fn run(
        &self,
        test: &str,
        time_max: Duration,
    ) -> Result<TrialResult, Failure> {
        let group = format!("init{}", std::process::id());
        let mut command = self.command(test);
        command.env(settings::RUN.variable, &group).env(settings::EVENTS.variable, "summary");
        command.env(settings::CASES.variable, CASES).env(settings::SEED.variable, "1");
        command.env(settings::DATABASE.variable, "false").env(settings::EXPLAIN.variable, "false");
        command.env(settings::FAILURES.variable, "1").env(settings::VERBOSITY.variable, "quiet");
        command.env(settings::DEADLINE.variable, "1s").env(settings::MEMORY.variable, "1GB");
        command.env(settings::SHRINK_MAX.variable, "1000");
        let (_, has_ended) = output_within(&mut command, TEST_MAX.min(time_max));
        let events = self.take_events(&group);
        Ok(match has_ended {
            true => read(&events, &self.package.folder),
            false => TrialResult::none(),
        })
    }

    /// Runs parsers on strings. Returns whether each text is accepted; the list is shorter than
    /// that of the questions if one of them hangs.
    pub(in super::super) fn accepts(
        &self,
        questions: &[(usize, &str)],
    ) -> Result<Vec<bool>, Failure> {
        let mut text = String::new();
        for (consumer, question) in questions {
            text.push_str(&format!("{consumer} "));
            for byte in question.bytes() {
                text.push_str(&format!("{byte:02x}"));
            }
            text.push('\n');
        }
        let path = self.package.target.join("rebut").join(format!("init-{}", std::process::id()));
        let folder = path.parent().unwrap_or(&self.package.target);
        let failed = |error| Failure::new(Exit::File, words::not_written(&path, error));
        fs::create_dir_all(folder).map_err(failed)?;
        fs::write(&path, text).map_err(failed)?;
        let mut command = self.command("rebut_init_questions");
        command.env("INIT_QUESTIONS", &path);
        let (output, _) = output_within(&mut command, QUESTIONS_TIME_MAX);
        let _ = fs::remove_file(&path);
        let answers = output.lines().filter_map(|line| {
            // The test harness prints text before the first answer, on the same line.
            let (_, answer) = line.split_once("init-answer ")?;
            Some(answer == "1")
        });
        Ok(answers.collect())
    }

    fn command(&self, test: &str) -> Command {
        let name = match self.package.module_of_program() {
            Some(module) => format!("{module}::{test}"),
            None => test.to_owned(),
        };
        let mut command = Command::new(self.binary);
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            if text.starts_with(PREFIX) || text.starts_with("NEXTEST") || text == "CI" {
                command.env_remove(&name);
            }
        }
        command.args(["--exact", &name, "--nocapture", "--test-threads=1"]);
        command.env("NO_COLOR", "1").env("CARGO_MANIFEST_DIR", &self.package.folder);
        command.current_dir(&self.package.folder);
        command
    }

    /// Reads the events of a group, and removes their files.
    fn take_events(&self, group: &str) -> Vec<Value> {
        let home = self.package.target.join("rebut").join("runs");
        let is_ours = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.split('-').nth(1) == Some(group)
        };
        let mut events = Vec::new();
        for folder in entries(&home).into_iter().filter(is_ours) {
            for file in entries(&folder) {
                let text = fs::read_to_string(file).unwrap_or_default();
                events.extend(text.lines().filter_map(|line| serde_json::from_str(line).ok()));
            }
            let _ = fs::remove_dir_all(folder);
        }
        events
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}

/// Reads the result of one test from its events.
fn read(events: &[Value], folder: &Path) -> TrialResult {
    let event = |name: &str| events.iter().find(|event| event["event"] == name);
    let Some(end) = event("end") else { return TrialResult::none() };
    let count = |value: &Value| value.as_u64().unwrap_or(0);
    let list = |key: &str| end[key].as_array().cloned().unwrap_or_default();
    let rejected = list("rejected").iter().map(|one| count(&one["cases"])).sum();
    let (changed, values): (Vec<Value>, Vec<Value>) =
        list("labels").into_iter().partition(|one| one["label"] == CHANGED);
    let value_counts = values.iter().map(|one| count(&one["cases"])).collect();
    let changed = changed.iter().map(|one| count(&one["cases"])).sum();
    let test_end = match (end["success"].as_bool(), event("failure")) {
        (Some(true), _) => TestEnd::Passed,
        (_, Some(failure)) => TestEnd::Failed {
            message: first_line(&failure["message"]),
            inputs: inputs(&failure["values"]),
            is_inside: is_inside(failure["location"].as_str().unwrap_or_default(), folder),
        },
        (_, None) => TestEnd::Rejected,
    };
    TrialResult { end: test_end, cases: count(&end["cases"]), rejected, value_counts, changed }
}

fn first_line(message: &Value) -> String {
    message.as_str().unwrap_or_default().lines().next().unwrap_or_default().to_owned()
}

fn inputs(values: &Value) -> Vec<String> {
    let assignment = |value: &Value| {
        let (name, code) = (value["name"].as_str()?, value["code"].as_str()?);
        Some(format!("{name} = {code}"))
    };
    values.as_array().into_iter().flatten().filter_map(assignment).collect()
}

/// Whether a location is in the sources of the package or its dependencies, and not in its tests.
fn is_inside(location: &str, folder: &Path) -> bool {
    let file = location.split(':').next().unwrap_or_default();
    let path = Path::new(file);
    let inner = path.strip_prefix(folder).unwrap_or(path);
    let is_test = inner.components().any(|part| part.as_os_str() == "tests")
        || inner.file_stem().is_some_and(|stem| stem.to_string_lossy().starts_with("properties"));
    !file.is_empty() && !is_test
}

/// Runs a command. Returns its output, and whether it ended in time, successfully or not.
fn output_within(command: &mut Command, time: Duration) -> (String, bool) {
    let nothing = (String::new(), false);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let Ok(mut child) = command.spawn() else { return nothing };
    let Some(mut stdout) = child.stdout.take() else { return nothing };
    let reader = std::thread::spawn(move || {
        let mut written = Vec::new();
        let _ = stdout.read_to_end(&mut written);
        String::from_utf8_lossy(&written).into_owned()
    });
    let has_ended = wait(&mut child, time);
    (reader.join().unwrap_or_default(), has_ended)
}

/// Waits for a child; kills it after `time`. Returns whether it ended in time.
fn wait(child: &mut Child, time: Duration) -> bool {
    let begun = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(_)) => return true,
            Ok(None) if begun.elapsed() < time => std::thread::sleep(Duration::from_millis(5)),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                return false;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_test_is_meaningful_if_it_compares_different_values() {
        let is_meaningful = |cases: u64, rejected: u64, counts: &[u64]| {
            let value_counts = counts.to_vec();
            TrialResult { end: TestEnd::Passed, cases, rejected, value_counts, changed: 0 }
                .is_meaningful()
        };
        assert!(is_meaningful(1000, 0, &[]) && is_meaningful(1000, 900, &[500, 500]));
        assert!(!is_meaningful(10, 990, &[]), "mostly rejected");
        assert!(
            !is_meaningful(1000, 0, &[1000]) && !is_meaningful(1000, 0, &[990, 10]),
            "always the same"
        );
        assert!(!is_meaningful(0, 0, &[]));
    }

    #[test]
    fn events_contain_the_result_of_a_test() {
        let events = [
            json!({"event": "begin"}),
            json!({"event": "failure", "message": "boom\nmore", "location": "src/lib.rs:3:5",
                   "values": [{"name": "a", "code": "1"}]}),
            json!({"event": "end", "success": false, "cases": 7, "rejected": [{"cases": 2}]}),
        ];
        let result = read(&events, Path::new("/nowhere"));
        let expected = TestEnd::Failed {
            message: "boom".to_owned(),
            inputs: vec!["a = 1".to_owned()],
            is_inside: true,
        };
        assert_eq!((result.end, result.cases, result.rejected), (expected, 7, 2));
        assert_eq!(read(&[], Path::new("/nowhere")).end, TestEnd::NoResult);
        assert!(!is_inside("/p/tests/properties.rs:5:9", Path::new("/p")));
        assert!(!is_inside("src/properties.rs:5:9", Path::new("/p")));
    }
}
