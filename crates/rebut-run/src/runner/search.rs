//! The search of a run: its objectives, and the next case to try for them.
//!
//! Each objective has a strategy of its own; they take turns. A property that reports a score
//! gets a search automatically: from the first case that reports one, most cases are proposals of
//! the strategies, and the rest stay random.

use rebut_choice::{Rng, Tape};
use rebut_search::{
    Adaptive, Annealing, Climbing, Evaluation, Front, Move, Neighborhood, Objective, Strategy,
};

use super::own_strategy::StrategyMark;
use crate::case_log::{CaseLog, ObjectiveValue};
use crate::runner::SearchStep;
use crate::settings::SearchMode;
use crate::verdict::{BestCase, ParetoCase, ParetoValue};

/// The search of one run.
#[derive(Debug)]
pub(super) struct Search {
    mode: SearchMode,
    own: StrategyMark,
    steps: u64,
    rng: Rng,
    objectives: Vec<ObjectiveSearch>,
    /// The Pareto front.
    front: Front,
    /// The index of the objective whose proposal is running, if any.
    running: Option<usize>,
    turn: usize,
    proposed: u64,
}

/// The state of one objective.
#[derive(Debug)]
struct ObjectiveSearch {
    objective: Objective,
    strategy: Box<dyn Strategy>,
    best: Option<(f64, Tape)>,
    /// The target, as last reported.
    needed: Option<f64>,
    /// The number of cases whose value was NaN.
    not_numbers: u64,
}

impl ObjectiveSearch {
    /// Returns whether the target was reached. Other objectives then need the turns more.
    fn is_satisfied(&self) -> bool {
        let (Some((best, _)), Some(needed)) = (&self.best, self.needed) else { return false };
        *best >= self.objective.utility(needed)
    }
}

/// One case in this many is random, whatever the strategies propose, so that a search stuck at a
/// local optimum still finds other failures. Arbitrary.
const RANDOM_EVERY: u64 = 16;

impl Search {
    pub(super) fn new(mode: SearchMode, seed: u64, steps: u64, own: StrategyMark) -> Search {
        let rng = Rng::new(seed ^ 0x005E_A2C4);
        let (objectives, front) = (Vec::new(), Front::default());
        Search { mode, own, steps, rng, objectives, front, running: None, turn: 0, proposed: 0 }
    }

