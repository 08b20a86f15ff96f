//! The log of the running case: notes, labels, covers, scores and shown values.
//!
//! Macros without a handle write to it, so it is thread-local. It costs nothing for a case that
//! writes nothing.

use std::cell::{Cell, RefCell};
use std::fmt;

use rebut_choice::Stop;
use rebut_gen::code::TypeNote;
use rebut_search::{Direction, Objective, Utility};

use crate::calls::{CallCount, ProgramCalls};
use crate::escapes;
use crate::outcome::{Location, Outcome, PropertyResult};
use crate::scope::Scope;
use crate::wasm_guest;

/// A value of a case, as the report shows it.
///
/// # Examples
/// ```
/// use rebut::{Check, integers};
///
/// let report = Check::new("small").run(|case| case.draw_as("n", integers::<u16>()) < 500);
/// let value = &report.verdict.counterexamples()[0].values[0];
/// assert_eq!((value.name.as_str(), value.code.as_str()), ("n", "500"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownValue {
    /// The name of the parameter.
    pub name: String,
    /// The type, as written in the test; empty if unknown.
    pub type_name: String,
    /// The value, as code.
    pub code: String,
}

impl ShownValue {
    /// Returns `let name: type = `, without the type if the value begins with it:
    /// `MockClock::new(..)`.
    pub(crate) fn declaration(&self) -> String {
        let ShownValue { name, type_name, code } = self;
        if type_name.is_empty() || names_its_type(code, type_name) {
            format!("let {name} = ")
        } else {
            format!("let {name}: {type_name} = ")
        }
    }
}

/// Returns whether the code of a value begins with its type. Types with parameters never count.
fn names_its_type(code: &str, type_name: &str) -> bool {
    let is_plain = type_name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let rest = code.strip_prefix(type_name);
    is_plain
        && type_name.starts_with(|first: char| first.is_ascii_uppercase())
        && rest.is_some_and(|rest| {
            rest.is_empty() || ["::", " {", "("].iter().any(|next| rest.starts_with(next))
        })
}

/// The log of one case.
#[derive(Clone, Debug, Default)]
pub(crate) struct CaseLog {
    pub(crate) values: Vec<ShownValue>,
    pub(crate) notes: Vec<String>,
    pub(crate) labels: Vec<String>,
    pub(crate) covers: Vec<Cover>,
    pub(crate) objectives: Vec<ObjectiveValue>,
    pub(crate) operations: Vec<OperationCount>,
    pub(crate) calls: ProgramCalls,
    /// The message of the failure with its escape sequences, if it has any.
    pub(crate) styled_message: Option<String>,
    /// The backtraces of panics, if they were asked for, each below a title.
    pub(crate) backtrace: String,
    /// Why the code of the values may not compile at the property.
    pub(crate) types: Vec<TypeNote>,
    /// The names that the property knows.
    pub(crate) scope: Scope,
    /// The last contract that was violated.
    pub(crate) violation: Option<ContractViolation>,
    /// The number of the parameter whose generator panicked, from 1.
    pub(crate) failed_generator: Option<usize>,
    /// Whether the search restarts after this case.
    pub(crate) resets_search: bool,
    /// Whether the input matches.
    pub(crate) is_witness: bool,
}

/// The parts of a violated contract. The message of the failure has the same in a sentence.
///
/// # Examples
/// ```
/// use rebut::report::ContractViolation;
///
/// let violation = ContractViolation {
///     function: "Stack::pop".to_owned(),
///     clause: "ensures".to_owned(),
///     party: "code".to_owned(),
///     ..ContractViolation::default()
/// };
/// assert_eq!(violation.at_fault, None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContractViolation {
    /// The message of the panic, which distinguishes this violation from a later panic.
    pub message: String,
    /// The function whose contract is violated.
    pub function: String,
    /// The kind of clause: `requires`, `ensures` or `keeps` (an invariant).
    pub clause: String,
    /// The condition of the clause.
    pub condition: String,
    /// The party at fault: `code`, the code under test, or `outside`.
    pub party: String,
    /// The function at fault; `None` if it is an unknown caller.
    pub at_fault: Option<String>,
    /// The object whose contract is violated.
    pub object: Option<String>,
    /// The calls that led to the violation, the outermost first.
    pub calls: Vec<String>,
}

