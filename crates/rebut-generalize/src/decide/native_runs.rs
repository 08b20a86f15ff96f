//! Runs inputs of paths natively, because only native ends count. In one build, each input of a
//! path is a test.

use crate::decide::drafts::Decision;
use crate::decide::path_end::{PanicSources, PathEnd};
use crate::explore::build_variants::build_compiling;
use crate::explore::paths::ExploredPaths;
use crate::explore::variants::{self, PathInput};
use crate::package::edit::Edit;
use crate::package::edited_package::EditedPackage;
use crate::package::notes::{CaseId, Panic};
use crate::package::test_program::TestProgram;
use crate::plan::Plan;
use crate::read::unit_test::ExpectedPanic;
use rebut_cli::exit::Failure;
use rebut_concolic::Outcome;
use rebut_native::TestName;

/// Run at most this many inputs per kind of path. The other paths of the kind are assumed to end
/// alike. Arbitrary.
const PATHS_OF_KIND_MAX: usize = 3;
/// Run at most this many inputs of a test. Each is a function to compile. Further paths are assumed
/// to end like others of their kind, or are undecided. Arbitrary.
const INPUTS_MAX: usize = 300;

/// How a path ends natively.
#[derive(Clone, Debug)]
pub(crate) struct NativeRun {
    pub(crate) end: PathEnd,
    /// The panic, if it fails.
    pub(crate) panic: Option<Panic>,
    /// The answers of mocks, as code, by the index of the parameter.
    pub(crate) mocks: Vec<(usize, String)>,
}

/// Runs inputs of all kinds of paths of all tests. Returns a run for each path of each plan; for a
/// path that was not run, that of another path of its kind.
pub(crate) fn run_paths(
    package: &EditedPackage,
    plans: &[Plan],
    paths: &[Option<ExploredPaths>],
    sources: &mut PanicSources,
) -> Result<Vec<Vec<NativeRun>>, Failure> {
    let inputs = |nth: usize| -> Vec<PathInput> {
        let Some(paths) = &paths[nth] else { return Vec::new() };
        let has_ended =
            |path: &usize| matches!(paths.all[*path].outcome, Outcome::Passed | Outcome::Failed(_));
        // The first path of each kind comes before second ones.
        let kinds = groups(paths);
        let some = (0..PATHS_OF_KIND_MAX)
            .flat_map(|nth| kinds.iter().filter_map(move |kind| kind.get(nth)));
        let some = some.copied().filter(has_ended).take(INPUTS_MAX);
        let input = |path: usize| {
            let known = &paths.all[path];
            PathInput { path, values: known.values.clone(), answers: known.answers.clone() }
        };
        some.map(input).collect()
    };
    let edits = |plan: &Plan, nth: usize| -> Vec<Edit> {
        if paths[nth].is_none() {
            return Vec::new();
        }
        variants::case_edits(package, plan, nth, &inputs(nth))
    };
    let program = build_compiling(package, plans, &edits)?;
    let mut found = Vec::new();
    for (nth, plan) in plans.iter().enumerate() {
        let Some(paths) = &paths[nth] else {
            found.push(Vec::new());
            continue;
        };
        let unknown = NativeRun { end: PathEnd::Unknown, panic: None, mocks: Vec::new() };
        let mut all = vec![unknown; paths.all.len()];
        if let Some(program) = &program {
            let case = |input: &PathInput| case_test(program, plan, nth, input.path);
            let cases: Vec<(CaseId, TestName)> = inputs(nth).iter().filter_map(case).collect();
            for (case, run) in program.run_cases(&cases)?.cases {
                let end = match (run.passed, &run.panic) {
                    (Some(true), _) => PathEnd::Passes,
                    (Some(false), Some(panic)) => {
                        let (root, file) = (&package.home.root, package.file());
                        sources.end_of(root, &file, &package.text, plan, panic)
                    }
                    (Some(false), None) => PathEnd::Unknown,
                    (None, _) => continue,
                };
                let panic = run.panic.filter(|_| end != PathEnd::Passes);
                all[case.path] = NativeRun { end, panic, mocks: run.mocks };
            }
        }
        let tried: Vec<usize> = inputs(nth).iter().map(|input| input.path).collect();
        for kind in groups(paths) {
            let known = kind.iter().filter(|path| all[**path].end != PathEnd::Unknown);
            let Some(known) = known.min_by_key(|path| all[**path].end == PathEnd::Passes) else {
                continue;
            };
            let native = all[*known].clone();
            for path in kind.into_iter().filter(|path| !tried.contains(path)) {
                all[path] = native.clone();
            }
        }
        // If the native end differs, the native path has other conditions.
        for (native, path) in all.iter_mut().zip(&paths.all) {
            let passes = path.outcome == Outcome::Passed;
            if passes != (native.end == PathEnd::Passes) {
                native.end = PathEnd::Unknown;
            }
        }
        if let Some(expected) = &plan.unit_test.panics {
            all.iter_mut().for_each(|native| native.end = end_if_expected(native, expected));
        }
        found.push(all);
    }
    Ok(found)
}

