//! What the running case says about itself: notes, labels, covers, shown values.
//!
//! A property reaches it through macros that take no handle, so it is kept per thread. Nothing
//! here costs anything for a case that says nothing.

use std::cell::{Cell, RefCell};
use std::fmt;

use rebut_choice::Stop;
use rebut_search::{Direction, Objective, Utility};

use crate::explore;
use crate::outcome::{Answer, Location};

/// A value of the case, as it is shown to people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownValue {
    /// The parameter.
    pub name: String,
    /// Its type as written; empty if not known.
    pub type_name: String,
    /// The value as code.
    pub code: String,
}

impl ShownValue {
    /// `let name: type = `, without the type if the value begins with it: `MockClock::new(..)`.
    pub(crate) fn declaration(&self) -> String {
        let ShownValue { name, type_name, code } = self;
        if type_name.is_empty() || names_its_type(code, type_name) {
            format!("let {name} = ")
        } else {
            format!("let {name}: {type_name} = ")
        }
    }
}

/// Whether the code of a value begins with its type, which has no parameters.
fn names_its_type(code: &str, type_name: &str) -> bool {
    let is_plain = type_name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let rest = code.strip_prefix(type_name);
    is_plain
        && type_name.starts_with(|first: char| first.is_ascii_uppercase())
        && rest.is_some_and(|rest| {
            rest.is_empty() || ["::", " {", "("].iter().any(|next| rest.starts_with(next))
        })
}

/// What one case said.
#[derive(Clone, Debug, Default)]
pub(crate) struct Said {
    pub(crate) values: Vec<ShownValue>,
    pub(crate) notes: Vec<String>,
    pub(crate) labels: Vec<String>,
    pub(crate) covers: Vec<Cover>,
    pub(crate) objectives: Vec<Reported>,
    pub(crate) tallies: Vec<Tally>,
    /// The search shall start anew after this case.
    pub(crate) resets_search: bool,
    /// The input is one of those that are sought.
    pub(crate) is_witness: bool,
}

/// The value of an objective in one case.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Reported {
    pub(crate) objective: Objective,
    pub(crate) value: f64,
    /// What the value must come to for the search to have reached its aim.
    pub(crate) needed: Option<f64>,
}

impl Reported {
    /// More is better.
    pub(crate) fn utility(&self) -> f64 {
        self.objective.utility(self.value)
    }

    /// The utility, of which no more is wanted than is needed; none if it is not a number.
    pub(crate) fn wanted_utility(&self) -> Option<f64> {
        let utility = self.utility();
        let needed = self.needed.map_or(f64::INFINITY, |needed| self.objective.utility(needed));
        (!utility.is_nan()).then_some(utility.min(needed))
    }
}

/// A claim that some inputs are met often enough.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cover {
    pub(crate) label: &'static str,
    pub(crate) at_least: f64,
    pub(crate) met: bool,
}

/// How often something was tried and how often it could be done, in one case or in all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// What was tried.
    pub what: &'static str,
    /// How often.
    pub tries: u64,
    /// How often it could be done.
    pub done: u64,
}

impl Tally {
    /// Whether it could be done so rarely that hardly anything was tested by it.
    pub(crate) fn is_rare(&self) -> bool {
        const ENOUGH: u64 = 100;
        self.tries >= ENOUGH && self.done.saturating_mul(20) < self.tries
    }
}

