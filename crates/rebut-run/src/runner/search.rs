//! The search of a run: its objectives, and the next case to try for them.
//!
//! Each objective has a strategy of its own; they take turns. A property that reports a score
//! gets a search automatically: from the first case that reports one, most cases are proposals of
//! the strategies, and the rest stay random.

use rebut_choice::{Rng, Tape};
use rebut_search::{
    Adaptive, Annealing, Climbing, Evaluation, Front, Move, Neighborhood, Objective, Strategy,
};

use crate::context::{Reported, Said};
use crate::runner::Searched;
use crate::settings::Search as Kind;
use crate::verdict::{FrontCase, Reached};

/// The search of one run.
#[derive(Debug)]
pub(super) struct Search {
    kind: Kind,
    steps: u64,
    rng: Rng,
    aims: Vec<Aim>,
    /// The Pareto front.
    front: Front,
    /// The index of the objective whose proposal is running, if any.
    running: Option<usize>,
    turn: usize,
    proposed: u64,
}

/// The state of one objective.
#[derive(Debug)]
struct Aim {
    objective: Objective,
    strategy: Box<dyn Strategy>,
    best: Option<(f64, Tape)>,
    /// The target, as last reported.
    needed: Option<f64>,
    /// The number of cases whose value was NaN.
    not_numbers: u64,
}

impl Aim {
    /// Returns whether the target was reached. Other objectives then need the turns more.
    fn is_satisfied(&self) -> bool {
        let (Some((best, _)), Some(needed)) = (&self.best, self.needed) else { return false };
        *best >= self.objective.utility(needed)
    }
}

/// One case in this many is random, whatever the strategies propose.
const RANDOM_EVERY: u64 = 16;

impl Search {
    pub(super) fn new(kind: Kind, seed: u64, steps: u64) -> Search {
        let rng = Rng::new(seed ^ 0x005E_A2C4);
        let (aims, front) = (Vec::new(), Front::default());
        Search { kind, steps, rng, aims, front, running: None, turn: 0, proposed: 0 }
    }

    /// Returns the tape to run next, or `None` for a random case.
    pub(super) fn propose(&mut self) -> Option<Tape> {
        self.running = None;
        if self.aims.is_empty() || self.kind == Kind::Off {
            return None;
        }
        self.proposed += 1;
        if self.proposed.is_multiple_of(RANDOM_EVERY) {
            return None;
        }
        // With several objectives there is one more turn, for cases between their best ones.
        let turns = if self.aims.len() > 1 { self.aims.len() + 1 } else { 1 };
        for _ in 0..turns {
            self.turn = (self.turn + 1) % turns;
            if self.aims.get(self.turn).is_none_or(|aim| !aim.is_satisfied()) {
                break;
            }
        }
        if self.turn == self.aims.len() {
            return self.near_front();
        }
        self.running = Some(self.turn);
        match self.aims[self.turn].strategy.propose(&mut self.rng) {
            Move::Fresh => None,
            Move::Neighbor(tape) => Some(tape),
        }
    }

    /// Returns a neighbor of a case of the front.
    fn near_front(&mut self) -> Option<Tape> {
        let point = self.rng.pick(self.front.points())?;
        let near = Neighborhood::new(point.tape.clone());
        let temperature = self.rng.unit();
        Some(near.neighbor(temperature, &mut self.rng))
    }

    /// Receives a case with a good score from an earlier run.
    pub(super) fn suggest(&mut self, said: Option<&Said>, tape: &Tape) {
        self.running = None;
        self.hear(said, &mut || tape.clone());
    }

