//! Tries tests with mocks in place of the objects that they create.
//!
//! Generalizing begins with the path of the original values. The answers of a real object are on no
//! tape, so a test is first generalized with its objects unchanged. Then it is tried with mocks.
//! If it passes with mocks too, it claims more, and the mocks stay. Otherwise the objects stay, and
//! only the bugs that other answers led to are kept.

use crate::decide::drafts::{Decision, Finding};
use crate::explore::paths::ExploredPaths;
use crate::generalize::{Attempt, Generalizer};
use crate::package::edit::{Edit, TextRange, overlaps, splice};
use crate::package::edited_package::{AddedMock, BuildError, EditedPackage};
use crate::plan::Plan;
use crate::read::mockable::{self, MockableObject};
use crate::read::source_index::SourceIndex;
use crate::read::unit_test::UnitTest;
use crate::reasons::{Note, ObjectKept, WhyKept, WhyObjectKept};
use crate::write::draft::{self, Draft, DraftKind};
use rebut_cli::exit::Failure;

/// Try at most this many objects of a test one by one, after all of them at once. The others stay.
/// Arbitrary; each attempt explores the test again.
const OBJECTS_MAX: usize = 4;
/// Rebuild at most this often; rustc reports some errors only once others are gone. Then no trait
/// gets a mock. Arbitrary.
const BUILDS_MAX: usize = 3;

/// Adds mocks for traits that have none, if tests create implementors of them. Lines keep their
/// numbers.
pub(crate) fn add_missing_mocks(
    package: EditedPackage,
    index: &mut SourceIndex,
    unit_tests: &[UnitTest],
) -> Result<EditedPackage, Failure> {
    let mut missing: Vec<AddedMock> = Vec::new();
    for unit_test in unit_tests {
        for object in unit_test.values.objects.iter().filter(|one| !one.implements.has_mock) {
            if let Some(added) = added_mock(&package, unit_test, object)
                && !missing.contains(&added)
            {
                missing.push(added);
            }
        }
    }
    for _ in 0..BUILDS_MAX {
        if missing.is_empty() {
            break;
        }
        let insert = |added: &AddedMock| Edit::new(added.range.clone(), added.built.clone());
        let edits: Vec<Edit> = missing.iter().map(insert).collect();
        let (text, ranges) = splice(&package.text, &edits);
        let Err(errors) = package.program(&text)? else {
            missing.iter().for_each(|added| index.implementors.record_mock(&added.trait_name));
            return Ok(EditedPackage { text, added_mocks: missing, ..package });
        };
        let before = missing.len();
        let mut ranges = ranges.iter();
        missing.retain(|added| {
            let range = ranges.next().map(|range| range.start..range.end + added.trait_rest);
            let error = range.and_then(|range| errors.iter().find(|one| is_about(one, &range)));
            if let Some(error) = error {
                index.implementors.record_mock_error(&added.trait_name, &error.message);
            }
            error.is_none()
        });
        if missing.len() == before {
            break;
        }
    }
    Ok(package)
}

/// Returns the code that gives the trait of an object a mock: an attribute if the trait is in the
/// file, otherwise a description of it in the module of the test.
fn added_mock(
    package: &EditedPackage,
    unit_test: &UnitTest,
    object: &MockableObject,
) -> Option<AddedMock> {
    let (text, trait_name) = (&package.text, object.implements.name.clone());
    let mock = object.implements.mock.clone();
    if let Some((range, end)) = mockable::trait_head(text, &trait_name) {
        let trait_rest = end - range.end;
        let (head, attribute) = (text[range.clone()].to_owned(), package.mock_attribute());
        let indent = draft::indent(text, range.start);
        let built = format!("{attribute} {head}");
        let shown = format!("{attribute}\n{indent}{head}");
        let shown_unused = head;
        return Some(AddedMock { trait_name, mock, range, built, shown, shown_unused, trait_rest });
    }
    let is_inside = package.home.file.starts_with("src");
    let (modules, library) = (&unit_test.path[..unit_test.path.len() - 1], &package.home.library);
    let description =
        object.implements.description(&package.rebut, library.as_deref(), is_inside)?;
    let at = mockable::position_for_item(text, modules)?;
    Some(AddedMock {
        trait_name,
        mock,
        range: at..at,
        built: format!(" {} ", description.one_line()),
        shown: description.lines(&"    ".repeat(modules.len())),
        shown_unused: String::new(),
        trait_rest: 0,
    })
}

