//! The code of a child: runs the requested cases and reports events as they happen.

use std::cell::RefCell;
use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::rc::Rc;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use rebut_choice::{
    AnyDriver, Choice, Constants, Driver, Exhaustive, Fallback, Label, Random, Replay, Tape, Token,
};

use super::protocol::{Reply, Request};
use super::signals;
use crate::Test;
use crate::case_log::{self, CaseEvent};
use crate::claims::ClaimSites;
use rebut_protocol::variables::{CHILD, CHILD_MARK, CHILD_MEMORY};

use crate::execute::{self, Execution, Input};
use crate::lineage::LineageMark;
use crate::outcome::{Location, Outcome};
use crate::property::mined;
use crate::strings;
use crate::threads::{self, LineReceiver, OutputTail, Received};

/// The role of this process for a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProcessRole {
    /// Run it.
    Run,
    /// Serve as a child for this test: call [`serve_test`] or [`serve_here`].
    Serve,
    /// Do nothing, as a child for another test: return as if the test passed.
    StandBy,
    /// Run it on this thread, because a case of another test that this process serves calls it.
    RunInside,
}

/// Returns the role of this process for the test with this name.
pub(crate) fn role_for(test: &str) -> ProcessRole {
    static NAME: OnceLock<Option<String>> = OnceLock::new();
    match NAME.get_or_init(|| std::env::var(CHILD).ok()) {
        None => ProcessRole::Run,
        Some(name) if name == test => ProcessRole::Serve,
        Some(_) if case_log::is_running() => ProcessRole::RunInside,
        Some(_) => ProcessRole::StandBy,
    }
}

/// Serves requests for a test until there are no more. Cases run on a thread like that of a
/// worker, so that they have the same stack size.
pub(crate) fn serve_test(test: &Test) -> ! {
    let Test { run, constants, examples, claims, .. } = *test;
    let worker = threads::spawn_worker(Box::new(move || {
        serve_here(&run, &execute::bodies(examples), mined(constants), claims);
    }));
    match worker {
        // The worker returns only if it panics, and then the parent sees that too.
        Ok(worker) => drop(worker.join()),
        Err(_) => serve_here(&run, &execute::bodies(examples), mined(constants), claims),
    }
    std::process::exit(70)
}

