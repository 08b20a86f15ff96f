//! Properties without a macro.

use std::cell::RefCell;
use std::sync::{Arc, Mutex};

use rebut_choice::{AnyDriver, Constants, Fallback, Label, Replay, Source, Tape};
use rebut_gen::AsGenerator;

use crate::claim::{Claim, WitnessResult};
use crate::database::Database;
use crate::doc_test;
use crate::entry;
use crate::events::PropertyInfo;
use crate::execute::Body;
use crate::isolate::{self, ProcessRole, Target};
use crate::outcome::{Location, PropertyResult};
use crate::session::{PropertySetup, Session};
use crate::settings::EventLevel;
use crate::threads::lock;
use crate::verdict::{Report, Verdict};
use crate::{Case, Settings, folder, print, strings};

/// A property without a macro, with its settings.
///
/// Use it to inspect the result of a run, or to run a property inside other code. In a test,
/// [`check`] and `#[rebut::test]` do more: they read `rebut.toml`, save failures and isolate
/// crashes.
///
/// # Examples
/// ```
/// use rebut::{Check, Generator, integers};
///
/// let report = Check::new("doubling").cases(200).run(|case| {
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
    /// Creates a property with default settings. The name appears in the report. Failures are not
    /// saved.
    ///
    /// # Examples
    /// ```
    /// use rebut::{Check, integers};
    ///
    /// let report = Check::new("bytes fit").run(|case| case.draw(integers::<u8>()) <= 255);
    /// assert_eq!(report.property, "bytes fit");
    /// ```
    #[track_caller]
    #[must_use]
    pub fn new(name: &str) -> Check {
        Check {
            name: name.to_owned(),
            location: Location::from_caller(std::panic::Location::caller()),
            settings: Settings { database: false, events: EventLevel::Off, ..Settings::default() },
            constants: Constants::default(),
            database: None,
        }
    }

    /// Sets the database. The run tries its failures first and saves new ones in it.
    ///
    /// # Examples
    /// ```
    /// use std::sync::Arc;
    ///
    /// use rebut::database::{Database, MemoryDatabase};
    /// use rebut::{Check, integers};
    ///
    /// let database = Arc::new(MemoryDatabase::default());
    /// let check = Check::new("small").database(database.clone());
    /// check.run(|case| case.draw(integers::<u16>()) < 500);
    /// assert_eq!(database.load("small").len(), 1);
    /// ```
    #[must_use]
    pub fn database(mut self, database: Arc<dyn Database>) -> Check {
        self.database = Some(database);
        self
    }

    /// Runs only the case of a replay string.
    ///
    /// # Examples
    /// ```
    /// use rebut::{Check, integers};
    ///
    /// let check = Check::new("small");
    /// let is_small = |case: &mut rebut::Case| case.draw(integers::<u16>()) < 500;
    /// let report = check.run(is_small);
    /// let replay = report.verdict.counterexamples()[0].tape.to_replay_string();
    /// assert!(check.replay(&replay).run(is_small).has_failed());
    /// ```
    #[must_use]
    pub fn replay(mut self, word: &str) -> Check {
        self.settings.replay = Some(word.to_owned());
        self
    }

    /// Sets the number of cases.
    ///
    /// # Examples
    /// ```
    /// let report = rebut::Check::new("trivial").cases(50).run(|case| {
    ///     case.draw(rebut::integers::<u64>());
    /// });
    /// assert!(report.statistics.valid <= 50);
    /// ```
    #[must_use]
    pub fn cases(mut self, cases: u64) -> Check {
        self.settings.cases = Some(cases);
        self
    }

    /// Sets the seed. Runs with the same seed generate the same cases.
    ///
    /// # Examples
    /// ```
    /// let report = rebut::Check::new("trivial").seed(7).run(|case| {
    ///     case.draw(rebut::integers::<u64>());
    /// });
    /// assert_eq!(report.seed, 7);
    /// ```
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Check {
        self.settings.seed = Some(seed);
        self
    }

    /// Changes any setting.
    ///
    /// # Examples
    /// ```
    /// use rebut::{Check, integers};
    ///
    /// let check = Check::new("small").configure(|settings| settings.explain = false);
    /// assert!(check.run(|case| case.draw(integers::<u16>()) < 500).has_failed());
    /// ```
    #[must_use]
    pub fn configure(mut self, configure: impl FnOnce(&mut Settings)) -> Check {
        configure(&mut self.settings);
        self
    }

    /// Sets values to try more often than others, such as constants of the code under test.
    ///
    /// # Examples
    /// ```
    /// use rebut::choice::Constants;
    /// use rebut::{Check, integers};
    ///
    /// let constants = Constants { integers: vec![123_456_789], ..Constants::default() };
    /// let report = Check::new("magic").seed(1).constants(constants).run(|case| {
    ///     case.draw(integers::<u64>()) != 123_456_789
    /// });
    /// assert!(report.has_failed());
    /// ```
    #[must_use]
    pub fn constants(mut self, constants: Constants) -> Check {
        self.constants = constants;
        self
    }

    /// Runs the property in this process and returns a report. Never panics.
    ///
    /// In a program that is built with `panic = "abort"`, a case that panics ends the process.
    /// Rebut then starts the program again as a child, shrinks the case there, prints the report
    /// and exits with code 101.
    ///
    /// # Examples
    /// ```
    /// use rebut::{Check, integers};
    ///
    /// let report = Check::new("small").run(|case| case.draw_as("n", integers::<u16>()) < 500);
    /// assert_eq!(report.verdict.counterexamples()[0].values[0].code, "500");
    /// ```
    pub fn run<A: PropertyResult>(&self, property: impl FnMut(&mut Case) -> A) -> Report {
        let property = RefCell::new(property);
        let body = |case: &mut Case| (property.borrow_mut())(case).into_failure();
        self.run_body(&body, Claim::ForAll)
    }

    /// Looks for an input for which the property returns true. The verdict contains it, shrunk.
    ///
    /// The closure generates its values from a [`Case`]. [`find`] is shorter if you have one
    /// generator and want the value itself.
    ///
    /// # Examples
    /// ```
    /// use rebut::{Check, integers, vecs};
    ///
    /// let report = Check::new("a list with a large sum").seed(1).exists(|case| {
    ///     let list = case.draw_as("list", vecs(integers::<u8>()));
    ///     list.iter().map(|&n| u32::from(n)).sum::<u32>() >= 300
    /// });
    /// let witness = report.verdict.witness().expect("there is one");
    /// assert_eq!(witness.values[0].code, "vec![45, 255]");
    /// ```
    pub fn exists<A: WitnessResult>(&self, property: impl FnMut(&mut Case) -> A) -> Report {
        let property = RefCell::new(property);
        let body = |case: &mut Case| (property.borrow_mut())(case).into_witness();
        self.run_body(&body, Claim::Exists)
    }

    /// Looks for an input for which the property returns true, and fails if it finds one.
    ///
    /// # Examples
    /// ```
    /// use rebut::{Check, integers};
    ///
    /// let report = Check::new("no byte is 300").not_exists(|case| {
    ///     u32::from(case.draw(integers::<u8>())) == 300
    /// });
    /// assert!(report.verdict.is_success());
    /// ```
    pub fn not_exists<A: WitnessResult>(&self, property: impl FnMut(&mut Case) -> A) -> Report {
        let property = RefCell::new(property);
        let body = |case: &mut Case| (property.borrow_mut())(case).into_witness();
        self.run_body(&body, Claim::NotExists)
    }

    #[inline(never)]
    pub(crate) fn run_body(&self, body: &Body<'_>, claim: Claim) -> Report {
        let prepared = Session::prepare(PropertySetup {
            info: PropertyInfo::of_running_process(&self.name, &self.location.line_of_file()),
            location: self.location.clone(),
            claim,
            command: None,
            identity: String::new(),
            settings: Ok((self.settings.clone(), Vec::new())),
            database: self.database.clone(),
            key: &self.name,
            journal_dir: None,
            test: None,
            shows_progress: false,
        });
        let mut session = match prepared {
            Ok(session) => session,
            Err(refused) => return refused.report,
        };
        if !cfg!(panic = "abort") {
            session.run_unsupervised(body, self.constants.clone());
            return session.end();
        }
        // A panic ends the process, and only another one can shrink it.
        let name = self.target_name();
        if isolate::role_for(&name) == ProcessRole::Serve {
            isolate::serve_here(body, &[], self.constants.clone(), None);
        }
        // The caller expects a report.
        let end = |report: &Report, _| {
            print::uncaptured_report(report);
            print::uncaptured(ABORTED);
        };
        let target = Target::program(&name);
        session.run_on_this_thread(body, self.constants.clone(), target, None, end);
        session.end()
    }

    /// Returns a name for this run that is the same in another process of the same program.
    fn target_name(&self) -> String {
        static NAMES: Mutex<Vec<String>> = Mutex::new(Vec::new());
        let mut names = lock(&NAMES);
        let runs = names.iter().filter(|name| **name == self.name).count();
        names.push(self.name.clone());
        format!("{}#{runs}@{}", self.name, self.location.line_of_file())
    }
}

