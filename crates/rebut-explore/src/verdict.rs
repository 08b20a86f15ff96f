//! The verdict on a test, computed once. The text, JSON, the report, the events and the exit code all
//! derive from it, so they cannot contradict each other.
//!
//! "Proved" is about the native program. An exploration alone proves nothing about it: the test is
//! proved if the native program tried all inputs, or if all paths were explored, the native program
//! ends alike on each, and nothing that the runs met differs between the two ([`Reason`]).

use crate::agreement::NativePaths;
use crate::reason::{Reason, counted};
use rebut_cli::exit::Exit;
use rebut_concolic::{Description, Exploration};
use rebut_native::{Failure, PropertyRun};
use rebut_protocol::verdicts::VerdictCode;

/// The verdict on a test.
#[derive(Clone, Debug)]
pub(crate) enum Verdict {
    /// It is true for all inputs.
    Proved(Evidence),
    /// It looks for an input, and there is none.
    Absent(Evidence),
    /// All paths were explored and pass, but the test is not proved for these reasons.
    Passed(Vec<Reason>),
    /// It fails natively: one failure for each cause.
    Failed(Vec<Failure>),
    /// It looks for an input, and one matches natively.
    Found,
    /// It rejects the input on every path.
    Vacuous,
    /// Neither proved nor failing, for these reasons.
    Unknown(Vec<Reason>),
}

/// The reason why a test is proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Evidence {
    /// All inputs were tried natively.
    Inputs(u64),
    /// All paths were explored, and the inputs of `native` paths ended alike natively.
    Paths { explored: usize, native: usize },
}

/// The native runs of a test.
#[derive(Debug, Default)]
pub(crate) struct NativeRuns {
    /// The run before the exploration; `None` if it had no result.
    pub(crate) before: Option<PropertyRun>,
    /// The failures, one for each cause.
    pub(crate) failures: Vec<Failure>,
    /// The runs after the exploration.
    pub(crate) paths: NativePaths,
}

impl NativeRuns {
    /// Returns the verdict of the run before the exploration; `None` if it decides nothing.
    pub(crate) fn verdict(&self, description: &Description) -> Option<Verdict> {
        let before = self.before.as_ref()?;
        match before.code? {
            _ if !self.failures.is_empty() => Some(Verdict::Failed(self.failures.clone())),
            VerdictCode::Proved => Some(Verdict::Proved(Evidence::Inputs(before.cases))),
            VerdictCode::Exists if description.is_exists => Some(Verdict::Found),
            _ => None,
        }
    }

    fn has_valid_cases(&self) -> bool {
        self.before.as_ref().is_some_and(|before| before.cases > 0)
    }
}

impl Verdict {
    /// Computes the verdict of an explored test.
    pub(crate) fn of(
        description: &Description,
        exploration: &Exploration,
        native: &NativeRuns,
        sees_all_calls: bool,
    ) -> Verdict {
        if !native.failures.is_empty() {
            return Verdict::Failed(native.failures.clone());
        }
        if let Some(decided) = native.verdict(description) {
            return decided;
        }
        let reasons = Reason::list(exploration, &native.paths, sees_all_calls);
        let diverges = matches!(reasons.first(), Some(Reason::Divergence(_)));
        let (explored, ran) = (exploration.leaves.len(), native.paths.ran);
        let evidence = Evidence::Paths { explored, native: ran };
        match &exploration.verdict {
            rebut_concolic::Verdict::Found(leaf)
                if description.is_exists && native.paths.agrees_on(*leaf) =>
            {
                Verdict::Found
            }
            rebut_concolic::Verdict::Vacuous if !native.has_valid_cases() && !diverges => {
                Verdict::Vacuous
            }
            rebut_concolic::Verdict::Holds if reasons.is_empty() && description.is_exists => {
                Verdict::Absent(evidence)
            }
            rebut_concolic::Verdict::Holds if reasons.is_empty() => Verdict::Proved(evidence),
            rebut_concolic::Verdict::Holds if !diverges && !description.is_exists => {
                Verdict::Passed(reasons)
            }
            _ => Verdict::Unknown(reasons),
        }
    }

    /// Returns the reasons why the test is not proved, the most important one first.
    pub(crate) fn reasons(&self) -> &[Reason] {
        match self {
            Verdict::Passed(reasons) | Verdict::Unknown(reasons) => reasons,
            _ => &[],
        }
    }

    /// Returns the failures.
    pub(crate) fn failures(&self) -> &[Failure] {
        if let Verdict::Failed(failures) = self { failures } else { &[] }
    }

    /// Returns whether `cargo test` would fail, or the test says nothing.
    fn is_refuted(&self) -> bool {
        matches!(self, Verdict::Failed(_) | Verdict::Absent(_) | Verdict::Vacuous)
    }

    /// Returns whether the test is true.
    pub(crate) fn is_true(&self) -> bool {
        matches!(self, Verdict::Proved(_) | Verdict::Found)
    }

