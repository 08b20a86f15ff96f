//! Compares how each path ended in WebAssembly with how its input ends natively.
//!
//! A path stands for all inputs that take it, so a proof needs that the native program does on each
//! path what the module did: it ends in the same way, and makes the same choices. The choices are
//! compared by their digest, which has their domains: a `usize` that is drawn from 32 bits in the
//! module and from 64 natively differs there. Other differences are not seen here; they are tracked
//! by [`Doubt`](rebut_concolic::Doubt)s.

use rebut_concolic::{Exploration, Leaf, Outcome, Verdict};
use rebut_report::ReplayedInput;

/// The maximum number of paths whose inputs run natively.
///
/// The default of `--runs`, so that all paths run unless a user asks for more. Measured: 5,000
/// inputs of a small test take 0.02 CPU seconds, with their events. Of more paths, as many as this
/// run, evenly spread, and the verdict says so.
const PATHS_MAX: usize = 10_000;

/// An input that ends differently natively.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Divergence {
    /// The path.
    pub(crate) leaf: usize,
    /// How it ended in the module.
    pub(crate) explored: String,
    /// How it ended natively.
    pub(crate) native: String,
    /// Its input as code; empty if it cannot be shown.
    pub(crate) input: String,
}

/// The native runs of the paths.
#[derive(Clone, Debug, Default)]
pub(crate) struct NativePaths {
    /// The number of paths that ran.
    pub(crate) ran: usize,
    /// The first path that was to run and did not, because others ended the process.
    pub(crate) not_run: Option<usize>,
    /// The paths that ended differently.
    pub(crate) divergences: Vec<Divergence>,
}

impl NativePaths {
    /// Returns whether a path ran and ended alike.
    pub(crate) fn agrees_on(&self, leaf: usize) -> bool {
        self.ran > 0
            && self.not_run.is_none_or(|not_run| leaf < not_run)
            && self.divergences.iter().all(|divergence| divergence.leaf != leaf)
    }
}

/// Returns the paths to run natively. A run that used up its budget, or met something that does not
/// exist in WebAssembly, has no counterpart.
pub(crate) fn paths_to_run(exploration: &Exploration) -> Vec<usize> {
    let has_counterpart = |leaf: &Leaf| {
        !matches!(
            leaf.outcome,
            Outcome::Exhausted
                | Outcome::Unsupported(_)
                | Outcome::Misuse(_)
                | Outcome::Internal(_)
        )
    };
    let leaves = exploration.leaves.iter().enumerate();
    let all: Vec<usize> =
        leaves.filter(|(_, leaf)| has_counterpart(leaf)).map(|(nth, _)| nth).collect();
    let mut paths = spread(&all, PATHS_MAX);
    if let Verdict::Found(found) = exploration.verdict
        && let Err(at) = paths.binary_search(&found)
    {
        paths.insert(at, found);
    }
    paths
}

/// Returns at most this many items, evenly spread.
fn spread(items: &[usize], count: usize) -> Vec<usize> {
    if items.len() <= count {
        return items.to_vec();
    }
    (0..count).filter_map(|nth| items.get(nth * items.len() / count).copied()).collect()
}

/// Returns how a path differs natively; `None` if it does not. A failure natively is a failure of the
/// test wherever it is, so two failures do not differ.
///
/// With summaries, a path may have a result that the function does not return natively. Then only a
/// failure that natively is none says something: the summary may be too weak.
pub(crate) fn divergence(
    nth: usize,
    leaf: &Leaf,
    native: &ReplayedInput,
    uses_summaries: bool,
) -> Option<Divergence> {
    let divergence = |native: String| {
        let explored = outcome(&leaf.outcome);
        Some(Divergence { leaf: nth, explored, native, input: String::new() })
    };
    if uses_summaries && !matches!(leaf.outcome, Outcome::Failed(_)) {
        return None;
    }
    let ends_alike = match &leaf.outcome {
        Outcome::Passed => native.outcome == "passed",
        Outcome::Found => native.outcome == "found",
        // The body of a failure may unwind, and draw on its way.
        Outcome::Failed(_) if native.outcome == "failed" => return None,
        Outcome::Failed(_) => false,
        Outcome::Rejected(_) => matches!(native.outcome.as_str(), "rejected" | "too-large"),
        _ => true,
    };
    if !ends_alike {
        return divergence(ended(native));
    }
    let is_same = native.digest == format!("{:016x}", leaf.tape.digest());
    if is_same {
        return None;
    }
    divergence(format!("{}, but generates from other ranges or in another order", ended(native)))
}