/// Like [`serve_test`], for a property that cannot move to another thread.
#[inline(never)]
pub(crate) fn serve_here(
    run: &execute::Body<'_>,
    examples: &[&execute::Body<'_>],
    constants: Constants,
    claims: Option<ClaimSites>,
) -> ! {
    if let Some(bytes) = std::env::var(CHILD_MEMORY).ok().and_then(|text| strings::number(&text)) {
        signals::limit_memory(bytes);
    }
    signals::forbid_core_dumps();
    let (Ok(input), Ok(output)) = (private_stdin(), private_stdout()) else {
        std::process::exit(70)
    };
    let out = ReplyWriter::new(output);
    let _ = THREAD_REPLIES.set(out.clone());
    let requests = read_requests(input);
    case_log::listen(Box::new({
        let out = out.clone();
        move |event| out.send(&reply_for(event))
    }));
    let _lineage = LineageMark::begin();
    let random = Random::new(0).with_constants(Rc::new(constants));
    let mut server = Server { run, examples, random, out, claims };
    server.out.send(&Reply::Ready);
    loop {
        match requests.receive(Duration::MAX) {
            Received::Line(line) => match Request::decode(&line) {
                Some(request) => server.handle(request),
                None => signals::end_process(0),
            },
            Received::Late => {}
            Received::Ended => std::process::exit(0),
        }
    }
}

/// The output for replies of other threads than that of the cases.
static THREAD_REPLIES: OnceLock<ReplyWriter> = OnceLock::new();

/// Reports a panic on a thread that a case started, if this process is a child. It may be the last
/// thing that this process does.
pub(crate) fn report_thread_panic(message: &str, location: Option<Location>) {
    if let Some(replies) = THREAD_REPLIES.get() {
        replies.send(&Reply::ThreadPanic { message: message.to_owned(), location });
    }
}

/// Returns a handle of our own, so that no lock on the shared one blocks us.
fn private_stdout() -> io::Result<File> {
    #[cfg(unix)]
    use std::os::fd::AsFd as _;
    #[cfg(windows)]
    use std::os::windows::io::AsHandle as _;
    #[cfg(unix)]
    return Ok(File::from(io::stdout().as_fd().try_clone_to_owned()?));
    #[cfg(windows)]
    return Ok(File::from(io::stdout().as_handle().try_clone_to_owned()?));
    #[cfg(not(any(unix, windows)))]
    Err(io::ErrorKind::Unsupported.into())
}

fn private_stdin() -> io::Result<File> {
    #[cfg(unix)]
    use std::os::fd::AsFd as _;
    #[cfg(windows)]
    use std::os::windows::io::AsHandle as _;
    #[cfg(unix)]
    return Ok(File::from(io::stdin().as_fd().try_clone_to_owned()?));
    #[cfg(windows)]
    return Ok(File::from(io::stdin().as_handle().try_clone_to_owned()?));
    #[cfg(not(any(unix, windows)))]
    Err(io::ErrorKind::Unsupported.into())
}

/// Reads requests on a separate thread: when the parent ends, the child ends too, even in the
/// middle of a hanging case.
fn read_requests(input: File) -> LineReceiver {
    let (sender, receiver) = threads::lines();
    let _ = threads::spawn(Box::new(move || {
        threads::read_lines(Box::new(input), b"", &sender, &OutputTail::default());
        signals::end_process(0)
    }));
    receiver
}

/// The output for replies.
#[derive(Clone, Debug)]
struct ReplyWriter {
    file: Arc<File>,
    mark: Arc<str>,
}

impl ReplyWriter {
    fn new(file: File) -> ReplyWriter {
        let mark = std::env::var(CHILD_MARK).unwrap_or_default();
        ReplyWriter { file: Arc::new(file), mark: mark.into() }
    }

    /// Sends a reply in one write, so that output of other threads does not come between.
    /// Ignores errors: if the parent is gone, the end of the requests ends this process.
    fn send(&self, reply: &Reply) {
        let line = format!("\n{} {}\n", self.mark, reply.encode());
        let _ = (&*self.file).write_all(line.as_bytes());
    }
}

fn reply_for(event: CaseEvent<'_>) -> Reply {
    match event {
        CaseEvent::Value(value) => Reply::Value(value.clone()),
        CaseEvent::Changed { nth, code } => Reply::Changed(nth, code.to_owned()),
        CaseEvent::TypeNote(note) => Reply::TypeNote(note.clone()),
        CaseEvent::Note(text) => Reply::Note(text.to_owned()),
        CaseEvent::Violation(violation) => Reply::Violation(violation.clone()),
        CaseEvent::StyledMessage(message) => Reply::StyledMessage(message.to_owned()),
        CaseEvent::Backtrace(backtrace) => Reply::Backtrace(backtrace.to_owned()),
        CaseEvent::FailedGenerator(number) => Reply::FailedGenerator(number),
        CaseEvent::Stopped(outcome) => Reply::Done(outcome.clone()),
        CaseEvent::Panic { message, location } => {
            Reply::Panic { message: message.to_owned(), location: location.cloned() }
        }
    }
}

struct Server<'a> {
    run: &'a execute::Body<'a>,
    examples: &'a [&'a execute::Body<'a>],
    random: Random,
    out: ReplyWriter,
    claims: Option<ClaimSites>,
}