    /// Returns the exit code of a command that has only this test.
    pub(crate) fn exit(&self, requires_proof: bool) -> Exit {
        match self {
            _ if self.is_refuted() => Exit::Failed,
            _ if self.is_true() => Exit::Success,
            _ => undecided(requires_proof),
        }
    }

    /// Returns its word in JSON.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Verdict::Proved(_) => "proved",
            Verdict::Absent(_) => "absent",
            Verdict::Passed(_) => "passed",
            Verdict::Failed(_) => "fails",
            Verdict::Found => "found",
            Verdict::Vacuous => "vacuous",
            Verdict::Unknown(_) => "unknown",
        }
    }

    /// Returns its code in events.
    pub(crate) fn code(&self) -> &'static str {
        let code = match self {
            Verdict::Proved(_) => VerdictCode::Proved,
            Verdict::Absent(_) => VerdictCode::NotFound,
            Verdict::Passed(_) => VerdictCode::Passed,
            Verdict::Failed(_) => VerdictCode::Failed,
            Verdict::Found => VerdictCode::Exists,
            Verdict::Vacuous => VerdictCode::Vacuous,
            // Only explorations have it, so it is not among the codes of runs.
            Verdict::Unknown(_) => return "unknown",
        };
        code.as_str()
    }

    /// Returns the verdict as a sentence. `paths` is the number of explored paths; `None` if the
    /// test was not explored.
    pub(crate) fn sentence(&self, description: &Description, paths: Option<usize>) -> String {
        let in_paths = match paths {
            Some(paths) => format!("in {}", counted(paths, "path")),
            None => "natively".to_owned(),
        };
        let count = paths.unwrap_or_default();
        let all = match count {
            1 => "its only path".to_owned(),
            _ => format!("all {count} paths"),
        };
        let because = |reasons: &[Reason]| match reasons.first() {
            Some(reason) => format!("; not proved, because {}", reason.words()),
            None => String::new(),
        };
        match self {
            Verdict::Proved(evidence) => format!("proved: {}", evidence.words()),
            Verdict::Absent(evidence) => {
                format!("proved: no such input exists; {}", evidence.words())
            }
            Verdict::Passed(reasons) => format!("passed on {all}{}", because(reasons)),
            Verdict::Failed(failures) => {
                let count = failures.iter().map(|one| one.inputs.len().max(1)).sum();
                format!("failed ({} {in_paths})", counted(count, "failure"))
            }
            Verdict::Found => {
                format!("found a matching input {in_paths}")
            }
            Verdict::Vacuous => format!("vacuous: the test rejects the input on {all}"),
            Verdict::Unknown(reasons) => {
                let what = if description.is_exists { "match" } else { "failure" };
                let paths = counted(count, "path");
                format!("unknown: no {what} on {paths}{}", stopped(reasons, because(reasons)))
            }
        }
    }
}

/// Returns the end of the sentence of an unknown verdict: all limits, if these are the main reason.
fn stopped(reasons: &[Reason], because: String) -> String {
    let limits: Vec<String> =
        reasons.iter().filter(|one| is_limit(one)).map(Reason::words).collect();
    match reasons.first() {
        Some(Reason::Limit(_)) => format!("; stopped because {}", limits.join("; ")),
        Some(_) => because,
        None => "; stopped because some paths were not explored".to_owned(),
    }
}

fn is_limit(reason: &Reason) -> bool {
    matches!(reason, Reason::Limit(_))
}

impl Verdict {
    /// Returns the reasons that the sentence does not contain.
    pub(crate) fn further_reasons(&self) -> impl Iterator<Item = &Reason> {
        let reasons = self.reasons();
        let leads_with_limits =
            matches!(self, Verdict::Unknown(_)) && reasons.first().is_some_and(is_limit);
        reasons.iter().skip(1).filter(move |reason| !leads_with_limits || !is_limit(reason))
    }
}

impl Evidence {
    fn words(self) -> String {
        match self {
            Evidence::Inputs(1) => "its only input was tried natively".to_owned(),
            Evidence::Inputs(inputs) => format!("all {inputs} inputs were tried natively"),
            Evidence::Paths { explored, native } => {
                let all = match explored {
                    1 => "its only path was explored".to_owned(),
                    _ => format!("all {explored} paths were explored"),
                };
                match native < explored {
                    true => format!("{all}, and {native} of them ran natively"),
                    false => all,
                }
            }
        }
    }
}