/// Groups paths that are assumed to end alike: passing ones by kind, failing ones by location.
fn groups(paths: &ExploredPaths) -> Vec<Vec<usize>> {
    let location = |path: usize| match &paths.all[path].outcome {
        Outcome::Failed(failure) => Some((&failure.file, failure.line, failure.column)),
        _ => None,
    };
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for kind in paths.kinds() {
        let at = location(kind[0]);
        match groups.iter_mut().find(|known| at.is_some() && location(known[0]) == at) {
            Some(known) => known.extend(kind),
            None => groups.push(kind),
        }
    }
    groups
}

/// Runs the readable inputs of findings. If one does not panic at the location of the finding, the
/// input that was run before replaces it.
pub(crate) fn confirm_findings(
    package: &EditedPackage,
    plans: &[Plan],
    decisions: &mut [Option<Decision>],
) -> Result<(), Failure> {
    let readable = |decision: &Option<Decision>| -> Vec<PathInput> {
        let findings = decision.as_ref().map(|decision| decision.findings.as_slice());
        let findings = findings.unwrap_or_default().iter().enumerate();
        findings
            .filter(|(_, finding)| !finding.has_mocks)
            .map(|(path, finding)| {
                let values = finding.input.iter().map(|(_, value)| value.clone()).collect();
                PathInput { path, values, answers: None }
            })
            .collect()
    };
    let all: Vec<Vec<PathInput>> = decisions.iter().map(readable).collect();
    if all.iter().all(Vec::is_empty) {
        return Ok(());
    }
    let edits = |plan: &Plan, nth: usize| match all[nth].is_empty() {
        true => Vec::new(),
        false => variants::case_edits(package, plan, nth, &all[nth]),
    };
    let program = build_compiling(package, plans, &edits)?;
    for (nth, (plan, decision)) in plans.iter().zip(decisions).enumerate() {
        let Some(decision) = decision else { continue };
        for PathInput { path, .. } in &all[nth] {
            let finding = &mut decision.findings[*path];
            let case = program
                .as_ref()
                .and_then(|program| Some((program, case_test(program, plan, nth, *path)?)));
            let is_confirmed = match case {
                Some((program, case)) => {
                    let cases = program.run_cases(&[case])?.cases;
                    let mut panics = cases.into_values().filter_map(|run| run.panic);
                    panics.any(|panic| {
                        let found = &finding.panic;
                        (&panic.file, panic.line) == (&found.file, found.line)
                    })
                }
                None => false,
            };
            if !is_confirmed {
                let values = finding.values_run.iter().cloned();
                finding.input.iter_mut().zip(values).for_each(|(known, value)| known.1 = value);
            }
        }
    }
    Ok(())
}

/// Returns the test that runs an input, if the program has it.
fn case_test(
    program: &TestProgram,
    plan: &Plan,
    nth: usize,
    path: usize,
) -> Option<(CaseId, TestName)> {
    let case = CaseId { plan: nth, path };
    let mut modules = plan.unit_test.path.clone();
    modules.pop();
    modules.push(variants::case_name(case));
    let name = program.names(&modules.join("::")).first().cloned()?;
    Some((case, name))
}

/// Returns the end of a path of a test that expects a panic.
fn end_if_expected(native: &NativeRun, expected: &ExpectedPanic) -> PathEnd {
    let is_expected = |panic: &Panic| {
        expected.message.as_ref().is_none_or(|message| panic.message.contains(message))
    };
    match (native.end, &native.panic) {
        (PathEnd::Passes, _) => PathEnd::Assertion,
        (PathEnd::Unknown, _) => PathEnd::Unknown,
        (_, Some(panic)) if is_expected(panic) => PathEnd::Passes,
        _ => PathEnd::Assertion,
    }
}
