//! Runs candidates, with limits, and reads what they report.

use super::super::package::Package;
use super::CHANGED;
use crate::words::init as words;
use rebut_cli::exit::{Exit, Failure};
use serde_json::Value;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A test takes at most this long; most take a tenth of a second.
const TEST_MAX: Duration = Duration::from_secs(10);

/// Questions about texts take at most this long.
const QUESTIONS_MAX: Duration = Duration::from_secs(20);

/// As many cases as `cargo test` runs by default, and as many again: a test that passes here
/// should pass in the first run of its owner.
const CASES: &str = "2000";

/// Runs tests of a binary.
#[derive(Debug)]
pub(in super::super) struct Runner<'a> {
    pub(in super::super) package: &'a Package,
    pub(in super::super) binary: &'a Path,
}

/// How a test ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) enum Outcome {
    Passed,
    Failed {
        /// The first line of what it says.
        message: String,
        /// The inputs, as code.
        inputs: Vec<String>,
        /// Whether it panicked in the crate itself, and not in the test.
        is_inside: bool,
    },
    /// Nearly all inputs were rejected.
    Rejected,
    /// It crashed, hung or said nothing.
    Lost,
}

/// What was measured of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Measured {
    pub(in super::super) outcome: Outcome,
    /// Cases that reached the end, and cases that were rejected.
    pub(in super::super) cases: u64,
    pub(in super::super) rejected: u64,
    /// How many cases saw each kind of value, if the test has a probe.
    pub(in super::super) seen: Vec<u64>,
    /// How many cases saw a change.
    pub(in super::super) changed: u64,
}

impl Measured {
    fn lost() -> Measured {
        Measured { outcome: Outcome::Lost, cases: 0, rejected: 0, seen: Vec::new(), changed: 0 }
    }

    /// Whether most inputs reach the assertion, and it compares different values.
    pub(in super::super) fn says_something(&self) -> bool {
        let reaches = self.cases > 0 && self.cases >= self.rejected;
        let all: u64 = self.seen.iter().sum();
        let most = self.seen.iter().max().copied().unwrap_or(0);
        // One value in nearly all cases is no comparison worth making. A proof for all of few
        // inputs is.
        let varies = self.seen.is_empty() || (self.seen.len() > 1 && most * 100 <= all * 97);
        reaches && varies
    }
}