/// Returns the exit code for a test that is neither proved nor failing.
pub(crate) fn undecided(requires_proof: bool) -> Exit {
    if requires_proof { Exit::Inconclusive } else { Exit::Success }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agreement::Divergence;
    use rebut_choice::Tape;
    use rebut_concolic::{Doubt, Leaf, Limit, Outcome};
    use rebut_native::TestResult;
    use rebut_smt::Pool;

    fn description() -> Description {
        Description {
            path: "a::b".to_owned(),
            file: "src/a.rs".to_owned(),
            line: 1,
            is_exists: false,
            is_not_exists: false,
            has_specification: false,
            should_panic: false,
            is_ignored: false,
        }
    }

    /// An exploration whose only path passes.
    fn exploration() -> Exploration {
        let leaf = Leaf {
            tape: Tape::default(),
            outcome: Outcome::Passed,
            covered: Vec::new(),
            observations: Vec::new(),
            inputs: Vec::new(),
        };
        Exploration::from_all_runs(Pool::default(), vec![(Vec::new(), leaf)])
    }

    fn native() -> NativeRuns {
        let paths = NativePaths { ran: 1, ..NativePaths::default() };
        NativeRuns { paths, ..NativeRuns::default() }
    }

    fn divergence() -> Divergence {
        let (explored, native) = ("passes".to_owned(), "is rejected".to_owned());
        Divergence { leaf: 0, explored, native, input: "`let n: u8 = 3`".to_owned() }
    }

    /// The sentence of a verdict on an exploration with these changes.
    fn sentence(change: impl FnOnce(&mut Exploration, &mut NativeRuns)) -> String {
        let (mut exploration, mut native) = (exploration(), native());
        change(&mut exploration, &mut native);
        let verdict = Verdict::of(&description(), &exploration, &native, true);
        verdict.sentence(&description(), Some(exploration.leaves.len()))
    }

    #[test]
    fn a_test_without_a_doubt_is_proved() {
        assert_eq!(sentence(|_, _| ()), "proved: its only path was explored");
    }

    #[test]
    fn every_single_reason_prevents_a_proof() {
        let changes: [fn(&mut Exploration, &mut NativeRuns); 6] = [
            |exploration, _| exploration.doubts = [Doubt::NanBits].into(),
            |exploration, _| exploration.assumes_hashes = true,
            |exploration, _| exploration.assumed.push("a_summary".to_owned()),
            |exploration, _| exploration.limits.push(Limit::Runs(3)),
            |_, native| native.paths.divergences.push(divergence()),
            |_, native| native.paths.not_run = Some(0),
        ];
        for change in changes {
            let sentence = sentence(change);
            assert!(!sentence.starts_with("proved"), "{sentence}");
        }
        let unseen = Verdict::of(&description(), &exploration(), &native(), false);
        assert!(matches!(unseen, Verdict::Passed(_)), "{unseen:?}");
    }

    #[test]
    fn a_divergence_makes_a_verdict_unknown_and_shows_the_input() {
        assert_eq!(
            sentence(|_, native| native.paths.divergences.push(divergence())),
            "unknown: no failure on 1 path; not proved, because `let n: u8 = 3` passes in the \
             explored build, and natively is rejected"
        );
    }

    #[test]
    fn the_native_run_decides_before_the_exploration() {
        let before = |code, cases| PropertyRun {
            code: Some(code),
            cases,
            witness: None,
            result: TestResult::Passed,
        };
        let proved = sentence(|exploration, native| {
            native.before = Some(before(VerdictCode::Proved, 256));
            exploration.limits.push(Limit::Runs(3));
        });
        assert_eq!(proved, "proved: all 256 inputs were tried natively");
        let failed = sentence(|_, native| native.failures.push(Failure::default()));
        assert_eq!(failed, "failed (1 failure in 1 path)");
    }

    #[test]
    fn a_test_that_accepted_inputs_natively_is_not_vacuous() {
        let vacuous = |cases| {
            sentence(|exploration, native| {
                exploration.verdict = rebut_concolic::Verdict::Vacuous;
                let (code, witness) = (Some(VerdictCode::Passed), None);
                let result = TestResult::Passed;
                native.before = Some(PropertyRun { code, cases, witness, result });
            })
        };
        assert!(vacuous(0).starts_with("vacuous"), "{}", vacuous(0));
        assert!(vacuous(7).starts_with("unknown"), "{}", vacuous(7));
    }

    #[test]
    fn words_codes_and_exits_agree() {
        let evidence = Evidence::Inputs(3);
        let all = [
            (Verdict::Proved(evidence), "proved", "proved", Exit::Success),
            (Verdict::Absent(evidence), "absent", "R008", Exit::Failed),
            (Verdict::Passed(Vec::new()), "passed", "passed", Exit::Inconclusive),
            (Verdict::Failed(Vec::new()), "fails", "R001", Exit::Failed),
            (Verdict::Found, "found", "exists", Exit::Success),
            (Verdict::Vacuous, "vacuous", "R003", Exit::Failed),
            (Verdict::Unknown(Vec::new()), "unknown", "unknown", Exit::Inconclusive),
        ];
        for (verdict, word, code, exit) in all {
            assert_eq!((verdict.word(), verdict.code()), (word, code));
            assert_eq!(verdict.exit(true), exit, "{word}");
        }
    }
}
