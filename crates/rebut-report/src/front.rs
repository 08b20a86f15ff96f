//! The cases that no other beats by every objective, found among the steps of a search.
//!
//! Events say what each case reported and not which cases are kept, so the front is computed
//! here, and is that of the steps that were written.

use crate::model::{FrontCase, Objective, Step};

/// More cases than this are not shown, and would make reading slow.
const FRONT_MAX: usize = 200;

/// What no step so far beats.
#[derive(Clone, Debug, Default)]
pub(crate) struct Front {
    cases: Vec<FrontCase>,
}

impl Front {
    /// A step that reports every objective may be one of the front.
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

    /// The choices of the case that was added last.
    pub(crate) fn attach(&mut self, case: u64, replay: &str) {
        if let Some(last) = self.cases.last_mut()
            && last.case == case
        {
            last.replay.get_or_insert_with(|| replay.to_owned());
        }
    }

    /// The cases, the best by the first objective first.
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
    fn keeps_what_no_other_case_beats() {
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
