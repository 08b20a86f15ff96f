//! Runs cases in a child: another process of the same test binary, for one test.

mod death;

use std::ffi::OsString;
use std::io::{Read, Write};
use std::ops::Range;
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use rebut_choice::{Tape, Token};

use super::protocol::{Answer, Request};
use super::serve::{CHILD, CHILD_MARK, CHILD_MEMORY};
use crate::context::Said;
use crate::execute::{Execution, Executor, Input};
use crate::outcome::{Failure, FailureKind, Location, Outcome};
use crate::threads::{self, LineReceiver, Received, lock};
use crate::words;

/// The test of a child, and the arguments that reach it.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    name: String,
    args: Vec<OsString>,
}

impl Target {
    /// Targets the test with this path, in a binary with libtest's arguments.
    pub(crate) fn test(path: &str) -> Target {
        let in_crate = words::split_once(path, "::").map_or(path, |(_crate, rest)| rest);
        Target { name: path.to_owned(), args: libtest_args(in_crate) }
    }

    /// Targets the check at this location, reached as in this process: by running the test of
    /// this thread, or else the whole program with its arguments.
    pub(crate) fn check(place: &str) -> Target {
        let args = match thread::current().name() {
            Some(test) if test != "main" => libtest_args(test),
            _ => std::env::args_os().skip(1).collect(),
        };
        Target { name: place.to_owned(), args }
    }
}

fn libtest_args(test: &str) -> Vec<OsString> {
    let flags = ["--exact", "--nocapture", "--include-ignored", "--test-threads=1"];
    let mut args = vec![OsString::from(test)];
    for flag in flags {
        args.push(OsString::from(flag));
    }
    args
}

/// The limits of a case in a child.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) deadline: Duration,
    /// The memory limit in bytes.
    pub(crate) memory_max: u64,
}

/// Runs cases in a child, which lives until a case kills it.
pub(crate) struct ChildExecutor {
    target: Target,
    limits: Limits,
    child: Option<Child>,
    /// The longest time of a case that ended.
    slowest: Duration,
    is_hurrying: bool,
    started: u64,
}

/// While Rebut shrinks a hang, a case counts as a hang if it takes this many times as long as the
/// slowest one that ended.
const HURRY_FACTOR: u32 = 20;
/// A case does not count as a hang before this time.
const HURRY_MIN: Duration = Duration::from_millis(100);
/// A child must be ready within this time.
const START_MAX: Duration = Duration::from_secs(60);
/// Check this often whether the child is alive, in case its death does not end its output.
const TICK: Duration = Duration::from_millis(50);
/// Wait this long for the last output of a dead child.
const LAST_WORDS: Duration = Duration::from_millis(300);

impl ChildExecutor {
    /// Creates an executor. Starts no child yet.
    pub(crate) fn new(target: Target, limits: Limits) -> ChildExecutor {
        ChildExecutor {
            target,
            limits,
            child: None,
            slowest: Duration::ZERO,
            is_hurrying: false,
            started: 0,
        }
    }

    /// Sets whether cases that are not reported get a shorter deadline. Use it to shrink hangs,
    /// which would otherwise take the full deadline for each candidate. The reported case at the
    /// end gets the full deadline and confirms the result.
    pub(crate) fn hurry(&mut self, is_hurrying: bool) {
        self.is_hurrying = is_hurrying;
    }

    /// Runs these random cases until one fails, and returns that one.
    pub(crate) fn hunt(&mut self, seed: u64, cases: Range<u64>) -> Option<(u64, Execution)> {
        let (case, _) = self.search(&Request::Hunt { seed, cases })?;
        let execution = self.execute(&Input::Case { seed, case }, false);
        Some((case, execution))
    }

    /// Enumerates at most `cases_max` cases until one fails, and returns that one.
    pub(crate) fn walk(&mut self, cases_max: u64) -> Option<Execution> {
        self.search(&Request::Walk { cases_max }).map(|(_, execution)| execution)
    }

    /// Returns the number of children that were started.
    #[cfg(test)]
    pub(super) fn started(&self) -> u64 {
        self.started
    }

    fn search(&mut self, request: &Request) -> Option<(u64, Execution)> {
        let (end, heard) = self.ask(request, self.limits.deadline);
        let case = heard.case.unwrap_or(0);
        match end {
            End::Hunted => None,
            end => Some((case, self.execution(end, heard, self.limits.deadline))),
        }
    }

    fn run(&mut self, request: &Request, reporting: bool) -> Execution {
        let deadline = if reporting { self.limits.deadline } else { self.deadline() };
        let (end, heard) = self.ask(request, deadline);
        self.execution(end, heard, deadline)
    }

    fn deadline(&self) -> Duration {
        let full = self.limits.deadline;
        if self.is_hurrying { (self.slowest * HURRY_FACTOR).max(HURRY_MIN).min(full) } else { full }
    }

