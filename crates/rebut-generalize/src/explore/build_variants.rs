//! Builds edited tests although some edits do not compile.

use crate::package::edit::{Edit, TextRange, overlaps, splice};
use crate::package::edited_package::{BuildError, EditedPackage};
use crate::package::test_program::TestProgram;
use crate::plan::Plan;
use crate::reasons::WhyKept;
use rebut_cli::exit::Failure;
use std::ops::Range;

/// Rebuild at most this often without the values that errors are about. Then the plans are closed,
/// because the errors that remain are not caused by our edits. Arbitrary.
const BUILDS_MAX: usize = 10;

/// Returns the edits of a plan with this index.
pub(crate) type EditsOf<'e> = &'e dyn Fn(&Plan, usize) -> Vec<Edit>;

/// The ranges of an edited test in the new text.
#[derive(Debug)]
pub(crate) struct EditedRanges {
    /// The edits that replace values, in the order of [`Plan::edits`].
    values: Vec<TextRange>,
    /// From the first edit of the test to its end.
    test: TextRange,
}

/// Builds with the edits of each open plan, and drops the parameters that do not compile until the
/// rest does. Returns `None` if no plan is left.
pub(crate) fn build_or_drop_parameters(
    package: &EditedPackage,
    plans: &mut [Plan],
    edits_of: EditsOf<'_>,
) -> Result<Option<TestProgram>, Failure> {
    for _ in 0..BUILDS_MAX {
        if !plans.iter().any(Plan::is_open) {
            return Ok(None);
        }
        let (text, ranges) = edited(package, plans, edits_of);
        let errors = match package.program(&text)? {
            Ok(program) => return Ok(Some(program)),
            Err(errors) => errors,
        };
        if !drop_blamed(plans, &errors, &ranges) {
            let message = errors.first().map(|error| error.message.clone()).unwrap_or_default();
            let why = WhyKept::DoesNotCompile(message);
            plans.iter_mut().for_each(|plan| plan.give_up(why.clone()));
        }
    }
    plans.iter_mut().for_each(|plan| plan.give_up(WhyKept::TooManyErrors));
    Ok(None)
}

/// Builds with the edits of each open plan, without the edits of plans that do not compile. Returns
/// `None` if the rest does not compile either.
pub(crate) fn build_compiling(
    package: &EditedPackage,
    plans: &[Plan],
    edits_of: EditsOf<'_>,
) -> Result<Option<TestProgram>, Failure> {
    let mut is_wrong = vec![false; plans.len()];
    // Each round marks at least one more plan.
    for _ in 0..=plans.len() {
        let compiling_edits = |plan: &Plan, nth: usize| match is_wrong[nth] {
            true => Vec::new(),
            false => edits_of(plan, nth),
        };
        let (text, ranges) = edited(package, plans, &compiling_edits);
        let errors = match package.program(&text)? {
            Ok(program) => return Ok(Some(program)),
            Err(errors) => errors,
        };
        let before = is_wrong.clone();
        for place in errors.iter().flat_map(|error| &error.ranges) {
            for (nth, EditedRanges { test, .. }) in ranges.iter().enumerate() {
                is_wrong[nth] |= overlaps(place, test);
            }
        }
        if is_wrong == before {
            break;
        }
    }
    Ok(None)
}

/// Returns the text with the edits of all open plans, and the ranges of each plan. The first edits
/// of a plan are those of its values.
pub(crate) fn edited(
    package: &EditedPackage,
    plans: &[Plan],
    edits_of: EditsOf<'_>,
) -> (String, Vec<EditedRanges>) {
    let mut edits = Vec::new();
    let mut edits_by_plan: Vec<Range<usize>> = Vec::new();
    for (nth, plan) in plans.iter().enumerate() {
        let begin = edits.len();
        if plan.is_open() {
            edits.extend(edits_of(plan, nth));
        }
        edits_by_plan.push(begin..edits.len());
    }
    let (text, ranges) = splice(&package.text, &edits);
    let ranges_of = |(plan, own_edits): (&Plan, Range<usize>)| {
        let own = &ranges[own_edits.clone()];
        let start = own.iter().map(|range| range.start).min().unwrap_or(0);
        let end = own.iter().map(|range| range.end).max().unwrap_or(0);
        // The body goes on after the last edit.
        let last = edits[own_edits].iter().map(|edit| edit.range.end).max().unwrap_or(0);
        EditedRanges {
            values: own.iter().take(plan.edit_count()).cloned().collect(),
            test: start..end + plan.unit_test.item.end.saturating_sub(last),
        }
    };
    let ranges = plans.iter().zip(edits_by_plan).map(ranges_of).collect();
    (text, ranges)
}

/// Drops the parameters that errors are about. Returns whether any error is about a plan.
fn drop_blamed(plans: &mut [Plan], errors: &[BuildError], ranges: &[EditedRanges]) -> bool {
    let mut is_blamed = vec![false; plans.len()];
    for error in errors {
        for (nth, (plan, own)) in plans.iter_mut().zip(ranges).enumerate() {
            // The ranges fit the parameters as they were built, so only the first error counts.
            is_blamed[nth] = is_blamed[nth] || plan.drop_blamed(error, &own.values, &own.test);
        }
    }
    is_blamed.contains(&true)
}
