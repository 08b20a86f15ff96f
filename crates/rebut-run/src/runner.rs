//! The phases of a run: saved failures, the examples, the simplest case, then all inputs if there
//! are few, otherwise random cases. Then Rebut shrinks, explains and reports each distinct
//! failure.

mod search;
mod statistics;

pub(crate) use statistics::most_first;

use std::time::{Duration, Instant};

use rebut_choice::Tape;
use rebut_search::Objective;

use crate::Settings;
use crate::context::{Reported, Said, ShownValue};
use crate::execute::{Execution, Executor, Input, Process};
use crate::explain;
use crate::outcome::{Failure, FailureKind, Origin, Outcome};
use crate::settings::Events;
use crate::shrink::{Shrinker, Shrunk};
use crate::verdict::{Counterexample, Found, FrontCase, Statistics, Verdict};
use crate::words;

/// The case that the runner is about to run.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step<'a> {
    /// The random case with this number.
    Case(u64),
    /// The next case of the enumeration.
    NextOfAll,
    /// The example with this index.
    Example(usize),
    /// A tape, and its origin.
    Tape(&'a Tape, Found),
}

/// Receives the events of a run: stores failures, writes events, shows progress.
pub(crate) trait Observer {
    /// Called before each case.
    #[inline]
    fn begins(&mut self, _step: Step<'_>) {}
    /// Called after a case that reported a score, with what the search made of the case if it
    /// proposed it.
    fn searched(&mut self, _found: Found, _reported: &[Reported], _turn: Option<&Searched<'_>>) {}
    /// Called after each stored case, example, and generated case.
    #[inline]
    fn ended(&mut self, _ended: &Ended<'_>) {}
    /// Called when a failing case was found or made simpler. `is_minimal` is true for the
    /// final one.
    fn failing(&mut self, _failing: &Failing, _is_minimal: bool) {}
    /// Called before a failing case is shrunk.
    fn shrinks(&mut self) {}
    /// Called after a failure was shrunk and explained.
    fn told(&mut self, _told: &Counterexample) {}
    /// Called at the end of a search, with the best cases.
    fn reached(&mut self, _front: &[FrontCase]) {}
    /// Called after the stored case with this index was run. `failure` is `None` if it passed.
    fn settled(&mut self, _stored: usize, _failure: Option<&Failure>) {}
}

/// A finished case.
#[derive(Clone, Copy)]
pub(crate) struct Ended<'a> {
    /// The origin of its choices.
    pub(crate) found: Found,
    pub(crate) outcome: &'a Outcome,
    pub(crate) said: Option<&'a Said>,
    /// Returns its choices, which are copied on demand.
    pub(crate) tape: &'a dyn Fn() -> Tape,
}

/// The reaction of a search to a case that it proposed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Searched<'a> {
    /// The objective for which the case was proposed.
    pub(crate) objective: &'a Objective,
    /// The temperature at which the case was proposed.
    pub(crate) temperature: f64,
    /// Whether the search continues from this case.
    pub(crate) accepted: bool,
}

/// The inputs and settings of a run.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) settings: Settings,
    pub(crate) seed: u64,
    /// The number of examples.
    pub(crate) examples: usize,
    /// The tapes of the inputs of a specification.
    pub(crate) inputs: Vec<Tape>,
    /// Whether to generate cases after the given ones.
    pub(crate) draws: bool,
    /// The tapes of earlier failures.
    pub(crate) stored: Vec<Tape>,
    /// The tapes with good scores in an earlier run.
    pub(crate) front: Vec<Tape>,
}

impl Plan {
    /// Creates the plan of a run without examples, inputs or stored cases.
    pub(crate) fn new(settings: Settings, seed: u64) -> Plan {
        Plan {
            settings,
            seed,
            examples: 0,
            inputs: Vec::new(),
            draws: true,
            stored: Vec::new(),
            front: Vec::new(),
        }
    }
}

impl Plan {
    /// Returns whether to log the values of each case.
    pub(crate) fn shows_values(&self) -> bool {
        self.settings.events == Events::All
    }
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
    /// There are enough failures, or the time is over.
    Enough,
    /// No further case can change this verdict.
    Verdict(Verdict),
}