    #[inline(never)]
    fn execution(&self, end: End, heard: Heard, deadline: Duration) -> Execution {
        let outcome = match end {
            End::Done(outcome) => outcome,
            End::Hunted => Outcome::Passed,
            End::Died(death) => Outcome::Failed(death::failure(&death, &heard.panics)),
            End::Late => Outcome::Failed(Failure {
                kind: FailureKind::Hang,
                message: format!("{deadline:?}"),
                location: None,
            }),
            End::NotStarted(why) => Outcome::Internal(format!(
                "cannot run `{}` in a child process: {why}",
                self.target.name
            )),
        };
        let said = heard.spoke.then_some(heard.said);
        Execution { outcome, tape: Tape::new(heard.tokens), said }
    }

    /// Sends a request to the child and starts one if necessary. Retries once if the child died
    /// before the case began.
    #[inline(never)]
    fn ask(&mut self, request: &Request, deadline: Duration) -> (End, Heard) {
        for _ in 0..2 {
            let mut child = match self.child.take() {
                Some(child) => child,
                None => match Child::start(&self.target, &self.limits) {
                    Ok(child) => {
                        self.started += 1;
                        child
                    }
                    Err(why) => return (End::NotStarted(why), Heard::default()),
                },
            };
            let (end, heard) = child.ask(request, deadline);
            match end {
                End::Died(_) if heard.case.is_none() => continue,
                End::Done(_) | End::Hunted => {
                    self.slowest = self.slowest.max(heard.slowest);
                    self.child = Some(child);
                }
                _ => {}
            }
            return (end, heard);
        }
        (End::NotStarted("it ended before it reached the case".to_owned()), Heard::default())
    }
}

impl Executor for ChildExecutor {
    fn execute(&mut self, input: &Input, reporting: bool) -> Execution {
        self.run(&Request::Run { input: input.clone(), reporting }, reporting)
    }

    fn execute_example(&mut self, nth: usize, reporting: bool) -> Execution {
        self.run(&Request::Example { nth, reporting }, reporting)
    }
}

/// The end of a request.
#[derive(Debug)]
enum End {
    Done(Outcome),
    Hunted,
    Died(Death),
    Late,
    NotStarted(String),
}

/// The death of a child.
#[derive(Debug)]
struct Death {
    status: Option<ExitStatus>,
    /// The last output on its standard error.
    last_words: String,
}

/// A panic that a child reported.
#[derive(Debug)]
struct Panic {
    message: String,
    location: Option<Location>,
}

/// Keep at most this many panics. A case that panics more often catches its panics.
const PANICS_MAX: usize = 4;

/// The reports of a child about its running case.
#[derive(Debug, Default)]
struct Heard {
    /// The number of the case; `None` if none has begun.
    case: Option<u64>,
    tokens: Vec<Token>,
    said: Said,
    spoke: bool,
    panics: Vec<Panic>,
    slowest: Duration,
}

impl Heard {
    fn hear(&mut self, answer: Answer) {
        match answer {
            Answer::Begin(case) => {
                let slowest = self.slowest;
                *self = Heard { case: Some(case), slowest, ..Heard::default() };
            }
            Answer::Token(token) => self.tokens.push(token),
            Answer::Rewind(kept) => self.tokens.truncate(kept),
            Answer::Panic { message, location } => {
                if self.panics.len() == PANICS_MAX {
                    self.panics.remove(0);
                }
                self.panics.push(Panic { message, location });
            }
            Answer::Value(value) => self.say(|said| said.values.push(value)),
            Answer::Changed(nth, code) => self.say(|said| {
                if let Some(value) = said.values.get_mut(nth) {
                    value.code = code;
                }
            }),
            Answer::Note(note) => self.say(|said| said.notes.push(note)),
            Answer::Label(label) => self.say(|said| said.labels.push(label)),
            Answer::Cover(cover) => self.say(|said| said.covers.push(cover)),
            Answer::Objective(reported) => self.say(|said| said.objectives.push(reported)),
            Answer::Reset => self.say(|said| said.resets_search = true),
            Answer::Ready | Answer::Done(_) | Answer::Hunted => {}
        }
    }

    fn say(&mut self, change: impl FnOnce(&mut Said)) {
        self.spoke = true;
        change(&mut self.said);
    }
}

/// A running child.
struct Child {
    process: std::process::Child,
    requests: ChildStdin,
    answers: LineReceiver,
    words: Words,
}

