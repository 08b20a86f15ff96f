//! The embedded solver beside z3, on questions such as exploration asks.
//!
//! A path is drawn (`draw.rs`) and its claims are turned round one after the other, in one pool
//! and with one solver, so that what it remembers takes part. Its answers must be those of z3,
//! which gets the same question in other words (`script.rs`). Its values are put into the
//! claims by a third evaluator (`native.rs`). "Unknown" is no difference, but it is counted.
//!
//! `cargo test` asks some hundred questions; `cargo xtask oracle` more than ten thousand, and
//! writes a table of them.
#![expect(clippy::print_stderr, reason = "the long comparison prints its table")]

mod draw;
mod graph;
mod judge;
mod native;
mod script;
mod table;
mod terms;
mod z3;

use std::cell::RefCell;

use draw::{FAMILIES, Family};
use judge::{Judge, Subject};
use rebut::prelude::*;
use table::Tally;
use terms::Fault;

/// How thoroughly to compare.
#[derive(Clone, Copy, Debug)]
struct Effort {
    paths: u64,
    seed: u64,
    /// z3's own measure of work for a question; four millions are about a second.
    work_max: u64,
    /// z3 is asked about one in so many questions that have values which fit.
    one_in: u64,
    shrinks: u64,
}

/// Draws paths of these families, and asks.
fn compare(
    subject: Subject,
    families: &[Family],
    effort: Effort,
) -> Option<(rebut::Report, Tally)> {
    let judge = RefCell::new(Judge::start(subject, effort.work_max, effort.one_in)?);
    let check = rebut::Check::new("the solver under test and z3 agree").cases(effort.paths);
    let check = check.seed(effort.seed).configure(|settings| {
        settings.shrink_max = effort.shrinks;
        settings.explain = effort.shrinks > 0;
        settings.failures_max = 1;
        settings.deadline = std::time::Duration::from_secs(120);
    });
    let report = check.run(|case| {
        let family = families[case.draw(integers::<usize>().max_value(families.len() - 1))];
        let path = draw::path(case, family);
        judge.borrow_mut().judge(case, family, &path);
    });
    Some((report, judge.into_inner().tally))
}

#[track_caller]
fn skipped() {
    rebut_testkit::missing("z3", "there is nothing to compare the embedded solver with");
}

/// Some hundred questions, or the many that `cargo xtask oracle` asks for with a variable.
#[test]
fn the_solver_and_z3_agree() {
    let number = |name: &str| std::env::var(name).ok().and_then(|number| number.parse().ok());
    if let Some(paths) = number("REBUT_ORACLE_PATHS") {
        let seed = number("REBUT_ORACLE_SEED").unwrap_or(7);
        return they_agree_on_many_questions(paths, seed, number("REBUT_ORACLE_ONE_IN"));
    }
    let effort = Effort { paths: 200, seed: 1, work_max: 300_000, one_in: 8, shrinks: 500 };
    let Some((report, tally)) = compare(Subject::Ours { conflicts_max: 2_000 }, &FAMILIES, effort)
    else {
        return skipped();
    };
    assert!(report.verdict.is_success(), "{report}");
    assert!(tally.asked() >= 800, "{tally}");
    tally.must_be_mixed();
}

fn they_agree_on_many_questions(paths: u64, seed: u64, one_in: Option<u64>) {
    let one_in = one_in.unwrap_or(1);
    let effort = Effort { paths, seed, work_max: 4_000_000, one_in, shrinks: 5_000 };
    let Some((report, tally)) = compare(Subject::Ours { conflicts_max: 20_000 }, &FAMILIES, effort)
    else {
        return skipped();
    };
    eprintln!("{tally}");
    assert!(report.verdict.is_success(), "{report}");
    tally.must_be_mixed();
    if let Some(file) = std::env::var_os("REBUT_ORACLE_TABLE") {
        std::fs::write(file, table::page(&tally, paths, seed)).expect("a file to write to");
    }
}

/// Whoever is wrong is found out: in what terms mean, in what is remembered, in values.
#[test]
fn a_wrong_solver_is_found_out() {
    let wrong = [
        (Subject::Faulty(Fault::Difference), Family::Bits),
        (Subject::Faulty(Fault::Signs), Family::Words),
        (Subject::Faulty(Fault::Division), Family::Laws),
        (Subject::Faulty(Fault::Zeros), Family::Float32),
        (Subject::Forgetful, Family::Domains),
        (Subject::Clinging, Family::Order),
        (Subject::Careless, Family::Conversions),
    ];
    for (subject, family) in wrong {
        let effort = Effort { paths: 1_000, seed: 3, work_max: 100_000, one_in: 8, shrinks: 0 };
        let Some((report, _)) = compare(subject, &[family], effort) else { return skipped() };
        assert!(!report.verdict.is_success(), "{subject:?} was not noticed");
    }
}
