//! Runs the tests of a program.

use crate::read::unit_test::UnitTest;
use rebut_build::NativePackage;
use std::collections::HashMap;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// A test program that prints nothing for longer is killed: its running test hangs. Arbitrary.
const SILENCE_MAX: Duration = Duration::from_secs(15);
/// Skip the remaining tests after this many hung or killed the process. Arbitrary; bounds the wait
/// to about two minutes.
const STUCK_MAX: usize = 6;

/// A test program that was built from edited text.
#[derive(Debug)]
pub(crate) struct TestProgram {
    native: NativePackage,
    path: PathBuf,
    /// The names of its tests.
    tests: Vec<String>,
}

/// A run of some tests.
#[derive(Debug, Default)]
pub(crate) struct TestRun {
    /// Whether each test passed, by its name. A test that did not finish is missing.
    pub(crate) passed: HashMap<String, bool>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl TestProgram {
    pub(crate) fn new(native: NativePackage, path: PathBuf) -> TestProgram {
        let listed = native.command(&path).args(["--list", "--format", "terse"]).output();
        let listed = listed.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
        let tests = listed.unwrap_or_default();
        let tests = tests.lines().filter_map(|line| line.strip_suffix(": test"));
        let tests = tests.map(str::to_owned).collect();
        TestProgram { path, tests, native }
    }

    /// Returns the tests with this path in the file. Modules of other files may end alike, so there
    /// may be several.
    pub(crate) fn names(&self, path: &str) -> Vec<String> {
        let ends = format!("::{path}");
        let is_it = |name: &&String| *name == path || name.ends_with(&ends);
        self.tests.iter().filter(is_it).cloned().collect()
    }

    /// Returns the names of a unit test.
    pub(crate) fn names_of(&self, unit_test: &UnitTest) -> Vec<String> {
        self.names(&unit_test.full_path())
    }

    /// Runs tests one after the other. After a test that hangs or ends the process, a new process
    /// runs the others.
    pub(crate) fn run(&self, names: &[String], variables: &[(&str, &str)]) -> TestRun {
        let mut ran = TestRun::default();
        let mut left = names.to_vec();
        for _ in 0..=STUCK_MAX {
            if left.is_empty() {
                break;
            }
            let (stdout, stderr) = self.run_once(&left, variables);
            let (passed, stuck) = verdicts(&stdout, &left);
            ran.passed.extend(passed);
            ran.stdout.push_str(&stdout);
            ran.stderr.push_str(&stderr);
            let before = left.len();
            left.retain(|name| !ran.passed.contains_key(name) && stuck.as_ref() != Some(name));
            if left.len() == before {
                break;
            }
        }
        ran
    }

    fn run_once(&self, names: &[String], variables: &[(&str, &str)]) -> (String, String) {
        let mut command = self.native.command(&self.path);
        command.args(["--exact", "--nocapture", "--test-threads=1"]).args(names);
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("REBUT_") {
                command.env_remove(&name);
            }
        }
        command
            .env("RUST_BACKTRACE", "0")
            .env("REBUT_EVENTS", "off")
            .env("REBUT_DATABASE", "false");
        command.envs(variables.iter().copied());
        outputs(&mut command)
    }
}

/// What a program said of each of these tests, and the one that it did not come to the end of.
fn verdicts(stdout: &str, names: &[String]) -> (HashMap<String, bool>, Option<String>) {
    let begun = |line: &str| {
        let (_, rest) = line.split_once("test ")?;
        let (name, rest) = rest.split_once(" ... ")?;
        let name = name.trim_end_matches(" - should panic");
        let name = names.iter().find(|known| *known == name)?;
        Some((name.clone(), rest.to_owned()))
    };
    let verdict = |text: &str| match text.trim_end() {
        text if text.ends_with("ok") => Some(true),
        text if text.ends_with("FAILED") => Some(false),
        _ => None,
    };
    let mut passed = HashMap::new();
    let mut running: Option<String> = None;
    for line in stdout.lines() {
        // What a test prints may stand before its verdict.
        let said = match begun(line) {
            Some((name, rest)) => {
                running = Some(name);
                rest
            }
            None => line.to_owned(),
        };
        if let (Some(passes), Some(_)) = (verdict(&said), &running) {
            passed.extend(running.take().map(|name| (name, passes)));
        }
    }
    (passed, running)
}

/// What a program prints; as far as it came, if it hangs.
fn outputs(command: &mut Command) -> (String, String) {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let Ok(mut child) = command.spawn() else { return Default::default() };
    let said = Arc::new(AtomicUsize::new(0));
    let read = |pipe: Option<Box<dyn std::io::Read + Send>>| {
        let said = Arc::clone(&said);
        thread::spawn(move || read_all(pipe, &said))
    };
    let stdout = read(child.stdout.take().map(|pipe| Box::new(pipe) as _));
    let stderr = read(child.stderr.take().map(|pipe| Box::new(pipe) as _));
    wait(&mut child, &said);
    (stdout.join().unwrap_or_default(), stderr.join().unwrap_or_default())
}

/// Reads to the end, and counts what was read.
fn read_all(pipe: Option<Box<dyn std::io::Read + Send>>, said: &AtomicUsize) -> String {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    let mut pipe = pipe;
    while let Some(Ok(count @ 1..)) = pipe.as_mut().map(|pipe| pipe.read(&mut buffer)) {
        bytes.extend_from_slice(&buffer[..count]);
        said.fetch_add(count, Ordering::Relaxed);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Waits for the end, but not for ever.
fn wait(child: &mut Child, said: &AtomicUsize) {
    let (mut since, mut before) = (Instant::now(), 0);
    while matches!(child.try_wait(), Ok(None)) {
        let now = said.load(Ordering::Relaxed);
        if now != before {
            (since, before) = (Instant::now(), now);
        }
        if since.elapsed() > SILENCE_MAX {
            let _ = child.kill();
            let _ = child.wait();
            return;
        }
        thread::sleep(Duration::from_millis(5));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_without_a_verdict_is_the_one_that_was_running() {
        let names = ["a", "b", "m::c", "d"].map(str::to_owned);
        let said = "running 4 tests\ntest a ... printed\nok\ntest b - should panic ... FAILED\n\
                    test m::c ... it prints";
        let (passed, stuck) = verdicts(said, &names);
        assert_eq!(passed.len(), 2);
        assert_eq!((passed["a"], passed["b"]), (true, false));
        assert_eq!(stuck.as_deref(), Some("m::c"));
    }
}