fn is_about(error: &BuildError, range: &TextRange) -> bool {
    error.ranges.iter().any(|place| overlaps(place, range))
}

/// An object of a plan, and the path of its mock.
type NameableMock<'o> = (&'o MockableObject, String);

/// Returns the objects of each plan whose mocks the test can name. The compiler decides which path
/// names a mock.
fn nameable_mocks<'o>(
    package: &EditedPackage,
    plans: &'o [Plan],
) -> Result<Vec<Vec<NameableMock<'o>>>, Failure> {
    let is_inside = package.home.file.starts_with("src");
    let library = package.home.library.as_deref();
    let mut edits = Vec::new();
    let mut candidates: Vec<(usize, usize, String)> = Vec::new();
    for (plan_index, plan) in plans.iter().enumerate().filter(|(_, plan)| can_have_mocks(plan)) {
        let end = plan.unit_test.item.end;
        for (object_index, object) in plan.unit_test.values.objects.iter().enumerate() {
            let paths = match object.implements.has_mock {
                true => object.implements.mock_paths(&package.text, library, is_inside),
                false => Vec::new(),
            };
            for path in paths {
                let name = format!("rebut_mock_{}", candidates.len());
                let code = format!(" #[allow(warnings)] fn {name}(_: &{path}) {{}}");
                edits.push(Edit::new(end..end, code));
                candidates.push((plan_index, object_index, path));
            }
        }
    }
    let mut nameable: Vec<Vec<NameableMock<'o>>> = plans.iter().map(|_| Vec::new()).collect();
    if candidates.is_empty() {
        return Ok(nameable);
    }
    let (text, ranges) = splice(&package.text, &edits);
    let errors = package.program(&text)?.err().unwrap_or_default();
    for ((plan, object, path), range) in candidates.into_iter().zip(&ranges) {
        let object = &plans[plan].unit_test.values.objects[object];
        let has_path =
            nameable[plan].iter().any(|(known, _)| known.site.range == object.site.range);
        if !has_path && !errors.iter().any(|error| is_about(error, range)) {
            nameable[plan].push((object, path));
        }
    }
    Ok(nameable)
}

/// Whether a test was explored, or has nothing but objects.
fn can_have_mocks(plan: &Plan) -> bool {
    matches!(plan.why_kept, None | Some(WhyKept::NoLiterals | WhyKept::NoTypes))
}

/// Tries all open tests with mocks for all of their objects, then for one object at a time.
pub(crate) fn try_mocks(
    generalizer: &Generalizer<'_>,
    plans: &mut [Plan],
    best: &mut Attempt,
) -> Result<(), Failure> {
    let Attempt { paths, decisions } = best;
    let before = plans.to_vec();
    for ((known, plan), decision) in before.iter().zip(&mut *plans).zip(decisions.iter_mut()) {
        let objects = known.unit_test.values.objects.iter();
        for object in objects.filter(|object| !object.implements.has_mock) {
            let why = match &object.implements.mock_error {
                Some(message) => WhyObjectKept::MockRefused(message.clone()),
                None => WhyObjectKept::NoMock,
            };
            add_note(plan, decision, object_kept(generalizer.package, object, why));
        }
    }
    let nameable = nameable_mocks(generalizer.package, &before)?;
    let mut is_done: Vec<bool> = nameable.iter().map(Vec::is_empty).collect();
    for round in 0..=OBJECTS_MAX {
        let mut tried: Vec<Plan> = Vec::new();
        for (nth, plan) in before.iter().enumerate() {
            let objects = objects_of_round(&nameable[nth], round);
            let mut with_mocks = plan.with_mocks(objects);
            if is_done[nth] || objects.is_empty() {
                with_mocks.give_up(WhyKept::HasResult);
            }
            tried.push(with_mocks);
        }
        if !tried.iter().any(Plan::is_open) {
            break;
        }
        let was_open: Vec<bool> = tried.iter().map(Plan::is_open).collect();
        let attempt = generalizer.attempt(&mut tried)?;
        let all = tried.into_iter().zip(attempt.paths).zip(attempt.decisions).enumerate();
        for (nth, ((plan, new_paths), decision)) in all.filter(|(nth, _)| was_open[*nth]) {
            if claims_more(&plan, decision.as_ref(), &plans[nth], decisions[nth].as_ref()) {
                let findings = decisions[nth].take().map(|known| known.findings);
                (plans[nth], paths[nth], decisions[nth]) = (plan, new_paths, decision);
                if let (Some(decision), Some(findings)) = (&mut decisions[nth], findings) {
                    add_findings(&mut decision.findings, findings);
                }
                is_done[nth] = true;
            } else {
                let tried = (plan, new_paths, decision);
                let best = (&mut plans[nth], &mut paths[nth], &mut decisions[nth]);
                keep(generalizer.package, objects_of_round(&nameable[nth], round), tried, best);
            }
        }
    }
    Ok(())
}

