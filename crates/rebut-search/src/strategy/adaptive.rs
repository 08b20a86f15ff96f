//! The default strategy: climbing with learned operators, and restarts when it is stuck.
//!
//! Observations from measuring the strategies of the papers on their own problems:
//!
//! - The edit that helps depends on the problem and hardly changes during a search. The strategy
//!   therefore learns the success rate of each operator and picks operators by it.
//! - The right size of an edit is unknown and changes during a search. The strategy therefore
//!   picks a temperature for each edit: mostly cold, sometimes hot, and hotter the longer no edit
//!   has helped.
//! - Plateaus matter more than valleys. A case that is equally good must be accepted, or a list
//!   never loses elements it does not need. An equally good but longer case is accepted only half
//!   of the time, or cases would grow without limit. Worse cases are rarely worth it: a larger
//!   step or another start leaves a local optimum better.
//! - One climb is not enough. If the best case has not improved for long, the search starts again
//!   from a random case, or sometimes from the best one.
//! - A property that resets the search shows that a high score alone does not break it. From then
//!   on breadth matters more than height: most edits are those that change much at once, and most
//!   climbs start from a case that had a high score before, since random cases have low ones.
//!
//! Tried and dropped, because it helped no problem, or helped one and hurt another: rewards by
//! the size of a gain, accepting worse cases by temperature, alternatives picked against their
//! weights, an operator that cuts off the end of a sequence.

use std::rc::Rc;

use rebut_choice::{Rng, Tape};

use super::bandit::{Arm, draw};
use super::{Evaluation, Move, Strategy, check_utility};
use crate::{Neighborhood, Operator};

/// The default strategy. It climbs, learns which edits help, and restarts when it is stuck.
///
/// # Examples
/// ```
/// use rebut_choice::{Rng, Tape};
/// use rebut_search::{Adaptive, Evaluation, Move, Strategy};
/// let mut rng = Rng::new(1);
/// let mut strategy = Adaptive::new(10);
/// assert!(matches!(strategy.propose(&mut rng), Move::Fresh));
/// let mut evaluation = Evaluation { utility: Some(1.0), tape: &mut Tape::default };
/// assert!(strategy.learn(&mut evaluation, &mut rng));
/// ```
#[derive(Debug)]
pub struct Adaptive {
    /// Steps since the last gain.
    stuck: u64,
    /// Restart after this many steps without a gain.
    patience: u64,
    current: Option<ScoredCase>,
    best: Option<ScoredCase>,
    /// The case of the current climb before its last gain.
    previous: Option<ScoredCase>,
    /// The cases of earlier climbs before the gain that made the property reset the search.
    high: Vec<ScoredCase>,
    operators: Vec<Arm<Operator>>,
    /// How many numbers to change at once.
    counts: Vec<Arm<usize>>,
    /// The operators that can change the current case, as indices.
    usable: Vec<usize>,
    last: Option<(usize, usize)>,
    /// The number of random cases left before the climb begins.
    sampling: u64,
    temperature: f64,
}

/// A case and its utility.
#[derive(Clone, Debug)]
struct ScoredCase {
    utility: f64,
    neighborhood: Rc<Neighborhood>,
}

/// The share of edits whose operator is picked regardless of its success. The operators that
/// raise the score fastest must not be the only ones to test a property.
const CURIOSITY: f64 = 0.4;
/// The same share once the property has shown that a high score is not enough.
const CURIOSITY_FOR_BREADTH: f64 = 0.9;
/// The share of broad operators among those edits.
const BREADTH: f64 = 0.7;
/// The share of climbs that start from a random case although there are high ones.
const FRESH_START: f64 = 0.3;
/// Remember at most this many high cases.
const HIGH_MAX: usize = 16;
/// The probability of rejecting a case that is equally good but longer.
const PARSIMONY: f64 = 0.5;
/// See at most this many random cases before the climb begins.
const SAMPLES_MAX: u64 = 50;
/// The first climb ends after this many steps without a gain.
const PATIENCE: u64 = 400;

impl Adaptive {
    /// Creates a strategy for a search of about `steps` steps.
    ///
    /// # Examples
    /// ```
    /// use rebut_search::{Adaptive, Strategy};
    /// assert_eq!(Adaptive::new(1000).temperature(), 1.0);
    /// ```
    #[must_use]
    pub fn new(steps: u64) -> Adaptive {
        Adaptive {
            stuck: 0,
            patience: PATIENCE,
            current: None,
            best: None,
            previous: None,
            high: Vec::new(),
            operators: Operator::ALL.into_iter().map(Arm::new).collect(),
            counts: (0..10).map(|n| Arm::new(1 << n)).collect(),
            usable: Vec::new(),
            last: None,
            sampling: (steps / 20).min(SAMPLES_MAX),
            temperature: 1.0,
        }
    }

    /// Returns whether the property has shown that a high score is not enough.
    fn wants_breadth(&self) -> bool {
        !self.high.is_empty()
    }

    fn move_to(&mut self, case: ScoredCase) {
        let usable = case.neighborhood.operators();
        self.usable.clear();
        let nth = |operator| self.operators.iter().position(|arm| arm.what == operator);
        self.usable.extend(usable.into_iter().filter_map(nth));
        self.current = Some(case);
    }

