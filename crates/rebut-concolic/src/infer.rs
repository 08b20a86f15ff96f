//! Laws of a type, from the paths of its methods.
//!
//! A probe brings an object into a symbolic state, observes it, calls a method that changes it
//! and observes it again. Each path of the probe is a description of how the new observations
//! come from the old ones and the arguments. [`infer`] looks for what all of these paths have in
//! common: it fills in the templates of [`Claim`] with what was observed, throws away what some
//! known case contradicts, and asks the solver for the rest, path by path. What is not so on all
//! paths may be so on those where a condition on the old observations holds; such a
//! condition is the guard of a [`Law`].
//!
//! Paths that no observation tells apart are alike to all of this. What is left over is reduced:
//! a law that follows from the others, whatever the observations are, is dropped.
//! And it is checked that observations determine observations (`steady`): where two states that
//! look alike become two that do not, there is something that no observer shows.
//!
//! Ideas: Tillmann, Chen and Schulte 2006 (paths, observers), Ernst et al. 2001 (templates that
//! cases refute).

mod candidates;
mod claim;
mod instances;
#[cfg(test)]
mod oracle;
mod paths;
mod reduce;
mod render;
mod steady;
mod view;

use rebut_choice::Tape;
use rebut_smt::Solver;

use crate::explore::{Budget, Exploration, Limit, explore};
use crate::machine::Machine;
use crate::trace::Loss;
use candidates::Candidates;
use paths::Paths;
use reduce::Laws;

pub use claim::{Claim, Expr};
pub use render::Names;
pub use steady::Unsteady;

/// When something is observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// An argument of the call, or of an observer.
    Argument,
    /// Before the call.
    Before,
    /// What the call itself gives.
    Call,
    /// After the call.
    After,
}

/// What a slot of a probe is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// When it is observed.
    pub stage: Stage,
    /// The slot with the same observer before the call, or after it.
    pub twin: Option<u32>,
    /// What shows it, if it is an observer.
    pub shown_by: Option<Application>,
    /// Whether it is an argument of observers alone: what is so of it is so of any value.
    pub is_free: bool,
}

/// An observer, and what it is applied to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Application {
    /// The observer, by a number.
    pub observer: usize,
    /// The slots of its arguments.
    pub arguments: Vec<u32>,
}

/// What is so whenever something else is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Law {
    /// All of these, before the call.
    pub guard: Vec<Claim>,
    /// What is so then.
    pub claim: Claim,
    /// Whether the call may panic though the guard holds, so that the law is one of calls that do
    /// not.
    pub unless_it_panics: bool,
}

/// How a call panics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panicking {
    /// What it says.
    pub message: String,
    /// An input that makes it panic.
    pub tape: Tape,
    /// How many paths do.
    pub paths: usize,
}

/// An observer that panics, so that what it shows is not known on all paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partial {
    /// The slot.
    pub slot: u32,
    /// What it says.
    pub message: String,
}

/// How sure the laws are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// All paths were explored.
    All,
    /// All paths of states with collections of at most so many elements were.
    UpTo(usize),
    /// They held on so many paths; there are others.
    Held(usize),
}

/// What was inferred from a probe.
#[derive(Clone, Debug)]
pub struct Inferred {
    /// What the call does, the most general first.
    pub laws: Vec<Law>,
    /// The slots of which the laws say in all cases what they are after the call.
    pub determined: Vec<u32>,
    /// What is so in all states, by the slots before the call.
    pub states: Vec<Claim>,
    /// The ways to panic.
    pub panics: Vec<Panicking>,
    /// The calls that panic: one of these guards holds. Nothing if no guard tells exactly.
    pub panics_if: Option<Vec<Vec<Claim>>>,
    /// Two states that look alike before the call, and not after it.
    pub unsteady: Option<Unsteady>,
    /// Whether nothing is wrong with that, or it is not known: too much to compare.
    pub is_steady: bool,
    /// Observers that panic.
    pub partial: Vec<Partial>,
    /// Slots of which nothing can be told.
    pub opaque: Vec<u32>,
    /// The types of the slots, as the compiler names them; empty if nothing was told.
    pub types: Vec<String>,
    /// How sure it is.
    pub proof: Proof,
    /// How many paths there are, but for those that an assumption rejects.
    pub paths: usize,
    /// How many groups of them differ in what observers show: in which laws apply.
    pub groups: usize,
}

/// Explores a probe with collections that grow from one element to as many as the budget says, as
/// long as the next length is likely to take no more runs than the budget has. So most probes end
/// with all paths of small states, and few with some paths of large ones.
#[must_use]
pub fn explore_growing(machine: &mut Machine, budget: &Budget) -> Exploration {
    let mut last: Option<Exploration> = None;
    let mut length = 1;
    loop {
        let grown = explore(machine, &Budget { length, ..budget.clone() }, &[]);
        let is_bounded = grown.limits.contains(&Limit::Lossy(Loss::Length(length)));
        if proof(&grown).is_none() {
            // Some paths of larger states tell more than some paths of the smallest.
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

/// Infers what the paths of a probe have in common.
#[must_use]
pub fn infer(exploration: &mut Exploration, slots: &[Slot], solver: &mut Solver) -> Inferred {
    let sure = proof(exploration);
    let mut paths = Paths::new(exploration, slots, solver);
    let proof = sure.unwrap_or(Proof::Held(paths.len()));
    let candidates = Candidates::new(&mut paths, proof == Proof::All);
    let states = reduce::states(&mut paths, candidates.of_states());
    let Laws { laws, panics_if, determined } = reduce::laws(&mut paths, &candidates, &states);
    let steady = steady::check(&mut paths, &laws, &states, panics_if.is_some());
    let groups = paths.groups(&laws);
    Inferred {
        laws,
        determined,
        states,
        panics: paths.panics(),
        panics_if,
        is_steady: steady.is_proved,
        unsteady: steady.unsteady,
        partial: paths.partial(),
        opaque: paths.opaque(),
        types: paths.types(),
        proof,
        paths: paths.len(),
        groups,
    }
}

/// What an exploration says about all inputs, if it does.
fn proof(exploration: &Exploration) -> Option<Proof> {
    let mut proof = Proof::All;
    for limit in &exploration.limits {
        let Limit::Lossy(Loss::Length(most)) = limit else { return None };
        proof = Proof::UpTo(*most);
    }
    exploration.tree.is_complete().then_some(proof)
}
