//! Finds the cause of a child's death.

use std::process::ExitStatus;

use super::{Death, Panic};
use crate::outcome::{Failure, FailureKind, Location};
use crate::words::{find, joined, lines};

/// Keep at most this many lines of the last output as the message.
const LINES_MAX: usize = 8;

/// Returns the failure that killed the child. `panics` are the last ones it reported.
#[inline(never)]
pub(super) fn failure(death: &Death, panics: &[Panic]) -> Failure {
    let words = death.last_words.as_str();
    let signal = death.status.and_then(signal_of);
    let code = death.status.and_then(|status| status.code());
    let aborted = signal.is_some() || code.is_none_or(is_windows_exception);
    let overflowed = aborted && line_with(words, "has overflowed its stack").is_some();
    if overflowed || code == Some(WINDOWS_STACK_OVERFLOW) {
        // The kind needs no message.
        return plain(FailureKind::StackOverflow, "");
    }
    if aborted && let Some(line) = line_with(words, "memory allocation of") {
        return plain(FailureKind::OutOfMemory, line);
    }
    if signal == Some(SIGKILL) {
        let message = "killed (SIGKILL), as happens when the system runs out of memory";
        return plain(FailureKind::OutOfMemory, message);
    }
    if let Some(code) = code.filter(|_| !aborted) {
        return plain(FailureKind::Exit, &format!("exited with code {code}"));
    }
    let cause = match (signal, code) {
        (Some(signal), _) => name_of(signal),
        (None, Some(code)) => format!("exception {:#x}", code.cast_unsigned()),
        (None, None) => "the process ended for an unknown reason".to_owned(),
    };
    let said = if panics.is_empty() { last_lines(words) } else { messages(panics) };
    let message = if said.is_empty() { cause } else { format!("{cause}: {said}") };
    Failure { kind: FailureKind::Abort, message, location: place(panics) }
}

/// Joins the messages of all panics: after a panic that cannot unwind, the last one is the least
/// informative.
fn messages(panics: &[Panic]) -> String {
    let mut messages = Vec::new();
    for panic in panics {
        messages.push(panic.message.as_str());
    }
    joined(&messages, "\nand then: ")
}

/// Returns the last location outside of the standard library.
fn place(panics: &[Panic]) -> Option<Location> {
    let mut place = None;
    let mut is_ours = false;
    for location in panics.iter().rev().filter_map(|panic| panic.location.as_ref()) {
        let is_this_ours = !location.file.starts_with("/rustc/");
        if place.is_none() || (is_this_ours && !is_ours) {
            (place, is_ours) = (Some(location.clone()), is_this_ours);
        }
    }
    place
}

fn plain(kind: FailureKind, message: &str) -> Failure {
    Failure { kind, message: message.trim().to_owned(), location: None }
}

fn line_with<'a>(words: &'a str, part: &str) -> Option<&'a str> {
    lines(words).into_iter().rev().find(|line| find(line, part).is_some())
}

fn last_lines(words: &str) -> String {
    let mut kept = Vec::new();
    for line in lines(words) {
        let line = line.trim_end();
        if !line.is_empty() {
            kept.push(line);
        }
    }
    joined(&kept[kept.len().saturating_sub(LINES_MAX)..], "\n")
}

const SIGKILL: i32 = 9;
const WINDOWS_STACK_OVERFLOW: i32 = 0xC000_00FD_u32.cast_signed();

/// Returns whether an exit code is an exception: those begin with 0xC. On unix, codes are one
/// byte.
fn is_windows_exception(code: i32) -> bool {
    code.cast_unsigned() >> 28 == 0xC
}

#[cfg(unix)]
fn signal_of(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[cfg(not(unix))]
fn signal_of(_status: ExitStatus) -> Option<i32> {
    None
}

#[cfg(unix)]
fn name_of(signal: i32) -> String {
    crate::isolate::signals::name_of(signal)
}

#[cfg(not(unix))]
fn name_of(signal: i32) -> String {
    format!("signal {signal}")
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::process::ExitStatusExt;

    use super::*;

    fn check(wait_status: i32, last_words: &str, kind: FailureKind, message: &str) {
        let status = Some(ExitStatus::from_raw(wait_status));
        let death = Death { status, last_words: last_words.to_owned() };
        let failure = failure(&death, &[]);
        assert_eq!((failure.kind, failure.message.as_str()), (kind, message));
    }

    #[test]
    fn deaths_are_told_apart() {
        let overflow = "\nthread 'a::b' has overflowed its stack\nfatal runtime error: stack\n";
        check(libc::SIGABRT, overflow, FailureKind::StackOverflow, "");
        let memory = "memory allocation of 99999 bytes failed\n";
        check(libc::SIGABRT, memory, FailureKind::OutOfMemory, memory.trim());
        check(libc::SIGSEGV, "", FailureKind::Abort, "SIGSEGV");
        check(libc::SIGABRT, "one\n\ntwo\n", FailureKind::Abort, "SIGABRT: one\ntwo");
        check(3 << 8, "memory allocation of", FailureKind::Exit, "exited with code 3");
        check(0, "", FailureKind::Exit, "exited with code 0");
    }

    #[test]
    fn an_abort_after_a_panic_tells_the_panic() {
        let status = Some(ExitStatus::from_raw(libc::SIGABRT));
        let location = Location { file: "src/lib.rs".into(), line: 3, column: 5 };
        let death = Death { status, last_words: "panic in a destructor".into() };
        let inside = Location { file: "/rustc/0/library/core/src/panicking.rs".into(), ..location };
        let panics = [
            Panic { message: "boom".into(), location: Some(location.clone()) },
            Panic { message: "in a destructor".into(), location: Some(inside) },
        ];
        let failure = failure(&death, &panics);
        assert_eq!(failure.kind, FailureKind::Abort);
        assert_eq!(failure.message, "SIGABRT: boom\nand then: in a destructor");
        assert_eq!(failure.location, Some(location));
    }
}