    /// Receives the log of a case. Returns what the search made of it, if the search proposed it.
    pub(super) fn learn(
        &mut self,
        said: Option<&Said>,
        tape: &mut dyn FnMut() -> Tape,
    ) -> Option<Searched<'_>> {
        self.hear(said, tape);
        let objectives = said.map(|said| said.objectives.as_slice()).unwrap_or_default();
        let aim = &mut self.aims[self.running?];
        let reported = objectives.iter().find(|known| known.objective == aim.objective);
        let utility = reported.and_then(Reported::wanted_utility);
        // Read the temperature of the proposal first: learning may cool it.
        let temperature = aim.strategy.temperature();
        let accepted = aim.strategy.learn(&mut Evaluation { utility, tape }, &mut self.rng);
        if said.is_some_and(|said| said.resets_search) {
            aim.strategy.reset();
        }
        Some(Searched { objective: &aim.objective, temperature, accepted })
    }

    /// Receives the log of a case that no strategy proposed.
    pub(super) fn hear(&mut self, said: Option<&Said>, tape: &mut dyn FnMut() -> Tape) {
        let objectives = said.map(|said| said.objectives.as_slice()).unwrap_or_default();
        let resets = said.is_some_and(|said| said.resets_search);
        for reported in objectives {
            self.note(reported, resets, tape);
        }
        if !objectives.is_empty() {
            self.offer(objectives, tape);
        }
    }

    /// Offers a case to the front.
    fn offer(&mut self, objectives: &[Reported], tape: &mut dyn FnMut() -> Tape) {
        let mut utilities = Vec::new();
        for aim in &self.aims {
            let reported = objectives.iter().find(|known| known.objective == aim.objective);
            let utility = reported.map(Reported::utility).filter(|utility| !utility.is_nan());
            utilities.push(utility.unwrap_or(f64::NEG_INFINITY));
        }
        if utilities.iter().all(|utility| *utility == f64::NEG_INFINITY) {
            return;
        }
        self.front.offer(&utilities, tape);
    }

    /// Returns the front, each case with the values of the objectives that it reported.
    pub(super) fn front(&self) -> Vec<FrontCase> {
        let mut cases = Vec::new();
        for point in self.front.points() {
            let mut values = Vec::new();
            for (aim, utility) in self.aims.iter().zip(&point.utilities) {
                if *utility == f64::NEG_INFINITY {
                    continue;
                }
                values.push((aim.objective.label.clone(), aim.objective.value(*utility)));
            }
            cases.push(FrontCase { values, tape: point.tape.clone() });
        }
        cases
    }

    /// Remembers the best value. The first value of an objective starts its search. Suggests a
    /// best case to the strategy if the strategy did not propose it, unless the property resets
    /// the search.
    fn note(&mut self, reported: &Reported, resets: bool, tape: &mut dyn FnMut() -> Tape) {
        let objective = &reported.objective;
        let known = self.aims.iter().position(|aim| aim.objective == *objective);
        let nth = known.unwrap_or_else(|| {
            let strategy: Box<dyn Strategy> = match self.kind {
                Kind::Annealing => Box::new(Annealing::new(self.steps)),
                Kind::Climbing => Box::new(Climbing::default()),
                Kind::Auto | Kind::Off => Box::new(Adaptive::new(self.steps)),
                Kind::Own(make) => make(self.steps),
            };
            let objective = objective.clone();
            self.aims.push(Aim { objective, strategy, best: None, needed: None, not_numbers: 0 });
            self.aims.len() - 1
        });
        let aim = &mut self.aims[nth];
        aim.needed = reported.needed;
        let utility = reported.utility();
        if utility.is_nan() {
            aim.not_numbers += 1;
            return;
        }
        if aim.best.as_ref().is_none_or(|(best, _)| utility > *best) {
            let tape = tape();
            if let (true, Some(wanted)) =
                (self.running != Some(nth) && !resets, reported.wanted_utility())
            {
                aim.strategy.suggest(wanted, tape.clone());
            }
            aim.best = Some((utility, tape));
        }
    }

    /// Returns the best case of each objective; the value is NaN if no case reported a number.
    pub(super) fn reached(&self) -> Vec<Reached> {
        let reached = |aim: &Aim| {
            let (utility, tape) = aim.best.clone().unwrap_or((f64::NAN, Tape::default()));
            Reached {
                label: aim.objective.label.clone(),
                is_maximum: aim.objective.value(1.0) > 0.0,
                value: aim.objective.value(utility),
                needed: aim.needed,
                tape,
                values: Vec::new(),
                not_numbers: aim.not_numbers,
            }
        };
        self.aims.iter().map(reached).collect()
    }
}
