//! The embedded solver beside z3, on the same questions.
//!
//! A test is explored as ever, and what it asks is kept. Then all of it is asked again in the
//! same order, of a new embedded solver and of z3 behind a pipe, each with what it remembers.

use std::path::PathBuf;

use bench_measure::children_cpu_ns;
use rebut_concolic::{PathSolver, explore_with};
use rebut_smt::smtlib::Process;
use rebut_smt::{Answer, Pool, Solver, Statistics, Term};

use crate::examples::budget;
use crate::report::Report;
use crate::subject::{self, Subject, timed};

/// No more questions of a test are asked again.
const QUESTIONS_MAX: usize = 400;

/// The tests whose questions are asked.
const TESTS: [&str; 10] = [
    "sort_orders_five_numbers",
    "map_keeps_the_last_value_of_a_key",
    "no_string_parses_to_minus_731",
    "no_number_is_printed_as_707",
    "equation_has_no_solution",
    "update_changes_only_one_item",
    "tree_is_sound_after_insertions",
    "set_keeps_other_keys",
    "digit_sum_keeps_the_remainder_by_nine",
    "i16_round_trips_through_f32",
];

/// Keeps what is asked of a solver.
struct Listening {
    solver: Solver,
    questions: Vec<Vec<Term>>,
}

impl PathSolver for Listening {
    fn solve(&mut self, pool: &mut Pool, question: &[Term]) -> Answer {
        if self.questions.len() < QUESTIONS_MAX {
            self.questions.push(question.to_vec());
        }
        self.solver.check_assuming(pool, question)
    }

    fn statistics(&self) -> Statistics {
        self.solver.statistics()
    }
}

pub(crate) fn measure(report: &mut Report) -> Result<(), String> {
    report.line(
        "## The embedded solver beside z3\n\nThe questions of an exploration, at most the first 400, \
         asked once more in the same order. z3 is a process behind a pipe that keeps what questions \
         have in common; its CPU time is that of the process, without ours.\n",
    );
    let Some(z3) = z3() else {
        report.line("z3 is not installed; `cargo xtask bench explore` installs it.\n");
        return Ok(());
    };
    report.line(&format!("{}.\n", version(&z3)));
    report.head(&[
        "test",
        "questions",
        "sat",
        "unsat",
        "embedded ms",
        "unknown",
        "z3 ms",
        "unknown",
        "times",
    ]);
    let subjects = subject::build(&subject::root().join("Cargo.toml"), "explore-examples")?;
    let mut totals = (0.0, 0.0);
    for name in TESTS {
        let is_it = |subject: &&Subject| subject.entry.contains(&format!("_{name}_"));
        let subject = subjects.iter().find(is_it).ok_or(format!("there is no test {name}"))?;
        let (embedded_s, z3_s) = compare(report, name, subject, &z3)?;
        totals = (totals.0 + embedded_s, totals.1 + z3_s);
    }
    let times = totals.1 / totals.0;
    let mut row = vec![String::new(); 9];
    row[0] = "all".to_owned();
    (row[4], row[6], row[8]) = (ms(totals.0), ms(totals.1), format!("{times:.1}"));
    report.row(&row);
    report.line("");
    Ok(())
}

fn compare(
    report: &mut Report,
    name: &str,
    subject: &Subject,
    z3: &str,
) -> Result<(f64, f64), String> {
    let budget = budget();
    let mut listening = Listening { solver: budget.solver(), questions: Vec::new() };
    let exploration = explore_with(&mut subject.machine()?, &budget, &[], &mut listening);
    let mut pool = exploration.pool;
    let questions = listening.questions;
    let mut embedded = budget.solver();
    let (ours, ours_s) = timed(|| answers(&mut embedded, &mut pool, &questions));
    let before = children_cpu_ns();
    let mut process = Process::new(z3);
    let theirs = answers(&mut process, &mut pool, &questions);
    // Only the time of children that have ended is known.
    drop(process);
    let theirs_s = (children_cpu_ns() - before) as f64 / 1e9;
    for (ours, theirs) in ours.iter().zip(&theirs) {
        let is_contradiction = matches!(
            (ours, theirs),
            (Answer::Sat(_), Answer::Unsat) | (Answer::Unsat, Answer::Sat(_))
        );
        report.goal(!is_contradiction, format!("{name}: the embedded solver contradicts z3"));
    }
    let count = |answers: &[Answer], is: fn(&Answer) -> bool| {
        answers.iter().filter(|answer| is(answer)).count().to_string()
    };
    let is_unknown = |answer: &Answer| matches!(answer, Answer::Unknown(_));
    report.row(&[
        format!("`{name}`"),
        questions.len().to_string(),
        count(&ours, |answer| matches!(answer, Answer::Sat(_))),
        count(&ours, |answer| matches!(answer, Answer::Unsat)),
        ms(ours_s),
        count(&ours, is_unknown),
        ms(theirs_s),
        count(&theirs, is_unknown),
        format!("{:.1}", theirs_s / ours_s),
    ]);
    Ok((ours_s, theirs_s))
}

fn answers(solver: &mut dyn PathSolver, pool: &mut Pool, questions: &[Vec<Term>]) -> Vec<Answer> {
    questions.iter().map(|question| solver.solve(pool, question)).collect()
}

fn ms(seconds: f64) -> String {
    format!("{:.1}", seconds * 1e3)
}

/// What z3 says of itself.
fn version(z3: &str) -> String {
    let program = z3.trim_end_matches(" -in").trim_matches('\'');
    let output = std::process::Command::new(program).arg("--version").output();
    let said = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    said.unwrap_or_else(|_| "z3 of an unknown version".to_owned())
}

/// z3 of the virtual environment of the benches, or that on the path.
fn z3() -> Option<String> {
    let own: PathBuf = subject::root().join("bench/.venv/bin/z3");
    if own.exists() {
        return Some(format!("'{}' -in", own.display()));
    }
    let found = std::process::Command::new("z3").arg("--version").output();
    found.is_ok().then(|| "z3".to_owned())
}
