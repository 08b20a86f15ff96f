//! How often generated programs called each operation.
//!
//! A program that never calls an operation does not test it. The contract reports the calls of each
//! program that ran, with the operations that were not called, and this module adds them up.
//!
//! Invariant: a run that reports no program says nothing about calls.

use std::sync::Arc;

use crate::strings;
use crate::verdict::{Statistics, Verdict};

/// The calls of one operation.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallCount {
    /// The path of the operation.
    pub operation: &'static str,
    /// The number of statements that had all their arguments.
    pub attempts: u64,
    /// The number of calls that returned.
    pub completed: u64,
    /// Why no program can call it, if that is known.
    pub obstacle: Option<Arc<str>>,
}

/// The calls of all programs of a run or a case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ProgramCalls {
    /// The number of programs that ran.
    pub(crate) programs: u64,
    pub(crate) operations: Vec<CallCount>,
}

/// Fewer programs may leave out an operation by chance: with this many of 10 statements each, one
/// of 100 operations is left out in one run of 20,000.
const PROGRAMS_MIN: u64 = 100;

impl ProgramCalls {
    /// Adds the calls of a program.
    pub(crate) fn add(&mut self, programs: u64, operations: Vec<CallCount>) {
        self.programs += programs;
        for (nth, one) in operations.into_iter().enumerate() {
            let is_same = |known: &CallCount| known.operation == one.operation;
            // All programs of a property usually have the same operations.
            let known = match self.operations.get(nth).is_some_and(is_same) {
                true => Some(nth),
                false => self.operations.iter().position(is_same),
            };
            match known {
                Some(nth) => {
                    self.operations[nth].attempts += one.attempts;
                    self.operations[nth].completed += one.completed;
                }
                None => self.operations.push(one),
            }
        }
    }

    fn completed(&self) -> u64 {
        self.operations.iter().map(|one| one.completed).sum()
    }

    /// Returns the line of the report about the calls; `None` if no program ran.
    pub(crate) fn summary(&self) -> Option<String> {
        let called = self.operations.iter().filter(|one| one.completed > 0).count();
        let all = self.operations.len();
        let of = match called == all {
            true => strings::counted(all as u64, "operation"),
            false => format!("{called} of {}", strings::counted(all as u64, "operation")),
        };
        (self.programs > 0).then(|| {
            format!("programs made {} of {of}", strings::counted(self.completed(), "call"))
        })
    }

    /// Returns a line for each operation that was never called.
    pub(crate) fn never_called(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for one in &self.operations {
            let is_known = one.obstacle.is_some() || self.programs >= PROGRAMS_MIN;
            if one.completed == 0 && is_known {
                lines.push(format!("`{}` was never called: {}", one.operation, reason(one)));
            }
        }
        lines
    }
}

fn reason(one: &CallCount) -> String {
    match (&one.obstacle, one.attempts) {
        (Some(obstacle), 0) => obstacle.to_string(),
        (_, 0) => "no program had all of its arguments".to_owned(),
        (_, attempts) => {
            format!("its precondition was false in all {}", strings::counted(attempts, "attempt"))
        }
    }
}

/// Returns whether more cases are needed to decide whether programs call anything.
pub(crate) fn is_idle(statistics: &Statistics) -> bool {
    statistics.calls.programs > 0 && statistics.calls.completed() == 0
}

/// The name under which programs count whether they reached a clause that can fail.
#[doc(hidden)]
pub const CLAUSES: &str = "a program reached a clause that can fail";

/// Returns whether the programs of a run have clauses that can fail, and reached none.
fn checks_nothing(statistics: &Statistics) -> bool {
    statistics.operations.iter().any(|one| one.name == CLAUSES && one.successes == 0)
}

/// Returns the verdict of a run whose programs called nothing, or nothing with a clause.
pub(crate) fn vacuous(statistics: &Statistics, is_complete: bool) -> Option<Verdict> {
    let calls = &statistics.calls;
    let is_certain = is_complete || calls.programs >= PROGRAMS_MIN;
    let is_idle = is_idle(statistics);
    let what = match is_idle {
        true => "called an operation",
        false => "reached a clause that can fail",
    };
    ((is_idle || checks_nothing(statistics)) && is_certain).then(|| {
        let programs = strings::counted(calls.programs, "program");
        let mut lines = vec![format!("{programs} ran, and none of them {what}")];
        lines.extend(calls.never_called());
        Verdict::Vacuous(strings::joined(&lines, "\n"))
    })
}

/// Returns a warning about operations that no program called.
pub(crate) fn warning(property: &str, statistics: &Statistics) -> Option<String> {
    // A list of all would hide other warnings. Arbitrary. The report of the run names all.
    const NAMED_MAX: usize = 3;
    let mut never = statistics.calls.never_called();
    let more = never.len().saturating_sub(NAMED_MAX);
    if more > 0 {
        never.truncate(NAMED_MAX);
        never.push(format!("and {more} more"));
    }
    (!never.is_empty()).then(|| {
        format!(
            "`{property}` does not test every operation\n  {}\nhelp: give its arguments a constructor with a contract or a generator (`#[derive(Generate)]`), weaken its `#[requires(..)]`, or write `#[program(skip)]` if programs need not call it",
            strings::joined(&never, "\n  ")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(operation: &'static str, attempts: u64, completed: u64) -> CallCount {
        CallCount { operation, attempts, completed, obstacle: None }
    }

    #[test]
    fn a_warning_names_three_operations() {
        let mut statistics = Statistics::default();
        let names = ["a", "b", "c", "d", "e"];
        let counts = names
            .map(|name| CallCount { obstacle: Some("it is async".into()), ..count(name, 0, 0) });
        statistics.calls.add(1, counts.to_vec());
        let text = warning("p", &statistics).expect("a warning");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[1], "  `a` was never called: it is async");
        assert_eq!(lines[4], "  and 2 more");
        assert!(lines[5].starts_with("help: ") && lines.len() == 6, "{text}");
    }

    #[test]
    fn operations_without_a_call_are_named_with_the_reason() {
        let mut calls = ProgramCalls::default();
        assert_eq!(calls.summary(), None);
        calls.add(1, vec![count("a", 2, 2), count("b", 3, 0), count("c", 0, 0)]);
        assert_eq!(calls.never_called(), [""; 0], "one program is no evidence");
        calls.add(PROGRAMS_MIN, vec![count("a", 1, 1)]);
        assert_eq!(calls.summary().as_deref(), Some("programs made 3 calls of 1 of 3 operations"));
        assert_eq!(
            calls.never_called(),
            [
                "`b` was never called: its precondition was false in all 3 attempts",
                "`c` was never called: no program had all of its arguments",
            ]
        );
    }
}