/// Something a case says while it runs, for those who cannot wait until it ends: in a child
/// process it may never end.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Spoken<'a> {
    Value(&'a ShownValue),
    /// The value with this number is written otherwise by now.
    Changed {
        nth: usize,
        code: &'a str,
    },
    Note(&'a str),
    Panic {
        message: &'a str,
        location: Option<&'a Location>,
    },
}

type Listener = Box<dyn Fn(Spoken<'_>)>;

thread_local! {
    static LISTENER: RefCell<Option<Listener>> = const { RefCell::new(None) };
    static RUNNING: Cell<bool> = const { Cell::new(false) };
    static REPORTING: Cell<bool> = const { Cell::new(false) };
    static SPOKEN: Cell<bool> = const { Cell::new(false) };
    static SAID: RefCell<Said> = RefCell::default();
}

/// The case around another: a property that runs properties, as those that test Rebut do.
pub(crate) struct Outer {
    reporting: bool,
    spoken: bool,
    said: Said,
    listener: Option<Listener>,
}

/// Begins a case on this thread; `reporting` if its values and notes are wanted. Gives back
/// the case that was running already, if there was one.
pub(crate) fn begin(reporting: bool) -> Option<Box<Outer>> {
    let outer = RUNNING.replace(true).then(|| {
        Box::new(Outer {
            reporting: REPORTING.get(),
            spoken: SPOKEN.replace(false),
            said: SAID.take(),
            listener: LISTENER.take(),
        })
    });
    REPORTING.set(reporting);
    outer
}

/// Ends the case and goes on with the one around it; what it said, if it said anything.
pub(crate) fn end(outer: Option<Box<Outer>>) -> Option<Said> {
    let is_inner = outer.is_some();
    RUNNING.set(is_inner);
    let mut said = SPOKEN.replace(false).then(|| SAID.take());
    if REPORTING.replace(false) {
        // What a drawn function answers is known only now.
        if let Some(said) = &mut said {
            tell_changes(&said.values);
            for value in &mut said.values {
                value.code = rebut_gen::code::resolve(&value.code);
            }
        }
        if !is_inner {
            rebut_gen::code::forget();
        }
    }
    if let Some(outer) = outer {
        REPORTING.set(outer.reporting);
        SPOKEN.set(outer.spoken);
        SAID.set(outer.said);
        LISTENER.set(outer.listener);
    }
    said
}

/// Whether this execution is the one whose values and notes are printed.
#[inline]
#[must_use]
pub fn is_reporting() -> bool {
    REPORTING.get()
}

/// Tells `listener` from now on what cases on this thread show, note and panic with.
pub(crate) fn listen(listener: Listener) {
    LISTENER.set(Some(listener));
}

/// Tells the listener, if there is one.
pub(crate) fn tell(spoken: Spoken<'_>) {
    let _ = LISTENER.try_with(|listener| {
        if let Ok(listener) = listener.try_borrow()
            && let Some(listener) = &*listener
        {
            listener(spoken);
        }
    });
}

fn say(change: impl FnOnce(&mut Said)) {
    if RUNNING.get() {
        SPOKEN.set(true);
        SAID.with_borrow_mut(change);
    }
}

/// Adds a value to what is shown: if this case is the one that is reported, which callers ask
/// before they write the value as code.
pub(crate) fn show(value: ShownValue) {
    if has_listener() {
        let code = rebut_gen::code::resolve(&value.code);
        tell(Spoken::Value(&ShownValue { code, ..value.clone() }));
    }
    say(|said| said.values.push(value));
}

fn has_listener() -> bool {
    LISTENER.with_borrow(Option::is_some)
}

/// Says how the values are written that take shape while the property runs.
fn tell_changes(values: &[ShownValue]) {
    if !has_listener() {
        return;
    }
    for (nth, value) in values.iter().enumerate() {
        let code = rebut_gen::code::resolve(&value.code);
        if code != value.code {
            tell(Spoken::Changed { nth, code: &code });
        }
    }
}

/// Shows again the values that take shape while the property runs, as they are now: before
/// something that may never end. Nothing happens unless this case is the one that is reported.
#[doc(hidden)]
pub fn show_again() {
    if REPORTING.get() && has_listener() {
        let values = SAID.with_borrow(|said| said.values.clone());
        tell_changes(&values);
    }
}

/// Behind `note!`: the text appears under the values of a failing case.
pub fn note(text: fmt::Arguments<'_>) {
    if REPORTING.get() {
        let text = text.to_string();
        tell(Spoken::Note(&text));
        say(|said| said.notes.push(text));
    }
}

/// Behind `label!`: counts the case under this name.
pub fn label(text: fmt::Arguments<'_>) {
    say(|said| said.labels.push(text.to_string()));
}

/// Behind `cover!`: claims that `met` is true in at least so many of a hundred cases.
pub fn cover(label: &'static str, met: bool, at_least: f64) {
    say(|said| match said.covers.iter_mut().find(|cover| cover.label == label) {
        Some(cover) => cover.met |= met,
        None => said.covers.push(Cover { label, at_least, met }),
    });
}

/// Counts how often something was tried and could be done: the report of a run says what hardly
/// ever could. Takes nothing if it was never tried.
pub fn tally(what: &'static str, tries: u64, done: u64) {
    if tries > 0 {
        say(|said| said.tallies.push(Tally { what, tries, done }));
    }
}

/// Says how good this case is: the search looks for cases with a larger `utility`. A case
/// whose utility is NaN, or that is given up, is not used. On another thread than the property's, and outside of
/// properties, nothing happens.
///
/// # Example
/// ```
/// # use rebut_gen::integers;
/// let report = rebut_run::Check::new("never_near_the_edge").seed(1).run(|case| {
///     let x = case.draw(integers::<u32>());
///     let y = case.draw(integers::<u32>());
///     rebut_run::maximize(u64::from(x) + u64::from(y));
///     u64::from(x) + u64::from(y) < 8_589_934_000
/// });
/// assert!(report.has_failed());
/// ```
pub fn maximize(utility: impl Utility) -> Aim {
    aim("", Direction::Maximize, utility.to_f64())
}

/// As [`maximize`], for something of which less is better.
pub fn minimize(utility: impl Utility) -> Aim {
    aim("", Direction::Minimize, utility.to_f64())
}

/// As [`maximize`], for one of several objectives, each with a name.
pub fn maximize_as(label: &str, utility: impl Utility) -> Aim {
    aim(label, Direction::Maximize, utility.to_f64())
}

/// As [`minimize`], for one of several objectives, each with a name.
pub fn minimize_as(label: &str, utility: impl Utility) -> Aim {
    aim(label, Direction::Minimize, utility.to_f64())
}

/// What [`maximize`] and [`minimize`] give back, to say more about the objective.
#[derive(Debug)]
pub struct Aim {
    label: String,
}

impl Aim {
    /// Says which value refutes the property. Reports then tell how far the search came, as
    /// `19 of 21 needed`, and it does not strive for more.
    ///
    /// # Example
    /// ```
    /// # use rebut_gen::{integers, vecs};
    /// let report = rebut_run::Check::new("few_ones").seed(1).run(|case| {
    ///     let list = case.draw_as("list", vecs(integers::<u8>()).max_size(9));
    ///     let ones = list.iter().filter(|&&n| n == 1).count();
    ///     rebut_run::maximize(ones).needed(20);
    ///     ones < 20
    /// });
    /// assert!(report.to_string().contains("highest score: 9 (target 20)"));
    /// ```
    pub fn needed(self, value: impl Utility) {
        let value = value.to_f64();
        if value.is_nan() {
            Stop::Misuse("invalid `needed` NaN; expected a number".to_owned()).raise()
        }
        say(|said| {
            let mut objectives = said.objectives.iter_mut();
            if let Some(reported) = objectives.find(|known| known.objective.label == self.label) {
                reported.needed = Some(value);
            }
        });
    }
}

/// For properties whose last expression it is.
impl Answer for Aim {
    fn into_failure(self) -> Option<String> {
        None
    }
}

fn aim(label: &str, direction: Direction, value: f64) -> Aim {
    say(|said| {
        if said.objectives.iter().any(|known| known.objective.label == label) {
            let name =
                if label.is_empty() { "without a name".to_owned() } else { format!("`{label}`") };
            Stop::Misuse(format!(
                "the objective {name} was reported twice in one case\nhelp: report it once, or name each one: `maximize_as(\"name\", value)`"
            ))
            .raise()
        }
        let objective = Objective { label: label.to_owned(), direction };
        said.objectives.push(Reported { objective, value, needed: None });
    });
    Aim { label: label.to_owned() }
}

/// Makes the search start anew after this case: what was climbed is good enough, another
/// start may lead elsewhere.
pub fn reset_search() {
    say(|said| said.resets_search = true);
}

/// Says that the input is one of those that are sought.
pub(crate) fn witness() {
    explore::found();
    say(|said| said.is_witness = true);
}

/// Behind `assume!`: gives the case up if the condition is false.
pub fn assume(condition: bool, what: &'static str) {
    if !condition {
        Stop::Rejected(what.into()).raise()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_wanted_than_is_needed() {
        let wanted = |direction: Direction, value: f64, needed: Option<f64>| {
            let objective = Objective { label: String::new(), direction };
            Reported { objective, value, needed }.wanted_utility()
        };
        assert_eq!(wanted(Direction::Maximize, 30.0, None), Some(30.0));
        assert_eq!(wanted(Direction::Maximize, 19.0, Some(21.0)), Some(19.0));
        assert_eq!(wanted(Direction::Maximize, 30.0, Some(21.0)), Some(21.0));
        assert_eq!(wanted(Direction::Minimize, 3.0, Some(1.0)), Some(-3.0));
        assert_eq!(wanted(Direction::Minimize, -9.0, Some(1.0)), Some(-1.0));
        assert_eq!(wanted(Direction::Minimize, f64::NAN, Some(1.0)), None);
    }
}
