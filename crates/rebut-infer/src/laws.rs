//! Infers the laws of a type from the paths of its methods.
//!
//! A probe brings an object into a symbolic state, observes it, calls a method that changes it, and
//! observes it again. Each path of the probe describes how the new observations come from the old
//! ones and the arguments. [`infer`] looks for the laws that all paths have in common. It fills in the
//! templates of [`Claim`] with the observed slots (`candidates`), discards those that a known case
//! contradicts, and lets the solver prove the rest, path by path (`paths`). A claim that is not
//! true on all paths may be true where a condition on the old observations is; such a condition is
//! the guard of a [`Law`].
//!
//! Paths that no observation distinguishes look the same to all of this. The laws are then reduced
//! (`reduce`): a law that follows from the others, whatever the observations are, is dropped.
//! Finally `determinism` checks that observations determine observations. If two states that look
//! alike become two that do not, no observer shows some part of the state.
//!
//! Ideas: Tillmann, Chen and Schulte 2006 (paths and observers), Ernst et al. 2001 (templates that
//! cases refute).

mod candidates;
mod claim;
mod determinism;
#[cfg(test)]
mod evaluator;
mod instances;
#[cfg(test)]
mod oracle;
mod paths;
mod reduce;
mod view;

use rebut_choice::Tape;
use rebut_concolic::{Budget, Exploration, Limit, Loss, Machine, TypeName, explore};
use rebut_smt::Solver;

use candidates::Candidates;
use paths::Paths;
use reduce::Laws;

pub use claim::{Claim, Expr};
pub use determinism::NondeterministicPair;

/// When a slot is observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// An argument of the call, or of an observer.
    Argument,
    /// Before the call.
    Before,
    /// The result of the call itself.
    Call,
    /// After the call.
    After,
}

/// A slot of a probe: one observed value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// When it is observed.
    pub stage: Stage,
    /// The slot with the same observer on the other side of the call.
    pub twin: Option<u32>,
    /// The application of an observer that returns it, if it is not an argument or a result.
    pub shown_by: Option<Application>,
    /// Whether it is an argument of observers alone. A law about it is true of any value.
    pub is_free: bool,
}

/// An observer, applied to arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Application {
    /// The number of the observer.
    pub observer: usize,
    /// The slots of its arguments.
    pub arguments: Vec<u32>,
}

/// A law: if every guard is true before the call, the claim is true after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Law {
    /// The conditions before the call; all of them are required.
    pub guard: Vec<Claim>,
    /// The claim.
    pub claim: Claim,
    /// Whether the call may panic although the guard is true. The law is then about calls that do
    /// not panic.
    pub unless_it_panics: bool,
}

/// A panic of the call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PanicCase {
    /// The message of the panic.
    pub message: String,
    /// An input that causes it.
    pub tape: Tape,
    /// The number of paths with this panic.
    pub paths: usize,
}

/// An observer that panics on some paths, so that its value is unknown there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PanickingObserver {
    /// The slot.
    pub slot: u32,
    /// The message of the panic.
    pub message: String,
}

/// How far the laws are proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// All paths were explored.
    All,
    /// All paths of states with collections of at most this many elements were explored.
    UpTo(usize),
    /// The laws are true on this many paths; there are others.
    Held(usize),
}

/// The result of inference for one probe.
#[derive(Clone, Debug)]
pub struct Inferred {
    /// The laws of the call, the most general first.
    pub laws: Vec<Law>,
    /// The slots whose value after the call the laws determine in all cases.
    pub determined: Vec<u32>,
    /// The claims that are true in all states, in terms of the slots before the call.
    pub states: Vec<Claim>,
    /// The distinct panics.
    pub panics: Vec<PanicCase>,
    /// The exact condition for a panic, as a disjunction of guards; `None` if no guards express it.
    pub panics_if: Option<Vec<Vec<Claim>>>,
    /// Two states that look alike before the call, and not after it.
    pub nondeterminism: Option<NondeterministicPair>,
    /// Whether it is proved that there are no two such states.
    pub is_deterministic: bool,
    /// Observers that panic.
    pub panicking_observers: Vec<PanickingObserver>,
    /// Slots whose values cannot be observed.
    pub opaque: Vec<u32>,
    /// The types of the slots; `None` for slots without an observation.
    pub types: Vec<Option<TypeName>>,
    /// How far the laws are proved.
    pub proof: Proof,
    /// The number of paths, without those that an assumption rejects.
    pub paths: usize,
    /// The number of groups of paths that differ in which laws apply to them.
    pub groups: usize,
}

/// Explores a probe with collections that grow from one element to the budget's length, as long as
/// the next length is likely to fit into the budget's runs. So most probes end with all paths of
/// small states, and few with some paths of large ones.
#[must_use]
pub fn explore_growing(machine: &mut Machine, budget: &Budget) -> Exploration {
    let mut last: Option<Exploration> = None;
    let mut length = 1;
    loop {
        let grown = explore(machine, &Budget { length, ..budget.clone() }, &[]);
        let is_bounded = grown.limits.contains(&Limit::Lossy(Loss::Length(length)));
        if proof(&grown).is_none() {
            // Some paths of larger states are worth more than some paths of the smallest.
            return last.unwrap_or_else(|| explore(machine, budget, &[]));
        }
        let paths = grown.leaves.len();
        let growth =
            last.as_ref().map_or(2, |last| paths.div_ceil(last.leaves.len().max(1)).max(2));
        if !is_bounded || length >= budget.length || paths * growth > budget.runs {
            return grown;
        }
        length += 1;
        last = Some(grown);
    }
}

/// Infers the laws that all paths of a probe obey.
#[must_use]
pub fn infer(exploration: &mut Exploration, slots: &[Slot], solver: &mut Solver) -> Inferred {
    let sure = proof(exploration);
    let mut paths = Paths::new(exploration, slots, solver);
    let proof = sure.unwrap_or(Proof::Held(paths.len()));
    let candidates = Candidates::new(&mut paths, proof == Proof::All);
    let states = reduce::states(&mut paths, candidates.state_claims());
    let Laws { laws, panics_if, determined } = reduce::laws(&mut paths, &candidates, &states);
    let determinism = determinism::check(&mut paths, &laws, &states, panics_if.is_some());
    let groups = paths.groups(&laws);
    Inferred {
        laws,
        determined,
        states,
        panics: paths.panics(),
        panics_if,
        is_deterministic: determinism.is_proved,
        nondeterminism: determinism.nondeterminism,
        panicking_observers: paths.panicking_observers(),
        opaque: paths.opaque(),
        types: paths.types(),
        proof,
        paths: paths.len(),
        groups,
    }
}

/// Returns what an exploration proves, if anything.
fn proof(exploration: &Exploration) -> Option<Proof> {
    let mut proof = Proof::All;
    for limit in &exploration.limits {
        let Limit::Lossy(Loss::Length(most)) = limit else { return None };
        proof = Proof::UpTo(*most);
    }
    exploration.tree.is_complete().then_some(proof)
}
