//! The phases of a run: what failed before, the examples, the simplest case, all cases if
//! they are few, random ones; then each distinct failure is shrunk, explained and told.

mod statistics;

use std::rc::Rc;
use std::time::{Duration, Instant};

use rebut_choice::{Constants, Drive, Exhaustive, Random, Tape};

use crate::context::Said;
use crate::execute::{Body, Execution, Executor, InProcess, Input};
use crate::explain;
use crate::outcome::{Failure, Outcome};
use crate::shrink::Shrinker;
use crate::verdict::{Counterexample, Found, Statistics, Verdict};
use crate::Settings;

/// Hears of what must not be lost and of how far the run is.
pub(crate) trait Observer {
    /// Case `number` begins.
    fn begins(&mut self, _number: u64) {}
    /// A failing case was found or made simpler.
    fn failing(&mut self, _failure: &Failure, _tape: &Tape, _shrunk: bool) {}
    /// A stored case no longer fails.
    fn passes_again(&mut self, _stored: usize) {}
}

/// All that a run needs to know.
pub(crate) struct Plan<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) seed: u64,
    pub(crate) body: &'a Body<'a>,
    pub(crate) examples: &'a [&'a Body<'a>],
    pub(crate) constants: Constants,
    /// Tapes of earlier failures.
    pub(crate) stored: Vec<Tape>,
}

/// A failing case before it is shrunk.
#[derive(Clone, Debug)]
pub(crate) struct Failing {
    pub(crate) failure: Failure,
    pub(crate) tape: Tape,
    pub(crate) found: Found,
}

/// Why the phases ended early.
enum End {
    /// Enough was found.
    Enough,
    /// A verdict that no further case changes.
    Verdict(Verdict),
}

/// Runs a property in this process.
pub(crate) fn run(plan: &Plan<'_>, observer: &mut dyn Observer) -> (Verdict, Statistics) {
    let mut run = Run {
        plan,
        process: InProcess::new(plan.body),
        observer,
        statistics: Statistics::default(),
        failing: Vec::new(),
        started: Instant::now(),
        inputs: None,
        numbers: 0,
    };
    let end = run.phases();
    let statistics = std::mem::take(&mut run.statistics);
    let verdict = match end {
        Err(End::Verdict(verdict)) if run.failing.is_empty() => verdict,
        _ if !run.failing.is_empty() => run.tell_failures(),
        _ => statistics::judge(&statistics, run.inputs, plan.settings),
    };
    (verdict, statistics)
}

struct Run<'a> {
    plan: &'a Plan<'a>,
    process: InProcess<'a>,
    observer: &'a mut dyn Observer,
    statistics: Statistics,
    failing: Vec<Failing>,
    started: Instant,
    /// The number of all inputs, once all were tried.
    inputs: Option<u64>,
    numbers: u64,
}

/// How many random cases are looked at before it is decided whether all can be tried.
const SAMPLES: u64 = 8;

