//! Properties without a macro.

use std::collections::BTreeMap;
use std::sync::Arc;

use rebut_choice::{Constants, Drive, Fallback, Label, Replay, Source, Tape};
use rebut_gen::AsGenerator;

use crate::claim::{Claim, Sought};
use crate::database::Database;
use crate::events::{Log, Subject};
use crate::execute::{Body, InProcess};
use crate::outcome::{Answer, Location};
use crate::runner::{self, Plan};
use crate::settings::Events;
use crate::store::Store;
use crate::test;
use crate::verdict::{Report, Verdict};
use crate::{Case, Settings, folder, fresh_seed, words};

/// A property to be run, with its settings.
///
/// # Example
/// ```
/// use rebut_gen::{Generator, integers};
/// let report = rebut_run::Check::new("doubling").cases(200).run(|case| {
///     let n = case.draw(integers::<i32>().in_range(0..=1000));
///     n * 2 >= n
/// });
/// assert!(report.verdict.is_success());
/// ```
#[derive(Clone, Debug)]
pub struct Check {
    name: String,
    location: Location,
    settings: Settings,
    constants: Constants,
    database: Option<Arc<dyn Database>>,
}

impl Check {
    /// A property with a name for its report and the default settings; failures are not
    /// stored.
    #[track_caller]
    #[must_use]
    pub fn new(name: &str) -> Check {
        Check {
            name: name.to_owned(),
            location: Location::of(std::panic::Location::caller()),
            settings: Settings { database: false, events: Events::Off, ..Settings::default() },
            constants: Constants::default(),
            database: None,
        }
    }

    /// Tries the failures in this database first, and keeps those that are found in it.
    #[must_use]
    pub fn database(mut self, database: Arc<dyn Database>) -> Check {
        self.database = Some(database);
        self
    }

    /// Runs just the case of a replay string.
    #[must_use]
    pub fn replay(mut self, word: &str) -> Check {
        self.settings.replay = Some(word.to_owned());
        self
    }

    /// How many cases are run.
    #[must_use]
    pub fn cases(mut self, cases: u64) -> Check {
        self.settings.cases = cases;
        self
    }

    /// Where random choices start.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Check {
        self.settings.seed = Some(seed);
        self
    }

    /// Changes any setting.
    #[must_use]
    pub fn configure(mut self, configure: impl FnOnce(&mut Settings)) -> Check {
        configure(&mut self.settings);
        self
    }

    /// Values that are tried more often than others.
    #[must_use]
    pub fn constants(mut self, constants: Constants) -> Check {
        self.constants = constants;
        self
    }

    /// Runs the property in this process; never panics.
    pub fn run<A: Answer>(&self, property: impl Fn(&mut Case) -> A) -> Report {
        self.run_body(&|case: &mut Case| property(case).into_failure(), Claim::ForAll)
    }

    /// Looks for an input for which the property returns true; the verdict has it, shrunk.
    ///
    /// # Example
    /// ```
    /// use rebut_gen::{integers, vecs};
    /// let report = rebut_run::Check::new("a list with a large sum").seed(1).exists(|case| {
    ///     let list = case.draw_as("list", vecs(integers::<u8>()));
    ///     list.iter().map(|&n| u32::from(n)).sum::<u32>() >= 300
    /// });
    /// let witness = report.verdict.witness().expect("there is one");
    /// assert_eq!(witness.values[0].code, "vec![45, 255]");
    /// ```
    pub fn exists<A: Sought>(&self, property: impl Fn(&mut Case) -> A) -> Report {
        self.run_body(&|case: &mut Case| property(case).into_witness(), Claim::Exists)
    }

    /// Looks for an input for which the property returns true, to refute that there is none.
    pub fn not_exists<A: Sought>(&self, property: impl Fn(&mut Case) -> A) -> Report {
        self.run_body(&|case: &mut Case| property(case).into_witness(), Claim::NotExists)
    }

    #[inline(never)]
    fn run_body(&self, body: &Body<'_>, claim: Claim) -> Report {
        let seed = self.settings.seed.unwrap_or_else(fresh_seed);
        let mut process = InProcess::new(body, &[], self.constants.clone()).tracing(&self.settings);
        let store = Arc::new(Store::with(self.database.clone(), &self.name));
        let (stored, front) = (store.tapes(), store.front());
        let plan = Plan { stored, front, ..Plan::new(self.settings.clone(), seed) };
        let place = self.location.line_of_file();
        let log = Log::new(&Subject::running(&self.name, &place), seed, &self.settings);
        let mut recorder = test::Recorder::new(&store, &log).tracing(&self.name, &self.settings);
        let (verdict, statistics) = runner::run(&plan, &mut process, &mut recorder);
        let mut report = Report {
            property: self.name.clone(),
            location: self.location.clone(),
            verdict: claim.judge(verdict),
            statistics,
            claim,
            seed,
            warnings: store.warnings(),
            command: None,
            emitted: BTreeMap::new(),
            saved: BTreeMap::new(),
            specification: None,
        };
        report.warnings.extend(log.end(&report));
        report
    }
}

