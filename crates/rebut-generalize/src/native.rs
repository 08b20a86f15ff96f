//! What paths do natively: one build, in which each input of a path is a test.

use super::bench::{Bench, Program};
use super::drafts::Outcome as Decided;
use super::form::{self, Input};
use super::kinds::{End, Panic, Sources, panics};
use super::paths::Paths;
use super::plan::Plan;
use super::probe::edited;
use super::splice::Edit;
use super::subject::Panics;
use rebut_cli::exit::Failure;
use rebut_concolic::Outcome;
use std::collections::HashMap;

/// So many inputs of each kind of path are run.
const EACH_MAX: usize = 3;
/// At most so many inputs of a test are run.
const INPUTS_MAX: usize = 300;

/// What a path does natively.
#[derive(Clone, Debug)]
pub(super) struct Native {
    pub(super) end: End,
    /// The panic, if it fails.
    pub(super) panic: Option<Panic>,
    /// What mocks answered, as code, by their places among the parameters.
    pub(super) mocks: Vec<(usize, String)>,
}

/// Runs inputs of all kinds of paths of all tests; others of a kind do the same.
pub(super) fn run(
    bench: &Bench,
    plans: &[Plan],
    paths: &[Option<Paths>],
    sources: &mut Sources,
) -> Result<Vec<Vec<Native>>, Failure> {
    let inputs = |nth: usize| -> Vec<Input> {
        let Some(paths) = &paths[nth] else { return Vec::new() };
        let has_ended =
            |path: &usize| matches!(paths.all[*path].outcome, Outcome::Passed | Outcome::Failed(_));
        // One of each kind before others of it.
        let kinds = groups(paths);
        let some = (0..EACH_MAX).flat_map(|nth| kinds.iter().filter_map(move |kind| kind.get(nth)));
        let some = some.copied().filter(has_ended).take(INPUTS_MAX);
        let input = |path: usize| {
            let known = &paths.all[path];
            Input { path, values: known.values.clone(), answers: known.answers.clone() }
        };
        some.map(input).collect()
    };
    let edits = |plan: &Plan, nth: usize| -> Vec<Edit> {
        if paths[nth].is_none() {
            return Vec::new();
        }
        form::called(bench, plan, nth, &inputs(nth))
    };
    let program = build(bench, plans, &edits)?;
    let mut found = Vec::new();
    for (nth, plan) in plans.iter().enumerate() {
        let Some(paths) = &paths[nth] else {
            found.push(Vec::new());
            continue;
        };
        let unknown = Native { end: End::Unknown, panic: None, mocks: Vec::new() };
        let mut all = vec![unknown; paths.all.len()];
        if let Some(program) = &program {
            let names: Vec<(usize, String)> = inputs(nth)
                .iter()
                .filter_map(|Input { path, .. }| Some((*path, case(program, plan, nth, *path)?)))
                .collect();
            let only: Vec<String> = names.iter().map(|(_, name)| name.clone()).collect();
            let ran = program.run(&only, &[]);
            let panics = panics(&ran.stderr);
            let answered = answered(&ran.stderr);
            for (path, name) in names {
                let mocks = answered.get(&path).cloned().unwrap_or_default();
                let native = match ran.passed.get(&name) {
                    Some(true) => Native { end: End::Passes, panic: None, mocks },
                    Some(false) => {
                        let panic = panics.get(&name).cloned();
                        let end = panic.as_ref().map_or(End::Unknown, |panic| {
                            let (root, file) = (&bench.home.root, bench.file());
                            sources.end(root, &file, &bench.text, plan, panic)
                        });
                        Native { end, panic, mocks }
                    }
                    None => continue,
                };
                all[path] = native;
            }
        }
        let tried: Vec<usize> = inputs(nth).iter().map(|input| input.path).collect();
        for kind in groups(paths) {
            let known = kind.iter().filter(|path| all[**path].end != End::Unknown);
            let Some(known) = known.min_by_key(|path| all[**path].end == End::Passes) else {
                continue;
            };
            let native = all[*known].clone();
            for path in kind.into_iter().filter(|path| !tried.contains(path)) {
                all[path] = native.clone();
            }
        }
        // What ends otherwise in WebAssembly has other conditions natively.
        for (native, path) in all.iter_mut().zip(&paths.all) {
            let passes = path.outcome == Outcome::Passed;
            if passes != (native.end == End::Passes) {
                native.end = End::Unknown;
            }
        }
        if let Some(expected) = &plan.subject.panics {
            all.iter_mut().for_each(|native| native.end = turned(native, expected));
        }
        found.push(all);
    }
    Ok(found)
}

