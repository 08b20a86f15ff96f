//! The default: climbing with learnt operators, and a way out when it is stuck.
//!
//! Three observations from measuring the strategies of the papers on their own problems:
//!
//! - Which edit helps differs from problem to problem and hardly changes during one. So each
//!   operator's share of successes is learnt, and operators are drawn by it: Thompson
//!   sampling (Thompson 1933), with old evidence fading.
//! - Plateaus matter more than valleys: a case that is as good must be taken, or a list never
//!   loses what it does not need. Worse ones are rarely worth it; what gets a search off a
//!   local optimum is a larger step or another start.
//! - One search is not enough: when the best has not moved for long, the search starts anew
//!   from a random case, and now and then from the best again.
use rebut_choice::{Rng, Tape};

use super::{Move, Strategy, Tried};
use crate::{Neighbourhood, Operator};

/// Learns which edits help.
#[derive(Debug)]
pub struct Adaptive {
    step: u64,
    /// Steps since the current case last got better.
    stuck: u64,
    /// How long to be stuck before starting anew.
    patience: u64,
    current: Option<(f64, Neighbourhood)>,
    best: Option<(f64, Neighbourhood)>,
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

/// What is known of a way to edit.
#[derive(Clone, Debug)]
struct Arm<T> {
    what: T,
    wins: f64,
    losses: f64,
}

impl<T> Arm<T> {
    fn new(what: T) -> Arm<T> {
        Arm { what, wins: 1.0, losses: 1.0 }
    }

    fn reward(&mut self, gain: bool) {
        self.wins = 1.0 + (self.wins - 1.0) * FADE + f64::from(u8::from(gain));
        self.losses = 1.0 + (self.losses - 1.0) * FADE + f64::from(u8::from(!gain));
    }
}

/// Draws an arm by its chances.
fn draw<T>(arms: &[Arm<T>], usable: impl Iterator<Item = usize>, rng: &mut Rng) -> Option<usize> {
    let drawn = usable.map(|nth| (beta(arms[nth].wins, arms[nth].losses, rng), nth));
    drawn.max_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, nth)| nth)
}

/// How often an arm is drawn whatever is known of it: what raises the objective fastest is not
/// all that a property should be tried with.
const CURIOSITY: f64 = 0.4;

/// How fast evidence fades.
const FADE: f64 = 0.995;

impl Adaptive {
    /// A search that has about so many steps.
    #[must_use]
    pub fn new(steps: u64) -> Adaptive {
        Adaptive {
            step: 0,
            stuck: 0,
            patience: PATIENCE,
            current: None,
            best: None,
            operators: Operator::ALL.into_iter().map(Arm::new).collect(),
            counts: (0..10).map(|n| Arm::new(1 << n)).collect(),
            usable: Vec::new(),
            last: None,
            sampling: (steps / 20).min(SAMPLES_MAX),
            temperature: 1.0,
        }
    }

    fn move_to(&mut self, utility: f64, near: Neighbourhood) {
        let usable = near.operators();
        self.usable = (0..self.operators.len())
            .filter(|&nth| usable.contains(&self.operators[nth].what))
            .collect();
        self.current = Some((utility, near));
    }

    fn restart(&mut self, rng: &mut Rng) {
        self.stuck = 0;
        self.patience += self.patience / 2;
        match &self.best {
            Some(best) if rng.bits() & 1 == 0 => {
                let (utility, near) = best.clone();
                self.move_to(utility, near);
            }
            _ => self.current = None,
        }
    }
}

/// No more random cases than this are seen before the climb begins.
const SAMPLES_MAX: u64 = 50;

/// How long the first climb may be stuck.
const PATIENCE: u64 = 400;

impl Strategy for Adaptive {
    fn propose(&mut self, rng: &mut Rng) -> Move {
        self.step += 1;
        self.last = None;
        if self.stuck > self.patience {
            self.restart(rng);
        }
        // Hotter the longer nothing helped.
        self.temperature = (0.05 + self.stuck as f64 / self.patience as f64).min(1.0);
        if self.current.is_none() || self.sampling > 0 {
            return Move::Fresh;
        }
        let Some((_, near)) = &self.current else { return Move::Fresh };
        let nth = match rng.unit() < CURIOSITY {
            true => rng.pick(&self.usable).copied(),
            false => draw(&self.operators, self.usable.iter().copied(), rng),
        };
        let Some(nth) = nth else { return Move::Fresh };
        let most = near.values() / 4 + 1;
        // Without knowledge, few places: half of the time one.
        let counts = self.counts.iter().take_while(|arm| arm.what <= most).count();
        let blind = (rng.bits().trailing_zeros() as usize).min(counts - 1);
        let count = match rng.unit() < CURIOSITY {
            true => blind,
            false => draw(&self.counts, 0..counts, rng).unwrap_or(blind),
        };
        self.last = Some((nth, count));
        let (operator, places) = (self.operators[nth].what, self.counts[count].what);
        let mut tape = near.edit(operator, self.temperature, places, rng);
        // A second edit now and then: some gains need two.
        if !operator.is_local() && rng.unit() < 0.1 + 0.4 * self.temperature {
            tape = Neighbourhood::of(tape).neighbour(self.temperature * 0.2, rng);
        }
        Move::Neighbour(tape)
    }

    fn learn(&mut self, tried: &mut Tried<'_>, _rng: &mut Rng) -> bool {
        self.sampling = self.sampling.saturating_sub(1);
        let current = self.current.as_ref().map(|(utility, _)| *utility);
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
        let near = Neighbourhood::of((tried.tape)());
        if self.best.as_ref().is_none_or(|(best, _)| utility > *best) {
            self.best = Some((utility, near.clone()));
        }
        self.move_to(utility, near);
        true
    }

    fn suggest(&mut self, utility: f64, tape: Tape) {
        if self.best.as_ref().is_none_or(|(best, _)| utility > *best) {
            let near = Neighbourhood::of(tape);
            self.best = Some((utility, near.clone()));
            self.move_to(utility, near);
        }
    }

    fn temperature(&self) -> f64 {
        self.temperature
    }

    fn reset(&mut self) {
        self.current = None;
        self.best = None;
        self.stuck = 0;
        self.patience = PATIENCE;
    }
}

/// A sample of the beta distribution, by two gamma samples.
fn beta(a: f64, b: f64, rng: &mut Rng) -> f64 {
    let (x, y) = (gamma(a, rng), gamma(b, rng));
    x / (x + y)
}

/// A sample of the gamma distribution for a shape of at least one (Marsaglia and Tsang 2000).
fn gamma(shape: f64, rng: &mut Rng) -> f64 {
    let d = shape.max(1.0) - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = normal(rng);
        let v = (1.0 + c * x).powi(3);
        if v > 0.0 && rng.unit().ln() < 0.5 * x * x + d - d * v + d * v.ln() {
            return d * v;
        }
    }
}

/// A sample of the normal distribution (Box and Muller 1958).
fn normal(rng: &mut Rng) -> f64 {
    let radius = (-2.0 * (1.0 - rng.unit()).ln()).sqrt();
    radius * (std::f64::consts::TAU * rng.unit()).cos()
}
