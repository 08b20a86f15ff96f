//! Finds the cause of a child's death.

use std::process::ExitStatus;

use super::{Death, Panic};
use crate::escapes;
use crate::outcome::{Failure, FailureKind, Location};
use crate::strings::{find, joined, lines};

/// The maximum number of lines of the last output in the message. A product decision.
const LINES_MAX: usize = 8;

/// Returns the failure that killed the child. `panics` are the last ones it reported.
#[inline(never)]
pub(super) fn failure(death: &Death, panics: &[Panic]) -> Failure {
    let printed = escapes::plain(&death.output);
    let printed = printed.as_str();
    let signal = death.status.and_then(signal_of);
    let code = death.status.and_then(|status| status.code());
    let aborted = signal.is_some() || code.is_none_or(is_windows_exception);
    let overflowed = aborted && line_with(printed, "has overflowed its stack").is_some();
    if overflowed || code == Some(WINDOWS_STACK_OVERFLOW) {
        // The kind needs no message.
        return without_location(FailureKind::StackOverflow, "");
    }
    if aborted && let Some(line) = line_with(printed, "memory allocation of") {
        return without_location(FailureKind::OutOfMemory, line);
    }
    if signal == Some(SIGKILL) {
        let message = "killed (SIGKILL), as happens when the system runs out of memory";
        return without_location(FailureKind::OutOfMemory, message);
    }
    if let Some(code) = code.filter(|_| !aborted) {
        return without_location(FailureKind::Exit, &format!("exited with code {code}"));
    }
    let cause = match (signal, code) {
        (Some(signal), _) => name_of(signal),
        (None, Some(code)) => format!("exception {:#x}", code.cast_unsigned()),
        (None, None) => "the process ended for an unknown reason".to_owned(),
    };
    let output = last_lines(printed);
    let message = match (panics, output.as_str()) {
        ([], "") => cause,
        ([], output) => format!("{cause}, after this output:\n{output}"),
        (panics, _) => format!("{cause}: {}", messages(panics)),
    };
    Failure { kind: FailureKind::Abort, message, location: best_location(panics) }
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
fn best_location(panics: &[Panic]) -> Option<Location> {
    let mut best = None;
    let mut is_ours = false;
    for location in panics.iter().rev().filter_map(|panic| panic.location.as_ref()) {
        let is_this_ours = !location.file.starts_with("/rustc/");
        if best.is_none() || (is_this_ours && !is_ours) {
            (best, is_ours) = (Some(location.clone()), is_this_ours);
        }
    }
    best
}

fn without_location(kind: FailureKind, message: &str) -> Failure {
    Failure { kind, message: message.trim().to_owned(), location: None }
}

fn line_with<'a>(output: &'a str, part: &str) -> Option<&'a str> {
    lines(output).into_iter().rev().find(|line| find(line, part).is_some())
}

fn last_lines(output: &str) -> String {
    let mut kept = Vec::new();
    for line in lines(output) {
        let line = line.trim_end();
        if !line.is_empty() {
            kept.push(line);
        }
    }
    joined(&kept[kept.len().saturating_sub(LINES_MAX)..], "\n")
}

/// The same number on all unix systems (POSIX).
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

/// Returns the name of a signal, such as `SIGSEGV`.
#[cfg(unix)]
pub(crate) fn name_of(signal: i32) -> String {
    crate::isolate::signals::name_of(signal)
}

/// Returns the name of a signal. Here there are none.
#[cfg(not(unix))]
pub(crate) fn name_of(signal: i32) -> String {
    format!("signal {signal}")
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::process::ExitStatusExt;

    use super::*;

    fn check(wait_status: i32, output: &str, kind: FailureKind, message: &str) {
        let status = Some(ExitStatus::from_raw(wait_status));
        let death = Death { status, output: output.to_owned() };
        let failure = failure(&death, &[]);
        assert_eq!((failure.kind, failure.message.as_str()), (kind, message));
    }

    #[test]
    fn kinds_of_deaths_are_distinguished() {
        let overflow = "\nthread 'a::b' has overflowed its stack\nfatal runtime error: stack\n";
        check(libc::SIGABRT, overflow, FailureKind::StackOverflow, "");
        let memory = "memory allocation of 99999 bytes failed\n";
        check(libc::SIGABRT, memory, FailureKind::OutOfMemory, memory.trim());
        check(libc::SIGSEGV, "", FailureKind::Abort, "SIGSEGV");
        check(
            libc::SIGABRT,
            "one\n\ntwo\n",
            FailureKind::Abort,
            "SIGABRT, after this output:\none\ntwo",
        );
        check(3 << 8, "memory allocation of", FailureKind::Exit, "exited with code 3");
        check(0, "", FailureKind::Exit, "exited with code 0");
    }

    #[test]
    fn aborts_after_a_panic_report_the_panic() {
        let status = Some(ExitStatus::from_raw(libc::SIGABRT));
        let location = Location { file: "src/lib.rs".into(), line: 3, column: 5 };
        let death = Death { status, output: "panic in a destructor".into() };
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
