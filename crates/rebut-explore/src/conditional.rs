//! Doubts about code that exists, or has another value, for one of the two targets only.
//!
//! Whether such code matters to a test depends on what its runs executed: the functions that its
//! paths call, and the lines that these consist of. `rebut_build::ConditionalCode` looks these up
//! in the sources.

use rebut_build::{ConditionalCode, ExecutedLines, TargetDifference};
use rebut_concolic::{Doubt, Exploration, LineTable, Scout};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Returns the doubts about the code that an exploration of a test executed. `location` is the file
/// and line of the test.
#[must_use]
pub fn doubts(
    conditional_code: &mut ConditionalCode,
    scout: &Scout,
    lines: &LineTable<'_>,
    test: &str,
    location: (PathBuf, u32),
    exploration: &Exploration,
) -> BTreeSet<Doubt> {
    let mut executed = ExecutedLines::new();
    // The compiler may have left nothing of the test's body.
    executed.entry(location.0).or_default().insert(location.1);
    for code in scout.executed_code(test, &exploration.leaves) {
        for (file, lines) in lines.all_lines(code) {
            executed.entry(file).or_default().extend(lines);
        }
    }
    let compiled = || lines.all_lines(0..u32::MAX);
    let differences = conditional_code.differences(&executed, &compiled).into_iter();
    differences.filter_map(doubt).collect()
}

fn doubt(difference: TargetDifference) -> Option<Doubt> {
    match difference {
        TargetDifference::Condition(condition) => Some(Doubt::Conditional(condition)),
        TargetDifference::Constants(constant) => Some(Doubt::Target(constant)),
        _ => None,
    }
}
