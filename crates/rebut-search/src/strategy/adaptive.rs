//! The default: climbing with learned operators, and ways out when it is stuck.
//!
//! Observations from measuring the strategies of the papers on their own problems:
//!
//! - Which edit helps differs from problem to problem and hardly changes during one. So each
//!   operator's share of successes is learned, and operators are drawn by it.
//! - How large an edit should be is not known beforehand and changes on the way, so the
//!   temperature is drawn anew for each: mostly cold, now and then hot, and hotter the longer
//!   nothing helped.
//! - Plateaus matter more than valleys: a case that is as good must be taken, or a list never
//!   loses what it does not need. One that is as good and longer is taken half of the time
//!   only, or cases grow without end. Worse ones are rarely worth it; what gets a search off a
//!   local optimum is a larger step or another start.
//! - One search is not enough: when the best has not moved for long, the search starts anew
//!   from a random case, and now and then from the best again.
//! - A property that resets the search says that to be high is not enough to break it. From
//!   then on breadth counts more than height: most edits are those that change much at once,
//!   and a climb mostly starts from a case that was high before, since random ones are low.
//!
//! Tried and dropped, because it made one problem better and another worse, or none: rewards
//! by the size of a gain, accepting worse cases by temperature, alternatives drawn against
//! their weights, an operator that cuts the end of a sequence off.

use std::rc::Rc;

use rebut_choice::{Rng, Tape};

use super::bandit::{Arm, draw};
use super::{Move, Strategy, Tried};
use crate::{Neighborhood, Operator};

/// Learns which edits help.
#[derive(Debug)]
pub struct Adaptive {
    /// Steps since the current case last got better.
    stuck: u64,
    /// How long to be stuck before starting anew.
    patience: u64,
    current: Option<Place>,
    best: Option<Place>,
    /// Where the current climb was before its last gain.
    previous: Option<Place>,
    /// Where climbs were before the gain that made the property reset the search.
    high: Vec<Place>,
    operators: Vec<Arm<Operator>>,
    /// How many places to change at once.
    counts: Vec<Arm<usize>>,
    /// The operators that can do something with the current case.
    usable: Vec<usize>,
    last: Option<(usize, usize)>,
    /// Random cases still to be seen before the climb begins.
    sampling: u64,
    temperature: f64,
}

/// A case and how good it is.
#[derive(Clone, Debug)]
struct Place {
    utility: f64,
    near: Rc<Neighborhood>,
}

/// How often an operator is drawn whatever is known of it: what raises the objective fastest is
/// not all that a property should be tried with.
const CURIOSITY: f64 = 0.4;
/// The same, once to be high is known not to be enough.
const CURIOSITY_FOR_BREADTH: f64 = 0.9;
/// How many of those edits are broad.
const BREADTH: f64 = 0.7;
/// How often a climb starts from a random case although there are high ones.
const FRESH_START: f64 = 0.3;
/// So many high places are remembered.
const HIGH_MAX: usize = 16;
/// How often a case that is as good but longer is not taken.
const PARSIMONY: f64 = 0.5;
/// No more random cases than this are seen before the climb begins.
const SAMPLES_MAX: u64 = 50;
/// How long the first climb may be stuck.
const PATIENCE: u64 = 400;

impl Adaptive {
    /// A search that has about so many steps.
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

    /// Whether the property has said that to be high is not enough.
    fn wants_breadth(&self) -> bool {
        !self.high.is_empty()
    }

    fn move_to(&mut self, place: Place) {
        let usable = place.near.operators();
        self.usable.clear();
        let nth = |operator| self.operators.iter().position(|arm| arm.what == operator);
        self.usable.extend(usable.into_iter().filter_map(nth));
        self.current = Some(place);
    }

