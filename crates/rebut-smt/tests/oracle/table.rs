//! Counts queries and answers, and prints the table of results.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use rebut_smt::Answer;

use crate::generate::Family;
use crate::z3::Z3Answer;

#[derive(Clone, Copy, Debug, Default)]
struct Row {
    sat: u64,
    unsat: u64,
    unknown: u64,
    /// Decided by the solver under test, but not by z3.
    unchecked: u64,
    ours: Duration,
    z3: Duration,
}

/// Counts per family of queries.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    rows: BTreeMap<Family, Row>,
    /// The number of inferred bounds that z3 checked.
    pub(crate) bounds: u64,
}

impl Tally {
    pub(crate) fn note(
        &mut self,
        family: Family,
        answer: &Answer,
        said: Option<Z3Answer>,
        ours: Duration,
        z3: Duration,
    ) {
        let row = self.rows.entry(family).or_default();
        match answer {
            Answer::Sat(_) => row.sat += 1,
            Answer::Unsat => row.unsat += 1,
            Answer::Unknown(_) => row.unknown += 1,
        }
        if said == Some(Z3Answer::Unknown) && !matches!(answer, Answer::Unknown(_)) {
            row.unchecked += 1;
        }
        row.ours += ours;
        row.z3 += z3;
    }

    pub(crate) fn asked(&self) -> u64 {
        self.rows.values().map(|row| row.sat + row.unsat + row.unknown).sum()
    }

    /// Checks that each family has enough of each answer. Otherwise it tests nothing.
    pub(crate) fn must_be_mixed(&self) {
        for (family, row) in &self.rows {
            let all = row.sat + row.unsat + row.unknown;
            assert!(row.sat * 10 >= all, "too few {family:?} can be:\n{self}");
            assert!(row.unsat * 10 >= all, "too many {family:?} can be:\n{self}");
            assert!(row.unknown * 5 <= all, "too many {family:?} are not decided:\n{self}");
            assert!(row.unchecked * 5 <= all, "z3 does not decide enough of {family:?}:\n{self}");
        }
    }

    fn total(&self) -> Row {
        self.rows.values().fold(Row::default(), |sum, row| Row {
            sat: sum.sat + row.sat,
            unsat: sum.unsat + row.unsat,
            unknown: sum.unknown + row.unknown,
            unchecked: sum.unchecked + row.unchecked,
            ours: sum.ours + row.ours,
            z3: sum.z3 + row.z3,
        })
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "| questions | sat | unsat | unknown | z3 unknown | seconds | z3's seconds |\n\
             |---|---|---|---|---|---|---|"
        )?;
        let families = self.rows.iter().map(|(family, row)| (format!("{family:?}"), *row));
        for (name, row) in families.chain([("all".to_owned(), self.total())]) {
            let Row { sat, unsat, unknown, unchecked, ours, z3 } = row;
            writeln!(
                f,
                "| {name} | {sat} | {unsat} | {unknown} | {unchecked} | {:.2} | {:.2} |",
                ours.as_secs_f64(),
                z3.as_secs_f64()
            )?;
        }
        Ok(())
    }
}

/// Prints the page of results.
pub(crate) fn page(tally: &Tally, paths: u64, seed: u64) -> String {
    let (asked, bounds) = (tally.asked(), tally.bounds);
    format!(
        "# The embedded solver beside z3\n\n\
         `cargo xtask oracle` draws {paths} paths (seed {seed}) and turns round each of their \
         claims, as exploration does: {asked} questions, asked of the embedded solver (one pool \
         and one solver a path, at most 20,000 conflicts a question) and of z3, which gets them \
         as text with its own theory of floats. No answer differed. All values that the \
         embedded solver found were put into the claims by an evaluator that shares no code with \
         it; {bounds} times z3 was asked for a value outside of what `Bounds::infer` says, and \
         found none.\n\n{tally}\n\
         \"unknown\": the embedded solver's budget was used up. \"z3 unknown\": it decided and z3 \
         gave up; values were checked, a proof was not. Times are those that passed, on one \
         core.\n"
    )
}
