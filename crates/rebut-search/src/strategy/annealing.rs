//! The strategies of the papers.
//!
//! Simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983) as in PropEr: start from a random
//! case, always move to a neighbor that is at least as good, and move to a worse one with a
//! probability that falls with the temperature. The neighborhood shrinks with the temperature
//! too. Hill climbing is the same without worse neighbors.

use rebut_choice::{Rng, Tape};

use super::{Evaluation, Move, Strategy, check_utility};
use crate::{Acceptance, Neighborhood, Temperature};

/// The strategy of simulated annealing.
///
/// # Examples
/// ```
/// use rebut_search::{Acceptance, Annealing, Strategy, Temperature};
/// let annealing = Annealing::new(1000)
///     .with_temperature(Temperature::Fast)
///     .with_acceptance(Acceptance::Metropolis);
/// assert_eq!(annealing.temperature(), 1.0);
/// ```
#[derive(Debug)]
pub struct Annealing {
    steps: u64,
    temperature: Temperature,
    acceptance: Acceptance,
    step: u64,
    /// Steps since the temperature was reset.
    since: u64,
    rejected: u64,
    losses: (f64, u64),
    current: Option<(f64, Neighborhood)>,
}

/// A fast temperature is reset after more than this many rejections in a row, and a reheating one is
/// reset in part. Arbitrary: the papers name no number. PropEr (`proper_sa.erl`) goes back 7 steps
/// after 5 rejections, and with reheating up to 25. Not measured: the benchmarks use the linear
/// temperature.
const REJECTED_MAX: u64 = 30;

impl Annealing {
    /// Creates a strategy for `steps` steps, with a linear temperature and normalized acceptance.
    ///
    /// # Examples
    /// ```
    /// use rebut_search::{Annealing, Strategy};
    /// assert_eq!(Annealing::new(1000).temperature(), 1.0);
    /// ```
    #[must_use]
    pub fn new(steps: u64) -> Annealing {
        Annealing {
            steps,
            temperature: Temperature::Linear,
            acceptance: Acceptance::Normalized,
            step: 0,
            since: 0,
            rejected: 0,
            losses: (0.0, 0),
            current: None,
        }
    }

    /// Sets the temperature function.
    ///
    /// # Examples
    /// ```
    /// use rebut_search::{Annealing, Strategy, Temperature};
    /// let annealing = Annealing::new(1000).with_temperature(Temperature::Own(|_, _| 0.25));
    /// assert_eq!(annealing.temperature(), 0.25);
    /// ```
    #[must_use]
    pub fn with_temperature(mut self, temperature: Temperature) -> Annealing {
        self.temperature = temperature;
        self
    }

    /// Sets the acceptance function.
    ///
    /// # Examples
    /// ```
    /// use rebut_search::{Acceptance, Annealing};
    /// let annealing = Annealing::new(1000).with_acceptance(Acceptance::Own(|_, _| 0.1));
    /// # let _ = annealing;
    /// ```
    #[must_use]
    pub fn with_acceptance(mut self, acceptance: Acceptance) -> Annealing {
        self.acceptance = acceptance;
        self
    }

    fn cool(&mut self, accepted: bool) {
        self.step += 1;
        self.since += 1;
        self.rejected = if accepted { 0 } else { self.rejected + 1 };
        if self.rejected > REJECTED_MAX {
            self.rejected = 0;
            self.since = match self.temperature {
                Temperature::Fast => 0,
                Temperature::Reheating => {
                    let share = self.step as f64 / self.steps.max(1) as f64;
                    (self.since as f64 * share.min(1.0)) as u64
                }
                _ => self.since,
            };
        }
    }
}

impl Strategy for Annealing {
    fn propose(&mut self, rng: &mut Rng) -> Move {
        let temperature = self.temperature();
        match &self.current {
            None => Move::Fresh,
            Some((_, near)) => Move::Neighbor(near.neighbor(temperature, rng)),
        }
    }

    fn learn(&mut self, evaluation: &mut Evaluation<'_>, rng: &mut Rng) -> bool {
        let evaluated = evaluation.checked_utility();
        let accepted = match (evaluated, &self.current) {
            (None, _) => false,
            (Some(_), None) => true,
            (Some(utility), Some((current, _))) => {
                let loss = current - utility;
                if loss > 0.0 {
                    self.losses.0 += loss;
                    self.losses.1 += 1;
                }
                let typical = self.losses.0 / self.losses.1.max(1) as f64;
                let chance = self.acceptance.probability(loss, self.temperature(), typical);
                rng.unit() < chance
            }
        };
        if let (true, Some(utility)) = (accepted, evaluated) {
            self.current = Some((utility, Neighborhood::new((evaluation.tape)())));
        }
        self.cool(accepted);
        accepted
    }

    fn suggest(&mut self, utility: f64, tape: Tape) {
        start_from(&mut self.current, utility, tape);
    }

    fn temperature(&self) -> f64 {
        self.temperature.at(self.step, self.steps, self.since)
    }

    fn reset(&mut self) {
        self.current = None;
        self.since = 0;
        self.rejected = 0;
    }
}

/// How far hill climbing may stray at each step. It stays the same, because nothing cools. Arbitrary
/// and not measured.
const CLIMBING_TEMPERATURE: f64 = 0.5;

/// The strategy of hill climbing: moves to any neighbor that is at least as good.
///
/// # Examples
/// ```
/// use rebut_choice::{Rng, Tape};
/// use rebut_search::{Climbing, Evaluation, Strategy};
/// let mut climbing = Climbing::default();
/// let mut learn = |utility| {
///     let mut evaluation = Evaluation { utility: Some(utility), tape: &mut Tape::default };
///     climbing.learn(&mut evaluation, &mut Rng::new(1))
/// };
/// assert!(learn(2.0));
/// assert!(!learn(1.0), "a worse case");
/// assert!(learn(2.0), "an equally good case");
/// ```
#[derive(Debug, Default)]
pub struct Climbing {
    current: Option<(f64, Neighborhood)>,
}

impl Strategy for Climbing {
    fn propose(&mut self, rng: &mut Rng) -> Move {
        let temperature = self.temperature();
        match &self.current {
            None => Move::Fresh,
            Some((_, near)) => Move::Neighbor(near.neighbor(temperature, rng)),
        }
    }

    fn learn(&mut self, evaluation: &mut Evaluation<'_>, _rng: &mut Rng) -> bool {
        let Some(utility) = evaluation.checked_utility() else { return false };
        let accepted = self.current.as_ref().is_none_or(|(current, _)| utility >= *current);
        if accepted {
            self.current = Some((utility, Neighborhood::new((evaluation.tape)())));
        }
        accepted
    }

    fn suggest(&mut self, utility: f64, tape: Tape) {
        start_from(&mut self.current, utility, tape);
    }

    fn temperature(&self) -> f64 {
        CLIMBING_TEMPERATURE
    }

    fn reset(&mut self) {
        self.current = None;
    }
}

/// Continues from this case if it is better than the current one.
fn start_from(current: &mut Option<(f64, Neighborhood)>, utility: f64, tape: Tape) {
    check_utility(utility);
    if current.as_ref().is_none_or(|(current, _)| utility > *current) {
        *current = Some((utility, Neighborhood::new(tape)));
    }
}