/// The reason why a [`Check`] does not return.
const ABORTED: &str = "\
note: this program ends here, because it is built with `panic = \"abort\"` and a case ended it
help: build it with `panic = \"unwind\"`, and `Check` returns this report";

/// Runs a property as `#[rebut::test]` does: with settings from `rebut.toml` and `REBUT_*`
/// environment variables, the database of saved failures, and isolation of crashes.
///
/// If a case crashes or hangs, Rebut shrinks and reports it and then ends the process, because
/// the property cannot move to another thread.
///
/// The closure runs for every case, also to shrink one. It can change what it captures, to count
/// or to collect. A result that depends on such a value differs from run to run, and Rebut reports
/// the property as flaky.
///
/// # Panics
/// If the property fails.
///
/// # Examples
/// ```
/// rebut::check(|case| {
///     let text = case.draw_as("text", rebut::strings());
///     assert_eq!(text.trim().trim(), text.trim());
/// });
/// ```
#[track_caller]
pub fn check<A: PropertyResult>(property: impl FnMut(&mut Case) -> A) {
    let location = Location::from_caller(std::panic::Location::caller());
    let closure = std::any::type_name_of_val(&property);
    // A panic of the property ends the loan.
    let property = RefCell::new(property);
    let body = |case: &mut Case| (property.borrow_mut())(case).into_failure();
    entry::run_check(&body, location, closure, &|_| ());
}

