//! Tries tests with mocks in place of the objects that they make.
//!
//! All of generalizing begins with the path of the test's own values. What an object of the test
//! answers is on no tape, so a test is generalized with its objects as they are first. Then it is
//! tried whether it passes with mocks too. If so, it says more; if not, it stays as it was, and
//! what is kept are the mistakes of the code under test that other answers led to.

use super::bench::{Bench, Given, Wrong};
use super::drafts::{Finding, Outcome};
use super::names::Names;
use super::objects::{self, Object};
use super::paths::Paths;
use super::plan::Plan;
use super::splice::{Edit, splice};
use super::subject::{Part, Subject};
use super::write::{self, Draft, Kind};
use super::{Tried, Worker};
use crate::words;
use rebut_cli::exit::Failure;

/// At most so many objects of a test are tried one by one.
const OBJECTS_MAX: usize = 4;
/// Errors of the compiler hide others.
const ROUNDS_MAX: usize = 3;

/// Gives traits mocks, if tests make implementors of them and they have none. Lines stay where
/// they are.
pub(super) fn prepared(
    bench: Bench,
    names: &mut Names,
    subjects: &[Subject],
) -> Result<Bench, Failure> {
    let mut wanted: Vec<Given> = Vec::new();
    for subject in subjects {
        for object in subject.found.objects.iter().filter(|object| !object.of.has_mock) {
            if let Some(given) = given(&bench, subject, object)
                && !wanted.contains(&given)
            {
                wanted.push(given);
            }
        }
    }
    for _ in 0..ROUNDS_MAX {
        if wanted.is_empty() {
            break;
        }
        let insert = |given: &Given| Edit::new(given.part.clone(), given.inserted.clone());
        let edits: Vec<Edit> = wanted.iter().map(insert).collect();
        let (text, parts) = splice(&bench.text, &edits);
        let Err(wrong) = bench.program(&text)? else {
            wanted.iter().for_each(|given| names.implementors.give_mock(&given.of));
            return Ok(Bench { text, given: wanted, ..bench });
        };
        let before = wanted.len();
        let mut places = parts.iter();
        wanted.retain(|given| {
            let part = places.next().map(|part| part.start..part.end + given.rest);
            let why = part.and_then(|part| wrong.iter().find(|wrong| touches(wrong, &part)));
            if let Some(why) = why {
                names.implementors.refuse_mock(&given.of, &why.message);
            }
            why.is_none()
        });
        if wanted.len() == before {
            break;
        }
    }
    Ok(bench)
}

/// How the trait of an object gets a mock: by an attribute if it is in the file, otherwise by a
/// description in the module of the test.
fn given(bench: &Bench, subject: &Subject, object: &Object) -> Option<Given> {
    let (text, of) = (&bench.text, object.of.name.clone());
    let mock = object.of.mock.clone();
    if let Some((part, end)) = objects::head(text, &of) {
        let rest = end - part.end;
        let (head, attribute) = (text[part.clone()].to_owned(), bench.mock_attribute());
        let indent = write::indent(text, part.start);
        let inserted = format!("{attribute} {head}");
        let shown = format!("{attribute}\n{indent}{head}");
        return Some(Given { of, mock, part, inserted, shown, absent: head, rest });
    }
    let is_inside = bench.home.file.starts_with("src");
    let (modules, library) = (&subject.path[..subject.path.len() - 1], &bench.home.library);
    let described = object.of.description(&bench.rebut, library.as_deref(), is_inside)?;
    let at = objects::place(text, modules)?;
    let inserted = format!(" {} ", described.line());
    let shown = described.lines(&"    ".repeat(modules.len()));
    Some(Given { of, mock, part: at..at, inserted, shown, absent: String::new(), rest: 0 })
}

fn touches(wrong: &Wrong, part: &Part) -> bool {
    wrong.parts.iter().any(|place| place.start < part.end && part.start < place.end)
}

/// An object of a plan, and the path of its mock.
type Known<'o> = (&'o Object, String);