/// Runs a property.
pub(crate) fn run(
    plan: &Plan,
    process: &mut dyn Process,
    observer: &mut dyn Observer,
) -> (Verdict, Statistics) {
    let mut run = Run {
        plan,
        process,
        observer,
        statistics: Statistics::default(),
        failing: Vec::new(),
        started: Instant::now(),
        inputs: None,
        first_failure: None,
        search: search::Search::new(plan.settings.search, plan.seed, plan.settings.cases),
    };
    let end = run.phases();
    run.show_reached();
    let Run { statistics, failing, inputs, .. } = run;
    let verdict = match end {
        _ if !failing.is_empty() => tell(failing, process, &plan.settings, observer),
        Err(End::Verdict(verdict)) => verdict,
        _ => statistics::judge(&statistics, inputs, &plan.settings),
    };
    (verdict, statistics)
}

struct Run<'a> {
    plan: &'a Plan,
    process: &'a mut dyn Process,
    observer: &'a mut dyn Observer,
    statistics: Statistics,
    failing: Vec<Failing>,
    started: Instant,
    /// The number of all inputs, once all were tried.
    inputs: Option<u64>,
    search: search::Search,
    /// The number of the case after the first failure, and the time.
    first_failure: Option<(u64, Instant)>,
}

/// Run this many random cases before deciding whether to try all inputs.
const SAMPLES: u64 = 8;

