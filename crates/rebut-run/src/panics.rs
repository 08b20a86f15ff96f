//! Catches panics of properties without printing them.
//!
//! The hook is installed in front of the existing one. It is silent for threads that run a case,
//! and for threads that a case started, which are recognized by the [lineage](crate::lineage) they
//! inherited. It passes every other panic on, such as those of other tests of the binary.
//!
//! A panic in the sources of Rebut itself is a bug in Rebut, and never a failure of the property.
//!
//! Code under test may install a hook of its own, as some error types do. A panic that ours did not
//! see shows that, and ours goes in front again.

use std::any::Any;
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::error::Error;
use std::io;
use std::panic::{
    AssertUnwindSafe, PanicHookInfo, catch_unwind, resume_unwind, set_hook, take_hook,
};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use rebut_choice::Stop;
use rebut_gen::code;

use crate::backtrace;
use crate::case_log::{self, CaseEvent};
use crate::doc_test;
use crate::escapes;
use crate::isolate::{leave_if_forked, report_thread_panic};
use crate::lineage;
use crate::outcome::{Failure, FailureKind, Location, Outcome};
use crate::threads::lock;
use crate::verdict::Verdict;

thread_local! {
    static CATCHING: Cell<bool> = const { Cell::new(false) };
    static CAUGHT: RefCell<Option<CaughtPanic>> = const { RefCell::new(None) };
}

/// A panic that the hook has seen.
struct CaughtPanic {
    message: String,
    location: Option<Location>,
    /// Whether code of Rebut panicked.
    is_ours: bool,
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
    leave_if_forked();
    match result {
        Ok(None) => Outcome::Passed,
        Ok(Some(message)) => {
            let message = case_log::plain_message(bounded(message));
            Outcome::Failed(Failure { kind: FailureKind::WrongResult, message, location: None })
        }
        Err(payload) => match payload.downcast::<Stop>() {
            Ok(stop) => outcome_of_stop(*stop),
            Err(payload) => outcome_of_panic(payload),
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

/// Runs code of the user outside of a case: `what`, such as "the search strategy". Returns its
/// result, or the verdict if it panicked or stopped the run.
pub(crate) fn catch_outside<T>(what: &str, run: impl FnOnce() -> T) -> Result<T, Verdict> {
    let mut result = None;
    let outcome = outcome_of(|| {
        result = Some(run());
        None
    });
    result.ok_or_else(|| verdict_outside(what, outcome))
}

#[cold]
fn verdict_outside(what: &str, outcome: Outcome) -> Verdict {
    match outcome {
        Outcome::Misuse(what) => Verdict::Misuse(what),
        Outcome::Internal(what) => Verdict::InternalError(what),
        Outcome::Failed(Failure { message, location, .. }) => {
            let at = location.map_or(String::new(), |location| format!(" at {location}"));
            Verdict::Misuse(format!("{what} panicked{at}: {message}"))
        }
        Outcome::Rejected(_) | Outcome::TooLarge | Outcome::Passed => {
            Verdict::Misuse(format!("{what} rejected a case, which only a property can do"))
        }
    }
}

fn outcome_of_stop(stop: Stop) -> Outcome {
    match stop {
        Stop::Rejected(why) => Outcome::Rejected(why),
        Stop::TooLarge => Outcome::TooLarge,
        Stop::Misuse(what) => Outcome::Misuse(what),
        Stop::Internal(what) => Outcome::Internal(what),
    }
}

fn outcome_of_panic(payload: Box<dyn Any + Send>) -> Outcome {
    let caught = CAUGHT.take().unwrap_or_else(|| {
        // Another hook is in front of ours, or the panic had no hook.
        reinstall_hook();
        let message = raw_message(payload.as_ref());
        CaughtPanic { message, location: None, is_ours: false }
    });
    let CaughtPanic { mut message, location, is_ours } = caught;
    if let Some(text) = error_text(payload.as_ref()) {
        message = text;
    }
    code::drop_safely(payload);
    if is_ours {
        let at = location.map_or(String::new(), |location| format!(" at {location}"));
        return Outcome::Internal(format!("Rebut panicked{at}: {}", escapes::plain(&message)));
    }
    let message = case_log::plain_message(bounded(message));
    Outcome::Failed(Failure { kind: FailureKind::Panic, message, location })
}

/// Cuts a message that is too long for a report.
fn bounded(mut message: String) -> String {
    // A product decision: readers look at less, and each failure has a message.
    const LENGTH_MAX: usize = 64 << 10;
    if message.len() > LENGTH_MAX {
        let end = (0..=LENGTH_MAX).rev().find(|&end| message.is_char_boundary(end));
        let more = message.len() - end.unwrap_or(0);
        message.truncate(end.unwrap_or(0));
        message.push_str(&format!(".. and {more} more bytes"));
    }
    message
}

/// Returns the message of a panic, without escape sequences.
pub(crate) fn message_of(payload: &(dyn Any + Send)) -> String {
    escapes::plain(&raw_message(payload))
}

fn raw_message(payload: &(dyn Any + Send)) -> String {
    if let Some(message) = payload.downcast_ref::<&'static str>() {
        (*message).to_owned()
    } else if let Some(message) = payload.downcast_ref::<String>() {
        message.clone()
    } else if let Some(text) = plain_text(payload) {
        text
    } else {
        "a panic whose payload is not a string".to_owned()
    }
}

/// Returns the text of a payload of a common type that no code of the user prints, so that also the
/// hook may call this.
#[inline(never)]
fn plain_text(payload: &(dyn Any + Send)) -> Option<String> {
    macro_rules! first {
        ($($of:ty)*) => {
            $(if let Some(value) = payload.downcast_ref::<$of>() {
                return Some(format!("{value:?} (a payload of type `{}`)", stringify!($of)));
            })*
        };
    }
    if let Some(text) = payload.downcast_ref::<Box<str>>() {
        return Some((**text).to_owned());
    }
    if let Some(text) = payload.downcast_ref::<Cow<'static, str>>() {
        return Some((**text).to_owned());
    }
    first!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64 bool char);
    None
}

