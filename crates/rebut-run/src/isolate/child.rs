//! Runs cases in a child: another process of the same test binary, for one test.

mod death;

pub(crate) use death::name_of as signal_name;

use std::ffi::OsString;
use std::io::{self, PipeReader, Write};
use std::ops::Range;
#[cfg(target_os = "linux")]
use std::path::Path;
use std::process::{ChildStdin, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rebut_choice::{Tape, Token};
use rebut_protocol::test_path::TestPath;

use super::load::WaitingTimes;
use super::protocol::{Reply, Request};
use super::signals;
use super::stall;
use crate::case_log::CaseLog;
use crate::execute::{self, Execution, Executor, Input};
use crate::outcome::{Failure, FailureKind, Location, Outcome};
use crate::threads::{self, LineReceiver, OutputTail, Received};
use rebut_protocol::variables::{CHILD, CHILD_MARK, CHILD_MEMORY};

/// The test of a child, and the arguments that reach it.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    name: String,
    args: Vec<OsString>,
}

impl Target {
    /// Targets the test with this path, in a binary with libtest's arguments.
    pub(crate) fn test(path: &str) -> Target {
        Target { name: path.to_owned(), args: libtest_args(TestPath::new(path).in_crate()) }
    }

    /// Targets the check at this location, reached as in this process: by running the test of
    /// this thread, or else the whole program with its arguments.
    pub(crate) fn check(location: &str) -> Target {
        let args = match thread::current().name() {
            Some(test) if test != "main" => libtest_args(test),
            _ => std::env::args_os().skip(1).collect(),
        };
        Target { name: location.to_owned(), args }
    }