/// The objects of plans whose mocks the tests can name.
fn known<'o>(bench: &Bench, plans: &'o [Plan]) -> Result<Vec<Vec<Known<'o>>>, Failure> {
    let is_inside = bench.home.file.starts_with("src");
    let library = bench.home.library.as_deref();
    let mut edits = Vec::new();
    let mut asked: Vec<(usize, usize, String)> = Vec::new();
    for (nth, plan) in plans.iter().enumerate().filter(|(_, plan)| can_have_mocks(plan)) {
        let end = plan.subject.item.end;
        for (place, object) in plan.subject.found.objects.iter().enumerate() {
            let paths = match object.of.has_mock {
                true => object.of.paths(&bench.text, library, is_inside),
                false => Vec::new(),
            };
            for path in paths {
                let name = format!("rebut_mock_{}", asked.len());
                let code = format!(" #[allow(warnings)] fn {name}(_: &{path}) {{}}");
                edits.push(Edit::new(end..end, code));
                asked.push((nth, place, path));
            }
        }
    }
    let mut known: Vec<Vec<Known<'o>>> = plans.iter().map(|_| Vec::new()).collect();
    if asked.is_empty() {
        return Ok(known);
    }
    let (text, parts) = splice(&bench.text, &edits);
    let wrong = bench.program(&text)?.err().unwrap_or_default();
    for ((nth, place, path), part) in asked.into_iter().zip(&parts) {
        let object = &plans[nth].subject.found.objects[place];
        let is_done = known[nth].iter().any(|(known, _)| known.site.part == object.site.part);
        if !is_done && !wrong.iter().any(|wrong| touches(wrong, part)) {
            known[nth].push((object, path));
        }
    }
    Ok(known)
}

/// Whether a test was explored, or has nothing else that could have been.
fn can_have_mocks(plan: &Plan) -> bool {
    let is_empty = |why: &String| why == words::NO_VALUES || why == words::NO_TYPES;
    plan.why_not.as_ref().is_none_or(is_empty)
}

/// Tries all open tests with mocks for all of their objects, then for one of them at a time.
pub(super) fn improve(
    worker: &Worker<'_>,
    plans: &mut [Plan],
    (paths, outcomes): &mut Tried,
) -> Result<(), Failure> {
    let before = plans.to_vec();
    for ((known, plan), outcome) in before.iter().zip(&mut *plans).zip(outcomes.iter_mut()) {
        let objects = known.subject.found.objects.iter();
        for object in objects.filter(|object| !object.of.has_mock) {
            let code = &worker.bench.text[object.site.part.clone()];
            let why = match &object.of.refused {
                Some(why) => words::has_no_mock(why),
                None => words::HAS_NO_MOCK.to_owned(),
            };
            let note = words::object_stays(code, &object.of.name, &why);
            tell(plan, outcome, note);
        }
    }
    let known = known(worker.bench, &before)?;
    let mut is_done: Vec<bool> = known.iter().map(Vec::is_empty).collect();
    for round in 0..=OBJECTS_MAX {
        let mut tried: Vec<Plan> = Vec::new();
        for (nth, plan) in before.iter().enumerate() {
            let chosen = chosen(&known[nth], round);
            let mut with_mocks = plan.with_mocks(chosen);
            if is_done[nth] || chosen.is_empty() {
                with_mocks.give_up(words::NOT_AGAIN);
            }
            tried.push(with_mocks);
        }
        if !tried.iter().any(Plan::is_open) {
            break;
        }
        let wanted: Vec<bool> = tried.iter().map(Plan::is_open).collect();
        let (new_paths, new_outcomes) = worker.generalize(&mut tried)?;
        let all = tried.into_iter().zip(new_paths).zip(new_outcomes).enumerate();
        for (nth, ((plan, new_paths), outcome)) in all.filter(|(nth, _)| wanted[*nth]) {
            let is_more = says_more(&plan, outcome.as_ref(), &plans[nth], outcomes[nth].as_ref());
            if is_more {
                let findings = outcomes[nth].take().map(|known| known.findings);
                (plans[nth], paths[nth], outcomes[nth]) = (plan, new_paths, outcome);
                if let (Some(outcome), Some(findings)) = (&mut outcomes[nth], findings) {
                    add(&mut outcome.findings, findings);
                }
                is_done[nth] = true;
            } else {
                let last = (plan, new_paths, outcome);
                let old = (&mut plans[nth], &mut paths[nth], &mut outcomes[nth]);
                keep(worker.bench, chosen(&known[nth], round), last, old);
            }
        }
    }
    Ok(())
}