/// Returns the text of a payload that is an error. Code of the user writes it, which may panic, so
/// the hook must not call this.
#[inline(never)]
fn error_text(payload: &(dyn Any + Send)) -> Option<String> {
    let error: &dyn Error = if let Some(error) = payload.downcast_ref::<Box<dyn Error + Send>>() {
        error.as_ref()
    } else if let Some(error) = payload.downcast_ref::<Box<dyn Error + Send + Sync>>() {
        error.as_ref()
    } else {
        payload.downcast_ref::<io::Error>()?
    };
    let was_catching = CATCHING.replace(true);
    let text = catch_unwind(AssertUnwindSafe(|| error.to_string()));
    CATCHING.set(was_catching);
    match text {
        Ok(text) => Some(text),
        Err(second) => {
            CAUGHT.take();
            code::drop_safely(second);
            None
        }
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
    code::drop_safely(payload);
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
            if code::is_printing_debug() {
                // The text that is printed has the message.
            } else if CATCHING.try_with(Cell::get).unwrap_or(false) {
                remember(info);
            } else if lineage::record_last_words(|| thread_panic(info)) {
                // The report has it.
            } else if let Some(lineage) = lineage::of_this_thread() {
                report_thread_panic(&message_of(info.payload()), location_of(info));
                lineage::record(lineage, || thread_panic(info), backtrace_of_thread);
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
    let location = location_of(info).filter(|location| !is_fail_case(&location.file));
    let message = raw_message(info.payload());
    let plain = escapes::plain(&message);
    case_log::notify(CaseEvent::Panic { message: &plain, location: location.as_ref() });
    case_log::show_backtrace(|| backtrace::capture("stack backtrace:"));
    let is_ours = location.as_ref().is_some_and(|location| is_ours(&location.file));
    CAUGHT.set(Some(CaughtPanic { message, location, is_ours }));
}

/// Returns whether a source file belongs to a crate of Rebut that runs inside of properties. The
/// path of this file shows where their sources are.
fn is_ours(file: &str) -> bool {
    // Where one of our crates is under test, its tests have properties that panic.
    let tested = std::env::var("CARGO_PKG_NAME").unwrap_or_default();
    let tests_itself = CRATES.contains(&tested.as_str());
    !tests_itself && is_below(file, file!())
}

/// The crates of Rebut that run inside of properties.
const CRATES: [&str; 6] =
    ["rebut", "rebut-choice", "rebut-contract", "rebut-gen", "rebut-run", "rebut-search"];

/// Returns whether `file` belongs to one of our crates, if `ours` is the path of this file.
fn is_below(file: &str, ours: &str) -> bool {
    let Some((home, rest)) = ours.rsplit_once("rebut-run") else { return false };
    let Some(sources) = rest.strip_suffix("panics.rs") else { return false };
    let Some(inside) = file.strip_prefix(home) else { return false };
    CRATES.iter().any(|name| {
        let source = inside.strip_prefix(name).and_then(|rest| rest.strip_prefix(sources));
        source.is_some()
    })
}

/// Returns whether a panic is a failure that Rebut found, and its location says nothing.
fn is_fail_case(file: &str) -> bool {
    let name = file.replace('\\', "/");
    name.ends_with("/src/fail.rs") && is_ours(file)
}

/// Describes the panic of a thread that a case started.
fn thread_panic(info: &PanicHookInfo<'_>) -> String {
    let location = location_of(info).map_or(String::new(), |location| format!(" at {location}"));
    format!("panicked{location}: {}", bounded(message_of(info.payload())))
}

fn backtrace_of_thread() -> Option<String> {
    backtrace::capture("stack backtrace of the thread that panicked:")
}

#[cfg(test)]
mod tests {
    use super::is_below;

    #[test]
    fn sources_of_rebut_are_recognized() {
        let ours = "/home/registry/src/rebut-run-0.1.0/src/panics.rs";
        assert!(is_below("/home/registry/src/rebut-gen-0.1.0/src/vecs.rs", ours));
        assert!(is_below("/home/registry/src/rebut-0.1.0/src/lib.rs", ours));
        assert!(!is_below("/home/registry/src/rebut-extras-0.1.0/src/lib.rs", ours));
        assert!(!is_below("src/lib.rs", ours));
        assert!(is_below(
            "crates/rebut-search/src/strategy/adaptive.rs",
            "crates/rebut-run/src/panics.rs"
        ));
        assert!(!is_below("crates/rebut-search/tests/a.rs", "crates/rebut-run/src/panics.rs"));
        assert!(!is_below("crates/rebut/tests/a.rs", "crates/rebut-run/src/panics.rs"));
        let windows = "C:\\src\\rebut-run\\src\\panics.rs";
        assert!(is_below("C:\\src\\rebut-contract\\src\\blame.rs", windows));
    }
}