    /// Targets a property with this name in this program, which is run with its arguments.
    pub(crate) fn program(name: &str) -> Target {
        Target { name: name.to_owned(), args: std::env::args_os().skip(1).collect() }
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

/// The message if no child can be started.
pub(crate) const NO_CHILD: &str = "cannot start a child process";

/// Runs cases in a child, which lives until a case kills it.
pub(crate) struct ChildExecutor {
    target: Target,
    limits: Limits,
    child: Option<Child>,
    /// The longest time of a case that ended.
    slowest: Duration,
    has_short_deadline: bool,
    /// Whether a case that passes is watched for a moment, because a thread that it leaves behind
    /// may die.
    lingers: bool,
    started: u64,
    /// Why the last child could not be started.
    start_error: Option<String>,
}

/// While Rebut shrinks a hang, a case counts as a hang if it takes this many times as long as the
/// slowest one that ended. Arbitrary: it must survive a loaded machine. A case that is wrongly
/// called a hang is noticed at the end, and the hang is shrunk again with a longer deadline.
const SHORT_DEADLINE_FACTOR: u32 = 20;
/// A case does not count as a hang before this time, even if all others are fast: the system may
/// not run the child for that long. Arbitrary.
const SHORT_DEADLINE_MIN: Duration = Duration::from_millis(100);
/// A child must be ready within this time. Arbitrary: starting takes milliseconds, but code before
/// `main` or a loaded machine may delay it. At the limit the run ends with an internal error.
const START_MAX: Duration = Duration::from_secs(60);
/// The time between two checks whether the child is alive, in case its death does not end its
/// output because a process that it started has the other end. Arbitrary.
const TICK: Duration = Duration::from_millis(50);
/// Wait this long for the status and the last output of a dying child. Arbitrary. At the limit the
/// failure has a less precise kind or message.
const EXIT_WAIT_MAX: Duration = Duration::from_millis(300);
/// The time in which a thread dies that a case left behind. Arbitrary: it is spent for each case
/// that passes while such a failure is shrunk.
const LINGER: Duration = Duration::from_millis(100);

impl ChildExecutor {
    /// Creates an executor. Starts no child yet.
    pub(crate) fn new(target: Target, limits: Limits) -> ChildExecutor {
        ChildExecutor {
            target,
            limits,
            child: None,
            slowest: Duration::ZERO,
            has_short_deadline: false,
            lingers: false,
            started: 0,
            start_error: None,
        }
    }

    /// Sets whether cases that are not reported get a shorter deadline. Use it to shrink hangs,
    /// which would otherwise take the full deadline for each candidate. The reported case at the
    /// end gets the full deadline and confirms the result.
    pub(crate) fn use_short_deadline(&mut self, is_short: bool) {
        self.has_short_deadline = is_short;
    }

    /// Watches the child for a moment after each case that passes from now on: a thread that the case
    /// leaves behind may end the process.
    pub(crate) fn linger(&mut self) {
        self.lingers = true;
    }

    /// Runs these random cases until one fails, and returns that one.
    pub(crate) fn run_until_failure(
        &mut self,
        seed: u64,
        cases: Range<u64>,
    ) -> Option<(u64, Execution)> {
        let (case, _) = self.first_failure(&Request::RunUntilFailure { seed, cases })?;
        let execution = self.execute(&Input::Case { seed, case }, false);
        Some((case, execution))
    }

    /// Enumerates at most `cases_max` cases until one fails, and returns that one.
    pub(crate) fn enumerate_until_failure(&mut self, cases_max: u64) -> Option<Execution> {
        self.first_failure(&Request::Enumerate { cases_max }).map(|(_, execution)| execution)
    }

    /// Returns why the last child could not be started, if it could not. That is a state of the
    /// system and not an error of Rebut.
    pub(crate) fn start_error(&self) -> Option<&str> {
        self.start_error.as_deref()
    }

    /// Returns the number of children that were started.
    #[cfg(test)]
    pub(super) fn started(&self) -> u64 {
        self.started
    }

    fn first_failure(&mut self, request: &Request) -> Option<(u64, Execution)> {
        let (end, transcript) = self.send(request, self.limits.deadline);
        let case = transcript.case.unwrap_or(0);
        match end {
            RequestEnd::NoFailure => None,
            end => Some((case, self.execution(end, transcript, self.limits.deadline))),
        }
    }

    fn run(&mut self, request: &Request, reporting: bool) -> Execution {
        let deadline = if reporting { self.limits.deadline } else { self.deadline() };
        let (end, transcript) = self.send(request, deadline);
        self.execution(end, transcript, deadline)
    }

    fn deadline(&self) -> Duration {
        let full = self.limits.deadline;
        if self.has_short_deadline {
            (self.slowest * SHORT_DEADLINE_FACTOR).max(SHORT_DEADLINE_MIN).min(full)
        } else {
            full
        }
    }

    #[inline(never)]
    fn execution(&self, end: RequestEnd, transcript: Transcript, deadline: Duration) -> Execution {
        let outcome = match end {
            RequestEnd::Done(outcome) => outcome,
            RequestEnd::NoFailure => Outcome::Passed,
            RequestEnd::Died(death) => {
                // The panic that killed it may have been on either thread: a detached thread and its
                // case race to drop the payload.
                let panics = match transcript.panics.as_slice() {
                    [] => &transcript.thread_panics,
                    panics => panics,
                };
                Outcome::Failed(death::failure(&death, panics))
            }
            RequestEnd::TimedOut => Outcome::Failed(Failure {
                kind: FailureKind::Hang,
                message: format!("{deadline:?}"),
                location: None,
            }),
            RequestEnd::NotStarted(why) => Outcome::Internal(format!("{NO_CHILD}: {why}")),
        };
        let mut transcript = transcript;
        if let Outcome::Failed(failure) = &outcome
            && failure.kind.kills_process()
            && let Some(number) = execute::unfinished_value(&transcript.tokens)
        {
            transcript.append(|log| log.failed_generator = Some(number));
        }
        let log = transcript.has_log.then_some(transcript.log);
        let output = transcript.output;
        let (tape, reached) = (Tape::new(transcript.tokens), transcript.reached);
        Execution { outcome, tape, log, output, reached }
    }

    /// Sends a request to the child and starts one if necessary. Retries once if the child died
    /// before the case began.
    #[inline(never)]
    fn send(&mut self, request: &Request, deadline: Duration) -> (RequestEnd, Transcript) {
        for _ in 0..2 {
            let mut child = match self.child.take() {
                Some(child) => child,
                None => match Child::start(&self.target, &self.limits) {
                    Ok(child) => {
                        self.started += 1;
                        self.start_error = None;
                        child
                    }
                    Err(why) => return self.not_started(why),
                },
            };
            let (mut end, mut transcript) = child.send(request, deadline);
            if self.lingers && matches!(end, RequestEnd::Done(Outcome::Passed)) {
                end = child.death_after_case(&mut transcript).unwrap_or(end);
            }
            match end {
                RequestEnd::Died(_) if transcript.case.is_none() => continue,
                RequestEnd::Done(_) | RequestEnd::NoFailure => {
                    self.slowest = self.slowest.max(transcript.slowest);
                    self.child = Some(child);
                }
                _ => {}
            }
            return (end, transcript);
        }
        self.not_started("it ended before it reached the case".to_owned())
    }

    fn not_started(&mut self, why: String) -> (RequestEnd, Transcript) {
        self.start_error = Some(why.clone());
        (RequestEnd::NotStarted(why), Transcript::default())
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
enum RequestEnd {
    Done(Outcome),
    NoFailure,
    Died(Death),
    TimedOut,
    NotStarted(String),
}

/// The death of a child.
#[derive(Debug)]
struct Death {
    status: Option<ExitStatus>,
    /// Its last output.
    output: String,
}

/// A panic that a child reported.
#[derive(Debug)]
struct Panic {
    message: String,
    location: Option<Location>,
}

/// Keep at most this many panics, the last ones. A case that panics more often catches its panics.
/// Arbitrary.
const PANICS_MAX: usize = 4;

fn keep_last(panics: &mut Vec<Panic>, panic: Panic) {
    if panics.len() == PANICS_MAX {
        panics.remove(0);
    }
    panics.push(panic);
}

/// The reports of a child about its running case.
#[derive(Debug, Default)]
struct Transcript {
    /// The number of the case; `None` if none has begun.
    case: Option<u64>,
    tokens: Vec<Token>,
    log: CaseLog,
    has_log: bool,
    panics: Vec<Panic>,
    /// Those of threads that the case started.
    thread_panics: Vec<Panic>,
    slowest: Duration,
    output: String,
    reached: u64,
}

impl Transcript {
    fn record(&mut self, reply: Reply) {
        match reply {
            Reply::Begin(case) => {
                let slowest = self.slowest;
                *self = Transcript { case: Some(case), slowest, ..Transcript::default() };
            }
            Reply::Token(token) => self.tokens.push(token),
            Reply::Rewind(kept) => self.tokens.truncate(kept),
            Reply::Panic { message, location } => {
                keep_last(&mut self.panics, Panic { message, location });
            }
            Reply::ThreadPanic { message, location } => {
                keep_last(&mut self.thread_panics, Panic { message, location });
            }
            Reply::Value(value) => self.append(|log| log.values.push(value)),
            Reply::Changed(nth, code) => self.append(|log| {
                if let Some(value) = log.values.get_mut(nth) {
                    value.code = code;
                }
            }),
            Reply::TypeNote(note) => self.append(|log| {
                if !log.types.contains(&note) {
                    log.types.push(note);
                }
            }),
            Reply::Note(note) => self.append(|log| log.notes.push(note)),
            Reply::Violation(violation) => self.append(|log| log.violation = Some(violation)),
            Reply::StyledMessage(text) => self.append(|log| log.styled_message = Some(text)),
            Reply::FailedGenerator(number) => {
                self.append(|log| log.failed_generator = Some(number));
            }
            Reply::Backtrace(text) => self.append(|log| log.backtrace.push_str(&text)),
            Reply::Label(label) => self.append(|log| log.labels.push(label)),
            Reply::Cover(cover) => self.append(|log| log.covers.push(cover)),
            Reply::Objective(reported) => self.append(|log| log.objectives.push(reported)),
            Reply::Programs(count) => self.append(|log| log.calls.programs += count),
            Reply::Calls(calls) => self.append(|log| log.calls.add(0, vec![calls])),
            Reply::Reached(bits) => self.reached = bits,
            Reply::Reset => self.append(|log| log.resets_search = true),
            Reply::Ready | Reply::Done(_) | Reply::NoFailure => {}
        }
    }

    fn append(&mut self, change: impl FnOnce(&mut CaseLog)) {
        self.has_log = true;
        change(&mut self.log);
    }
}

/// A running child.
struct Child {
    process: std::process::Child,
    requests: ChildStdin,
    replies: LineReceiver,
    /// The thread that reads its replies; 0 until it has started.
    reader: Arc<AtomicI32>,
    output: OutputTail,
}

impl Child {
    #[inline(never)]
    fn start(target: &Target, limits: &Limits) -> Result<Child, String> {
        let mark = format!("#rebut-{:016x}", crate::fresh_number());
        // One pipe for both streams keeps the order of what the case prints.
        let (output, input) = io::pipe().map_err(|error| error.to_string())?;
        let errors = input.try_clone().map_err(|error| error.to_string())?;
        let mut process = this_program()
            .args(&target.args)
            .env(CHILD, &target.name)
            .env(CHILD_MARK, &mark)
            .env(CHILD_MEMORY, limits.memory_max.to_string())
            .stdin(Stdio::piped())
            .stdout(input)
            .stderr(errors)
            .spawn()
            .map_err(|error| error.to_string())?;
        let Some(requests) = process.stdin.take() else {
            return Err("it has no standard input".to_owned());
        };
        let tail = OutputTail::default();
        let reader = Arc::new(AtomicI32::new(0));
        let replies = read_replies(output, mark, tail.clone(), Arc::clone(&reader))
            .map_err(|error| format!("no thread can read its output: {error}"))?;
        let mut child = Child { process, requests, replies, reader, output: tail };
        match child.replies.receive(START_MAX) {
            Received::Line(line) if matches!(parse_reply(&line), Reply::Ready) => Ok(child),
            Received::Late => Err("it did not reach the test".to_owned()),
            Received::Line(_) | Received::Ended => {
                child.death(None, &mut Transcript::default());
                let output = child.output.text();
                Err(format!("it ended before it reached the test\n{output}"))
            }
        }
    }

    #[inline(never)]
    fn send(&mut self, request: &Request, deadline: Duration) -> (RequestEnd, Transcript) {
        let mut transcript = Transcript::default();
        self.output.forget();
        if writeln!(self.requests, "{}", request.encode()).is_err() {
            let death = self.death(None, &mut transcript);
            return (RequestEnd::Died(death), transcript);
        }
        let mut begun = Instant::now();
        let mut waiting: Option<WaitingTimes> = None;
        let end = loop {
            stall::beat();
            let left = deadline.saturating_sub(begun.elapsed());
            match self.replies.receive(left.clamp(TICK / 10, TICK)) {
                Received::Line(line) => match parse_reply(&line) {
                    Reply::Begin(case) => {
                        if transcript.case.is_some() {
                            transcript.slowest = transcript.slowest.max(begun.elapsed());
                        }
                        begun = Instant::now();
                        waiting = None;
                        transcript.record(Reply::Begin(case));
                    }
                    Reply::Done(outcome) => {
                        transcript.slowest = transcript.slowest.max(begun.elapsed());
                        break RequestEnd::Done(outcome);
                    }
                    Reply::NoFailure => break RequestEnd::NoFailure,
                    reply => transcript.record(reply),
                },
                Received::Ended => break RequestEnd::Died(self.death(None, &mut transcript)),
                Received::Late => {
                    if let Ok(Some(status)) = self.process.try_wait() {
                        break RequestEnd::Died(self.death(Some(status), &mut transcript));
                    }
                    let waiting = waiting.get_or_insert_with(|| {
                        let reader = self.reader.load(Ordering::Relaxed);
                        WaitingTimes::of_process(self.process.id(), reader)
                    });
                    // Before a case has begun, nothing of the test runs that could hang.
                    let limit = if transcript.case.is_some() { deadline } else { START_MAX };
                    if begun.elapsed() >= limit && waiting.has_used(limit, begun.elapsed()) {
                        break RequestEnd::TimedOut;
                    }
                }
            }
        };
        transcript.output = self.output.text();
        (end, transcript)
    }

    /// Waits for the death of a child whose case has passed, for a moment.
    fn death_after_case(&mut self, transcript: &mut Transcript) -> Option<RequestEnd> {
        let patience = Instant::now();
        while patience.elapsed() < LINGER {
            stall::beat();
            if let Ok(Some(status)) = self.process.try_wait() {
                return Some(RequestEnd::Died(self.death(Some(status), transcript)));
            }
            thread::sleep(Duration::from_millis(1));
        }
        None
    }

    /// Waits for a dying child and reads its last replies.
    fn death(&mut self, status: Option<ExitStatus>, transcript: &mut Transcript) -> Death {
        let status = status.or_else(|| {
            let patience = Instant::now();
            while patience.elapsed() < EXIT_WAIT_MAX {
                if let Ok(Some(status)) = self.process.try_wait() {
                    return Some(status);
                }
                thread::sleep(Duration::from_millis(1));
            }
            None
        });
        while let Received::Line(line) = self.replies.receive(EXIT_WAIT_MAX) {
            transcript.record(parse_reply(&line));
        }
        Death { status, output: self.output.text() }
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
fn read_replies(
    output: PipeReader,
    mark: String,
    other: OutputTail,
    reader: Arc<AtomicI32>,
) -> io::Result<LineReceiver> {
    let (sender, receiver) = threads::lines();
    threads::spawn(Box::new(move || {
        reader.store(signals::thread_id(), Ordering::Relaxed);
        threads::read_lines(Box::new(output), mark.as_bytes(), &sender, &other);
    }))?;
    Ok(receiver)
}

/// Returns a command that runs this program, with its name.
///
/// If its file was deleted or replaced since it started, as by a build, another program or none is
/// at its path. On Linux the file of a running program remains at `/proc/self/exe`.
fn this_program() -> Command {
    let name = std::env::args_os().next().unwrap_or_default();
    // Without `/proc`, the path is that by which this program was called.
    let Ok(path) = std::env::current_exe() else { return Command::new(name) };
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::fs::MetadataExt as _;
        use std::os::unix::process::CommandExt as _;
        const RUNNING: &str = "/proc/self/exe";
        let identity = |path: &Path| {
            std::fs::metadata(path).ok().map(|metadata| (metadata.dev(), metadata.ino()))
        };
        let running = identity(Path::new(RUNNING));
        if running.is_some() && running != identity(&path) {
            let mut command = Command::new(RUNNING);
            command.arg0(name);
            return command;
        }
    }
    Command::new(path)
}

fn parse_reply(line: &str) -> Reply {
    Reply::decode(line).unwrap_or_else(|| {
        Reply::Done(Outcome::Internal(format!("unexpected reply of a child process: {line:?}")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_name_the_test_without_its_crate() {
        let target = Target::test("my_crate::module::holds");
        assert_eq!(target.name, "my_crate::module::holds");
        assert_eq!(target.args[..2], ["module::holds", "--exact"]);
    }
}