/// Like [`check`], with settings that rank like those of an attribute.
#[doc(hidden)]
#[track_caller]
pub fn check_configured(
    configure: &dyn Fn(&mut Settings),
    body: impl Fn(&mut Case) -> Option<String>,
) {
    let location = Location::from_caller(std::panic::Location::caller());
    let closure = std::any::type_name_of_val(&body);
    entry::run_check(&body, location, closure, configure);
}

/// Finds a value that satisfies the predicate, shrunk, or returns `None` after 10,000 cases. The
/// same call always finds the same value.
///
/// The predicate can report a score with [`maximize`](crate::maximize) or
/// [`minimize`](crate::minimize). Rebut then searches for a matching value instead of relying on
/// chance.
///
/// The predicate gets one generated value. [`Check::exists`] takes a closure that generates its
/// values itself.
///
/// # Panics
/// If the predicate panics, or rejects almost every case. The message is the report.
///
/// # Examples
/// ```
/// use rebut::{find, integers, minimize, strings};
///
/// let text = find(strings(), |text| text.to_lowercase().len() != text.len());
/// assert!(text.is_some());
///
/// let square = find(integers::<u64>(), |&n| {
///     let distance = n.wrapping_mul(n).abs_diff(1_522_756);
///     minimize(distance);
///     distance == 0
/// });
/// assert_eq!(square, Some(1234));
/// assert_eq!(find(integers::<u8>(), |&n| n > 9 && n < 3), None);
/// ```
#[track_caller]
pub fn find<G: AsGenerator>(generator: G, is_match: impl Fn(&G::Value) -> bool) -> Option<G::Value>
where
    G::Value: std::fmt::Debug,
{
    find_within(generator, 10_000, is_match)
}

/// Like [`find`], with a limit on the number of cases.
///
/// # Examples
/// ```
/// use rebut::{find_within, integers};
///
/// assert_eq!(find_within(integers::<u64>(), 100, |&n| n > 1000), Some(1001));
/// ```
#[track_caller]
pub fn find_within<G: AsGenerator>(
    generator: G,
    cases_max: u64,
    is_match: impl Fn(&G::Value) -> bool,
) -> Option<G::Value>
where
    G::Value: std::fmt::Debug,
{
    let draw =
        |source: &mut Source| source.span(Label::ARGUMENT, |source| generator.draw_value(source));
    let closure = std::any::type_name_of_val(&is_match);
    let tape = find_tape(cases_max, closure, &|case| {
        let value = draw(case);
        if case.is_shown() {
            case.code().format(format_args!("{value:?}"));
            case.show_given("value", "");
        }
        is_match(&value).into_witness()
    })?;
    let replay = Replay::new(&tape, Fallback::Simplest);
    Some(draw(&mut Source::new(AnyDriver::Replay(Box::new(replay)))))
}

/// Returns the tape of an input for which the body reports a match. `closure` is the name of the type
/// of a closure at the call.
#[track_caller]
fn find_tape(steps: u64, closure: &str, body: &Body<'_>) -> Option<Tape> {
    let check = Check::new("find").cases(steps);
    // The compiler's file of a documentation test has another name in each run.
    let doc_test = doc_test::running(closure, &check.location);
    let location = match doc_test {
        Some(test) => test.call(&check.location),
        None => check.location.clone(),
    };
    let seed =
        strings::integer(&folder::hash(&location.line_of_file()), 16).unwrap_or_default() as u64;
    let check = check.seed(seed >> 32).configure(|settings| settings.explain = false);
    let report = check.run_body(body, Claim::Exists);
    match report.verdict {
        Verdict::Exists(witness) => Some(witness.tape),
        Verdict::NotFound { .. } => None,
        _ => {
            report.assert_success();
            None
        }
    }
}

impl Report {
    /// Panics with the report unless the property passed.
    ///
    /// # Panics
    /// If the verdict is not a success.
    ///
    /// # Examples
    /// ```
    /// use rebut::{Check, integers};
    ///
    /// Check::new("bytes fit").run(|case| case.draw(integers::<u8>()) <= 255).assert_success();
    /// ```
    pub fn assert_success(&self) {
        if !self.verdict.is_success() {
            crate::print::failure(self);
        }
    }

    /// Returns whether an input made the property fail.
    ///
    /// # Examples
    /// ```
    /// use rebut::{Check, integers};
    ///
    /// let report = Check::new("small").run(|case| case.draw(integers::<u16>()) < 500);
    /// assert!(report.has_failed());
    /// ```
    #[must_use]
    pub fn has_failed(&self) -> bool {
        matches!(self.verdict, Verdict::Failed(_) | Verdict::Flaky(_))
    }
}
