//! Catches panics of properties without printing them.
//!
//! The hook is installed once, in front of the existing one. It is silent for threads that run a
//! case and passes every other panic on.

use std::cell::{Cell, RefCell};
use std::panic::{
    AssertUnwindSafe, PanicHookInfo, catch_unwind, resume_unwind, set_hook, take_hook,
};
use std::sync::Once;

use rebut_choice::Stop;

use crate::case_log::{self, CaseEvent};
use crate::doc_test;
use crate::outcome::{Failure, FailureKind, Location, Outcome};
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
    let (message, location) = CAUGHT.take().unwrap_or_else(|| (message_of(payload), None));
    Outcome::Failed(Failure { kind: FailureKind::Panic, message, location })
}

pub(crate) fn message_of(payload: &(dyn std::any::Any + Send)) -> String {
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

fn install_hook() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let previous = take_hook();
        set_hook(Box::new(move |info| {
            if CATCHING.try_with(Cell::get).unwrap_or(false) {
                remember(info);
            } else {
                previous(info);
            }
        }));
    });
}

fn remember(info: &PanicHookInfo<'_>) {
    let location = info.location().map(Location::from_caller).map(doc_test::in_source);
    let message = message_of(info.payload());
    case_log::notify(CaseEvent::Panic { message: &message, location: location.as_ref() });
    CAUGHT.set(Some((message, location)));
}
