//! Where generators draw from.

use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

use crate::{
    Choice, Domain, Drive, Fallback, Kind, Label, Replay, Request, Role, Stop, Tape, Token, float,
    text,
};

/// Draws choices from a driver and records them.
///
/// A clone draws from the same driver onto the same tape: values that draw later, such as
/// functions whose answers are choices, keep one.
///
/// # Example
/// ```
/// use rebut_choice::{Source, Tape};
/// let mut source = Source::replay(&Tape::from_text("i7 b1").unwrap());
/// assert_eq!(source.integer(0, 10), 7);
/// assert!(source.boolean());
/// assert_eq!(source.integer(5, 10), 5, "what the tape lacks is the simplest");
/// ```
#[derive(Clone, Debug)]
pub struct Source {
    state: Rc<RefCell<State>>,
}

#[derive(Debug)]
struct State {
    tokens: Vec<Token>,
    drive: Drive,
    choices: usize,
    depth: usize,
}

/// A case with more choices than this is rejected as too large.
const CHOICES_MAX: usize = 1 << 16;
/// A case with spans nested deeper than this is rejected as too large: it would end in a
/// stack overflow that is not the fault of the code under test.
const DEPTH_MAX: usize = 512;
/// How often a filter asks again before the case is given up.
const ATTEMPTS_MAX: usize = 64;

impl Source {
    /// A source that draws from `drive` onto an empty tape.
    #[must_use]
    pub fn new(drive: Drive) -> Source {
        let state = State { tokens: Vec::new(), drive, choices: 0, depth: 0 };
        Source { state: Rc::new(RefCell::new(state)) }
    }

    /// A source that follows `tape` and takes the simplest choice where that ends.
    #[must_use]
    pub fn replay(tape: &Tape) -> Source {
        Source::new(Drive::Replay(Box::new(Replay::new(tape, Fallback::Simplest))))
    }

    /// Begins another case with another driver, reusing the tape's memory; gives back the
    /// driver of the case before.
    pub fn begin(&mut self, drive: Drive) -> Drive {
        let mut state = self.state.borrow_mut();
        state.tokens.clear();
        state.choices = 0;
        state.depth = 0;
        std::mem::replace(&mut state.drive, drive)
    }

    /// Ends the case and gives its driver back; the tape stays until the next begins. Draws
    /// that come too late, from values that outlived their case, get the simplest choice.
    pub fn finish(&mut self) -> Drive {
        std::mem::replace(&mut self.state.borrow_mut().drive, Drive::Simplest)
    }

    /// A copy of what was recorded so far.
    #[must_use]
    pub fn tape(&self) -> Tape {
        Tape::new(self.state.borrow().tokens.clone())
    }

