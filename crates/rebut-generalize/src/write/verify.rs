//! Builds and runs the written tests before they are shown.

use crate::decide::drafts::Decision;
use crate::package::edit::{Edit, TextRange, overlaps, splice};
use crate::package::edited_package::{BuildError, EditedPackage};
use crate::package::functions::functions;
use crate::package::rustfmt;
use crate::package::test_program::TestProgram;
use crate::plan::Plan;
use crate::reasons::{Note, WhyDropped};
use crate::write::draft::{self, Draft, DraftKind, GeneratedInputs};
use rebut_cli::exit::Failure;
use rebut_native::{TestName, TestResult};

/// A written test must pass this many cases. Fewer than the default of 1000, because every draft of
/// every attempt runs them. Arbitrary.
const CASES: &str = "300";
/// Weaken or drop drafts at most this often. Then all drafts are dropped. Arbitrary.
const ROUNDS_MAX: usize = 6;
/// Show at most this many values of a failing input in a note. Arbitrary.
const VALUES_MAX: usize = 6;

/// Returns the file with all drafts that compile and pass. A draft that fails is weakened, or
/// dropped with a note.
pub(crate) fn verified_text(
    package: &EditedPackage,
    plans: &[Plan],
    decisions: &mut [Option<Decision>],
) -> Result<String, Failure> {
    for _ in 0..ROUNDS_MAX {
        let (text, ranges) = composed(package, plans, decisions);
        if ranges.iter().all(Vec::is_empty) {
            return Ok(package.original.clone());
        }
        let program = match package.program(&text)? {
            Ok(program) => program,
            Err(errors) => {
                drop_uncompilable(decisions, &ranges, &errors);
                continue;
            }
        };
        let mut is_changed = false;
        for (plan, decision) in plans.iter().zip(decisions.iter_mut()) {
            let Some(decision) = decision else { continue };
            for nth in (0..decision.drafts.len()).rev() {
                let names = program.names(&path_of(plan, &decision.drafts[nth]).join("::"));
                let result = match names.is_empty() {
                    true => TestResult::Missing,
                    false => worst_result(&program, &names)?,
                };
                if !matches!(result, TestResult::Passed) {
                    is_changed = true;
                    weaken(plan, decision, nth, result);
                }
            }
        }
        if !is_changed {
            return Ok(text);
        }
    }
    drop_all(decisions, &WhyDropped::Fails(None));
    Ok(package.original.clone())
}

/// Drops the drafts that errors are about; all drafts if they are about none.
fn drop_uncompilable(
    decisions: &mut [Option<Decision>],
    ranges: &[Vec<TextRange>],
    errors: &[BuildError],
) {
    let mut is_any = false;
    for (decision, ranges) in decisions.iter_mut().zip(ranges) {
        let Some(decision) = decision else { continue };
        for nth in (0..ranges.len()).rev() {
            let is_here = |range: &TextRange| overlaps(range, &ranges[nth]);
            let own = errors.iter().find(|error| error.ranges.iter().any(is_here));
            if let Some(own) = own {
                drop_draft(decision, nth, WhyDropped::DoesNotCompile(own.message.clone()));
                is_any = true;
            }
        }
    }
    if !is_any {
        let message = errors.first().map(|error| error.message.clone());
        drop_all(decisions, &WhyDropped::DoesNotCompile(message.unwrap_or_default()));
    }
}

/// Runs tests, and returns the first result that is not a pass.
fn worst_result(program: &TestProgram, names: &[TestName]) -> Result<TestResult, Failure> {
    for name in names {
        let result = program.run(name, CASES)?;
        if !matches!(result, TestResult::Passed) {
            return Ok(result);
        }
    }
    Ok(TestResult::Passed)
}

/// Weakens a draft that fails natively, or drops it.
fn weaken(plan: &Plan, decision: &mut Decision, nth: usize, result: TestResult) {
    let is_rejection = matches!(result, TestResult::Rejected(_));
    let draft = &mut decision.drafts[nth];
    if !is_rejection && draft.generated != GeneratedInputs::None && draft.count_characters(plan) {
        return;
    }
    match draft.generated {
        GeneratedInputs::Usual if is_rejection => draft.generated = GeneratedInputs::Rare,
        GeneratedInputs::Usual | GeneratedInputs::Rare
            if draft.examples.len() > 1 && !matches!(draft.kind, DraftKind::Opposite(_)) =>
        {
            draft.generated = GeneratedInputs::None;
            draft.assumption = None;
            decision.proofs[nth] = None;
            decision.notes.push(match is_rejection {
                true => Note::TooFewInputs,
                false => Note::FailsFor(failing_input(&result)),
            });
        }
        _ => {
            let why = why_dropped(result);
            drop_draft(decision, nth, why);
        }
    }
}