/// Returns the objects that are tried in a round: all of them in the first, then one by one.
fn objects_of_round<'k, 'o>(
    objects: &'k [NameableMock<'o>],
    round: usize,
) -> &'k [NameableMock<'o>] {
    match round {
        0 => objects,
        _ if objects.len() == 1 => &[],
        _ => objects.get(round - 1..round).unwrap_or_default(),
    }
}

/// Whether a test with mocks claims more than without. It must generate inputs, have all parameters
/// but those inside of mocked objects, and have no stronger assumption.
fn claims_more(
    plan: &Plan,
    new: Option<&Decision>,
    old_plan: &Plan,
    old: Option<&Decision>,
) -> bool {
    let passing = |decision: &'_ Decision| -> Option<Draft> {
        let mut drafts = decision.drafts.iter().filter(|draft| draft.kind == DraftKind::Passes);
        drafts.next().cloned()
    };
    let Some(new) = new.filter(|decision| decision.is_general()).and_then(passing) else {
        return false;
    };
    let free = new.parameters(plan);
    if !free.iter().any(|parameter| parameter.is_mock()) {
        return false;
    }
    let Some(old) = old.filter(|decision| decision.is_general()).and_then(passing) else {
        return true;
    };
    let has_parameter = |range: &TextRange| {
        let is_inside = |mock: &TextRange| mock.start <= range.start && range.end <= mock.end;
        free.iter().any(|parameter| parameter.site.range == *range)
            || plan.mocks().any(|mock| is_inside(&mock.site.range))
    };
    // Expected results may become expressions.
    let inputs = old.parameters(old_plan).into_iter().filter(|parameter| !parameter.is_expected());
    let has_all = inputs.into_iter().all(|parameter| has_parameter(&parameter.site.range));
    has_all && (new.assumption.is_none() || new.assumption == old.assumption)
}

/// Keeps the test unchanged. Adds the findings of the attempt with mocks, and why its object stays.
fn keep(
    package: &EditedPackage,
    objects: &[NameableMock<'_>],
    (tried, new_paths, new): (Plan, Option<ExploredPaths>, Option<Decision>),
    (plan, paths, decision): (&mut Plan, &mut Option<ExploredPaths>, &mut Option<Decision>),
) {
    let findings = new.as_ref().map(|new| new.findings.clone()).unwrap_or_default();
    // With several objects, each is tried alone later.
    let kept = match objects {
        [(object, _)] => {
            let why = match &tried.why_kept {
                Some(why) => WhyObjectKept::TestKept(Box::new(why.clone())),
                None => WhyObjectKept::OtherAnswersFail,
            };
            Some(object_kept(package, object, why))
        }
        _ => None,
    };
    match decision {
        Some(known) => add_findings(&mut known.findings, findings),
        None => {
            if let Some(mut new) = new {
                new.drafts.clear();
                new.proofs.clear();
                new.why_kept = plan.why_kept.clone();
                (*plan, *paths, *decision) = (tried, new_paths, Some(new));
            }
        }
    }
    if let Some(kept) = kept {
        add_note(plan, decision, kept);
    }
}

fn object_kept(package: &EditedPackage, object: &MockableObject, why: WhyObjectKept) -> ObjectKept {
    let code = package.text[object.site.range.clone()].to_owned();
    ObjectKept { code, trait_name: object.implements.name.clone(), why }
}

/// Notes why an object stays: with the decision, or as the reason why the whole test stays.
fn add_note(plan: &mut Plan, decision: &mut Option<Decision>, kept: ObjectKept) {
    match decision {
        Some(decision) => decision.notes.push(Note::ObjectKept(kept)),
        None if can_have_mocks(plan) => plan.why_kept = Some(WhyKept::ObjectKept(kept)),
        None => {}
    }
}

/// Adds findings at new locations.
fn add_findings(known: &mut Vec<Finding>, findings: Vec<Finding>) {
    for finding in findings {
        let is_same = |other: &Finding| {
            (&other.panic.file, other.panic.line) == (&finding.panic.file, finding.panic.line)
        };
        if !known.iter().any(is_same) {
            known.push(finding);
        }
    }
}
