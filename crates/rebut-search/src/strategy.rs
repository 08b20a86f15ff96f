//! Which case to try next.

mod adaptive;
mod annealing;
mod bandit;

use rebut_choice::{Rng, Tape};

pub use adaptive::Adaptive;
pub use annealing::{Annealing, Climbing};

/// Decides which case to try next.
///
/// # Example
/// A strategy that edits the best case so far and nothing else:
/// ```
/// use rebut_choice::{Rng, Tape};
/// use rebut_search::{Move, Neighborhood, Strategy, Tried};
///
/// #[derive(Debug, Default)]
/// struct Greedy { best: Option<(f64, Neighborhood)> }
///
/// impl Strategy for Greedy {
///     fn propose(&mut self, rng: &mut Rng) -> Move {
///         match &self.best {
///             Some((_, near)) => Move::Neighbor(near.neighbor(0.2, rng)),
///             None => Move::Fresh,
///         }
///     }
///     fn learn(&mut self, tried: &mut Tried<'_>, _rng: &mut Rng) -> bool {
///         let Some(utility) = tried.utility else { return false };
///         let better = self.best.as_ref().is_none_or(|(best, _)| utility > *best);
///         if better {
///             self.best = Some((utility, Neighborhood::of((tried.tape)())));
///         }
///         better
///     }
///     fn temperature(&self) -> f64 { 0.2 }
///     fn reset(&mut self) { self.best = None; }
/// }
/// let mut greedy = Greedy::default();
/// assert!(matches!(greedy.propose(&mut Rng::new(1)), Move::Fresh));
/// ```
pub trait Strategy: std::fmt::Debug {
    /// What to run next.
    fn propose(&mut self, rng: &mut Rng) -> Move;

    /// Hears what came of the last proposal; whether it is the new case to start from.
    fn learn(&mut self, tried: &mut Tried<'_>, rng: &mut Rng) -> bool;

    /// Hears of a case that is better than all so far and was not its own proposal: a random
    /// one, one of an earlier run, one proposed for another objective.
    fn suggest(&mut self, _utility: f64, _tape: Tape) {}

    /// How far the last proposal was allowed to stray, from 0 to 1.
    fn temperature(&self) -> f64;

    /// Forgets where it is and starts anew.
    fn reset(&mut self);
}

/// What to run next.
#[derive(Clone, Debug)]
pub enum Move {
    /// A random case.
    Fresh,
    /// This tape, with random choices where it has none.
    Neighbor(Tape),
}

/// What came of a proposal.
pub struct Tried<'a> {
    /// How good it was, more being better; none if the case was rejected or said nothing.
    pub utility: Option<f64>,
    /// Gives the tape that was recorded, which differs from the proposal where that had to be
    /// repaired. Copying it costs, so ask only if it is wanted.
    pub tape: &'a mut dyn FnMut() -> Tape,
}

impl std::fmt::Debug for Tried<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tried").field("utility", &self.utility).finish_non_exhaustive()
    }
}