    /// Returns the tape to run next, or `None` for a random case.
    pub(super) fn propose(&mut self) -> Option<Tape> {
        self.running = None;
        if self.objectives.is_empty() || self.mode == SearchMode::Off {
            return None;
        }
        self.proposed += 1;
        if self.proposed.is_multiple_of(RANDOM_EVERY) {
            return None;
        }
        // With several objectives there is one more turn, for cases between their best ones.
        let turns = if self.objectives.len() > 1 { self.objectives.len() + 1 } else { 1 };
        for _ in 0..turns {
            self.turn = (self.turn + 1) % turns;
            if self.objectives.get(self.turn).is_none_or(|search| !search.is_satisfied()) {
                break;
            }
        }
        if self.turn == self.objectives.len() {
            return self.near_front();
        }
        self.running = Some(self.turn);
        match self.objectives[self.turn].strategy.propose(&mut self.rng) {
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
    pub(super) fn suggest(&mut self, log: Option<&CaseLog>, tape: &Tape) {
        self.running = None;
        self.observe(log, &mut || tape.clone());
    }

    /// Receives the log of a case. Returns the reaction of the search if the search proposed the
    /// case.
    pub(super) fn learn(
        &mut self,
        log: Option<&CaseLog>,
        tape: &mut dyn FnMut() -> Tape,
    ) -> Option<SearchStep<'_>> {
        self.observe(log, tape);
        let objectives = log.map(|log| log.objectives.as_slice()).unwrap_or_default();
        let search = &mut self.objectives[self.running?];
        let reported = objectives.iter().find(|known| known.objective == search.objective);
        let utility = reported.and_then(ObjectiveValue::capped_utility);
        // Read the temperature of the proposal first: learning may cool it.
        let temperature = search.strategy.temperature();
        let accepted = search.strategy.learn(&mut Evaluation { utility, tape }, &mut self.rng);
        if log.is_some_and(|log| log.resets_search) {
            search.strategy.reset();
        }
        Some(SearchStep { objective: &search.objective, temperature, accepted })
    }

    /// Records the scores of a case, whichever phase ran it.
    pub(super) fn observe(&mut self, log: Option<&CaseLog>, tape: &mut dyn FnMut() -> Tape) {
        let objectives = log.map(|log| log.objectives.as_slice()).unwrap_or_default();
        let resets = log.is_some_and(|log| log.resets_search);
        for reported in objectives {
            self.update_best(reported, resets, tape);
        }
        if !objectives.is_empty() {
            self.offer(objectives, tape);
        }
    }

    /// Offers a case to the front.
    fn offer(&mut self, objectives: &[ObjectiveValue], tape: &mut dyn FnMut() -> Tape) {
        let mut utilities = Vec::new();
        for search in &self.objectives {
            let reported = objectives.iter().find(|known| known.objective == search.objective);
            let utility = reported.map(ObjectiveValue::utility).filter(|utility| !utility.is_nan());
            utilities.push(utility.unwrap_or(f64::NEG_INFINITY));
        }
        if utilities.iter().all(|utility| *utility == f64::NEG_INFINITY) {
            return;
        }
        self.front.offer(&utilities, tape);
    }

    /// Returns the front, each case with the values of the objectives that it reported.
    pub(super) fn front(&self) -> Vec<ParetoCase> {
        let mut cases = Vec::new();
        for point in self.front.points() {
            let mut values = Vec::new();
            for (search, utility) in self.objectives.iter().zip(&point.utilities) {
                if *utility == f64::NEG_INFINITY {
                    continue;
                }
                let label = search.objective.label.clone();
                values.push(ParetoValue { label, value: search.objective.value(*utility) });
            }
            cases.push(ParetoCase { values, tape: point.tape.clone() });
        }
        cases
    }

    /// Remembers the best value. The first value of an objective starts its search. Suggests a
    /// best case to the strategy if the strategy did not propose it, unless the property resets
    /// the search.
    fn update_best(
        &mut self,
        reported: &ObjectiveValue,
        resets: bool,
        tape: &mut dyn FnMut() -> Tape,
    ) {
        let objective = &reported.objective;
        let known = self.objectives.iter().position(|search| search.objective == *objective);
        let nth = known.unwrap_or_else(|| {
            let strategy: Box<dyn Strategy> = match self.mode {
                SearchMode::Annealing => Box::new(Annealing::new(self.steps)),
                SearchMode::Climbing => Box::new(Climbing::default()),
                SearchMode::Auto | SearchMode::Off => Box::new(Adaptive::new(self.steps)),
                SearchMode::Own(make) => Box::new(self.own.make(make, self.steps)),
            };
            let objective = objective.clone();
            self.objectives.push(ObjectiveSearch {
                objective,
                strategy,
                best: None,
                needed: None,
                not_numbers: 0,
            });
            self.objectives.len() - 1
        });
        let search = &mut self.objectives[nth];
        search.needed = reported.needed;
        let utility = reported.utility();
        if utility.is_nan() {
            search.not_numbers += 1;
            return;
        }
        if search.best.as_ref().is_none_or(|(best, _)| utility > *best) {
            let tape = tape();
            if let (true, Some(utility)) =
                (self.running != Some(nth) && !resets, reported.capped_utility())
            {
                search.strategy.suggest(utility, tape.clone());
            }
            search.best = Some((utility, tape));
        }
    }

    /// Returns whether a case has reported a score.
    pub(super) fn has_objectives(&self) -> bool {
        !self.objectives.is_empty()
    }

    /// Returns the best case of each objective; the value is NaN if no case reported a number.
    pub(super) fn best_cases(&self) -> Vec<BestCase> {
        let best_case = |search: &ObjectiveSearch| {
            let (utility, tape) = search.best.clone().unwrap_or((f64::NAN, Tape::default()));
            BestCase {
                label: search.objective.label.clone(),
                is_maximum: search.objective.value(1.0) > 0.0,
                value: search.objective.value(utility),
                needed: search.needed,
                tape,
                values: Vec::new(),
                not_numbers: search.not_numbers,
            }
        };
        self.objectives.iter().map(best_case).collect()
    }
}
