//! Compiles tests and runs them natively before they are shown. Claims that do not compile or do
//! not hold there are dropped: `usize` has 64 bits natively, and collections are longer than those
//! that were explored.

use crate::check::native_run::{RejectionLimit, drop_reason, failing_tests, failure};
use crate::explore::request;
use crate::note::{DropReason, Note};
use crate::read::subject::Subject;
use crate::words;
use crate::write::test::LawTest;
use crate::write::{self, ClaimIndex};
use rebut_build::{NativePackage, TestPrograms};
use rebut_cli::arguments::Infer;
use rebut_cli::exit::{Exit, Failure};
use rebut_explore::problem;
use rebut_native::TestResult;
use rebut_report::ReportedInput;
use std::collections::BTreeMap;

/// The name of the module of tests while they are checked. The package may have a module with the
/// usual name.
const MODULE: &str = "rebut_inferred";

/// The largest number of builds. Each one is without the claims that failed in the one before.
/// Arbitrary. At the limit, the remaining tests are shown although they did not all pass together.
const ROUNDS_MAX: usize = 6;

/// Drops the claims that do not compile or hold, and returns notes about them.
///
/// # Errors
/// If the package does not build for another reason.
pub(crate) fn check_tests(
    arguments: &Infer,
    package: &str,
    subject: &Subject,
    tests: &mut Vec<LawTest>,
) -> Result<Vec<Note>, Failure> {
    let mut notes = Vec::new();
    for _ in 0..ROUNDS_MAX {
        if tests.is_empty() {
            break;
        }
        let (text, lines) = write::module(subject, MODULE, tests);
        let before = &subject.module.text[..subject.module.end];
        // If the module does not end with a whole line, the tests start in its last line.
        let is_whole = before.is_empty() || before.ends_with('\n');
        let offset = before.lines().count() - usize::from(!is_whole);
        let claim_at = |line: usize| {
            let line = line.checked_sub(offset + 1)?;
            lines.get(line).copied().flatten()
        };
        let request = request(arguments, package, subject, &text);
        let native = NativePackage::prepare(&request).map_err(problem)?;
        let built = native.build(&mut |_| {}).map_err(problem)?;
        let defects = if built.errors.is_empty() {
            failures(&native, &built, tests, &claim_at)?
        } else {
            compile_errors(&built, &claim_at)?
        };
        if defects.is_empty() {
            break;
        }
        apply(tests, defects, &mut notes);
    }
    Ok(notes)
}

/// A problem of a test.
enum Defect {
    /// It rejects many cases, and needs a higher limit.
    Rare { test: usize },
    /// A claim, or the test as a whole, must be dropped.
    Wrong { at: ClaimIndex, why: DropReason },
}

fn compile_errors(
    built: &TestPrograms,
    claim_at: &dyn Fn(usize) -> Option<ClaimIndex>,
) -> Result<Vec<Defect>, Failure> {
    let mut defects = Vec::new();
    for error in &built.errors {
        let Some(at) = error.spans.iter().find_map(|span| claim_at(span.line)) else {
            let message = format!("{}\n{}", error.rendered, words::not_built());
            return Err(Failure::new(Exit::Build, message));
        };
        defects.push(Defect::Wrong { at, why: DropReason::NotCompiled(error.message.clone()) });
    }
    Ok(defects)
}

/// Runs all tests. A test that rejects many cases is run once more with a higher limit before it is
/// dropped: it has to pass with any seed.
fn failures(
    native: &NativePackage,
    built: &TestPrograms,
    tests: &[LawTest],
    claim_at: &dyn Fn(usize) -> Option<ClaimIndex>,
) -> Result<Vec<Defect>, Failure> {
    let mut defects = Vec::new();
    for program in built.programs.values() {
        let all = [format!("{MODULE}::")];
        let strict = failing_tests(native, program, &all, RejectionLimit::Strict)?;
        let rare: Vec<String> = tests
            .iter()
            .filter(|test| test.is_rare)
            .map(|test| format!("{MODULE}::{}", test.name))
            .collect();
        let lenient = match rare.as_slice() {
            [] => BTreeMap::new(),
            names => failing_tests(native, program, names, RejectionLimit::OfTest)?,
        };
        for (nth, test) in tests.iter().enumerate() {
            let results = if test.is_rare { &lenient } else { &strict };
            let Some(result) = results.get(&test.name) else { continue };
            if matches!(result, TestResult::Rejected(_)) && !test.is_rare {
                defects.push(Defect::Rare { test: nth });
                continue;
            }
            let inputs = failure(result).map(|failure| failure.inputs.as_slice());
            let lines = inputs.unwrap_or_default().iter().filter_map(ReportedInput::line);
            let mut claims = lines.filter_map(claim_at);
            let at = claims.find(|at| at.test == nth);
            let at = at.unwrap_or(ClaimIndex { test: nth, claim: None });
            defects.push(Defect::Wrong { at, why: drop_reason(result) });
        }
    }
    Ok(defects)
}

/// Raises limits, drops claims, and drops tests without any.
fn apply(tests: &mut Vec<LawTest>, defects: Vec<Defect>, notes: &mut Vec<Note>) {
    let mut claims: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let mut whole_tests = Vec::new();
    for defect in defects {
        let (at, why) = match defect {
            Defect::Rare { test } => {
                tests[test].is_rare = true;
                continue;
            }
            Defect::Wrong { at, why } => (at, why),
        };
        let Some(test) = tests.get(at.test) else { continue };
        match at.claim {
            Some(claim) => {
                let dropped = claims.entry(at.test).or_default();
                if !dropped.contains(&claim) {
                    let text = test.claims[claim].statements.join(" ");
                    notes.push(Note::DroppedClaim { test: test.name.clone(), claim: text, why });
                    dropped.push(claim);
                }
            }
            None => {
                if !whole_tests.contains(&at.test) {
                    notes.push(Note::DroppedTest { test: test.name.clone(), why });
                    whole_tests.push(at.test);
                }
            }
        }
    }
    for (test, dropped) in claims {
        let mut indices = 0..;
        tests[test].claims.retain(|_| indices.next().is_some_and(|n| !dropped.contains(&n)));
    }
    let mut indices = 0..;
    tests.retain(|test| {
        let is_dropped = indices.next().is_some_and(|n| whole_tests.contains(&n));
        !is_dropped && !test.claims.is_empty()
    });
}