    /// How many choices were drawn so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.state.borrow().choices
    }

    /// How many tapes have the domains drawn from so far, saturating: for independent choices
    /// the number of all inputs, for dependent ones an estimate of it.
    #[must_use]
    pub fn combinations(&self) -> u128 {
        let state = self.state.borrow();
        state.tokens.iter().fold(1, |product: u128, token| match token {
            Token::Choice(choice) if choice.domain.role != Role::Steps => {
                product.saturating_mul(choice.domain.size())
            }
            _ => product,
        })
    }

    /// Whether nothing was drawn yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What was recorded.
    #[must_use]
    pub fn into_tape(self) -> Tape {
        Tape::new(std::mem::take(&mut self.state.borrow_mut().tokens))
    }

    /// Gives the driver back.
    #[must_use]
    pub fn into_drive(mut self) -> Drive {
        self.finish()
    }

    /// Draws a number as a [`Request`] says. All other draws come down to this one.
    pub fn choose(&mut self, request: &Request<'_>) -> i128 {
        let domain = request.domain;
        {
            let state = &mut *self.state.borrow_mut();
            state.choices += 1;
            if state.choices <= CHOICES_MAX && domain.min <= domain.max {
                #[cfg(all(target_family = "wasm", target_os = "unknown"))]
                if let Drive::Host = state.drive {
                    return crate::host::choose(&domain);
                }
                let answer = state.drive.choose(request, &state.tokens);
                let number = answer.clamp(domain.min, domain.max);
                state.tokens.push(Token::Choice(Choice { number, domain }));
                return number;
            }
        }
        refuse(domain)
    }

    /// A whole number from `min` to `max`; the nearest to zero is the simplest.
    pub fn integer(&mut self, min: i128, max: i128) -> i128 {
        self.choose(&Request::plain(Domain::integers(min, max)))
    }

    /// Yes or no, no being the simpler.
    pub fn boolean(&mut self) -> bool {
        self.choose(&Request::plain(Domain::booleans())) == 1
    }

    /// Whether an optional part is there; absent is simpler. Random drivers say yes `yes`
    /// times for each `no`.
    pub fn presence(&mut self, no: u32, yes: u32) -> bool {
        let domain = Domain::booleans().with_role(Role::Presence);
        self.choose(&Request { domain, weights: &[no, yes], ..Request::plain(domain) }) == 1
    }

    /// A character whose number (see [`text::number_of`]) is from `min` to `max`.
    pub fn character(&mut self, min: char, max: char) -> char {
        let (min, max) = (text::number_of(min), text::number_of(max));
        let origin = text::simplest(min, max);
        self.character_in(Domain { min, max, origin, kind: Kind::Char, role: Role::Value })
    }

    /// A character whose number is of this domain.
    pub fn character_in(&mut self, domain: Domain) -> char {
        let number = self.choose(&Request::plain(domain));
        #[cfg(all(target_family = "wasm", target_os = "unknown"))]
        if 0 <= domain.min && domain.max <= text::CHAR_MAX && self.asks_host() {
            return crate::host::char_of(number);
        }
        text::char_of(number)
    }

    /// Whether answers are those of a host, which are in their domain.
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    fn asks_host(&self) -> bool {
        matches!(self.state.borrow().drive, Drive::Host)
    }

    /// A float in the total order from `min` to `max`; NaN belongs to the range if `max` is NaN.
    pub fn float64(&mut self, min: f64, max: f64) -> f64 {
        let (min, max) = (float::number_of_f64(min), float::number_of_f64(max));
        let origin = 0i128.min(max).max(min);
        let domain = Domain { min, max, origin, kind: Kind::Float64, role: Role::Value };
        float::f64_of(self.choose(&Request::plain(domain)))
    }

    /// As [`Source::float64`] for the narrow floats.
    pub fn float32(&mut self, min: f32, max: f32) -> f32 {
        let (min, max) = (float::number_of_f32(min), float::number_of_f32(max));
        let origin = 0i128.min(max).max(min);
        let domain = Domain { min, max, origin, kind: Kind::Float32, role: Role::Value };
        float::f32_of(self.choose(&Request::plain(domain)))
    }

    /// How many elements follow. Draw it first thing in a span whose label is a sequence.
    pub fn length(&mut self, min_size: usize, max_size: usize) -> usize {
        let domain = Domain::integers(min_size as i128, max_size as i128).with_role(Role::Length);
        let length = self.choose(&Request::plain(domain)) as usize;
        // Who explores it need not ask which of one it is.
        if min_size == max_size { min_size } else { length }
    }

    /// How many steps follow, from the value drawn before to a neighbor of it, and so on.
    /// Draw it first thing in a span whose label is a sequence. None unless a search takes them.
    pub fn steps(&mut self, steps_max: usize) -> usize {
        let domain = Domain::integers(0, steps_max as i128).with_role(Role::Steps);
        self.choose(&Request::plain(domain)) as usize
    }

    /// How far a step may go, from 0 to 1: whoever takes the step says so.
    pub fn temperature(&mut self) -> f64 {
        let domain = Domain::temperatures();
        self.choose(&Request::plain(domain)) as f64 / domain.max as f64
    }

    /// Draws, and gives a copy of what was recorded on the way.
    pub fn traced<T>(&mut self, draw: impl FnOnce(&mut Source) -> T) -> (T, Tape) {
        let from = self.state.borrow().tokens.len();
        let value = draw(self);
        let tokens = self.state.borrow().tokens.get(from..).unwrap_or_default().to_vec();
        (value, Tape::new(tokens))
    }

    /// Which of `count` alternatives is taken; `weights` is empty or has one for each. The
    /// first `leaves` are known not to contain the type that is being drawn.
    pub fn alternative(&mut self, count: usize, weights: &[u32], leaves: usize) -> usize {
        self.one_of(count, &[], weights, leaves)
    }

    /// Which of the alternatives that have a weight is taken; none if none has. If the driver
    /// says another, the next is taken, and recorded: so that a tape that was edited says what
    /// it means, wherever its parts are put.
    pub fn possible(&mut self, weights: &[u32]) -> Option<usize> {
        let count = weights.len();
        let said = self.alternative(count, weights, count);
        let order = (said..count).chain(0..said);
        let taken = order.into_iter().find(|&nth| weights[nth] > 0)?;
        if taken != said {
            let tokens = &mut self.state.borrow_mut().tokens;
            if let Some(Token::Choice(choice)) = tokens.last_mut() {
                choice.number = taken as i128;
            }
        }
        Some(taken)
    }

    /// As [`Source::alternative`], where each alternative has a name.
    pub fn variant(&mut self, names: &[&str], weights: &[u32], leaves: usize) -> usize {
        self.one_of(names.len(), names, weights, leaves)
    }

    fn one_of(&mut self, count: usize, names: &[&str], weights: &[u32], leaves: usize) -> usize {
        let domain = Domain::integers(0, count as i128 - 1).with_role(Role::Alternative);
        let leaves = u32::try_from(leaves).unwrap_or(u32::MAX);
        self.choose(&Request { domain, weights, leaves, names }) as usize
    }

    /// Says that a value of these parts follows; see [`Driver::record`](crate::Driver::record).
    /// Nothing is drawn and nothing is recorded.
    #[inline]
    pub fn record(&mut self, parts: &[&str]) {
        if let Drive::Other(driver) = &mut self.state.borrow_mut().drive {
            driver.record(parts);
        }
    }

    /// A position below `count`.
    pub fn index(&mut self, count: usize) -> usize {
        let domain = Domain::integers(0, count as i128 - 1).with_role(Role::Index);
        self.choose(&Request::plain(domain)) as usize
    }

    /// For generators of text whose choices say nothing to others: if a certain text has to be
    /// drawn, `find` says which numbers make it. Nothing is drawn and nothing is recorded.
    pub fn follow_text(&mut self, find: &dyn Fn(&str) -> Option<Vec<i128>>) {
        let text = match &mut self.state.borrow_mut().drive {
            Drive::Other(driver) => driver.expected_text(),
            _ => None,
        };
        if let Some(text) = text {
            let numbers = find(&text);
            self.supply(numbers);
        }
    }

    /// As [`Source::follow_text`] for a single character.
    #[inline]
    pub fn follow_char(&mut self, find: &dyn Fn(char) -> Option<i128>) {
        let expected = match &mut self.state.borrow_mut().drive {
            Drive::Other(driver) => driver.expected_char(),
            _ => None,
        };
        if let Some(expected) = expected {
            self.supply(find(expected).map(|number| vec![number]));
        }
    }

    fn supply(&mut self, numbers: Option<Vec<i128>>) {
        match (numbers, &mut self.state.borrow_mut().drive) {
            (Some(numbers), Drive::Other(driver)) => driver.supply(numbers),
            (None, _) => Stop::Rejected("the generator draws no such text".into()).raise(),
            _ => {}
        }
    }

    /// Runs `draw` in a span.
    #[inline]
    pub fn span<T>(&mut self, label: Label, draw: impl FnOnce(&mut Source) -> T) -> T {
        self.open(label);
        let value = draw(self);
        self.close();
        value
    }

    /// Opens a span, as [`Source::span`] does. For code that is compiled once for each type:
    /// a closure would be, too.
    #[doc(hidden)]
    pub fn open(&mut self, label: Label) {
        let depth = {
            let state = &mut *self.state.borrow_mut();
            state.open(label);
            state.depth += 1;
            state.depth
        };
        if depth > DEPTH_MAX {
            Stop::TooLarge.raise()
        }
    }

    /// Closes the span that was opened last.
    #[doc(hidden)]
    pub fn close(&mut self) {
        let state = &mut *self.state.borrow_mut();
        state.depth = state.depth.saturating_sub(1);
        state.close();
    }

    /// Draws until `draw` gives something. What rejected tries drew is forgotten, so the tape
    /// has only what the value needs; a driver for which another try is pointless rejects
    /// the case at once.
    pub fn attempt<T>(
        &mut self,
        why: &'static str,
        mut draw: impl FnMut(&mut Source) -> Option<T>,
    ) -> T {
        for _ in 0..ATTEMPTS_MAX {
            let (kept, choices) = {
                let state = self.state.borrow();
                (state.tokens.len(), state.choices)
            };
            self.open(ATTEMPT);
            if let Some(value) = draw(self) {
                self.close();
                return value;
            }
            self.close();
            let state = &mut *self.state.borrow_mut();
            if !state.drive.can_retry() {
                break;
            }
            state.tokens.truncate(kept);
            state.choices = choices;
            state.drive.rewind(kept);
        }
        self.reject(why)
    }

    /// Ends the case: what was drawn does not meet an assumption.
    pub fn reject(&mut self, why: impl Into<Cow<'static, str>>) -> ! {
        Stop::Rejected(why.into()).raise()
    }
}

