//! A bug in Rebut is never reported as a failure of the code under test.
//!
//! Each test violates an invariant of Rebut on purpose. `rebut-gen` and `rebut-contract` have such
//! tests of their own, because their invariants cannot be violated from outside.

use rebut::choice::{Rng, Tape, Token};
use rebut::report::{Report, Verdict};
use rebut::search::{Climbing, Evaluation, Move, Strategy};
use rebut::settings::SearchMode;
use rebut::{Check, booleans, from_fn, integers, maximize};

fn internal_error(report: Report) -> String {
    match report.verdict {
        Verdict::InternalError(message) => message,
        _ => panic!("expected an internal error, but got {report}"),
    }
}

#[test]
fn a_span_that_was_never_opened_is_an_internal_error() {
    let report = Check::new("spans are balanced").run(|case| {
        case.draw(booleans());
        case.draw(from_fn(|source| {
            source.close();
            source.close();
        }));
    });
    let message = internal_error(report);
    assert!(message.starts_with("a span is closed that was never opened"), "{message}");
}

/// A strategy that reports a utility of NaN to another one.
#[derive(Debug, Default)]
struct Confused(Climbing);

impl Strategy for Confused {
    fn propose(&mut self, rng: &mut Rng) -> Move {
        self.0.propose(rng)
    }

    fn learn(&mut self, evaluation: &mut Evaluation<'_>, rng: &mut Rng) -> bool {
        let utility = Some(f64::NAN);
        self.0.learn(&mut Evaluation { utility, tape: evaluation.tape }, rng)
    }

    fn temperature(&self) -> f64 {
        0.5
    }

    fn reset(&mut self) {}
}

#[test]
fn a_utility_without_an_order_is_an_internal_error() {
    let report = Check::new("utilities are ordered")
        .configure(|settings| {
            settings.search = SearchMode::Own(|_| Box::new(Confused::default()));
        })
        .run(|case| maximize(f64::from(case.draw(integers::<u8>()))));
    let message = internal_error(report);
    assert!(message.starts_with("the score of a case is NaN"), "{message}");
}

#[test]
fn a_splice_outside_of_a_tape_is_an_internal_error() {
    let report = Check::new("splices are in bounds").run(|case| {
        let end = case.draw(integers::<usize>().in_range(1..9));
        let _ = Tape::default().spliced(0..end, &[Token::Close]);
    });
    let message = internal_error(report);
    assert!(message.contains("of a tape with 0 tokens"), "{message}");
}

/// Each engine panics on purpose, in its own sources.
#[test]
fn a_panic_in_an_engine_is_an_internal_error() {
    // Where one of our crates is under test, its panics may be on purpose.
    if std::env::var("CARGO_PKG_NAME").is_ok_and(|name| name == "rebut") {
        let this = std::env::current_exe().expect("a path");
        let status = std::process::Command::new(this)
            .args(["--exact", "a_panic_in_an_engine_is_an_internal_error"])
            .env("CARGO_PKG_NAME", "demo")
            .status();
        assert!(status.expect("this binary can be started").success());
        return;
    }
    let canaries: [(fn() -> !, &str); 4] = [
        (rebut::__private::canaries::choice, "rebut-choice"),
        (rebut::__private::canaries::contract, "rebut-contract"),
        (rebut::__private::canaries::gen_, "rebut-gen"),
        (rebut::__private::canaries::search, "rebut-search"),
    ];
    for (canary, name) in canaries {
        let report = Check::new("engines do not panic").run(|case| {
            if case.draw(integers::<u8>()) > 9 {
                canary();
            }
        });
        let message = internal_error(report);
        assert!(message.ends_with(&format!("the canary of {name}")), "{message}");
    }
}
