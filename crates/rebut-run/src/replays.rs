//! Runs the inputs that a command lists, and writes an event for each.
//!
//! `cargo rebut explore` asks whether each path that it has explored ends natively as it did there.
//! It has thousands of inputs, so they run in one process, and none is shrunk, stored or reported.
//! A command that wants a report of a failure replays it once more, with `REBUT_REPLAY`.
//!
//! The inputs run on a supervised worker, as in any other run. If one kills or blocks it, that one
//! and the rest run in child processes, which are started again as often as they die. Only a hang
//! ends the list, because each further one would take its whole deadline.
//!
//! Invariant: every input that ran has an event, whatever later inputs do.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rebut_choice::{Constants, Tape};
use rebut_protocol::variables::REPLAYS;

use crate::case_log;
use crate::events::{EventLog, PropertyInfo};
use crate::execute::{Executor as _, InProcess, Input};
use crate::folder;
use crate::isolate::{self, RunState, Supervised, Target};
use crate::outcome::{FailureKind, Outcome};
use crate::property::Test;
use crate::recover;
use crate::runner::Plan;
use crate::settings::Settings;
use crate::verdict::FoundBy;

/// The maximum length of the file, in bytes. Arbitrary; it protects against a variable that names
/// some other file.
const FILE_MAX: u64 = 1 << 30;

/// Returns the lines of the file that a command has written; `None` if there is no command. A test
/// that a case of another test calls runs as usual.
pub(crate) fn requested() -> Option<Vec<String>> {
    let file = std::env::var_os(REPLAYS).filter(|file| !file.is_empty())?;
    if case_log::is_running() {
        return None;
    }
    let text = folder::read(&PathBuf::from(file), FILE_MAX).unwrap_or_default();
    let mut lines = Vec::new();
    for line in text.lines() {
        lines.push(line.to_owned());
    }
    Some(lines)
}

/// Runs these inputs of a test.
#[inline(never)]
pub(crate) fn run(test: &Test, lines: &[String], settings: Settings, info: &PropertyInfo<'_>) {
    let events = EventLog::new(info, 0, &settings);
    let mut inputs = Vec::new();
    for line in lines {
        match Tape::from_replay_string(line) {
            Ok(tape) => inputs.push(tape),
            // The numbers of the events would be wrong.
            Err(_) => return,
        }
    }
    let deadline = settings.deadline;
    let plan = Arc::new(Plan::new(settings, 0));
    let target = Target::test(test.path);
    let (inputs, finished) = (Arc::new(inputs), Arc::new(AtomicUsize::new(0)));
    let lost = RunState::acquire().and_then(|state| {
        let shared = (*test, Arc::clone(&inputs), events.clone(), Arc::clone(&finished));
        let confirm = recover::confirm_hang(target.clone(), &plan);
        let supervised = isolate::supervise(state, deadline, confirm, move |worker| {
            let (test, inputs, events, finished) = shared;
            let mut process = InProcess::new(&test.run, &[], Constants::default());
            for (nth, tape) in inputs.iter().enumerate() {
                worker.begin_tape(tape, FoundBy::Exploration);
                let execution = process.execute(&Input::Tape(tape.clone()), false);
                worker.mark_idle();
                events.input_replayed(nth, &execution);
                finished.store(nth + 1, Ordering::Release);
            }
        });
        match supervised {
            Supervised::Finished(()) => None,
            Supervised::LostAtEnd((), loss) => Some(loss.cause),
            Supervised::Lost(loss) => Some(loss.cause),
        }
    });
    let first = match lost {
        // All have ended, and one of them left a thread behind that died then.
        Some(_) => finished.load(Ordering::Acquire).min(inputs.len().saturating_sub(1)),
        None => finished.load(Ordering::Acquire),
    };
    let mut child = recover::child(target, &plan.settings);
    let mut deaths = 0;
    for (nth, tape) in inputs.iter().enumerate().skip(first) {
        let mut execution = child.execute(&Input::Tape(tape.clone()), true);
        if let Some(cause) = lost.filter(|_| nth == first && !is_failure(&execution.outcome)) {
            // It does so only after others, or a moment later.
            execution.outcome = Outcome::Failed(recover::lost_failure(cause, deadline));
        }
        events.input_replayed(nth, &execution);
        deaths += usize::from(kills(&execution.outcome));
        if deaths > DEATHS_MAX || has_hung(&execution.outcome) {
            break;
        }
    }
    events.flush();
    if lost.is_some() {
        // The lost thread has locks, or is about to exit. Nothing else runs in this process.
        isolate::end_process(0);
    }
}

/// The number of child processes that may die before the list ends. Arbitrary: each takes some ten
/// milliseconds to start, and a command that counts on these inputs knows enough by then.
const DEATHS_MAX: usize = 50;

fn is_failure(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Failed(_))
}

fn kills(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Failed(failure) if failure.kind.kills_process())
}

fn has_hung(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Failed(failure) if failure.kind == FailureKind::Hang)
}