impl Run<'_> {
    fn phases(&mut self) -> Result<(), End> {
        if let Some(word) = &self.plan.settings.replay {
            return self.replay(word);
        }
        self.stored()?;
        self.examples()?;
        let combinations = self.simplest()?;
        if combinations == 1 && self.process.is_tape_empty() {
            self.inputs = Some(1);
            return Ok(());
        }
        self.random(combinations)
    }

    fn replay(&mut self, word: &str) -> Result<(), End> {
        let tape = Tape::from_replay_string(word)
            .map_err(|error| End::Verdict(Verdict::Misuse(format!("replay: {error}"))))?;
        let execution = self.process.run_tape(&tape, false);
        self.judge(execution.outcome, execution.said, Found::Replay)
    }

    fn stored(&mut self) -> Result<(), End> {
        for (nth, tape) in self.plan.stored.iter().enumerate() {
            let before = self.failing.len();
            let execution = self.process.run_tape(tape, false);
            let failed = matches!(execution.outcome, Outcome::Failed(_));
            self.judge(execution.outcome, execution.said, Found::Database)?;
            if !failed && self.failing.len() == before {
                self.observer.passes_again(nth);
            }
        }
        Ok(())
    }

    fn examples(&mut self) -> Result<(), End> {
        for (nth, body) in self.plan.examples.iter().enumerate() {
            let mut process = InProcess::new(*body);
            let (outcome, said, _) = process.run(Drive::Simplest, false);
            if let Outcome::Failed(failure) = outcome {
                let known = self.failing.iter().any(|f| f.failure.origin() == failure.origin());
                if !known {
                    let found = Found::Example(nth);
                    self.failing.push(Failing { failure, tape: Tape::default(), found });
                }
            } else {
                self.judge(outcome, said, Found::Example(nth))?;
            }
        }
        if self.failing.iter().any(|f| matches!(f.found, Found::Example(_))) {
            return Err(End::Enough);
        }
        Ok(())
    }

    /// Runs the simplest case; how many tapes have its domains.
    fn simplest(&mut self) -> Result<u128, End> {
        self.observer.begins(self.numbers);
        self.numbers += 1;
        let (outcome, said, _) = self.process.run(Drive::Simplest, false);
        self.judge(outcome, said, Found::Random(0))?;
        Ok(self.process.combinations())
    }

    fn random(&mut self, mut combinations: u128) -> Result<(), End> {
        let constants = Rc::new(self.plan.constants.clone());
        let mut random = Box::new(Random::new(0).with_constants(constants));
        let mut cases = self.plan.settings.cases;
        let mut number = 1;
        while number < cases || statistics::is_undecided(&self.statistics, self.plan.settings) {
            if number >= cases {
                cases = number + 1;
            }
            if number == SAMPLES + 1
                && combinations <= u128::from(self.plan.settings.cases)
                && self.exhaust()?
            {
                return Ok(());
            }
            self.check_limits()?;
            self.observer.begins(number);
            random.reset(self.plan.seed, number);
            let (outcome, said, drive) = self.process.run(Drive::Random(random), false);
            if number <= SAMPLES {
                combinations = combinations.max(self.process.combinations());
            }
            let Drive::Random(back) = drive else { return Ok(()) };
            random = back;
            self.judge(outcome, said, Found::Random(number))?;
            number += 1;
        }
        Ok(())
    }

    /// Tries every input; false if there turn out to be too many.
    fn exhaust(&mut self) -> Result<bool, End> {
        let bound = self.plan.settings.cases.saturating_mul(4);
        let sampled = std::mem::take(&mut self.statistics);
        let mut walk = Box::new(Exhaustive::default());
        let mut inputs = 0;
        loop {
            self.check_limits()?;
            let (outcome, said, drive) = self.process.run(Drive::Exhaustive(walk), false);
            let Drive::Exhaustive(back) = drive else { return Ok(false) };
            walk = back;
            inputs += 1;
            self.judge(outcome, said, Found::Exhaustive)?;
            if self.process.combinations() > u128::from(bound)
                || inputs >= bound
                || self.statistics.too_large > 0
            {
                self.statistics = sampled;
                return Ok(false);
            }
            if !walk.advance() {
                self.inputs = Some(inputs);
                return Ok(true);
            }
        }
    }

    fn check_limits(&mut self) -> Result<(), End> {
        let settings = self.plan.settings;
        if let Some(budget) = settings.time_budget
            && self.started.elapsed() > budget
        {
            return match statistics::too_slow(&self.statistics, budget) {
                Some(verdict) => Err(End::Verdict(verdict)),
                None => Err(End::Enough),
            };
        }
        let verdict = statistics::filtered_too_much(&self.statistics, settings);
        verdict.map_or(Ok(()), |verdict| Err(End::Verdict(verdict)))
    }

    /// Books an outcome.
    fn judge(&mut self, outcome: Outcome, said: Option<Said>, found: Found) -> Result<(), End> {
        match outcome {
            Outcome::Passed => statistics::count_valid(&mut self.statistics, said),
            Outcome::Rejected(why) => statistics::count_rejected(&mut self.statistics, &why),
            Outcome::TooLarge => self.statistics.too_large += 1,
            Outcome::Misuse(what) => return Err(End::Verdict(Verdict::Misuse(what))),
            Outcome::Internal(what) => return Err(End::Verdict(Verdict::InternalError(what))),
            Outcome::Failed(failure) => {
                statistics::count_valid(&mut self.statistics, said);
                return self.fail(failure, found);
            }
        }
        Ok(())
    }

    fn fail(&mut self, failure: Failure, found: Found) -> Result<(), End> {
        let origin = failure.origin();
        if self.failing.iter().all(|known| known.failure.origin() != origin) {
            let tape = self.process.tape();
            self.observer.failing(&failure, &tape, false);
            self.failing.push(Failing { failure, tape, found });
        }
        if self.failing.len() >= self.plan.settings.failures_max { Err(End::Enough) } else { Ok(()) }
    }

    fn tell_failures(&mut self) -> Verdict {
        let failing = std::mem::take(&mut self.failing);
        let mut executor = Local { process: &mut self.process, plan: self.plan };
        tell(failing, &mut executor, self.plan, self.observer)
    }
}

/// The executor of this process.
struct Local<'a, 'b> {
    process: &'a mut InProcess<'b>,
    plan: &'a Plan<'b>,
}

impl Executor for Local<'_, '_> {
    fn execute(&mut self, input: &Input, reporting: bool) -> Execution {
        match input {
            Input::Tape(tape) => self.process.run_tape(tape, reporting),
            Input::Case { seed, case } => {
                let constants = Rc::new(self.plan.constants.clone());
                let mut random = Box::new(Random::new(0).with_constants(constants));
                random.reset(*seed, *case);
                let (outcome, said, _) = self.process.run(Drive::Random(random), reporting);
                Execution { outcome, tape: self.process.tape(), said }
            }
        }
    }
}