/// The objects that are tried in a round: all of them in the first, then one by one.
fn chosen<'k, 'o>(known: &'k [Known<'o>], round: usize) -> &'k [Known<'o>] {
    match round {
        0 => known,
        _ if known.len() == 1 => &[],
        _ => known.get(round - 1..round).unwrap_or_default(),
    }
}

/// Whether a test with mocks says more than without: it draws, has no parameter less but those
/// that its objects were made of, and holds for no fewer inputs as far as can be seen.
fn says_more(plan: &Plan, new: Option<&Outcome>, old_plan: &Plan, old: Option<&Outcome>) -> bool {
    let passing = |outcome: &'_ Outcome| -> Option<Draft> {
        let mut drafts = outcome.drafts.iter().filter(|draft| draft.kind == Kind::Passes);
        drafts.next().cloned()
    };
    let Some(new) = new.filter(|outcome| outcome.is_general()).and_then(passing) else {
        return false;
    };
    let free = new.parameters(plan);
    if !free.iter().any(|parameter| parameter.is_mock()) {
        return false;
    }
    let Some(old) = old.filter(|outcome| outcome.is_general()).and_then(passing) else {
        return true;
    };
    let has_place = |part: &Part| {
        let in_mock = |mock: &Part| mock.start <= part.start && part.end <= mock.end;
        free.iter().any(|parameter| parameter.site.part == *part)
            || plan.mocks().any(|mock| in_mock(&mock.site.part))
    };
    // What is expected is no input.
    let given = old.parameters(old_plan).into_iter().filter(|parameter| !parameter.is_expected());
    let keeps = given.into_iter().all(|parameter| has_place(&parameter.site.part));
    keeps && (new.assumption.is_none() || new.assumption == old.assumption)
}

/// Keeps the test as it was, with what mocks showed.
fn keep(
    bench: &Bench,
    objects: &[Known<'_>],
    (tried, new_paths, new): (Plan, Option<Paths>, Option<Outcome>),
    (plan, paths, outcome): (&mut Plan, &mut Option<Paths>, &mut Option<Outcome>),
) {
    let findings = new.as_ref().map(|new| new.findings.clone()).unwrap_or_default();
    let stays = |object: &Object| {
        let code = &bench.text[object.site.part.clone()];
        let of = &object.of.name;
        match &tried.why_not {
            Some(why) => words::object_stays(code, of, why),
            None => words::object_stays(code, of, words::OTHER_ANSWERS),
        }
    };
    // If there are several, each is tried alone.
    let notes: Vec<String> = match objects {
        [(object, _)] => vec![stays(object)],
        _ => Vec::new(),
    };
    match outcome {
        Some(known) => add(&mut known.findings, findings),
        None => {
            if let Some(mut new) = new {
                new.drafts.clear();
                new.proofs.clear();
                new.why_not = plan.why_not.clone();
                (*plan, *paths, *outcome) = (tried, new_paths, Some(new));
            }
        }
    }
    notes.into_iter().for_each(|note| tell(plan, outcome, note));
}

/// Says why an object stays: beside what the test became, or why it stays as well.
fn tell(plan: &mut Plan, outcome: &mut Option<Outcome>, note: String) {
    match outcome {
        Some(outcome) => outcome.notes.push(note),
        None if can_have_mocks(plan) => plan.why_not = Some(note),
        None => {}
    }
}

/// Adds findings at places that have none.
fn add(known: &mut Vec<Finding>, findings: Vec<Finding>) {
    for finding in findings {
        let is_at = |other: &Finding| {
            (&other.panic.file, other.panic.line) == (&finding.panic.file, finding.panic.line)
        };
        if !known.iter().any(is_at) {
            known.push(finding);
        }
    }
}