/// The value of an objective in one case.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ObjectiveValue {
    pub(crate) objective: Objective,
    pub(crate) value: f64,
    /// The target: the value at which the search has reached its goal.
    pub(crate) needed: Option<f64>,
}

impl ObjectiveValue {
    /// The value as a utility, where more is better.
    pub(crate) fn utility(&self) -> f64 {
        self.objective.utility(self.value)
    }

    /// The utility, capped at the target; `None` for NaN.
    pub(crate) fn capped_utility(&self) -> Option<f64> {
        let utility = self.utility();
        let needed = self.needed.map_or(f64::INFINITY, |needed| self.objective.utility(needed));
        (!utility.is_nan()).then_some(utility.min(needed))
    }
}

/// A requirement that a condition is true often enough.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cover {
    pub(crate) label: &'static str,
    pub(crate) at_least: f64,
    pub(crate) met: bool,
}

/// How often an operation was attempted and how often it succeeded, in one case or in all.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OperationCount {
    /// The name of the operation.
    pub name: &'static str,
    /// The number of attempts.
    pub attempts: u64,
    /// The number of successes.
    pub successes: u64,
}

impl OperationCount {
    /// Returns whether it succeeded so rarely that it tested almost nothing.
    pub(crate) fn is_rare(&self) -> bool {
        // Below one success in 20, the operation tests little; below 100 attempts, chance decides.
        // Both are product decisions.
        const ATTEMPTS_MIN: u64 = 100;
        const ATTEMPTS_PER_SUCCESS_MAX: u64 = 20;
        self.attempts >= ATTEMPTS_MIN
            && self.successes.saturating_mul(ATTEMPTS_PER_SUCCESS_MAX) < self.attempts
    }
}