impl Child {
    #[inline(never)]
    fn start(target: &Target, limits: &Limits) -> Result<Child, String> {
        let mark = format!("#rebut-{:016x}", crate::fresh_number());
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        let mut process = Command::new(program)
            .args(&target.args)
            .env(CHILD, &target.name)
            .env(CHILD_MARK, &mark)
            .env(CHILD_MEMORY, limits.memory_max.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| error.to_string())?;
        let (Some(requests), Some(stdout), Some(stderr)) =
            (process.stdin.take(), process.stdout.take(), process.stderr.take())
        else {
            return Err("it has no standard streams".to_owned());
        };
        let answers = read_answers(stdout, mark);
        let mut child = Child { process, requests, answers, words: Words::of(stderr) };
        match child.answers.receive(START_MAX) {
            Received::Line(line) if matches!(answer(&line), Answer::Ready) => Ok(child),
            Received::Late => Err("it did not reach the test".to_owned()),
            Received::Line(_) | Received::Ended => {
                let last_words = child.death(None).last_words;
                Err(format!("it ended before it reached the test\n{last_words}"))
            }
        }
    }

    #[inline(never)]
    fn ask(&mut self, request: &Request, deadline: Duration) -> (End, Heard) {
        let mut heard = Heard::default();
        self.words.forget();
        if writeln!(self.requests, "{}", request.encode()).is_err() {
            return (End::Died(self.death(None)), heard);
        }
        let mut begun = Instant::now();
        let end = loop {
            let left = deadline.saturating_sub(begun.elapsed());
            match self.answers.receive(left.min(TICK)) {
                Received::Line(line) => match answer(&line) {
                    Answer::Begin(case) => {
                        if heard.case.is_some() {
                            heard.slowest = heard.slowest.max(begun.elapsed());
                        }
                        begun = Instant::now();
                        heard.hear(Answer::Begin(case));
                    }
                    Answer::Done(outcome) => {
                        heard.slowest = heard.slowest.max(begun.elapsed());
                        break End::Done(outcome);
                    }
                    Answer::Hunted => break End::Hunted,
                    answer => heard.hear(answer),
                },
                Received::Ended => break End::Died(self.death(None)),
                Received::Late => {
                    if let Ok(Some(status)) = self.process.try_wait() {
                        while let Received::Line(line) = self.answers.receive(Duration::ZERO) {
                            heard.hear(answer(&line));
                        }
                        break End::Died(self.death(Some(status)));
                    }
                    if left.is_zero() {
                        break End::Late;
                    }
                }
            }
        };
        (end, heard)
    }

    /// Waits for a dying child.
    fn death(&mut self, status: Option<ExitStatus>) -> Death {
        let status = status.or_else(|| {
            let patience = Instant::now();
            while patience.elapsed() < LAST_WORDS {
                if let Ok(Some(status)) = self.process.try_wait() {
                    return Some(status);
                }
                thread::sleep(Duration::from_millis(1));
            }
            None
        });
        Death { status, last_words: self.words.last() }
    }
}

/// Kills the child, so that none outlives its executor.
impl Drop for Child {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Reads the lines that begin with the mark, until the output ends or the receiver is dropped.
fn read_answers(stdout: ChildStdout, mark: String) -> LineReceiver {
    let (sender, receiver) = threads::lines();
    let _ = threads::spawn(Box::new(move || {
        threads::read_lines(Box::new(stdout), mark.as_bytes(), &sender);
    }));
    receiver
}

fn answer(line: &str) -> Answer {
    Answer::decode(line).unwrap_or_else(|| {
        Answer::Done(Outcome::Internal(format!("unexpected answer of a child process: {line:?}")))
    })
}

/// The last output of a child on its standard error.
struct Words {
    tail: Arc<Mutex<Vec<u8>>>,
    /// Never has lines; it ends when the output does.
    end: LineReceiver,
}

/// Keep at most this many bytes of it.
const WORDS_MAX: usize = 16 << 10;

impl Words {
    fn of(mut stderr: ChildStderr) -> Words {
        let tail = Arc::<Mutex<Vec<u8>>>::default();
        let (sender, end) = threads::lines();
        let words = Words { tail: Arc::clone(&tail), end };
        let _ = threads::spawn(Box::new(move || {
            let mut chunk = [0; 4096];
            while let Ok(length @ 1..) = stderr.read(&mut chunk) {
                let mut tail = lock(&tail);
                tail.extend_from_slice(&chunk[..length]);
                let excess = tail.len().saturating_sub(WORDS_MAX);
                tail.drain(..excess);
            }
            drop(sender);
        }));
        words
    }

    fn forget(&self) {
        lock(&self.tail).clear();
    }

    /// Returns the output once the child is dead.
    fn last(&self) -> String {
        let _ = self.end.receive(LAST_WORDS);
        String::from_utf8_lossy(&lock(&self.tail)).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_target_is_the_path_without_its_crate() {
        let target = Target::test("my_crate::module::holds");
        assert_eq!(target.name, "my_crate::module::holds");
        assert_eq!(target.args[..2], ["module::holds", "--exact"]);
    }
}