/// Returns how an explored path ended, as a verb.
fn outcome(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Passed => "passes".to_owned(),
        Outcome::Found => "matches".to_owned(),
        Outcome::Rejected(_) => "is rejected".to_owned(),
        Outcome::Failed(failure) => format!("fails ({})", rebut_report::one_line(&failure.message)),
        Outcome::Exhausted => "takes too long".to_owned(),
        Outcome::Unsupported(what) | Outcome::Misuse(what) | Outcome::Internal(what) => {
            what.clone()
        }
    }
}

/// Returns how a native run ended, as a verb.
fn ended(native: &ReplayedInput) -> String {
    let why = native.why.as_deref().map(rebut_report::one_line).unwrap_or_default();
    match native.outcome.as_str() {
        "passed" => "passes".to_owned(),
        "found" => "matches".to_owned(),
        "rejected" => format!("is rejected ({why})"),
        "too-large" => "is rejected (it grew too large)".to_owned(),
        "failed" => format!("fails ({why})"),
        other => format!("ends with `{other}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebut_choice::Tape;

    fn leaf(outcome: Outcome) -> Leaf {
        let tape = Tape::from_text("i7").expect("a tape");
        Leaf { tape, outcome, covered: Vec::new(), observations: Vec::new(), inputs: Vec::new() }
    }

    fn native(outcome: &str, digest: u64) -> ReplayedInput {
        let mut native = ReplayedInput::default();
        (native.outcome, native.digest) = (outcome.to_owned(), format!("{digest:016x}"));
        native
    }

    #[test]
    fn an_input_that_ends_differently_diverges() {
        let failed = || {
            let (message, file) = ("too much".to_owned(), "src/lib.rs".to_owned());
            Outcome::Failed(rebut_concolic::Failure { message, file, line: 3, column: 9 })
        };
        let rejected = || Outcome::Rejected("n > 3".to_owned());
        let digest = leaf(Outcome::Passed).tape.digest();
        for (explored, ended, is_same) in [
            (Outcome::Passed, "passed", true),
            (Outcome::Passed, "failed", false),
            (Outcome::Passed, "rejected", false),
            (Outcome::Found, "found", true),
            (Outcome::Found, "passed", false),
            (rejected(), "rejected", true),
            (rejected(), "too-large", true),
            (rejected(), "passed", false),
            (failed(), "failed", true),
            (failed(), "passed", false),
            (failed(), "rejected", false),
        ] {
            let divergence = divergence(0, &leaf(explored.clone()), &native(ended, digest), false);
            assert_eq!(divergence.is_none(), is_same, "{explored:?}, natively {ended}");
        }
    }

    #[test]
    fn an_input_that_draws_differently_diverges() {
        let explored = leaf(Outcome::Passed);
        let other = native("passed", explored.tape.digest() ^ 1);
        let found = divergence(4, &explored, &other, false).expect("a divergence");
        assert_eq!((found.leaf, found.explored.as_str()), (4, "passes"));
        assert_eq!(found.native, "passes, but generates from other ranges or in another order");
        assert_eq!(divergence(4, &explored, &other, true), None, "a summary stands in");
    }

    #[test]
    fn a_sample_of_the_paths_is_spread_evenly() {
        let all: Vec<usize> = (0..10).collect();
        assert_eq!(spread(&all, 10), all);
        assert_eq!(spread(&all, 5), [0, 2, 4, 6, 8]);
        assert_eq!(spread(&all, 3), [0, 3, 6]);
    }
}