/// Runs a property with all that a `#[rebut::test]` gets: settings from `rebut.toml` and
/// `REBUT_*` variables, the database, supervision.
///
/// A case that crashes or hangs ends the process, after it was shrunk and reported: the
/// property may not leave the thread it was written on.
///
/// # Panics
/// If the property fails, as a test must.
///
/// # Example
/// ```
/// use rebut_gen::{any, strings};
/// rebut_run::check(|case| {
///     let text = case.draw_as("text", strings());
///     assert_eq!(text.trim().trim(), text.trim());
/// });
/// ```
#[track_caller]
pub fn check<A: Answer>(property: impl Fn(&mut Case) -> A) {
    let location = Location::of(std::panic::Location::caller());
    let body = |case: &mut Case| property(case).into_failure();
    test::run_check(&body, &location);
}

/// A value of the generator for which the function returns true, shrunk; none if ten thousand
/// cases have none. The same call finds the same value each time.
///
/// The function can say how near a value comes, by [`maximize`](crate::maximize) and
/// [`minimize`](crate::minimize); then it is searched for.
///
/// # Panics
/// With a report if the function panics, or if hardly a case meets its assumptions.
///
/// # Example
/// ```
/// use rebut_gen::{strings, vecs, integers};
/// let text = rebut_run::find(strings(), |text| text.to_lowercase().len() != text.len());
/// assert!(text.is_some());
/// let square = rebut_run::find(integers::<u64>(), |&n| {
///     let distance = n.wrapping_mul(n).abs_diff(1_522_756);
///     rebut_run::minimize(distance);
///     distance == 0
/// });
/// assert_eq!(square, Some(1234));
/// assert_eq!(rebut_run::find(integers::<u8>(), |&n| n > 9 && n < 3), None);
/// ```
#[track_caller]
pub fn find<G: AsGenerator>(generator: G, is_sought: impl Fn(&G::Value) -> bool) -> Option<G::Value>
where
    G::Value: std::fmt::Debug,
{
    find_within(10_000, generator, is_sought)
}

/// As [`find`], in so many cases.
#[track_caller]
pub fn find_within<G: AsGenerator>(
    steps: u64,
    generator: G,
    is_sought: impl Fn(&G::Value) -> bool,
) -> Option<G::Value>
where
    G::Value: std::fmt::Debug,
{
    let draw =
        |source: &mut Source| source.span(Label::ARGUMENT, |source| generator.draw_value(source));
    let tape = find_tape(steps, &|case| {
        let value = draw(case);
        if case.is_shown() {
            case.code().format(format_args!("{value:?}"));
            case.show_given("value", "");
        }
        is_sought(&value).into_witness()
    })?;
    let replay = Replay::new(&tape, Fallback::Simplest);
    Some(draw(&mut Source::new(Drive::Replay(Box::new(replay)))))
}

/// The tape of an input for which the property says that it is sought.
#[track_caller]
fn find_tape(steps: u64, body: &Body<'_>) -> Option<Tape> {
    let check = Check::new("find").cases(steps);
    let seed = words::integer(&folder::hash(&check.location.line_of_file()), 16).unwrap_or_default()
        as u64;
    let check = check.seed(seed >> 32).configure(|settings| settings.explain = false);
    let report = check.run_body(body, Claim::Exists);
    match report.verdict {
        Verdict::Exists(witness) => Some(witness.tape),
        Verdict::NotFound { .. } => None,
        _ => {
            report.assert_passed();
            None
        }
    }
}

impl Report {
    /// Panics with the report unless the property passed, as a test must.
    ///
    /// # Panics
    /// If the verdict is not a success.
    pub fn assert_passed(&self) {
        if !self.verdict.is_success() {
            crate::print::failure(self);
        }
    }

    /// Whether an input failed.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        matches!(self.verdict, Verdict::Fails(_) | Verdict::Flaky(_))
    }
}