impl State {
    fn open(&mut self, label: Label) {
        #[cfg(all(target_family = "wasm", target_os = "unknown"))]
        if let Drive::Host = self.drive {
            return crate::host::open(label);
        }
        self.drive.open(label, &self.tokens);
        self.tokens.push(Token::Open(label));
    }

    fn close(&mut self) {
        #[cfg(all(target_family = "wasm", target_os = "unknown"))]
        if let Drive::Host = self.drive {
            return crate::host::close();
        }
        self.tokens.push(Token::Close);
        self.drive.close(&self.tokens);
    }
}

const ATTEMPT: Label = Label::group("attempt");

#[cold]
fn refuse(domain: Domain) -> ! {
    if domain.min > domain.max {
        Stop::Misuse(format!(
            "cannot draw from an empty range: {} to {}; the minimum must not be above the maximum",
            domain.min, domain.max
        ))
        .raise()
    }
    Stop::TooLarge.raise()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str) -> Source {
        Source::replay(&Tape::from_text(text).expect("a valid tape"))
    }

    #[test]
    fn replay_realigns_at_the_end_of_a_span() {
        let mut source = source("(g1 i1 i2 i3 ) i4");
        source.span(Label::group("x"), |source| assert_eq!(source.integer(0, 9), 1));
        assert_eq!(source.integer(0, 9), 4);
    }

    #[test]
    fn replay_does_not_take_from_the_neighbor() {
        let mut source = source("(g1 i1 ) i4");
        let inside =
            source.span(Label::group("x"), |source| (source.integer(0, 9), source.integer(0, 9)));
        assert_eq!((inside, source.integer(0, 9)), ((1, 0), 4));
    }

    #[test]
    fn rejected_tries_leave_no_trace() {
        let random = crate::Random::new(3);
        let mut source = Source::new(Drive::Random(Box::new(random)));
        let even =
            source.attempt("even", |source| Some(source.integer(0, 1000)).filter(|n| n % 2 == 0));
        assert_eq!(even % 2, 0);
        assert_eq!(source.into_tape().len(), 1);
    }

    #[test]
    fn crossed_bounds_are_a_misuse_and_not_a_panic_of_ours() {
        let result = std::panic::catch_unwind(|| source("").integer(5, 3));
        let stop = result.expect_err("stopped").downcast::<Stop>().expect("with a reason");
        assert!(matches!(*stop, Stop::Misuse(_)));
    }

    #[test]
    fn letters_shrink_to_the_simplest_of_their_range() {
        assert_eq!(source("").character('A', 'Z'), 'A');
        assert_eq!(source("").character('!', '~'), 'a');
    }

    #[test]
    fn numbers_that_do_not_fit_move_to_the_nearest() {
        let mut source = source("i100 i-100");
        assert_eq!(source.integer(0, 9), 9);
        assert_eq!(source.integer(-3, 9), -3);
    }
}