/// Returns the values of the failing inputs, as `let` statements without semicolons.
fn failing_input(result: &TestResult) -> Vec<String> {
    let TestResult::Failed(failure) = result else { return Vec::new() };
    let mut values = failure.declarations();
    values.truncate(VALUES_MAX);
    values
}

fn why_dropped(result: TestResult) -> WhyDropped {
    match result {
        TestResult::Rejected(rejection) => WhyDropped::Rejects(rejection.reason),
        TestResult::Failed(failure) => {
            let message = failure.inputs.into_iter().next().map(|input| input.message);
            WhyDropped::Fails(message.or(failure.reason))
        }
        TestResult::Crashed { .. } | TestResult::Hung => WhyDropped::DidNotFinish,
        TestResult::Passed | TestResult::NotCovered | TestResult::Missing => {
            WhyDropped::Fails(None)
        }
    }
}

fn drop_all(decisions: &mut [Option<Decision>], why: &WhyDropped) {
    for decision in decisions.iter_mut().flatten() {
        (0..decision.drafts.len()).rev().for_each(|nth| drop_draft(decision, nth, why.clone()));
    }
}

fn drop_draft(decision: &mut Decision, nth: usize, why: WhyDropped) {
    let draft = decision.drafts.remove(nth);
    decision.proofs.remove(nth);
    decision.notes.push(Note::DraftDropped { name: draft.name, why });
}

/// Returns the formatted file with all drafts, and the range of each draft.
fn composed(
    package: &EditedPackage,
    plans: &[Plan],
    decisions: &[Option<Decision>],
) -> (String, Vec<Vec<TextRange>>) {
    let mut edits = Vec::new();
    for (plan, decision) in plans.iter().zip(decisions) {
        let Some(decision) = decision.as_ref().filter(|decision| !decision.drafts.is_empty())
        else {
            continue;
        };
        let indent = draft::indent(&package.text, plan.unit_test.item.start);
        let is_replaced = decision.drafts.iter().any(|draft| draft.kind == DraftKind::Passes);
        let mut items: Vec<String> = Vec::new();
        if !is_replaced {
            items.push(package.text[plan.unit_test.item.clone()].to_owned());
        }
        let written = decision.drafts.iter().map(|draft: &Draft| {
            rustfmt::format_item(&package.home, &draft::test_code(package, plan, draft), &indent)
        });
        items.extend(written);
        let text = items.join(&format!("\n\n{indent}"));
        edits.push(Edit::new(plan.unit_test.item.clone(), text));
    }
    let (text, _) = splice(&package.text, &edits);
    let text = rustfmt::format_file(&package.home, &package.original, &package.shown_text(&text));
    let ranges = ranges_of_drafts(&text, plans, decisions);
    (text, ranges)
}

/// Returns the ranges of the drafts in the text.
fn ranges_of_drafts(
    text: &str,
    plans: &[Plan],
    decisions: &[Option<Decision>],
) -> Vec<Vec<TextRange>> {
    let found = functions(text);
    let range = |plan: &Plan, draft: &Draft| {
        let path = path_of(plan, draft);
        let mut all = found.iter();
        all.find(|(known, _)| *known == path).map_or(0..0, |(_, range)| range.clone())
    };
    plans
        .iter()
        .zip(decisions)
        .map(|(plan, decision)| {
            let drafts = decision.as_ref().map(|decision| decision.drafts.as_slice());
            drafts.unwrap_or_default().iter().map(|draft| range(plan, draft)).collect()
        })
        .collect()
}

/// Returns the path of a draft within the file.
fn path_of(plan: &Plan, draft: &Draft) -> Vec<String> {
    let mut path = plan.unit_test.path.clone();
    path.pop();
    path.push(draft.name.clone());
    path
}
