//! Catches panics of properties without printing them.
//!
//! The hook is installed in front of the existing one. It is silent for threads that run a case,
//! and for threads that a case started, which are recognized by the [lineage](crate::lineage) they
//! inherited. It passes every other panic on, such as those of other tests of the binary.
//!
//! Code under test may install a hook of its own, as some error types do. A panic that ours did not
//! see shows that, and ours goes in front again.

use std::cell::{Cell, RefCell};
use std::panic::{
    AssertUnwindSafe, PanicHookInfo, catch_unwind, resume_unwind, set_hook, take_hook,
};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use rebut_choice::Stop;

use crate::backtrace;
use crate::case_log::{self, CaseEvent};
use crate::doc_test;
use crate::escapes;
use crate::lineage::{self, ThreadPanic};
use crate::outcome::{Failure, FailureKind, Location, Outcome};
use crate::threads::lock;
use crate::verdict::Verdict;

thread_local! {
    static CATCHING: Cell<bool> = const { Cell::new(false) };
    static CAUGHT: RefCell<Option<(String, Option<Location>)>> = const { RefCell::new(None) };
}

/// Runs a case and returns its outcome.
pub(crate) fn outcome_of(run: impl FnOnce() -> Option<String>) -> Outcome {
    install_hook();
    // A property may run other properties. Restore the state of the outer one.
    let was_catching = CATCHING.replace(true);
    // Discard a panic that an earlier case caught itself.
    CAUGHT.take();
    let result = catch_unwind(AssertUnwindSafe(run));
    CATCHING.set(was_catching);
    match result {
        Ok(None) => Outcome::Passed,
        Ok(Some(message)) => {
            let message = case_log::plain_message(message);
            Outcome::Failed(Failure { kind: FailureKind::WrongResult, message, location: None })
        }
        Err(payload) => match payload.downcast::<Stop>() {
            Ok(stop) => outcome_of_stop(*stop),
            Err(payload) => outcome_of_panic(payload.as_ref()),
        },
    }
}

/// Runs code of Rebut outside of a case. Returns its result, or the verdict if it stopped the run:
/// with an internal error, or because of an invalid use of Rebut. Other panics pass through,
/// because they come from a database or a strategy of the user.
pub(crate) fn catch_stop<T>(run: impl FnOnce() -> T) -> Result<T, Verdict> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|payload| match payload.downcast::<Stop>() {
        Ok(stop) => match *stop {
            Stop::Misuse(what) => Verdict::Misuse(what),
            Stop::Internal(what) => Verdict::InternalError(what),
            stop @ (Stop::Rejected(_) | Stop::TooLarge) => {
                Verdict::InternalError(format!("stopped between cases: {stop}"))
            }
        },
        Err(payload) => resume_unwind(payload),
    })
}

fn outcome_of_stop(stop: Stop) -> Outcome {
    match stop {
        Stop::Rejected(why) => Outcome::Rejected(why),
        Stop::TooLarge => Outcome::TooLarge,
        Stop::Misuse(what) => Outcome::Misuse(what),
        Stop::Internal(what) => Outcome::Internal(what),
    }
}

fn outcome_of_panic(payload: &(dyn std::any::Any + Send)) -> Outcome {
    let (message, location) = CAUGHT.take().unwrap_or_else(|| {
        // Another hook is in front of ours, or the panic had no hook.
        reinstall_hook();
        (raw_message(payload), None)
    });
    let message = case_log::plain_message(message);
    Outcome::Failed(Failure { kind: FailureKind::Panic, message, location })
}

/// Returns the message of a panic, without escape sequences.
pub(crate) fn message_of(payload: &(dyn std::any::Any + Send)) -> String {
    escapes::plain(&raw_message(payload))
}

fn raw_message(payload: &(dyn std::any::Any + Send)) -> String {
    if let Some(message) = payload.downcast_ref::<&'static str>() {
        (*message).to_owned()
    } else if let Some(message) = payload.downcast_ref::<String>() {
        message.clone()
    } else {
        "a panic whose payload is not a string".to_owned()
    }
}

/// Runs code that must panic with a message that contains one of `messages`, or with any message
/// if there are none. Does not catch a rejection of the case.
#[track_caller]
pub fn expect_panic(code: &str, messages: &[&str], run: impl FnOnce()) {
    let payload = match catch_unwind(AssertUnwindSafe(run)) {
        Err(payload) => payload,
        Ok(()) => not_as_expected(code, messages, "it does not panic"),
    };
    if payload.is::<Stop>() {
        resume_unwind(payload);
    }
    let message = message_of(payload.as_ref());
    if !messages.is_empty() && !messages.iter().any(|expected| message.contains(expected)) {
        not_as_expected(code, messages, &format!("it panics with {message:?}"));
    }
}

#[track_caller]
#[cold]
fn not_as_expected(code: &str, messages: &[&str], but: &str) -> ! {
    let expected: Vec<String> = messages.iter().map(|message| format!("{message:?}")).collect();
    let with = if expected.is_empty() { "" } else { " with " };
    panic!("expected a panic{with}{} from `{code}`, but {but}", expected.join(" or "))
}

/// How often the hook was installed.
static INSTALLED: AtomicU32 = AtomicU32::new(0);
/// Install the hook at most this often: `resume_unwind` calls no hook, so its panics look like
/// those that another hook has caught. Arbitrary.
const INSTALLED_MAX: u32 = 4;

fn install_hook() {
    if INSTALLED.load(Ordering::Relaxed) == 0 {
        reinstall_hook();
    }
}

#[cold]
fn reinstall_hook() {
    static INSTALLING: Mutex<()> = Mutex::new(());
    let _lock = lock(&INSTALLING);
    // A hook cannot change while this thread unwinds.
    if INSTALLED.load(Ordering::Relaxed) < INSTALLED_MAX && !std::thread::panicking() {
        let previous = take_hook();
        set_hook(Box::new(move |info| {
            if CATCHING.try_with(Cell::get).unwrap_or(false) {
                remember(info);
            } else if let Some(lineage) = lineage::of_this_thread() {
                lineage::record(lineage, || thread_panic(info));
            } else {
                previous(info);
            }
        }));
        INSTALLED.fetch_add(1, Ordering::Relaxed);
    }
}

fn location_of(info: &PanicHookInfo<'_>) -> Option<Location> {
    info.location().map(Location::from_caller).map(doc_test::in_source)
}

fn remember(info: &PanicHookInfo<'_>) {
    if let Some(stop) = info.payload().downcast_ref::<Stop>() {
        // The process aborts now.
        return case_log::notify(CaseEvent::Stopped(&outcome_of_stop(stop.clone())));
    }
    let location = location_of(info);
    let message = raw_message(info.payload());
    let plain = escapes::plain(&message);
    case_log::notify(CaseEvent::Panic { message: &plain, location: location.as_ref() });
    case_log::show_backtrace(|| backtrace::capture("stack backtrace:"));
    CAUGHT.set(Some((message, location)));
}

/// Describes the panic of a thread that a case started.
fn thread_panic(info: &PanicHookInfo<'_>) -> ThreadPanic {
    let location = location_of(info).map_or(String::new(), |location| format!(" at {location}"));
    let message = message_of(info.payload());
    ThreadPanic {
        text: format!("a thread of this case panicked{location}: {message}"),
        backtrace: backtrace::capture("stack backtrace of the thread that panicked:"),
    }
}
