//! Compares the embedded solver with z3, on queries like those of exploration.
//!
//! `generate.rs` generates a path. Its claims are negated one after the other, in one pool and
//! with one solver, so that its caches take part. The answers must match those of z3, which gets
//! the same query in other words (`script.rs`). A third evaluator (`native.rs`) checks the values.
//! "Unknown" is not a difference, but it is counted.
//!
//! `cargo test` sends some hundred queries; `cargo xtask oracle` sends more than ten thousand and
//! writes a table.
#![expect(clippy::print_stderr, reason = "the long comparison prints its table")]

mod generate;
mod graph;
mod judge;
mod native;
mod script;
mod table;
mod terms;
mod z3;

use std::cell::RefCell;

use generate::{FAMILIES, Family};
use judge::{Judge, Subject};
use rebut::prelude::*;
use table::Tally;
use terms::Fault;

/// The effort of a comparison.
#[derive(Clone, Copy, Debug)]
struct Effort {
    paths: u64,
    seed: u64,
    /// The work limit of z3 per query, in its own unit; four million are about a second.
    work_max: u64,
    /// Of the queries with a checked model, every `one_in`th also goes to z3.
    one_in: u64,
    shrinks: u64,
}

/// Generates paths of these families and compares the answers. `None` without z3.
fn compare(
    subject: Subject,
    families: &[Family],
    effort: Effort,
) -> Option<(rebut::report::Report, Tally)> {
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
        let path = generate::path(case, family);
        judge.borrow_mut().judge(case, family, &path);
    });
    Some((report, judge.into_inner().tally))
}

#[track_caller]
fn skipped() {
    rebut_testkit::missing("z3", "there is nothing to compare the embedded solver with");
}

/// Sends some hundred queries, or the number that `cargo xtask oracle` sets.
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

/// Canaries: wrong terms, wrong caches and wrong values must be noticed.
#[test]
fn faulty_solvers_are_noticed() {
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