    /// Moves to another case if there is no current one or the search has been stuck for long.
    fn leave(&mut self, rng: &mut Rng) {
        if self.stuck > self.patience {
            self.stuck = 0;
            self.patience += self.patience / 2;
            self.current = self.best.clone().filter(|_| rng.bits() & 1 == 0);
        } else if self.current.is_none()
            && rng.unit() > FRESH_START
            && let Some(case) = rng.pick(&self.high).cloned()
        {
            self.current = Some(case);
        } else {
            return;
        }
        if let Some(case) = self.current.take() {
            self.move_to(case);
        }
    }

    fn pick_operator(&self, rng: &mut Rng) -> Option<usize> {
        let breadth = self.wants_breadth();
        let curiosity = if breadth { CURIOSITY_FOR_BREADTH } else { CURIOSITY };
        if rng.unit() >= curiosity {
            return draw(&self.operators, self.usable.iter().copied(), rng);
        }
        if breadth && rng.unit() < BREADTH {
            let is_broad = |nth: &usize| self.operators[*nth].what.is_broad();
            let broad: Vec<usize> = self.usable.iter().copied().filter(is_broad).collect();
            if let Some(nth) = rng.pick(&broad) {
                return Some(*nth);
            }
        }
        rng.pick(&self.usable).copied()
    }

    /// Picks how many numbers to change, as an index into `counts`. Without evidence it picks
    /// few, half of the time one.
    fn pick_count(&self, values: usize, rng: &mut Rng) -> usize {
        let most = values / 4 + 1;
        let counts = self.counts.iter().take_while(|arm| arm.what <= most).count();
        let blind = (rng.bits().trailing_zeros() as usize).min(counts - 1);
        if rng.unit() < CURIOSITY {
            return blind;
        }
        draw(&self.counts, 0..counts, rng).unwrap_or(blind)
    }

    /// Sometimes edits the tape again, because some gains need two edits.
    fn edit_again(&self, mut tape: Tape, is_local: bool, rng: &mut Rng) -> Tape {
        let hot = self.temperature;
        if !self.wants_breadth() {
            if !is_local && rng.unit() < 0.1 + 0.4 * hot {
                tape = Neighborhood::new(tape).neighbor(0.2 * hot, rng);
            }
            return tape;
        }
        let mut chance = 0.1 + 0.5 * hot;
        while rng.unit() < chance {
            tape = Neighborhood::new(tape).neighbor(hot, rng);
            chance = 0.5;
        }
        tape
    }
}

impl Strategy for Adaptive {
    fn propose(&mut self, rng: &mut Rng) -> Move {
        self.last = None;
        self.leave(rng);
        let stuck = self.stuck as f64 / self.patience as f64;
        let drawn = if self.wants_breadth() { rng.unit().sqrt() } else { rng.unit().powi(2) };
        self.temperature = (0.05 + stuck).max(drawn).min(1.0);
        let case = self.current.as_ref().filter(|_| self.sampling == 0);
        let Some(near) = case.map(|case| Rc::clone(&case.neighborhood)) else { return Move::Fresh };
        let Some(nth) = self.pick_operator(rng) else { return Move::Fresh };
        let count = self.pick_count(near.values(), rng);
        self.last = Some((nth, count));
        let (operator, places) = (self.operators[nth].what, self.counts[count].what);
        let tape = near.edit(operator, self.temperature, places, rng);
        Move::Neighbor(self.edit_again(tape, operator.is_local(), rng))
    }

    fn learn(&mut self, evaluation: &mut Evaluation<'_>, rng: &mut Rng) -> bool {
        self.sampling = self.sampling.saturating_sub(1);
        let evaluated = evaluation.checked_utility();
        let current = self.current.as_ref().map(|case| case.utility);
        let gains = evaluated.is_some_and(|utility| current.is_none_or(|c| utility > c));
        if let Some((operator, count)) = self.last {
            self.operators[operator].reward(gains);
            self.counts[count].reward(gains);
        }
        self.stuck = if gains { 0 } else { self.stuck + 1 };
        let Some(utility) = evaluated else { return false };
        if current.is_some_and(|current| utility < current) {
            return false;
        }
        let tape = (evaluation.tape)();
        let is_longer =
            |case: &ScoredCase| tape.tokens().len() > case.neighborhood.tape().tokens().len();
        if !gains && self.current.as_ref().is_some_and(is_longer) && rng.unit() < PARSIMONY {
            return false;
        }
        let case = ScoredCase { utility, neighborhood: Rc::new(Neighborhood::new(tape)) };
        if self.best.as_ref().is_none_or(|best| utility > best.utility) {
            self.best = Some(case.clone());
        }
        if gains {
            self.previous = self.current.take();
        }
        self.move_to(case);
        true
    }

    fn suggest(&mut self, utility: f64, tape: Tape) {
        check_utility(utility);
        if self.best.as_ref().is_none_or(|best| utility > best.utility) {
            let case = ScoredCase { utility, neighborhood: Rc::new(Neighborhood::new(tape)) };
            self.best = Some(case.clone());
            self.move_to(case);
        }
    }

    fn temperature(&self) -> f64 {
        self.temperature
    }

    fn reset(&mut self) {
        if let Some(case) = self.previous.take() {
            if self.high.len() >= HIGH_MAX {
                self.high.remove(0);
            }
            self.high.push(case);
        }
        self.current = None;
        self.best = None;
        self.stuck = 0;
        self.patience = PATIENCE;
    }
}