impl Runner<'_> {
    /// Runs one test, for at most this long.
    pub(in super::super) fn run(&self, test: &str, left: Duration) -> Result<Measured, Failure> {
        let group = format!("init{}", std::process::id());
        let mut command = self.command(test);
        command.env("REBUT_RUN", &group).env("REBUT_EVENTS", "summary");
        command.env("REBUT_CASES", CASES).env("REBUT_SEED", "1");
        command.env("REBUT_DATABASE", "false").env("REBUT_EXPLAIN", "false");
        command.env("REBUT_FAILURES", "1").env("REBUT_VERBOSITY", "quiet");
        command.env("REBUT_DEADLINE", "1s").env("REBUT_MEMORY", "1GB");
        command.env("REBUT_SHRINK_MAX", "1000");
        let (_, is_ended) = written(&mut command, TEST_MAX.min(left));
        let events = self.events(&group);
        Ok(if is_ended { read(&events, &self.package.folder) } else { Measured::lost() })
    }

    /// Asks which texts are accepted; fewer answers than questions if one of them hangs.
    pub(in super::super) fn ask(&self, questions: &[(usize, &str)]) -> Result<Vec<bool>, Failure> {
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
        let (output, _) = written(&mut command, QUESTIONS_MAX);
        let _ = fs::remove_file(&path);
        let answers = output.lines().filter_map(|line| {
            // The test harness writes its own words before the first one.
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
            if text.starts_with("REBUT_") || text.starts_with("NEXTEST") || text == "CI" {
                command.env_remove(&name);
            }
        }
        command.args(["--exact", &name, "--nocapture", "--test-threads=1"]);
        command.env("NO_COLOR", "1").env("CARGO_MANIFEST_DIR", &self.package.folder);
        command.current_dir(&self.package.folder);
        command
    }

    /// The events of a group; their files are removed.
    fn events(&self, group: &str) -> Vec<Value> {
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

/// What the events of one test say.
fn read(events: &[Value], folder: &Path) -> Measured {
    let of = |name: &str| events.iter().find(|event| event["event"] == name);
    let Some(end) = of("end") else { return Measured::lost() };
    let count = |value: &Value| value.as_u64().unwrap_or(0);
    let list = |key: &str| end[key].as_array().cloned().unwrap_or_default();
    let rejected = list("rejected").iter().map(|one| count(&one["cases"])).sum();
    let (changed, seen): (Vec<Value>, Vec<Value>) =
        list("labels").into_iter().partition(|one| one["label"] == CHANGED);
    let seen = seen.iter().map(|one| count(&one["cases"])).collect();
    let changed = changed.iter().map(|one| count(&one["cases"])).sum();
    let outcome = match (end["success"].as_bool(), of("failure")) {
        (Some(true), _) => Outcome::Passed,
        (_, Some(failure)) => Outcome::Failed {
            message: first_line(&failure["message"]),
            inputs: inputs(&failure["values"]),
            is_inside: is_inside(failure["location"].as_str().unwrap_or_default(), folder),
        },
        (_, None) => Outcome::Rejected,
    };
    Measured { outcome, cases: count(&end["cases"]), rejected, seen, changed }
}

fn first_line(message: &Value) -> String {
    message.as_str().unwrap_or_default().lines().next().unwrap_or_default().to_owned()
}

fn inputs(values: &Value) -> Vec<String> {
    let of = |value: &Value| {
        let (name, code) = (value["name"].as_str()?, value["code"].as_str()?);
        Some(format!("{name} = {code}"))
    };
    values.as_array().into_iter().flatten().filter_map(of).collect()
}

/// Whether a place is in the sources of the package or of what it calls: not in its tests.
fn is_inside(location: &str, folder: &Path) -> bool {
    let file = location.split(':').next().unwrap_or_default();
    let path = Path::new(file);
    let inner = path.strip_prefix(folder).unwrap_or(path);
    let is_test = inner.components().any(|part| part.as_os_str() == "tests")
        || inner.file_stem().is_some_and(|stem| stem.to_string_lossy().starts_with("properties"));
    !file.is_empty() && !is_test
}

/// What a command wrote, and whether it ended in time. A test that fails ends too.
fn written(command: &mut Command, time: Duration) -> (String, bool) {
    let nothing = (String::new(), false);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let Ok(mut child) = command.spawn() else { return nothing };
    let Some(mut stdout) = child.stdout.take() else { return nothing };
    let reader = std::thread::spawn(move || {
        let mut written = Vec::new();
        let _ = stdout.read_to_end(&mut written);
        String::from_utf8_lossy(&written).into_owned()
    });
    let is_ended = wait(&mut child, time);
    (reader.join().unwrap_or_default(), is_ended)
}

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
    fn a_test_says_something_if_it_reaches_different_values() {
        let of = |cases: u64, rejected: u64, seen: &[u64]| {
            let seen = seen.to_vec();
            Measured { outcome: Outcome::Passed, cases, rejected, seen, changed: 0 }
                .says_something()
        };
        assert!(of(1000, 0, &[]) && of(1000, 900, &[500, 500]));
        assert!(!of(10, 990, &[]), "mostly rejected");
        assert!(!of(1000, 0, &[1000]) && !of(1000, 0, &[990, 10]), "always the same");
        assert!(!of(0, 0, &[]));
    }

    #[test]
    fn events_say_what_came_of_it() {
        let events = [
            json!({"event": "begin"}),
            json!({"event": "failure", "message": "boom\nmore", "location": "src/lib.rs:3:5",
                   "values": [{"name": "a", "code": "1"}]}),
            json!({"event": "end", "success": false, "cases": 7, "rejected": [{"cases": 2}]}),
        ];
        let measured = read(&events, Path::new("/nowhere"));
        let expected = Outcome::Failed {
            message: "boom".to_owned(),
            inputs: vec!["a = 1".to_owned()],
            is_inside: true,
        };
        assert_eq!((measured.outcome, measured.cases, measured.rejected), (expected, 7, 2));
        assert_eq!(read(&[], Path::new("/nowhere")).outcome, Outcome::Lost);
        assert!(!is_inside("/p/tests/properties.rs:5:9", Path::new("/p")));
        assert!(!is_inside("src/properties.rs:5:9", Path::new("/p")));
    }
}
