//! Builds and runs what was written before anybody sees it.

use super::bench::Bench;
use super::drafts::Outcome;
use super::format;
use super::plan::Plan;
use super::splice::{Edit, splice};
use super::subject::Part;
use super::write::{self, Draft, Drawn, Kind};
use crate::words;
use rebut_cli::block;
use rebut_cli::exit::Failure;

/// How many cases a test has to survive.
const CASES: &str = "300";
/// So often something may be taken back.
const ROUNDS_MAX: usize = 6;

/// The file with all tests that were written; those that do not hold are written more carefully,
/// or left out with a note.
pub(super) fn verified(
    bench: &Bench,
    plans: &[Plan],
    outcomes: &mut [Option<Outcome>],
) -> Result<String, Failure> {
    for _ in 0..ROUNDS_MAX {
        let (text, parts) = composed(bench, plans, outcomes);
        if parts.iter().all(Vec::is_empty) {
            return Ok(bench.original.clone());
        }
        let program = match bench.program(&text)? {
            Ok(program) => program,
            Err(wrong) => {
                let mut is_any = false;
                for (outcome, parts) in outcomes.iter_mut().zip(&parts) {
                    let Some(outcome) = outcome else { continue };
                    for nth in (0..parts.len()).rev() {
                        let touches = |part: &Part| {
                            part.start < parts[nth].end && parts[nth].start < part.end
                        };
                        let own = wrong.iter().find(|wrong| wrong.parts.iter().any(touches));
                        if let Some(own) = own {
                            drop_draft(outcome, nth, &words::does_not_build(&own.message));
                            is_any = true;
                        }
                    }
                }
                if !is_any {
                    let message = wrong.first().map(|wrong| wrong.message.as_str());
                    let why = words::does_not_build(message.unwrap_or_default());
                    for outcome in outcomes.iter_mut().flatten() {
                        (0..outcome.drafts.len())
                            .rev()
                            .for_each(|nth| drop_draft(outcome, nth, &why));
                    }
                }
                continue;
            }
        };
        let mut is_changed = false;
        for (plan, outcome) in plans.iter().zip(outcomes.iter_mut()) {
            let Some(outcome) = outcome else { continue };
            for nth in (0..outcome.drafts.len()).rev() {
                let mut path = plan.subject.path.clone();
                path.pop();
                path.push(outcome.drafts[nth].name.clone());
                let names = program.names(&path.join("::"));
                let ran = program.run(&names, &[("REBUT_CASES", CASES)]);
                let holds = !names.is_empty()
                    && names.iter().all(|name| ran.passed.get(name) == Some(&true));
                if !holds {
                    is_changed = true;
                    step_back(plan, outcome, nth, &format!("{}{}", ran.stdout, ran.stderr));
                }
            }
        }
        if !is_changed {
            return Ok(text);
        }
    }
    for outcome in outcomes.iter_mut().flatten() {
        (0..outcome.drafts.len())
            .rev()
            .for_each(|nth| drop_draft(outcome, nth, words::DOES_NOT_HOLD));
    }
    Ok(bench.original.clone())
}

/// Makes a test that does not hold one that claims less.
fn step_back(plan: &Plan, outcome: &mut Outcome, nth: usize, said: &str) {
    let is_rejection = matches!(block::code(said), Some("R003" | "R004"));
    let draft = &mut outcome.drafts[nth];
    let mut input = block::values(said);
    input.truncate(6);
    if !is_rejection && draft.drawn != Drawn::None && draft.count_characters(plan) {
        return;
    }
    match draft.drawn {
        Drawn::Usual if is_rejection => draft.drawn = Drawn::Rare,
        Drawn::Usual | Drawn::Rare
            if draft.examples.len() > 1 && !matches!(draft.kind, Kind::Opposite(_)) =>
        {
            draft.drawn = Drawn::None;
            draft.assumption = None;
            outcome.proofs[nth] = None;
            outcome.notes.push(match is_rejection {
                true => words::TOO_FEW_INPUTS.to_owned(),
                false => words::does_not_hold_for(&input),
            });
        }
        _ => {
            drop_draft(outcome, nth, block::title(said).unwrap_or(words::DOES_NOT_HOLD));
        }
    }
}

fn drop_draft(outcome: &mut Outcome, nth: usize, why: &str) {
    let draft = outcome.drafts.remove(nth);
    outcome.proofs.remove(nth);
    outcome.notes.push(words::left_out_draft(&draft.name, why));
}

/// The file with all tests that were written, formatted, and where each is.
fn composed(
    bench: &Bench,
    plans: &[Plan],
    outcomes: &[Option<Outcome>],
) -> (String, Vec<Vec<Part>>) {
    let mut edits = Vec::new();
    for (plan, outcome) in plans.iter().zip(outcomes) {
        let Some(outcome) = outcome.as_ref().filter(|outcome| !outcome.drafts.is_empty()) else {
            continue;
        };
        let indent = write::indent(&bench.text, plan.subject.item.start);
        let is_replaced = outcome.drafts.iter().any(|draft| draft.kind == Kind::Passes);
        let mut items: Vec<String> = Vec::new();
        if !is_replaced {
            items.push(bench.text[plan.subject.item.clone()].to_owned());
        }
        let written = outcome.drafts.iter().map(|draft: &Draft| {
            format::item(&bench.home, &write::test(bench, plan, draft), &indent)
        });
        items.extend(written);
        let text = items.join(&format!("\n\n{indent}"));
        edits.push(Edit::new(plan.subject.item.clone(), text));
    }
    let (text, _) = splice(&bench.text, &edits);
    let text = format::file(&bench.home, &bench.original, &bench.finished(&text));
    let parts = located(&text, plans, outcomes);
    (text, parts)
}

/// Where the tests that were written are in the text.
fn located(text: &str, plans: &[Plan], outcomes: &[Option<Outcome>]) -> Vec<Vec<Part>> {
    let found = super::places::functions(text);
    let part = |plan: &Plan, draft: &Draft| {
        let mut path = plan.subject.path.clone();
        path.pop();
        path.push(draft.name.clone());
        let mut all = found.iter();
        all.find(|(known, _)| *known == path).map_or(0..0, |(_, part)| part.clone())
    };
    plans
        .iter()
        .zip(outcomes)
        .map(|(plan, outcome)| {
            let drafts = outcome.as_ref().map(|outcome| outcome.drafts.as_slice());
            drafts.unwrap_or_default().iter().map(|draft| part(plan, draft)).collect()
        })
        .collect()
}