    /// Goes elsewhere if there is nowhere to be, or it has been stuck here for long.
    fn leave(&mut self, rng: &mut Rng) {
        if self.stuck > self.patience {
            self.stuck = 0;
            self.patience += self.patience / 2;
            self.current = self.best.clone().filter(|_| rng.bits() & 1 == 0);
        } else if self.current.is_none()
            && rng.unit() > FRESH_START
            && let Some(place) = rng.pick(&self.high).cloned()
        {
            self.current = Some(place);
        } else {
            return;
        }
        if let Some(place) = self.current.take() {
            self.move_to(place);
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

    /// How many places to change: without knowledge few, half of the time one.
    fn pick_count(&self, values: usize, rng: &mut Rng) -> usize {
        let most = values / 4 + 1;
        let counts = self.counts.iter().take_while(|arm| arm.what <= most).count();
        let blind = (rng.bits().trailing_zeros() as usize).min(counts - 1);
        if rng.unit() < CURIOSITY {
            return blind;
        }
        draw(&self.counts, 0..counts, rng).unwrap_or(blind)
    }

    /// Further edits now and then: some gains need two.
    fn edit_again(&self, mut tape: Tape, is_local: bool, rng: &mut Rng) -> Tape {
        let hot = self.temperature;
        if !self.wants_breadth() {
            if !is_local && rng.unit() < 0.1 + 0.4 * hot {
                tape = Neighborhood::of(tape).neighbor(0.2 * hot, rng);
            }
            return tape;
        }
        let mut chance = 0.1 + 0.5 * hot;
        while rng.unit() < chance {
            tape = Neighborhood::of(tape).neighbor(hot, rng);
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
        let place = self.current.as_ref().filter(|_| self.sampling == 0);
        let Some(near) = place.map(|place| Rc::clone(&place.near)) else { return Move::Fresh };
        let Some(nth) = self.pick_operator(rng) else { return Move::Fresh };
        let count = self.pick_count(near.values(), rng);
        self.last = Some((nth, count));
        let (operator, places) = (self.operators[nth].what, self.counts[count].what);
        let tape = near.edit(operator, self.temperature, places, rng);
        Move::Neighbor(self.edit_again(tape, operator.is_local(), rng))
    }

    fn learn(&mut self, tried: &mut Tried<'_>, rng: &mut Rng) -> bool {
        self.sampling = self.sampling.saturating_sub(1);
        let current = self.current.as_ref().map(|place| place.utility);
        let gains = tried.utility.is_some_and(|utility| current.is_none_or(|c| utility > c));
        if let Some((operator, count)) = self.last {
            self.operators[operator].reward(gains);
            self.counts[count].reward(gains);
        }
        self.stuck = if gains { 0 } else { self.stuck + 1 };
        let Some(utility) = tried.utility else { return false };
        if current.is_some_and(|current| utility < current) {
            return false;
        }
        let tape = (tried.tape)();
        let is_longer = |place: &Place| tape.tokens().len() > place.near.tape().tokens().len();
        if !gains && self.current.as_ref().is_some_and(is_longer) && rng.unit() < PARSIMONY {
            return false;
        }
        let place = Place { utility, near: Rc::new(Neighborhood::of(tape)) };
        if self.best.as_ref().is_none_or(|best| utility > best.utility) {
            self.best = Some(place.clone());
        }
        if gains {
            self.previous = self.current.take();
        }
        self.move_to(place);
        true
    }

    fn suggest(&mut self, utility: f64, tape: Tape) {
        if self.best.as_ref().is_none_or(|best| utility > best.utility) {
            let place = Place { utility, near: Rc::new(Neighborhood::of(tape)) };
            self.best = Some(place.clone());
            self.move_to(place);
        }
    }

    fn temperature(&self) -> f64 {
        self.temperature
    }

    fn reset(&mut self) {
        if let Some(place) = self.previous.take() {
            if self.high.len() >= HIGH_MAX {
                self.high.remove(0);
            }
            self.high.push(place);
        }
        self.current = None;
        self.best = None;
        self.stuck = 0;
        self.patience = PATIENCE;
    }
}