/// An event of a running case, for a listener that cannot wait for its end: in a child process a
/// case may never end.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CaseEvent<'a> {
    Value(&'a ShownValue),
    /// The code of the value with this index has changed.
    Changed {
        nth: usize,
        code: &'a str,
    },
    TypeNote(&'a TypeNote),
    Note(&'a str),
    Violation(&'a ContractViolation),
    StyledMessage(&'a str),
    Backtrace(&'a str),
    /// The generator of the parameter with this number panicked.
    FailedGenerator(usize),
    /// The case has this outcome, but cannot unwind.
    Stopped(&'a Outcome),
    Panic {
        message: &'a str,
        location: Option<&'a Location>,
    },
}

type Listener = Box<dyn Fn(CaseEvent<'_>)>;

thread_local! {
    static LISTENER: RefCell<Option<Listener>> = const { RefCell::new(None) };
    static RUNNING: Cell<bool> = const { Cell::new(false) };
    static REPORTING: Cell<bool> = const { Cell::new(false) };
    static HAS_LOG: Cell<bool> = const { Cell::new(false) };
    static LOG: RefCell<CaseLog> = RefCell::default();
}

/// The state of an outer case, for a property that runs properties, as those that test Rebut do.
pub(crate) struct SavedLog {
    reporting: bool,
    has_log: bool,
    log: CaseLog,
    listener: Option<Listener>,
}

/// Begins a case on this thread. `reporting` is true if its values and notes are reported. Returns
/// the state of the case that was already running, if any.
pub(crate) fn begin(reporting: bool) -> Option<Box<SavedLog>> {
    let outer = RUNNING.replace(true).then(|| {
        Box::new(SavedLog {
            reporting: REPORTING.get(),
            has_log: HAS_LOG.replace(false),
            log: LOG.take(),
            listener: LISTENER.take(),
        })
    });
    REPORTING.set(reporting);
    outer
}

/// Ends the case and continues with the outer one. Returns the log of the case if it has any
/// entries.
pub(crate) fn end(outer: Option<Box<SavedLog>>) -> Option<CaseLog> {
    let is_inner = outer.is_some();
    RUNNING.set(is_inner);
    let mut log = HAS_LOG.replace(false).then(|| LOG.take());
    if REPORTING.replace(false) {
        // Only now are all results of generated functions known.
        if let Some(log) = &mut log {
            notify_changes(&log.values, log.scope);
            for value in &mut log.values {
                let (code, notes) = resolved(&value.code, log.scope);
                value.code = code;
                for note in notes {
                    if !log.types.contains(&note) {
                        log.types.push(note);
                    }
                }
            }
        }
        if !is_inner {
            rebut_gen::code::forget();
        }
    }
    if let Some(outer) = outer {
        REPORTING.set(outer.reporting);
        HAS_LOG.set(outer.has_log);
        LOG.set(outer.log);
        LISTENER.set(outer.listener);
    }
    log
}

/// Returns whether this execution is the one whose values and notes Rebut prints.
///
/// Rebut runs the smallest failing input once more to print it. Use this function to compute
/// expensive output only then.
///
/// # Examples
/// ```
/// use std::cell::Cell;
///
/// use rebut::{Check, integers, is_reporting};
///
/// let reported = Cell::new(None);
/// Check::new("small").run(|case| {
///     let n = case.draw(integers::<u16>());
///     if is_reporting() {
///         reported.set(Some(n));
///     }
///     n < 500
/// });
/// assert_eq!(reported.get(), Some(500));
/// ```
#[inline]
#[must_use]
pub fn is_reporting() -> bool {
    REPORTING.get()
}

/// Sends the values, notes and panics of all later cases on this thread to `listener`.
pub(crate) fn listen(listener: Listener) {
    LISTENER.set(Some(listener));
}

/// Sends an event to the listener, if there is one.
pub(crate) fn notify(event: CaseEvent<'_>) {
    let _ = LISTENER.try_with(|listener| {
        if let Ok(listener) = listener.try_borrow()
            && let Some(listener) = &*listener
        {
            listener(event);
        }
    });
}

fn append(change: impl FnOnce(&mut CaseLog)) {
    if RUNNING.get() {
        HAS_LOG.set(true);
        LOG.with_borrow_mut(change);
    }
}

/// Adds a value to the log. Callers check first whether this case is reported, before they write
/// the value as code.
pub(crate) fn show(value: ShownValue) {
    if has_listener() {
        let code = rebut_gen::code::resolve(&value.code);
        notify(CaseEvent::Value(&ShownValue { code, ..value.clone() }));
    }
    append(|log| log.values.push(value));
}

/// Sets the names that the property knows, for code that is printed after the run.
pub(crate) fn set_scope(scope: Scope) {
    append(|log| log.scope = scope);
}

/// Adds what is noted about a type to the log of a case that is reported.
pub(crate) fn show_type_note(note: TypeNote) {
    notify(CaseEvent::TypeNote(&note));
    append(|log| {
        if !log.types.contains(&note) {
            log.types.push(note);
        }
    });
}

/// Returns whether this thread runs a case.
pub(crate) fn is_running() -> bool {
    RUNNING.get()
}

fn has_listener() -> bool {
    LISTENER.with_borrow(Option::is_some)
}

/// Returns code without markers, with the names that the property knows, and the notes about types
/// whose code may not compile there.
fn resolved(code: &str, scope: Scope) -> (String, Vec<TypeNote>) {
    let (text, notes) = rebut_gen::code::collect_notes(|| rebut_gen::code::resolve(code));
    scope.written(text, notes)
}

/// Sends the current code of the values that change while the property runs.
fn notify_changes(values: &[ShownValue], scope: Scope) {
    if !has_listener() {
        return;
    }
    for (nth, value) in values.iter().enumerate() {
        let (code, notes) = resolved(&value.code, scope);
        if code != value.code {
            notify(CaseEvent::Changed { nth, code: &code });
        }
        notes.iter().for_each(|note| notify(CaseEvent::TypeNote(note)));
    }
}

/// Sends the current code of the values that change while the property runs, before an operation
/// that may never end. Does nothing unless this case is reported.
#[doc(hidden)]
pub fn show_again() {
    if REPORTING.get() && has_listener() {
        let (values, scope) = LOG.with_borrow(|log| (log.values.clone(), log.scope));
        notify_changes(&values, scope);
    }
}

/// Implements `note!`: the report prints the note below the values of a failing case.
pub fn note(text: fmt::Arguments<'_>) {
    if REPORTING.get() {
        let text = escapes::plain(&text.to_string());
        notify(CaseEvent::Note(&text));
        append(|log| log.notes.push(text));
    }
}

/// Removes the escape sequences of the message of a failure. The report of the case has them.
pub(crate) fn plain_message(message: String) -> String {
    let plain = escapes::plain(&message);
    if REPORTING.get() && plain != message {
        notify(CaseEvent::StyledMessage(&message));
        append(|log| log.styled_message = Some(message));
    }
    plain
}

/// Records the backtrace of a panic if this case is reported.
pub(crate) fn show_backtrace(capture: impl FnOnce() -> Option<String>) {
    if REPORTING.try_with(Cell::get).unwrap_or(false)
        && let Some(backtrace) = capture()
    {
        notify(CaseEvent::Backtrace(&backtrace));
        append(|log| log.backtrace.push_str(&backtrace));
    }
}

/// Records that the generator of a parameter panicked in a case that is reported.
pub(crate) fn note_failed_generator(number: usize) {
    if REPORTING.get() {
        notify(CaseEvent::FailedGenerator(number));
        append(|log| log.failed_generator = Some(number));
    }
}

/// Records a violated contract of a case that is reported.
#[doc(hidden)]
pub fn note_violation(violation: ContractViolation) {
    if REPORTING.get() {
        notify(CaseEvent::Violation(&violation));
        append(|log| log.violation = Some(violation));
    }
}

/// Implements `label!`: counts the case under this name.
pub fn label(text: fmt::Arguments<'_>) {
    if RUNNING.get() {
        // Code of the user writes the text. It may panic, or write to the log itself.
        let text = text.to_string();
        append(|log| log.labels.push(text));
    }
}

/// Implements `cover!`: requires that `met` is true in at least `at_least` percent of the cases.
pub fn cover(label: &'static str, met: bool, at_least: f64) {
    append(|log| match log.covers.iter_mut().find(|cover| cover.label == label) {
        Some(cover) => cover.met |= met,
        None => log.covers.push(Cover { label, at_least, met }),
    });
}

/// Counts the attempts and successes of an operation. The report names operations that rarely
/// succeed. Zero attempts leave no entry.
pub fn count_operation(name: &'static str, attempts: u64, successes: u64) {
    if attempts > 0 {
        append(|log| log.operations.push(OperationCount { name, attempts, successes }));
    }
}

/// Counts the calls of a program that ran, for all operations that it could call.
#[doc(hidden)]
pub fn count_calls(operations: Vec<CallCount>) {
    append(|log| log.calls.add(1, operations));
}

/// Reports a score. Rebut searches for inputs with a higher one.
///
/// The search ignores rejected cases and cases whose score is NaN. Calls outside of a property,
/// or on another thread than the one that runs it, have no effect.
///
/// # Examples
/// ```
/// use rebut::{Check, integers, maximize};
///
/// let report = Check::new("never_near_the_edge").seed(1).run(|case| {
///     let x = case.draw(integers::<u32>());
///     let y = case.draw(integers::<u32>());
///     maximize(u64::from(x) + u64::from(y));
///     u64::from(x) + u64::from(y) < 8_589_934_000
/// });
/// assert!(report.has_failed());
/// ```
pub fn maximize(utility: impl Utility) -> Aim {
    aim("", Direction::Maximize, utility.to_f64())
}

/// Reports a score. Rebut searches for inputs with a lower one; see [`maximize`].
///
/// # Examples
/// ```
/// use rebut::{Check, integers, minimize};
///
/// let report = Check::new("not_the_square_root").seed(1).run(|case| {
///     let n = case.draw(integers::<u64>());
///     let distance = n.wrapping_mul(n).abs_diff(1_522_756);
///     minimize(distance);
///     distance != 0
/// });
/// assert!(report.has_failed());
/// ```
pub fn minimize(utility: impl Utility) -> Aim {
    aim("", Direction::Minimize, utility.to_f64())
}

/// Like [`maximize`], but for one of several named objectives.
///
/// # Examples
/// ```
/// use rebut::{Check, integers, maximize_as};
///
/// let report = Check::new("rectangles").seed(1).run(|case| {
///     let (width, height) = (case.draw(integers::<u8>()), case.draw(integers::<u8>()));
///     maximize_as("area", u32::from(width) * u32::from(height));
///     maximize_as("difference", width.abs_diff(height));
/// });
/// assert_eq!(report.statistics.best_cases.len(), 2);
/// ```
pub fn maximize_as(label: &str, utility: impl Utility) -> Aim {
    aim(label, Direction::Maximize, utility.to_f64())
}

/// Like [`minimize`], but for one of several named objectives.
///
/// # Examples
/// ```
/// use rebut::{Check, integers, maximize_as, minimize_as};
///
/// let report = Check::new("numbers").seed(1).run(|case| {
///     let n = case.draw(integers::<u32>());
///     maximize_as("digits", n.to_string().len());
///     minimize_as("ones", n.count_ones());
/// });
/// assert_eq!(report.statistics.best_cases[1].label, "ones");
/// ```
pub fn minimize_as(label: &str, utility: impl Utility) -> Aim {
    aim(label, Direction::Minimize, utility.to_f64())
}

/// The result of [`maximize`] and [`minimize`], to set a target.
///
/// # Examples
/// ```
/// use rebut::{Check, integers, maximize};
///
/// let report = Check::new("below_200").seed(1).run(|case| {
///     let n = case.draw(integers::<u8>());
///     maximize(n).needed(200);
///     n < 200
/// });
/// assert!(report.has_failed());
/// ```
#[derive(Debug)]
pub struct Aim {
    label: String,
}

impl Aim {
    /// Sets the target: the score at which the property fails. The report then shows how far the
    /// search came, as in `highest score: 9 (target 20)`, and the search does not try to exceed
    /// the target.
    ///
    /// # Examples
    /// ```
    /// use rebut::{Check, integers, maximize, vecs};
    ///
    /// let report = Check::new("few_ones").seed(1).run(|case| {
    ///     let list = case.draw_as("list", vecs(integers::<u8>()).max_size(9));
    ///     let ones = list.iter().filter(|&&n| n == 1).count();
    ///     maximize(ones).needed(20);
    ///     ones < 20
    /// });
    /// assert!(report.to_string().contains("highest score: 9 (target 20)"));
    /// ```
    pub fn needed(self, value: impl Utility) {
        let value = value.to_f64();
        if value.is_nan() {
            Stop::Misuse("invalid `needed` NaN; expected a number".to_owned()).raise()
        }
        append(|log| {
            let mut objectives = log.objectives.iter_mut();
            if let Some(reported) = objectives.find(|known| known.objective.label == self.label) {
                reported.needed = Some(value);
            }
        });
    }
}

/// Lets a property end with `maximize(..)` as its last expression.
impl PropertyResult for Aim {
    fn into_failure(self) -> Option<String> {
        None
    }
}

fn aim(label: &str, direction: Direction, value: f64) -> Aim {
    append(|log| {
        if log.objectives.iter().any(|known| known.objective.label == label) {
            let name = match label {
                "" => "unnamed objective".to_owned(),
                label => format!("objective `{label}`"),
            };
            Stop::Misuse(format!(
                "the {name} was reported twice in one case\nhelp: report it once, or name each one: `maximize_as(\"name\", value)`"
            ))
            .raise()
        }
        let objective = Objective { label: label.to_owned(), direction };
        log.objectives.push(ObjectiveValue { objective, value, needed: None });
    });
    Aim { label: label.to_owned() }
}

/// Restarts the search from a new random input.
///
/// Call it when the score is good enough and another start may lead to a different failure.
///
/// # Examples
/// ```
/// use rebut::{Check, integers, maximize, reset_search, vecs};
///
/// let report = Check::new("sums").seed(1).run(|case| {
///     let sum: u32 = case.draw(vecs(integers::<u8>())).iter().map(|&n| u32::from(n)).sum();
///     maximize(sum);
///     if sum > 500 {
///         reset_search();
///     }
/// });
/// assert!(report.verdict.is_success());
/// ```
pub fn reset_search() {
    append(|log| log.resets_search = true);
}

/// Records that the input matches.
pub(crate) fn mark_witness() {
    wasm_guest::witness_found();
    append(|log| log.is_witness = true);
}

/// Implements `assume!`: rejects the case if the condition is false.
pub fn assume(condition: bool, what: &'static str) {
    if !condition {
        Stop::Rejected(what.into()).raise()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utility_is_capped_at_the_target() {
        let capped = |direction: Direction, value: f64, needed: Option<f64>| {
            let objective = Objective { label: String::new(), direction };
            ObjectiveValue { objective, value, needed }.capped_utility()
        };
        assert_eq!(capped(Direction::Maximize, 30.0, None), Some(30.0));
        assert_eq!(capped(Direction::Maximize, 19.0, Some(21.0)), Some(19.0));
        assert_eq!(capped(Direction::Maximize, 30.0, Some(21.0)), Some(21.0));
        assert_eq!(capped(Direction::Minimize, 3.0, Some(1.0)), Some(-3.0));
        assert_eq!(capped(Direction::Minimize, -9.0, Some(1.0)), Some(-1.0));
        assert_eq!(capped(Direction::Minimize, f64::NAN, Some(1.0)), None);
    }
}