impl Run<'_> {
    fn phases(&mut self) -> Result<(), End> {
        if let Some(word) = &self.plan.settings.replay {
            return self.replay(word);
        }
        self.stored()?;
        self.examples()?;
        self.inputs()?;
        self.front()?;
        if self.plan.draws { self.cases() } else { Ok(()) }
    }

    fn replay(&mut self, word: &str) -> Result<(), End> {
        let tape = Tape::from_replay_string(word)
            .map_err(|error| End::Verdict(Verdict::Misuse(format!("replay: {error}"))))?;
        let found = self.plan.settings.replay_from;
        self.observer.begins(Step::Tape(&tape, found));
        let Execution { outcome, tape, said } =
            self.process.execute(&Input::Tape(tape), self.plan.shows_values());
        self.search.suggest(heard(&outcome, said.as_ref()), &tape);
        self.judge(outcome, said, found, Some(tape))
    }

    fn stored(&mut self) -> Result<(), End> {
        for (nth, tape) in self.plan.stored.iter().enumerate() {
            self.observer.begins(Step::Tape(tape, Found::Database));
            let Execution { outcome, tape, said } =
                self.process.execute(&Input::Tape(tape.clone()), self.plan.shows_values());
            let failure = match &outcome {
                Outcome::Failed(failure) => Some(failure.clone()),
                _ => None,
            };
            let judged = self.judge(outcome, said, Found::Database, Some(tape));
            self.observer.settled(nth, failure.as_ref());
            judged?;
        }
        Ok(())
    }

    /// Runs the cases with good scores from an earlier run; the search starts from them.
    fn front(&mut self) -> Result<(), End> {
        for tape in &self.plan.front {
            self.observer.begins(Step::Tape(tape, Found::Front));
            let Execution { outcome, tape, said } =
                self.process.execute(&Input::Tape(tape.clone()), self.plan.shows_values());
            let heard = heard(&outcome, said.as_ref());
            self.search.suggest(heard, &tape);
            let reported = reported(heard);
            if !reported.is_empty() {
                self.observer.searched(Found::Front, reported, None);
            }
            self.judge(outcome, said, Found::Front, Some(tape))?;
        }
        Ok(())
    }

    fn examples(&mut self) -> Result<(), End> {
        for nth in 0..self.plan.examples {
            self.observer.begins(Step::Example(nth));
            let Execution { outcome, said, tape } =
                self.process.execute_example(nth, self.plan.shows_values());
            self.judge(outcome, said, Found::Example(nth), Some(tape))?;
        }
        let failed = self.failing.iter().any(|f| matches!(f.found, Found::Example(_)));
        if failed { Err(End::Enough) } else { Ok(()) }
    }

    /// Runs the inputs of a specification. All of them run, because each differs from the others.
    fn inputs(&mut self) -> Result<(), End> {
        for (nth, tape) in self.plan.inputs.iter().enumerate() {
            self.check_limits()?;
            self.observer.begins(Step::Tape(tape, Found::Input(nth)));
            let Execution { outcome, tape, said } =
                self.process.execute(&Input::Tape(tape.clone()), self.plan.shows_values());
            self.judge(outcome, said, Found::Input(nth), Some(tape))?;
        }
        let failed = self.failing.iter().any(|f| matches!(f.found, Found::Input(_)));
        if failed { Err(End::Enough) } else { Ok(()) }
    }

    /// Runs the simplest case, then random ones, or all inputs if there are few.
    fn cases(&mut self) -> Result<(), End> {
        let wanted = self.plan.settings.cases;
        let mut combinations = 1;
        let mut number = 0;
        let before = self.statistics.valid;
        // Rejected cases do not count. If there are too many, the limits end the run.
        while self.statistics.valid - before < wanted
            || statistics::is_undecided(&self.statistics, &self.plan.settings)
        {
            self.check_limits()?;
            if self.has_looked_long_enough(number) {
                return Err(End::Enough);
            }
            let ((outcome, said), found) = match self.search.propose() {
                Some(tape) => {
                    let found = Found::Search(number);
                    self.observer.begins(Step::Tape(&tape, found));
                    (self.process.run_edited(tape), found)
                }
                None => {
                    self.observer.begins(Step::Case(number));
                    (self.process.run_case(self.plan.seed, number), Found::Random(number))
                }
            };
            let process = &self.process;
            let heard = heard(&outcome, said.as_ref());
            let turn = self.search.learn(heard, &mut || process.tape());
            let reported = reported(heard);
            if turn.is_some() || !reported.is_empty() {
                self.observer.searched(found, reported, turn.as_ref());
            }
            if number <= SAMPLES {
                combinations = combinations.max(self.process.combinations());
            }
            self.judge(outcome, said, found, None)?;
            let sampled = number == SAMPLES || (number == 0 && combinations == 1);
            if sampled && combinations <= u128::from(self.inputs_max()) && self.all()? {
                return Ok(());
            }
            number += 1;
        }
        Ok(())
    }

    /// Returns whether to stop looking for further failures. After the first failure, Rebut
    /// continues for as many cases again plus 200, or for one second, because someone is waiting.
    fn has_looked_long_enough(&mut self, number: u64) -> bool {
        const CASES: u64 = 200;
        const TIME: Duration = Duration::from_secs(1);
        if self.failing.is_empty() {
            return false;
        }
        let (first, when) = *self.first_failure.get_or_insert((number, Instant::now()));
        number > 2 * first + CASES || when.elapsed() > TIME
    }

    /// Finds the values with the best scores.
    fn show_reached(&mut self) {
        let mut reached = self.search.reached();
        for best in reached.iter_mut().filter(|best| !best.value.is_nan()) {
            self.observer.begins(Step::Tape(&best.tape, Found::Search(self.statistics.valid)));
            let execution = self.process.execute(&Input::Tape(best.tape.clone()), true);
            best.values = execution.said.map(|said| said.values).unwrap_or_default();
        }
        self.statistics.reached = reached;
        self.statistics.front = self.search.front();
        // A replayed case does not represent the saved front.
        if !self.statistics.front.is_empty() && self.plan.settings.replay.is_none() {
            self.observer.reached(&self.statistics.front);
        }
    }

    /// Returns the largest number of inputs to enumerate. A proof is worth a few more cases.
    fn inputs_max(&self) -> u64 {
        self.plan.settings.cases.saturating_mul(4)
    }

    /// Tries every input. Returns false if there turn out to be too many.
    fn all(&mut self) -> Result<bool, End> {
        let bound = self.inputs_max();
        let sampled = std::mem::take(&mut self.statistics);
        let mut inputs = 0;
        loop {
            self.check_limits()?;
            self.observer.begins(Step::NextOfAll);
            let Some((outcome, said)) = self.process.run_next_of_all() else {
                // A rejected input does not count as an input.
                self.inputs = Some(self.statistics.valid);
                return Ok(true);
            };
            let process = &self.process;
            let heard = heard(&outcome, said.as_ref());
            self.search.hear(heard, &mut || process.tape());
            let reported = reported(heard);
            if !reported.is_empty() {
                self.observer.searched(Found::Exhaustive, reported, None);
            }
            inputs += 1;
            self.judge(outcome, said, Found::Exhaustive, None)?;
            let too_many = inputs >= bound || self.process.combinations() > u128::from(bound);
            if too_many || self.statistics.too_large > 0 {
                self.statistics = sampled;
                return Ok(false);
            }
        }
    }

    fn check_limits(&mut self) -> Result<(), End> {
        let settings = &self.plan.settings;
        if let Some(budget) = settings.time_budget
            && self.started.elapsed() > budget
        {
            return match statistics::too_slow(&self.statistics, budget) {
                Some(verdict) => Err(End::Verdict(verdict)),
                None => Err(End::Enough),
            };
        }
        let verdict = statistics::too_many_rejected(&self.statistics, settings);
        verdict.map_or(Ok(()), |verdict| Err(End::Verdict(verdict)))
    }

    /// Records an outcome. `tape` is `None` if it is the last tape of the process.
    fn judge(
        &mut self,
        outcome: Outcome,
        said: Option<Said>,
        found: Found,
        tape: Option<Tape>,
    ) -> Result<(), End> {
        let process = &self.process;
        self.observer.ended(&Ended {
            found,
            outcome: &outcome,
            said: said.as_ref(),
            tape: &|| tape.clone().unwrap_or_else(|| process.tape()),
        });
        match outcome {
            Outcome::Passed => statistics::count_valid(&mut self.statistics, said),
            Outcome::Rejected(why) => statistics::count_rejected(&mut self.statistics, &why),
            Outcome::TooLarge => self.statistics.too_large += 1,
            Outcome::Misuse(what) => return Err(End::Verdict(Verdict::Misuse(what))),
            Outcome::Internal(what) => return Err(End::Verdict(Verdict::InternalError(what))),
            Outcome::Failed(failure) => {
                statistics::count_valid(&mut self.statistics, said);
                let tape = tape.unwrap_or_else(|| self.process.tape());
                return self.fail(Failing { failure, tape, found });
            }
        }
        Ok(())
    }

    fn fail(&mut self, failing: Failing) -> Result<(), End> {
        let origin = failing.failure.origin();
        let kind = failing.failure.kind;
        if self.failing.iter().all(|known| known.failure.origin() != origin) {
            self.observer.failing(&failing, false);
            self.failing.push(failing);
        }
        // Each further hang would take its whole deadline, and one match is enough.
        let is_last = matches!(kind, FailureKind::Hang | FailureKind::Witness);
        let enough = self.failing.len() >= self.plan.settings.failures_max || is_last;
        if enough { Err(End::Enough) } else { Ok(()) }
    }
}

