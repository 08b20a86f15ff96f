//! Computes the Pareto front of the steps of a search.
//!
//! Events contain the values of each case but not which cases are on the front. It is therefore
//! computed here, from the steps that were written.

use crate::model::{FrontCase, Objective, Step};

/// The maximum number of cases on the front.
///
/// Arbitrary. Adding a step compares it with the whole front, so a larger front makes reading slow.
/// A full front accepts a new case only after the new case has removed another.
const FRONT_MAX: usize = 200;

/// The Pareto front of the steps so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Front {
    cases: Vec<FrontCase>,
}

impl Front {
    /// Adds a step, unless another is at least as good in every objective. Steps that do not
    /// report every objective are ignored.
    pub(crate) fn add(&mut self, step: &Step, objectives: &[Objective]) {
        let is_whole = objectives.len() > 1
            && step.values.len() == objectives.len()
            && step.values.iter().all(|value| !value.is_nan());
        if !is_whole {
            return;
        }
        let utility = |values: &[f64], nth: usize| objectives[nth].utility(values[nth]);
        let is_no_worse = |these: &[f64], those: &[f64]| {
            these.len() == those.len()
                && (0..those.len()).all(|nth| utility(these, nth) >= utility(those, nth))
        };
        if self.cases.iter().any(|case| is_no_worse(&case.values, &step.values)) {
            return;
        }
        self.cases.retain(|case| !is_no_worse(&step.values, &case.values));
        if self.cases.len() < FRONT_MAX {
            let case = FrontCase { case: step.case, values: step.values.clone(), replay: None };
            self.cases.push(case);
        }
    }

    /// Sets the replay string of the case that was added last, if it has this number.
    pub(crate) fn attach(&mut self, case: u64, replay: &str) {
        if let Some(last) = self.cases.last_mut()
            && last.case == case
        {
            last.replay.get_or_insert_with(|| replay.to_owned());
        }
    }

    /// Returns the cases, sorted by the first objective, the best first.
    pub(crate) fn take(&mut self, objectives: &[Objective]) -> Vec<FrontCase> {
        let mut cases = std::mem::take(&mut self.cases);
        cases.retain(|case| case.values.len() == objectives.len());
        let utility =
            |case: &FrontCase| objectives.first().map_or(0.0, |o| o.utility(case.values[0]));
        cases.sort_by(|a, b| utility(b).total_cmp(&utility(a)));
        cases
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn front_keeps_only_cases_that_no_other_dominates() {
        let up = Objective { is_maximum: true, ..Objective::default() };
        let objectives = [up, Objective::default()];
        let mut front = Front::default();
        for (case, values) in [[1.0, 5.0], [2.0, 5.0], [1.0, 1.0], [2.0, 9.0], [f64::NAN, 0.0]]
            .into_iter()
            .enumerate()
        {
            let step = Step { case: case as u64, values: values.to_vec(), ..Step::default() };
            front.add(&step, &objectives);
        }
        front.attach(2, "r1.A");
        let cases = front.take(&objectives);
        let numbers: Vec<u64> = cases.iter().map(|case| case.case).collect();
        assert_eq!(numbers, [1, 2]);
        assert_eq!(cases[1].replay.as_deref(), Some("r1.A"));
    }
}
