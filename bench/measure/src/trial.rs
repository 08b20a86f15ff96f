//! Counting the executions of one run.

use std::cell::{Cell, RefCell};

use bench_problems::{Outcome, Problem};

use crate::CASES_MAX;

/// One run of a library on a problem: every case goes through [`Trial::run`],
/// which counts it.
///
/// All executions count, those that skip too. Once the cap is reached without
/// a failure, everything holds, so that the library comes to an end by itself.
#[derive(Debug)]
pub struct Trial<T: 'static> {
    problem: Problem<T>,
    executions: Cell<u64>,
    first_failure: Cell<Option<u64>>,
    last_failure: RefCell<Option<T>>,
}

impl<T: Clone> Trial<T> {
    pub(crate) fn new(problem: Problem<T>) -> Self {
        Self {
            problem,
            executions: Cell::new(0),
            first_failure: Cell::new(None),
            last_failure: RefCell::new(None),
        }
    }

    /// Checks the property on an input and counts the execution.
    pub fn run(&self, input: &T) -> Outcome {
        let executions = self.executions.get() + 1;
        self.executions.set(executions);
        if self.is_exhausted() {
            return Outcome::Held;
        }
        let outcome = (self.problem.check)(input);
        if outcome == Outcome::Failed {
            if self.first_failure.get().is_none() {
                self.first_failure.set(Some(executions));
            }
            *self.last_failure.borrow_mut() = Some(input.clone());
        }
        outcome
    }

    /// Whether the cap was reached without a failure.
    pub fn is_exhausted(&self) -> bool {
        self.first_failure.get().is_none() && self.executions.get() > CASES_MAX
    }

    /// The number of the first case that failed, from one.
    pub fn first_failure(&self) -> Option<u64> {
        self.first_failure.get()
    }

    /// The input that failed last: the example a library ends with.
    pub fn last_failure(&self) -> Option<T> {
        self.last_failure.borrow().clone()
    }

    /// How often the property ran after it first failed.
    pub fn executions_after_failure(&self) -> u64 {
        let first = self.first_failure.get();
        first.map_or(0, |first| self.executions.get() - first)
    }
}

#[cfg(test)]
mod tests {
    use bench_problems::challenges::REVERSE;

    use super::*;

    #[test]
    fn counts_executions_before_and_after_the_first_failure() {
        let trial = Trial::new(REVERSE);
        for list in [vec![], vec![3, 4], vec![0, 0], vec![0, 1]] {
            trial.run(&list);
        }
        assert_eq!(trial.first_failure(), Some(2));
        assert_eq!(trial.executions_after_failure(), 2);
        assert_eq!(trial.last_failure(), Some(vec![0, 1]));
    }

    #[test]
    fn everything_holds_once_the_cap_is_reached() {
        let trial = Trial::new(REVERSE);
        for _ in 0..CASES_MAX {
            assert_eq!(trial.run(&vec![]), Outcome::Held);
        }
        assert_eq!(trial.run(&vec![0, 1]), Outcome::Held);
        assert_eq!(trial.first_failure(), None);
    }
}