/// Shrinks and explains each failing case.
#[inline(never)]
pub(crate) fn tell(
    mut queue: Vec<Failing>,
    executor: &mut dyn Executor,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Verdict {
    let mut told: Vec<Counterexample> = Vec::new();
    while !queue.is_empty() && told.len() < settings.failures_max {
        let next = queue.remove(0);
        let (counterexample, others) = match next.found {
            Found::Example(nth) => (tell_example(next, nth, executor), Vec::new()),
            _ => tell_one(next, executor, settings, observer),
        };
        observer.told(&counterexample);
        told.push(counterexample);
        for (failure, tape) in others {
            let origin = failure.origin();
            let known = queue.iter().any(|f| f.failure.origin() == origin)
                || told.iter().any(|c| c.failure.origin() == origin);
            if !known {
                let failing = Failing { failure, tape, found: Found::Shrinking };
                observer.failing(&failing, false);
                queue.push(failing);
            }
        }
    }
    if told.iter().all(|counterexample| counterexample.rate.is_some()) {
        Verdict::Flaky(told)
    } else {
        Verdict::Fails(told)
    }
}

/// Reports an example without shrinking it.
fn tell_example(failing: Failing, nth: usize, executor: &mut dyn Executor) -> Counterexample {
    let execution = executor.execute_example(nth, true);
    let mut told = counterexample(failing);
    take_said(&mut told, execution.said);
    told
}

/// Creates a counterexample that has not been shrunk or explained.
pub(crate) fn counterexample(failing: Failing) -> Counterexample {
    Counterexample {
        failure: failing.failure,
        tape: failing.tape,
        found: failing.found,
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

#[inline(never)]
fn tell_one(
    failing: Failing,
    executor: &mut dyn Executor,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> (Counterexample, Others) {
    let origin = failing.failure.origin();
    let given = as_given(&failing, executor, observer);
    observer.shrinks();
    let mut shrunk = shrink(&failing, executor, settings, observer);
    let mut execution = confirm(&shrunk.tape, executor, observer);
    // While Rebut shrinks a hang, cases do not get the whole deadline, so the result may only be
    // slow. The confirming run has raised the executor's time limit, so shrink again.
    for nth in 0..=HANGS_MAX {
        let is_only_slow = matches!(execution.outcome, Outcome::Passed);
        if failing.failure.kind != FailureKind::Hang || !is_only_slow {
            break;
        }
        if nth < HANGS_MAX {
            shrunk = shrink(&failing, executor, settings, observer);
        } else {
            shrunk.tape = failing.tape.clone();
        }
        execution = confirm(&shrunk.tape, executor, observer);
    }
    let found = failing.found;
    let mut told = counterexample(Failing { failure: shrunk.failure, tape: shrunk.tape, found });
    told.shrink_executions = shrunk.executions;
    told.shrink_gave_up = shrunk.gave_up;
    take_said(&mut told, execution.said);
    if let Some(given) = given.filter(|given| *given != told.values) {
        told.notes.extend(note_given(&given));
    }
    match execution.outcome {
        Outcome::Failed(failure) if failure.origin() == origin => {
            told.failure = failure;
            if settings.explain && !told.failure.kind.kills_process() {
                told.rate = Some(rate(&told.tape, CONFIRMATIONS, executor, observer, &origin))
                    .filter(|(failed, runs)| failed < runs);
            }
            if settings.explain && told.rate.is_none() {
                let mut watched = Watched { executor, observer };
                told.free = explain::free_parts(&told, &mut watched);
            }
        }
        _ => told.rate = Some(rate(&told.tape, RATE_RUNS, executor, observer, &origin)),
    }
    let Counterexample { failure, tape, .. } = &told;
    let minimal = Failing { failure: failure.clone(), tape: tape.clone(), found };
    observer.failing(&minimal, true);
    (told, shrunk.others)
}

/// Returns the values of an input before shrinking, if a specification generated it.
fn as_given(
    failing: &Failing,
    executor: &mut dyn Executor,
    observer: &mut dyn Observer,
) -> Option<Vec<ShownValue>> {
    let Found::Input(_) = failing.found else { return None };
    confirm(&failing.tape, executor, observer).said.map(|said| said.values)
}

/// Notes the original values: shrinking does not know the specification, so the shrunk input may
/// not satisfy it.
fn note_given(given: &[ShownValue]) -> [String; 2] {
    let mut values = Vec::new();
    for value in given {
        values.push(format!("{} = {}", value.name, value.code));
    }
    [
        format!("before shrinking: {}", words::joined(&values, ", ")),
        "shrinking knows only the types, so the input may not satisfy the specification".to_owned(),
    ]
}

/// Returns the log of a case for the search. A rejected case is not an input of the property: it
/// must neither be the best nor lead to similar cases.
fn heard<'a>(outcome: &Outcome, said: Option<&'a Said>) -> Option<&'a Said> {
    said.filter(|_| matches!(outcome, Outcome::Passed | Outcome::Failed(_)))
}

/// Returns the scores that a case reported.
fn reported(heard: Option<&Said>) -> &[Reported] {
    heard.map(|said| said.objectives.as_slice()).unwrap_or_default()
}

/// Shrink a hang again at most this often.
const HANGS_MAX: u32 = 3;

/// Runs the final tape to get its values and notes.
fn confirm(tape: &Tape, executor: &mut dyn Executor, observer: &mut dyn Observer) -> Execution {
    observer.begins(Step::Tape(tape, Found::Shrinking));
    executor.execute(&Input::Tape(tape.clone()), true)
}

fn shrink(
    failing: &Failing,
    executor: &mut dyn Executor,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Shrunk {
    let origin = failing.failure.origin();
    let mut last_saved = Instant::now();
    let mut run = |tape: &Tape| {
        observer.begins(Step::Tape(tape, Found::Shrinking));
        let Execution { outcome, tape, .. } = executor.execute(&Input::Tape(tape.clone()), false);
        if let Outcome::Failed(failure) = &outcome
            && failure.origin() == origin
            && last_saved.elapsed() > SAVE_EVERY
        {
            let (failure, tape) = (failure.clone(), tape.clone());
            observer.failing(&Failing { failure, tape, found: failing.found }, false);
            last_saved = Instant::now();
        }
        (outcome, tape)
    };
    let (tape, failure) = (failing.tape.clone(), failing.failure.clone());
    let mut shrinker = Shrinker::new(&mut run, tape, failure, settings.shrink_max);
    if matches!(failing.found, Found::Random(_) | Found::Search(_)) {
        shrinker.mark_simplest_seen();
    }
    shrinker.shrink()
}

/// An executor that announces every case to an observer.
struct Watched<'a> {
    executor: &'a mut dyn Executor,
    observer: &'a mut dyn Observer,
}

impl Executor for Watched<'_> {
    fn execute(&mut self, input: &Input, reporting: bool) -> Execution {
        if let Input::Tape(tape) = input {
            self.observer.begins(Step::Tape(tape, Found::Shrinking));
        }
        self.executor.execute(input, reporting)
    }

    fn execute_example(&mut self, nth: usize, reporting: bool) -> Execution {
        self.observer.begins(Step::Example(nth));
        self.executor.execute_example(nth, reporting)
    }
}

/// Save the best tape at most this often while it is being shrunk.
const SAVE_EVERY: Duration = Duration::from_millis(200);

/// Rerun a flaky tape this often to measure its failure rate.
const RATE_RUNS: u32 = 20;

/// Rerun the final tape this often to detect a flaky property.
const CONFIRMATIONS: u32 = 5;

fn rate(
    tape: &Tape,
    runs: u32,
    executor: &mut dyn Executor,
    observer: &mut dyn Observer,
    origin: &Origin,
) -> (u32, u32) {
    let failed = (0..runs).filter(|_| {
        observer.begins(Step::Tape(tape, Found::Shrinking));
        let execution = executor.execute(&Input::Tape(tape.clone()), false);
        matches!(&execution.outcome, Outcome::Failed(f) if f.origin() == *origin)
    });
    (failed.count() as u32, runs)
}

#[cfg(test)]
mod tests {
    use rebut_choice::Constants;
    use rebut_gen::integers;

    use super::*;
    use crate::Case;
    use crate::execute::InProcess;

    /// Records a search.
    #[derive(Debug, Default)]
    struct Listener {
        cases: Vec<u64>,
        accepted: usize,
    }

    impl Observer for Listener {
        fn searched(&mut self, found: Found, reported: &[Reported], turn: Option<&Searched<'_>>) {
            assert_eq!(reported.len(), 1, "each case reports");
            let Some(turn) = turn else { return };
            assert_eq!(*turn.objective, reported[0].objective);
            assert!((0.0..=1.0).contains(&turn.temperature), "{turn:?}");
            let (Found::Search(case) | Found::Random(case)) = found else { panic!("{found:?}") };
            self.cases.push(case);
            self.accepted += usize::from(turn.accepted);
        }
    }

    #[test]
    fn an_observer_hears_each_step_of_a_search() {
        let property = |case: &mut Case| {
            crate::minimize(case.draw(integers::<u64>().min_value(1_000_000)));
            None
        };
        let mut process = InProcess::new(&property, &[], Constants::default());
        let settings = Settings { cases: 300, ..Settings::default() };
        let plan = Plan::new(settings, 1);
        let mut listener = Listener::default();
        let (verdict, _) = run(&plan, &mut process, &mut listener);
        assert!(matches!(verdict, Verdict::Passed { cases: 300 }), "{verdict:?}");
        let steps = listener.cases.len();
        assert!((250..300).contains(&steps), "most cases are steps of the search: {steps}");
        assert!(listener.cases.is_sorted_by(|a, b| a < b));
        assert!((1..steps).contains(&listener.accepted));
    }

    /// Records the objectives for which cases were tried.
    #[derive(Debug, Default)]
    struct Turns(Vec<String>);

    impl Observer for Turns {
        fn searched(&mut self, _: Found, _: &[Reported], turn: Option<&Searched<'_>>) {
            self.0.extend(turn.map(|turn| turn.objective.label.clone()));
        }
    }

    #[test]
    fn an_objective_that_has_what_it_needs_leaves_its_turns_to_others() {
        let property = |case: &mut Case| {
            let n = case.draw(integers::<u64>());
            crate::maximize_as("easy", n).needed(0);
            crate::maximize_as("hard", n).needed(u64::MAX);
            None
        };
        let mut process = InProcess::new(&property, &[], Constants::default());
        let settings = Settings { cases: 90, ..Settings::default() };
        let plan = Plan::new(settings, 1);
        let mut turns = Turns::default();
        run(&plan, &mut process, &mut turns);
        assert!(turns.0.len() > 30 && turns.0.iter().all(|label| label == "hard"), "{turns:?}");
    }
}