/// Shrinks and explains each failing case.
pub(crate) fn tell(
    failing: Vec<Failing>,
    executor: &mut dyn Executor,
    plan: &Plan<'_>,
    observer: &mut dyn Observer,
) -> Verdict {
    let mut queue = failing;
    let mut told: Vec<Counterexample> = Vec::new();
    while !queue.is_empty() && told.len() < plan.settings.failures_max {
        let next = queue.remove(0);
        if let Found::Example(nth) = next.found {
            told.push(tell_example(next, plan.examples[nth], nth));
            continue;
        }
        let (counterexample, others) = tell_one(next, executor, plan, observer);
        for (failure, tape) in others {
            let origin = failure.origin();
            let known = queue.iter().any(|f| f.failure.origin() == origin)
                || told.iter().any(|c| c.failure.origin() == origin)
                || counterexample.failure.origin() == origin;
            if !known {
                observer.failing(&failure, &tape, false);
                queue.push(Failing { failure, tape, found: Found::Shrinking });
            }
        }
        told.push(counterexample);
    }
    if told.iter().all(|counterexample| counterexample.rate.is_some()) {
        Verdict::Flaky(told)
    } else {
        Verdict::Fails(told)
    }
}

fn tell_example(failing: Failing, body: &Body<'_>, nth: usize) -> Counterexample {
    let mut process = InProcess::new(body);
    let (_, said, _) = process.run(Drive::Simplest, true);
    let mut told = counterexample(failing.failure, Tape::default(), Found::Example(nth));
    take_said(&mut told, said);
    told
}

fn counterexample(failure: Failure, tape: Tape, found: Found) -> Counterexample {
    Counterexample {
        failure,
        tape,
        found,
        values: Vec::new(),
        notes: Vec::new(),
        free: Vec::new(),
        shrink_executions: 0,
        shrink_gave_up: false,
        rate: None,
    }
}

fn take_said(told: &mut Counterexample, said: Option<Said>) {
    if let Some(said) = said {
        told.values = said.values;
        told.notes = said.notes;
    }
}

type Others = Vec<(Failure, Tape)>;

fn tell_one(
    failing: Failing,
    executor: &mut dyn Executor,
    plan: &Plan<'_>,
    observer: &mut dyn Observer,
) -> (Counterexample, Others) {
    let origin = failing.failure.origin();
    let shrunk = {
        let mut last_saved = Instant::now();
        let mut run = |tape: &Tape| {
            let execution = executor.execute(&Input::Tape(tape.clone()), false);
            if let Outcome::Failed(failure) = &execution.outcome
                && failure.origin() == origin
                && last_saved.elapsed() > SAVE_EVERY
            {
                observer.failing(failure, &execution.tape, false);
                last_saved = Instant::now();
            }
            (execution.outcome, execution.tape)
        };
        let (tape, failure) = (failing.tape.clone(), failing.failure.clone());
        let mut shrinker = Shrinker::new(&mut run, tape, failure, plan.settings.shrink_max);
        shrinker.mark_simplest_seen();
        shrinker.shrink()
    };
    let execution = executor.execute(&Input::Tape(shrunk.tape.clone()), true);
    let mut told = counterexample(shrunk.failure, shrunk.tape, failing.found);
    told.shrink_executions = shrunk.executions;
    told.shrink_gave_up = shrunk.gave_up;
    match execution.outcome {
        Outcome::Failed(failure) if failure.origin() == origin => {
            told.failure = failure;
            take_said(&mut told, execution.said);
            if plan.settings.explain {
                told.free = explain::free_parts(&told, executor);
            }
        }
        outcome => {
            told.rate = Some(rate(&told.tape, outcome, executor, &origin));
            take_said(&mut told, execution.said);
        }
    }
    observer.failing(&told.failure, &told.tape, true);
    (told, shrunk.others)
}

/// How often the best tape is written down while it gets better.
const SAVE_EVERY: Duration = Duration::from_millis(200);

/// How often a tape that passed when it was run again is run to measure how often it fails.
const RATE_RUNS: u32 = 20;

fn rate(
    tape: &Tape,
    first: Outcome,
    executor: &mut dyn Executor,
    origin: &crate::Origin,
) -> (u32, u32) {
    let is_failure =
        |outcome: &Outcome| matches!(outcome, Outcome::Failed(f) if f.origin() == *origin);
    let mut failed = u32::from(is_failure(&first));
    for _ in 1..RATE_RUNS {
        let execution = executor.execute(&Input::Tape(tape.clone()), false);
        failed += u32::from(is_failure(&execution.outcome));
    }
    (failed, RATE_RUNS)
}
