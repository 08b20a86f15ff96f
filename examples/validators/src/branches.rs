//! Counts the branches that were taken.

use std::collections::BTreeSet;

/// The outcomes of conditions: where each stands, and what came of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Branches {
    taken: BTreeSet<(u32, u32, bool)>,
}

impl Branches {
    /// Notes the outcome of the condition at a line and a column.
    pub fn note(&mut self, line: u32, column: u32, outcome: bool) -> bool {
        self.taken.insert((line, column, outcome));
        outcome
    }

    /// How many branches were taken.
    #[must_use]
    pub fn taken(&self) -> usize {
        self.taken.len()
    }

    /// How many branches the text of a validator has: each condition has two.
    #[must_use]
    pub fn all(source: &str) -> usize {
        2 * source.matches("when!(").count()
    }
}

/// A condition whose outcome is noted.
macro_rules! when {
    ($branches:expr, $condition:expr) => {{
        let outcome = $condition;
        $branches.note(line!(), column!(), outcome)
    }};
}
