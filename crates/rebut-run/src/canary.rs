//! Breaks invariants on purpose, in our own tests only.
//!
//! A violated invariant must end a run with an internal error. It must never be reported as a
//! failure of the code under test, and never change a result in silence. The tests in this module
//! break each invariant once and look at the verdict.

/// An invariant that [`internal_assert!`](rebut_choice::internal_assert) checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Invariant {
    /// Shrinking never returns a less simple tape.
    ShrunkTapeIsSimpler,
    /// A pass edits elements that exist.
    ElementsExist,
    /// A proof counts each enumerated input once.
    InputsCountedOnce,
    /// A failing run has a counterexample.
    FailureHasCounterexample,
    /// Explanations try numbers of the choice's own domain.
    NumbersInDomain,
    /// A marked part is inside the code of its value.
    MarksInsideValue,
}

/// Returns whether a test breaks this invariant on purpose.
#[cfg(not(test))]
#[inline(always)]
pub(crate) const fn breaks(_invariant: Invariant) -> bool {
    false
}

#[cfg(test)]
thread_local! {
    static BROKEN: std::cell::Cell<Option<Invariant>> = const { std::cell::Cell::new(None) };
}

#[cfg(test)]
pub(crate) fn breaks(invariant: Invariant) -> bool {
    BROKEN.get() == Some(invariant)
}

#[cfg(test)]
mod tests {
    use rebut_gen::{integers, vecs};

    use super::*;
    use crate::{Case, Check, Report, Verdict};

    fn run_broken(invariant: Invariant, property: impl Fn(&mut Case) -> bool) -> Report {
        BROKEN.set(Some(invariant));
        let report = Check::new("canary").seed(1).run(property);
        BROKEN.set(None);
        report
    }

    #[track_caller]
    fn check(invariant: Invariant, expected: &str, property: impl Fn(&mut Case) -> bool) {
        let intact = Check::new("canary").seed(1).run(&property);
        assert!(!matches!(intact.verdict, Verdict::InternalError(_)), "{intact}");
        let report = run_broken(invariant, property);
        let Verdict::InternalError(message) = &report.verdict else { panic!("{report}") };
        assert!(message.contains(expected), "{message}");
        assert!(report.to_string().contains("bug in Rebut, not in your code"), "{report}");
    }

    #[test]
    fn less_simple_results_of_shrinking_are_internal_errors() {
        check(Invariant::ShrunkTapeIsSimpler, "less simple", |case| {
            case.draw(integers::<u32>()) < 500
        });
    }

    #[test]
    fn edits_of_missing_elements_are_internal_errors() {
        check(Invariant::ElementsExist, "elements", |case| {
            case.draw(vecs(integers::<u8>())).len() < 3
        });
    }

    #[test]
    fn miscounted_proofs_are_internal_errors() {
        check(Invariant::InputsCountedOnce, "enumerated", |case| {
            u32::from(case.draw(integers::<u8>())) < 300
        });
    }

    #[test]
    fn failures_without_a_counterexample_are_internal_errors() {
        check(Invariant::FailureHasCounterexample, "no counterexample", |case| {
            case.draw(integers::<u32>()) < 500
        });
    }

    #[test]
    fn explanations_with_foreign_numbers_are_internal_errors() {
        check(Invariant::NumbersInDomain, "not in the domain", |case| {
            let _ = case.draw(integers::<u32>());
            case.draw(integers::<u32>()) < 500
        });
    }

    #[test]
    fn marks_outside_of_a_value_are_internal_errors() {
        check(Invariant::MarksInsideValue, "outside of the value", |case| {
            let _ = case.draw(integers::<u32>());
            case.draw(integers::<u32>()) < 500
        });
    }
}
