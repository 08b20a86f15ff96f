//! Strategies, which decide which case to try next.

mod adaptive;
mod annealing;
mod bandit;

use rebut_choice::{Rng, Tape, internal_assert};

pub use adaptive::Adaptive;
pub use annealing::{Annealing, Climbing};

/// Decides which case to try next.
///
/// # Examples
/// A strategy that only edits the best case so far:
/// ```
/// use rebut_choice::{Rng, Tape};
/// use rebut_search::{Evaluation, Move, Neighborhood, Strategy};
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
///     fn learn(&mut self, evaluation: &mut Evaluation<'_>, _rng: &mut Rng) -> bool {
///         let Some(utility) = evaluation.utility else { return false };
///         let better = self.best.as_ref().is_none_or(|(best, _)| utility > *best);
///         if better {
///             self.best = Some((utility, Neighborhood::new((evaluation.tape)())));
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
    /// Proposes the next case.
    fn propose(&mut self, rng: &mut Rng) -> Move;

    /// Receives the result of the last proposal. Returns whether the search continues from it.
    fn learn(&mut self, evaluation: &mut Evaluation<'_>, rng: &mut Rng) -> bool;

    /// Receives a case that is better than all cases so far and that the strategy did not propose
    /// itself: a random case, one from an earlier run, or one proposed for another objective.
    fn suggest(&mut self, _utility: f64, _tape: Tape) {}

    /// Returns how far the last proposal was allowed to stray, from 0 to 1.
    fn temperature(&self) -> f64;

    /// Forgets the current case and starts again.
    fn reset(&mut self);
}

/// A proposal of a [`Strategy`].
///
/// # Examples
/// ```
/// use rebut_choice::Rng;
/// use rebut_search::{Climbing, Move, Strategy};
/// let mut climbing = Climbing::default();
/// assert!(matches!(climbing.propose(&mut Rng::new(1)), Move::Fresh));
/// ```
#[derive(Clone, Debug)]
pub enum Move {
    /// A random case.
    Fresh,
    /// The case of this tape, with random choices where the tape has none.
    Neighbor(Tape),
}

/// The result of a proposal.
///
/// # Examples
/// ```
/// use rebut_choice::{Rng, Tape};
/// use rebut_search::{Climbing, Evaluation, Strategy};
/// let mut climbing = Climbing::default();
/// let mut evaluation = Evaluation { utility: Some(1.0), tape: &mut Tape::default };
/// assert!(climbing.learn(&mut evaluation, &mut Rng::new(1)));
/// ```
pub struct Evaluation<'a> {
    /// The utility of the case, where more is better; `None` if the case was rejected, or reported
    /// no score or NaN.
    pub utility: Option<f64>,
    /// Returns the recorded tape, which differs from the proposal where replay had to repair it.
    /// It is a copy, so call it only if you need the tape.
    pub tape: &'a mut dyn FnMut() -> Tape,
}

impl Evaluation<'_> {
    /// Returns the utility. Ends the run with an internal error if it is NaN: such a case would be
    /// neither better nor worse than any other, and the search would never leave it.
    fn checked_utility(&self) -> Option<f64> {
        self.utility.inspect(|utility| check_utility(*utility))
    }
}

/// Ends the run with an internal error if a utility is NaN. The caller maps such a score to no
/// utility.
pub(crate) fn check_utility(utility: f64) {
    internal_assert!(!utility.is_nan(), "the score of a case is NaN");
}

impl std::fmt::Debug for Evaluation<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Evaluation").field("utility", &self.utility).finish_non_exhaustive()
    }
}