impl Server<'_> {
    fn handle(&mut self, request: Request) {
        let outcome = match request {
            Request::Run { input: Input::Tape(tape), reporting } => {
                self.run_one(self.run, Replay::new(&tape, Fallback::Simplest), reporting)
            }
            Request::Run { input: Input::Edited(tape, draw), reporting } => {
                let random = Box::new(self.random.clone());
                self.run_one(self.run, execute::replay_of_edited(tape, draw, random), reporting)
            }
            Request::Run { input: Input::Case { seed, case }, reporting } => {
                self.random_case(seed, case, reporting)
            }
            Request::Example { nth, reporting } => match self.examples.get(nth) {
                Some(example) => self.run_one(example, simplest(), reporting),
                None => Outcome::Internal(format!("no example with index {nth}")),
            },
            Request::RunUntilFailure { seed, cases } => {
                let found = cases.into_iter().find_map(|case| self.run_unreported(seed, case));
                return self.out.send(&found.map_or(Reply::NoFailure, Reply::Done));
            }
            Request::Enumerate { cases_max } => {
                let found = self.enumerate(cases_max);
                return self.out.send(&found.map_or(Reply::NoFailure, Reply::Done));
            }
        };
        self.out.send(&Reply::Done(outcome));
    }

    fn random_case(&self, seed: u64, case: u64, reporting: bool) -> Outcome {
        match self.random(seed, case) {
            Some(random) => self.run_one(self.run, random, reporting),
            None => self.run_one(self.run, simplest(), reporting),
        }
    }

    /// Returns the driver of a random case, or `None` for the first case of a run, which is the
    /// simplest.
    fn random(&self, seed: u64, case: u64) -> Option<Random> {
        let mut random = self.random.clone();
        random.reset(seed, case);
        (case != 0).then_some(random)
    }

    fn run_one(
        &self,
        body: &execute::Body<'_>,
        driver: impl Driver + 'static,
        reporting: bool,
    ) -> Outcome {
        self.out.send(&Reply::Begin(0));
        let inner = Rc::new(RefCell::new(driver));
        let Execution { outcome, log, reached, .. } = self.stream(body, inner, reporting);
        // The report shows the output, also a line without an end.
        let _ = io::stdout().flush();
        // Values and notes were already sent.
        let log = log.unwrap_or_default();
        log.labels.into_iter().for_each(|label| self.out.send(&Reply::Label(label)));
        log.covers.into_iter().for_each(|cover| self.out.send(&Reply::Cover(cover)));
        log.objectives.into_iter().for_each(|one| self.out.send(&Reply::Objective(one)));
        if log.resets_search {
            self.out.send(&Reply::Reset);
        }
        if log.calls.programs > 0 {
            self.out.send(&Reply::Programs(log.calls.programs));
            log.calls.operations.into_iter().for_each(|one| self.out.send(&Reply::Calls(one)));
        }
        if reached != 0 {
            self.out.send(&Reply::Reached(reached));
        }
        outcome
    }

    fn stream(
        &self,
        body: &execute::Body<'_>,
        inner: Rc<RefCell<dyn Driver>>,
        reporting: bool,
    ) -> Execution {
        let drive = AnyDriver::Other(Box::new(StreamingDriver { inner, out: self.out.clone() }));
        execute::execute_once(body, drive, reporting, self.claims)
    }

    /// Runs a case and sends only its number. If it fails, the parent requests it again.
    fn run_unreported(&self, seed: u64, case: u64) -> Option<Outcome> {
        self.out.send(&Reply::Begin(case));
        let drive = match self.random(seed, case) {
            Some(random) => AnyDriver::Random(Box::new(random)),
            None => AnyDriver::Simplest,
        };
        if_failed(execute::execute_once(self.run, drive, false, None).outcome)
    }

    fn enumerate(&self, cases_max: u64) -> Option<Outcome> {
        let exhaustive = Rc::new(RefCell::new(Exhaustive::default()));
        for case in 0..cases_max {
            self.out.send(&Reply::Begin(case));
            let outcome = self.stream(self.run, exhaustive.clone(), false).outcome;
            if let Some(outcome) = if_failed(outcome) {
                return Some(outcome);
            }
            if !exhaustive.borrow_mut().advance() {
                break;
            }
        }
        None
    }
}

fn simplest() -> Replay {
    Replay::new(&Tape::default(), Fallback::Simplest)
}

fn if_failed(outcome: Outcome) -> Option<Outcome> {
    let failed = matches!(outcome, Outcome::Failed(_) | Outcome::Misuse(_) | Outcome::Internal(_));
    failed.then_some(outcome)
}

/// A driver that sends each token before the case sees it.
struct StreamingDriver {
    inner: Rc<RefCell<dyn Driver>>,
    out: ReplyWriter,
}

impl fmt::Debug for StreamingDriver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StreamingDriver")
    }
}

impl Driver for StreamingDriver {
    fn choose(&mut self, request: &rebut_choice::Request<'_>, so_far: &[Token]) -> i128 {
        let domain = request.domain;
        let number = self.inner.borrow_mut().choose(request, so_far);
        let number = number.clamp(domain.min, domain.max);
        self.out.send(&Reply::Token(Token::Choice(Choice { number, domain })));
        number
    }

    fn open(&mut self, label: Label, so_far: &[Token]) {
        self.inner.borrow_mut().open(label, so_far);
        self.out.send(&Reply::Token(Token::Open(label)));
    }

    fn close(&mut self, so_far: &[Token]) {
        self.inner.borrow_mut().close(so_far);
        self.out.send(&Reply::Token(Token::Close));
    }

    fn rewind(&mut self, kept: usize) {
        self.inner.borrow_mut().rewind(kept);
        self.out.send(&Reply::Rewind(kept));
    }

    fn replace_last(&mut self, at: usize, choice: Choice) {
        self.out.send(&Reply::Rewind(at));
        self.out.send(&Reply::Token(Token::Choice(choice)));
    }

    fn can_retry(&self) -> bool {
        self.inner.borrow().can_retry()
    }
}