/// Paths of which a few speak for all: those that pass by kind, those that fail by place.
fn groups(paths: &Paths) -> Vec<Vec<usize>> {
    let place = |path: usize| match &paths.all[path].outcome {
        Outcome::Failed(failure) => Some((&failure.file, failure.line, failure.column)),
        _ => None,
    };
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for kind in paths.kinds() {
        let at = place(kind[0]);
        match groups.iter_mut().find(|known| at.is_some() && place(known[0]) == at) {
            Some(known) => known.extend(kind),
            None => groups.push(kind),
        }
    }
    groups
}

/// Runs the inputs of findings, and takes those back that do not end at the place that is told.
pub(super) fn confirm(
    bench: &Bench,
    plans: &[Plan],
    outcomes: &mut [Option<Decided>],
) -> Result<(), Failure> {
    let simpler = |outcome: &Option<Decided>| -> Vec<Input> {
        let findings = outcome.as_ref().map(|outcome| outcome.findings.as_slice());
        let findings = findings.unwrap_or_default().iter().enumerate();
        findings
            .filter(|(_, finding)| !finding.has_mocks)
            .map(|(path, finding)| {
                let values = finding.input.iter().map(|(_, value)| value.clone()).collect();
                Input { path, values, answers: None }
            })
            .collect()
    };
    let all: Vec<Vec<Input>> = outcomes.iter().map(simpler).collect();
    if all.iter().all(Vec::is_empty) {
        return Ok(());
    }
    let edits = |plan: &Plan, nth: usize| match all[nth].is_empty() {
        true => Vec::new(),
        false => form::called(bench, plan, nth, &all[nth]),
    };
    let program = build(bench, plans, &edits)?;
    for (nth, (plan, outcome)) in plans.iter().zip(outcomes).enumerate() {
        let Some(outcome) = outcome else { continue };
        for Input { path, .. } in &all[nth] {
            let finding = &mut outcome.findings[*path];
            let is_it = program.as_ref().is_some_and(|program| {
                let name = case(program, plan, nth, *path);
                let ran = program.run(name.as_slice(), &[]);
                let mut found = panics(&ran.stderr).into_values();
                found.any(|panic| {
                    (panic.file, panic.line) == (finding.panic.file.clone(), finding.panic.line)
                })
            });
            if !is_it {
                let values = finding.as_run.iter().cloned();
                finding.input.iter_mut().zip(values).for_each(|(known, value)| known.1 = value);
            }
        }
    }
    Ok(())
}

/// The test that runs an input, as the program calls it.
fn case(program: &Program, plan: &Plan, nth: usize, path: usize) -> Option<String> {
    let mut modules = plan.subject.path.clone();
    modules.pop();
    modules.push(form::case_name(nth, path));
    program.names(&modules.join("::")).first().cloned()
}

/// What the mocks of each path answered.
fn answered(said: &str) -> HashMap<usize, Vec<(usize, String)>> {
    let mut all: HashMap<usize, Vec<(usize, String)>> = HashMap::new();
    for (_, line) in said.lines().filter_map(|line| line.split_once(form::MOCK)) {
        let mut words = line.splitn(4, ' ').skip(1);
        let mut number = || words.next()?.parse::<usize>().ok();
        let (Some(path), Some(place)) = (number(), number()) else { continue };
        let code = words.next().and_then(|code| syn::parse_str::<syn::LitStr>(code).ok());
        if let Some(code) = code {
            all.entry(path).or_default().push((place, code.value()));
        }
    }
    all
}

/// What an end says of a test that expects a panic.
fn turned(native: &Native, expected: &Panics) -> End {
    let is_meant = |panic: &Panic| {
        expected.message.as_ref().is_none_or(|message| panic.message.contains(message))
    };
    match (native.end, &native.panic) {
        (End::Passes, _) => End::Assertion,
        (End::Unknown, _) => End::Unknown,
        (_, Some(panic)) if is_meant(panic) => End::Passes,
        _ => End::Assertion,
    }
}

/// Builds all of them; without those that do not compile, if some do not.
fn build(
    bench: &Bench,
    plans: &[Plan],
    edits: &dyn Fn(&Plan, usize) -> Vec<Edit>,
) -> Result<Option<Program>, Failure> {
    let mut is_wrong = vec![false; plans.len()];
    for _ in 0..=plans.len() {
        let only = |plan: &Plan, nth: usize| match is_wrong[nth] {
            true => Vec::new(),
            false => edits(plan, nth),
        };
        let (text, parts) = edited(bench, plans, &only);
        let wrong = match bench.program(&text)? {
            Ok(program) => return Ok(Some(program)),
            Err(wrong) => wrong,
        };
        let before = is_wrong.clone();
        for place in wrong.iter().flat_map(|wrong| &wrong.parts) {
            for (nth, (_, item)) in parts.iter().enumerate() {
                is_wrong[nth] |= place.start < item.end && item.start < place.end;
            }
        }
        if is_wrong == before {
            break;
        }
    }
    Ok(None)
}
