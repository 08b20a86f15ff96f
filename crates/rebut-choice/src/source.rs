//! The source that generators draw choices from.

mod distinct;

use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::{Rc, Weak};

pub use distinct::DistinctKeys;

use crate::{
    AnyDriver, Choice, ChoiceKind, Domain, Fallback, Label, Replay, Request, Role, Stop, Tape,
    Token, float, internal_assert, text,
};

/// Draws choices from a driver and records them on a tape.
///
/// A clone draws from the same driver and records on the same tape. Values that draw later, such
/// as functions that generate their results, keep a clone.
///
/// # Examples
/// ```
/// use rebut_choice::{Source, Tape};
/// let mut source = Source::replay(&Tape::from_text("i7 b1").unwrap());
/// assert_eq!(source.integer(0, 10), 7);
/// assert!(source.boolean());
/// assert_eq!(source.integer(5, 10), 5, "after the end of the tape: the simplest number");
/// ```
#[derive(Clone, Debug)]
pub struct Source {
    state: Rc<RefCell<State>>,
}

#[derive(Debug)]
struct State {
    tokens: Vec<Token>,
    driver: AnyDriver,
    choices: usize,
    depth: usize,
    /// For each key of a collection: the index of the token after it, and the share of its choices
    /// that lead to further collections.
    repeats: Vec<(usize, f64)>,
    /// Identifies the case, once someone asked for it.
    case: Option<Rc<()>>,
    /// Whether a value of the case draws its answers when it is asked.
    has_answers: bool,
}

/// The maximum number of choices of a case. A case that draws more is rejected as too large. It
/// bounds the time and memory of a case, also for a generator that never ends. Arbitrary.
const CHOICES_MAX: usize = 1 << 16;
/// The maximum depth of spans. A case that nests deeper is rejected as too large, because it would
/// overflow the stack, which is not a bug of the code under test. Arbitrary: a generator may use
/// 4 KiB of stack for each span on a thread of 2 MiB, the default of Rust.
const DEPTH_MAX: usize = 512;
/// The maximum number of attempts of a filter. After that the case is rejected. Arbitrary: a filter
/// that accepts one value in ten rejects one case in 850 (`0.9^64`). 32 and 128 change nothing in
/// `bench find` and `bench shrink`, whose generators hardly filter.
const ATTEMPTS_MAX: usize = 64;

impl Source {
    /// Creates a source that draws from `driver` and records on an empty tape.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{AnyDriver, Random, Source};
    /// let mut source = Source::new(AnyDriver::Random(Box::new(Random::new(1))));
    /// assert!((0..=9).contains(&source.integer(0, 9)));
    /// ```
    #[must_use]
    pub fn new(driver: AnyDriver) -> Source {
        let state = State {
            tokens: Vec::new(),
            driver,
            choices: 0,
            depth: 0,
            repeats: Vec::new(),
            case: None,
            has_answers: false,
        };
        Source { state: Rc::new(RefCell::new(state)) }
    }

    /// Creates a source that follows `tape`, and draws the simplest choices after its end.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{Source, Tape};
    /// let mut source = Source::replay(&Tape::from_text("i7").unwrap());
    /// assert_eq!((source.integer(0, 9), source.integer(0, 9)), (7, 0));
    /// ```
    #[must_use]
    pub fn replay(tape: &Tape) -> Source {
        Source::new(AnyDriver::Replay(Box::new(Replay::new(tape, Fallback::Simplest))))
    }

    /// Starts a new case with another driver and returns the previous driver. Reuses the memory
    /// of the tape.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{AnyDriver, Source, Tape};
    /// let mut source = Source::replay(&Tape::from_text("i7").unwrap());
    /// source.integer(0, 9);
    /// source.begin(AnyDriver::Simplest);
    /// assert!(source.is_empty());
    /// ```
    pub fn begin(&mut self, driver: AnyDriver) -> AnyDriver {
        let mut state = self.state.borrow_mut();
        state.tokens.clear();
        state.repeats.clear();
        state.choices = 0;
        state.depth = 0;
        state.case = None;
        state.has_answers = false;
        std::mem::replace(&mut state.driver, driver)
    }

    /// Returns a pointer that is equal to no pointer of another case.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{AnyDriver, Source};
    /// let mut source = Source::new(AnyDriver::Simplest);
    /// let first = source.case();
    /// assert!(first.ptr_eq(&source.case()));
    /// source.begin(AnyDriver::Simplest);
    /// assert!(!first.ptr_eq(&source.case()));
    /// ```
    #[doc(hidden)]
    #[must_use]
    pub fn case(&self) -> Weak<()> {
        Rc::downgrade(self.state.borrow_mut().case.get_or_insert_default())
    }

    /// Notes that the case has a value that draws its answers when it is asked, such as a function.
    /// The tape has only the answers that were asked for, so it stands for many values.
    #[doc(hidden)]
    pub fn note_answers(&self) {
        self.state.borrow_mut().has_answers = true;
    }

    /// Returns whether the case has a value that draws its answers when it is asked.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{AnyDriver, Source};
    /// let mut source = Source::new(AnyDriver::Simplest);
    /// source.note_answers();
    /// assert!(source.has_answers());
    /// source.begin(AnyDriver::Simplest);
    /// assert!(!source.has_answers());
    /// ```
    #[doc(hidden)]
    #[must_use]
    pub fn has_answers(&self) -> bool {
        self.state.borrow().has_answers
    }

    /// Ends the case and returns its driver. The tape stays until the next case begins.
    ///
    /// A value that outlives its case can draw after this call. It gets the simplest choices.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{Source, Tape};
    /// let mut source = Source::replay(&Tape::from_text("i7 i8").unwrap());
    /// source.integer(0, 9);
    /// source.finish();
    /// assert_eq!(source.integer(0, 9), 0);
    /// ```
    pub fn finish(&mut self) -> AnyDriver {
        std::mem::replace(&mut self.state.borrow_mut().driver, AnyDriver::Simplest)
    }

    /// Returns a copy of the tape recorded so far.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{Source, Tape};
    /// let mut source = Source::replay(&Tape::default());
    /// source.integer(3, 9);
    /// assert_eq!(source.tape().to_text(), "i3");
    /// ```
    #[must_use]
    pub fn tape(&self) -> Tape {
        Tape::new(self.state.borrow().tokens.clone())
    }

    /// Returns the length of the tape recorded so far, for [`tape_since`](Source::tape_since).
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{Source, Tape};
    /// let mut source = Source::replay(&Tape::default());
    /// source.boolean();
    /// assert_eq!(source.tape_len(), 1);
    /// ```
    #[doc(hidden)]
    #[must_use]
    pub fn tape_len(&self) -> usize {
        self.state.borrow().tokens.len()
    }

    /// Returns the part of the tape that was recorded since it had the length `start`, in the same span. Returns
    /// `None` if a host draws the choices, which records no tape.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{Source, Tape};
    /// let mut source = Source::replay(&Tape::from_text("i7 i8").unwrap());
    /// source.integer(0, 9);
    /// let start = source.tape_len();
    /// source.integer(0, 9);
    /// assert_eq!(source.tape_since(start).unwrap().to_text(), "i8");
    /// ```
    #[doc(hidden)]
    #[must_use]
    pub fn tape_since(&self, start: usize) -> Option<Tape> {
        #[cfg(all(target_family = "wasm", target_os = "unknown"))]
        if self.asks_host() {
            return None;
        }
        let state = self.state.borrow();
        Some(Tape::new(state.tokens.get(start..)?.to_vec()))
    }

    /// Returns whether there are clones of the source: a value may draw from it later.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{Source, Tape};
    /// let source = Source::replay(&Tape::default());
    /// assert!(!source.has_clones());
    /// let later = source.clone();
    /// assert!(source.has_clones());
    /// ```
    #[doc(hidden)]
    #[must_use]
    pub fn has_clones(&self) -> bool {
        Rc::strong_count(&self.state) > 1
    }

    /// Returns the number of choices drawn so far.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{Source, Tape};
    /// let mut source = Source::replay(&Tape::default());
    /// source.boolean();
    /// assert_eq!(source.len(), 1);
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.state.borrow().choices
    }

    /// Returns the number of tapes with the domains drawn from so far, saturating at `u128::MAX`.
    ///
    /// If the choices are independent, this is the number of all inputs. Otherwise it is an
    /// estimate. [Distinct](Source::distinct) keys of a collection are counted as such.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{Source, Tape};
    /// let mut source = Source::replay(&Tape::default());
    /// source.boolean();
    /// source.integer(0, 9);
    /// assert_eq!(source.combinations(), 20);
    /// ```
    #[must_use]
    pub fn combinations(&self) -> u128 {
        let state = self.state.borrow();
        let product = distinct::product_of_sizes(&state.tokens);
        if state.repeats.is_empty() {
            return product;
        }
        let share: f64 = state.repeats.iter().map(|(_, share)| share).product();
        (product as f64 * share).ceil() as u128
    }

    /// Returns whether no choice was drawn yet.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{Source, Tape};
    /// assert!(Source::replay(&Tape::default()).is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the recorded tape.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{Source, Tape};
    /// let mut source = Source::replay(&Tape::default());
    /// source.boolean();
    /// assert_eq!(source.into_tape().to_text(), "b0");
    /// ```
    #[must_use]
    pub fn into_tape(self) -> Tape {
        Tape::new(std::mem::take(&mut self.state.borrow_mut().tokens))
    }

    /// Returns the driver.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{AnyDriver, Exhaustive, Source};
    /// let mut source = Source::new(AnyDriver::Exhaustive(Box::new(Exhaustive::default())));
    /// source.boolean();
    /// let AnyDriver::Exhaustive(mut walk) = source.into_driver() else { panic!() };
    /// assert!(walk.advance(), "`true` is left");
    /// ```
    #[must_use]
    pub fn into_driver(mut self) -> AnyDriver {
        self.finish()
    }

    /// Draws the number for a [`Request`]. All other methods draw through this one.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{Domain, Request, Source, Tape};
    /// let mut source = Source::replay(&Tape::default());
    /// let domain = Domain { origin: 12, ..Domain::integers(0, 23) };
    /// assert_eq!(source.choose(&Request::plain(domain)), 12);
    /// ```
    pub fn choose(&mut self, request: &Request<'_>) -> i128 {
        let domain = request.domain;
        {
            let state = &mut *self.state.borrow_mut();
            state.choices += 1;
            if state.choices <= CHOICES_MAX && domain.min <= domain.max {
                #[cfg(all(target_family = "wasm", target_os = "unknown"))]
                if let AnyDriver::Host = state.driver {
                    return crate::host::choose(&domain);
                }
                let answer = state.driver.choose(request, &state.tokens);
                let number = answer.clamp(domain.min, domain.max);
                state.tokens.push(Token::Choice(Choice { number, domain }));
                return number;
            }
        }
        refuse(domain)
    }

    /// Draws a whole number from `min` to `max`. The simplest is the one nearest to zero.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{Source, Tape};
    /// let mut source = Source::replay(&Tape::from_text("i7").unwrap());
    /// assert_eq!(source.integer(-9, 9), 7);
    /// assert_eq!(source.integer(-9, 9), 0);
    /// ```
    pub fn integer(&mut self, min: i128, max: i128) -> i128 {
        self.choose(&Request::plain(Domain::integers(min, max)))
    }

    /// Draws a boolean. `false` is simpler.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{Source, Tape};
    /// let mut source = Source::replay(&Tape::from_text("b1").unwrap());
    /// assert!(source.boolean());
    /// ```
    pub fn boolean(&mut self) -> bool {
        self.choose(&Request::plain(Domain::booleans())) == 1
    }

    /// Draws whether an optional part is present. Absent is simpler.
    ///
    /// The arguments are the weights of the two answers; only random drivers use them.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{Source, Tape};
    /// let mut source = Source::replay(&Tape::default());
    /// let middle_name = source.presence(1, 3).then(|| source.character('a', 'z'));
    /// assert_eq!(middle_name, None);
    /// ```
    pub fn presence(&mut self, no: u32, yes: u32) -> bool {
        let domain = Domain::booleans().with_role(Role::Presence);
        self.choose(&Request { domain, weights: &[no, yes], ..Request::plain(domain) }) == 1
    }

    /// Draws a character whose number (see [`text::number_of`]) is from `min` to `max`.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{Source, Tape};
    /// let mut source = Source::replay(&Tape::from_text("c120").unwrap());
    /// assert_eq!(source.character('a', 'z'), 'x');
    /// assert_eq!(source.character('a', 'z'), 'a');
    /// ```
    pub fn character(&mut self, min: char, max: char) -> char {
        let (min, max) = (text::number_of(min), text::number_of(max));
        let origin = text::simplest(min, max);
        self.character_in(Domain { min, max, origin, kind: ChoiceKind::Char, role: Role::Value })
    }

    /// Draws a character whose number is in `domain`.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::text::number_of;
    /// use rebut_choice::{Domain, ChoiceKind, Role, Source, Tape};
    /// let mut source = Source::replay(&Tape::default());
    /// let (min, max, origin) = (number_of('0'), number_of('9'), number_of('5'));
    /// let digits = Domain { min, max, origin, kind: ChoiceKind::Char, role: Role::Value };
    /// assert_eq!(source.character_in(digits), '5');
    /// ```
    pub fn character_in(&mut self, domain: Domain) -> char {
        let number = self.choose(&Request::plain(domain));
        #[cfg(all(target_family = "wasm", target_os = "unknown"))]
        if 0 <= domain.min && domain.max <= text::CHAR_MAX && self.asks_host() {
            return crate::host::char_of(number);
        }
        text::char_of(number)
    }

    /// Returns whether a host supplies the answers. They are always in their domain.
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    fn asks_host(&self) -> bool {
        matches!(self.state.borrow().driver, AnyDriver::Host)
    }

    /// Draws a float from `min` to `max` in the total order of floats. The range includes NaN if
    /// `max` is NaN.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{Source, Tape};
    /// let mut source = Source::replay(&Tape::default());
    /// assert_eq!(source.float64(-1.0, 1.0), 0.0);
    /// assert_eq!(source.float64(0.5, f64::NAN), 0.5);
    /// ```
    pub fn float64(&mut self, min: f64, max: f64) -> f64 {
        let (min, max) = (float::number_of_f64(min), float::number_of_f64(max));
        let origin = 0i128.min(max).max(min);
        let domain = Domain { min, max, origin, kind: ChoiceKind::Float64, role: Role::Value };
        float::f64_of(self.choose(&Request::plain(domain)))
    }

    /// Like [`Source::float64`], but for `f32`.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{Source, Tape};
    /// let mut source = Source::replay(&Tape::default());
    /// assert_eq!(source.float32(-1.0, 1.0), 0.0);
    /// ```
    pub fn float32(&mut self, min: f32, max: f32) -> f32 {
        let (min, max) = (float::number_of_f32(min), float::number_of_f32(max));
        let origin = 0i128.min(max).max(min);
        let domain = Domain { min, max, origin, kind: ChoiceKind::Float32, role: Role::Value };
        float::f32_of(self.choose(&Request::plain(domain)))
    }

    /// Draws the length of a sequence. Call it first in a span whose label is a sequence.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{Label, Source, Tape};
    /// let mut source = Source::replay(&Tape::from_text("(s1 i2 i7 i8 )").unwrap());
    /// let list: Vec<i128> = source.span(Label::SEQUENCE, |source| {
    ///     (0..source.length(0, 9)).map(|_| source.integer(0, 9)).collect()
    /// });
    /// assert_eq!(list, [7, 8]);
    /// ```
    pub fn length(&mut self, min_size: usize, max_size: usize) -> usize {
        let domain = Domain::integers(min_size as i128, max_size as i128).with_role(Role::Length);
        let length = self.choose(&Request::plain(domain)) as usize;
        // A fixed length stays a constant, so that exploration does not branch on it.
        if min_size == max_size { min_size } else { length }
    }

    /// Draws the number of steps from a value to a neighbor, to a neighbor of that one, and so
    /// on. Call it first in a span whose label is a sequence. Returns 0 unless a search takes
    /// steps.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{AnyDriver, Random, Source};
    /// let mut source = Source::new(AnyDriver::Random(Box::new(Random::new(1))));
    /// assert_eq!(source.steps(10), 0);
    /// ```
    pub fn steps(&mut self, steps_max: usize) -> usize {
        let domain = Domain::integers(0, steps_max as i128).with_role(Role::Steps);
        self.choose(&Request::plain(domain)) as usize
    }

    /// Draws how far a step may go, from 0 to 1. The search that takes the step decides.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{Source, Tape};
    /// let mut source = Source::replay(&Tape::from_text("i250").unwrap());
    /// assert_eq!(source.temperature(), 0.25);
    /// ```
    pub fn temperature(&mut self) -> f64 {
        let domain = Domain::temperatures();
        self.choose(&Request::plain(domain)) as f64 / domain.max as f64
    }

    /// Draws the seed of a value that another crate generates. Seed 0 stands for the simplest
    /// value.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{AnyDriver, Random, Source, Tape};
    /// assert_eq!(Source::replay(&Tape::default()).seed(), 0);
    /// let mut source = Source::new(AnyDriver::Random(Box::new(Random::new(1))));
    /// assert_ne!(source.seed(), source.seed());
    /// ```
    pub fn seed(&mut self) -> u64 {
        self.choose(&Request::plain(Domain::seeds())) as u64
    }

    /// Follows a trail: the steps by which another crate simplifies a value that it generated.
    ///
    /// `step(n)` takes the `n`th of the next steps. The order is that in which the crate itself
    /// would try them. Returns whether the trail was followed to its end. If `step` returns false
    /// because there is no such step, the trail ends before it. The caller must then undo what
    /// `step` did last.
    ///
    /// The tape of a generated value has an empty trail. The shrinker appends one step after the
    /// other, and a longer trail is [simpler](Tape::compare).
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{Source, Tape};
    /// // Halves a number, or subtracts one from it.
    /// let number = |tape: &str| {
    ///     let mut source = Source::replay(&Tape::from_text(tape).unwrap());
    ///     let mut number = 100;
    ///     source.trail(&mut |step| {
    ///         number = if step == 0 { number / 2 } else { number - 1 };
    ///         step < 2
    ///     });
    ///     number
    /// };
    /// assert_eq!(number(""), 100);
    /// assert_eq!(number("(g1 i1 i1 i2 i0 )"), 24);
    /// ```
    pub fn trail(&mut self, step: &mut dyn FnMut(usize) -> bool) -> bool {
        self.open(Label::TRAIL);
        let is_followed = loop {
            match self.choose(&Request::plain(Domain::trail_steps())) {
                0 => break true,
                number if step(number as usize - 1) => {}
                _ => {
                    self.state.borrow_mut().end_trail();
                    break false;
                }
            }
        };
        self.close();
        is_followed
    }

    /// Calls `draw` and returns its result with a copy of the tokens that it recorded.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{Source, Tape};
    /// let mut source = Source::replay(&Tape::from_text("i1 i2 i3").unwrap());
    /// source.integer(0, 9);
    /// let (pair, tape) = source.traced(|source| (source.integer(0, 9), source.integer(0, 9)));
    /// assert_eq!(pair, (2, 3));
    /// assert_eq!(tape.to_text(), "i2 i3");
    /// ```
    pub fn traced<T>(&mut self, draw: impl FnOnce(&mut Source) -> T) -> (T, Tape) {
        let from = self.state.borrow().tokens.len();
        let value = draw(self);
        let tokens = self.state.borrow().tokens.get(from..).unwrap_or_default().to_vec();
        (value, Tape::new(tokens))
    }

    /// Draws the index of one of `count` alternatives.
    ///
    /// `weights` is empty or has one weight per alternative. The first `leaves` alternatives do
    /// not contain the type that is being generated; random drivers prefer them when a value gets
    /// deep.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{Source, Tape};
    /// let mut source = Source::replay(&Tape::from_text("i2").unwrap());
    /// let color = ["red", "green", "blue"][source.alternative(3, &[], 3)];
    /// assert_eq!(color, "blue");
    /// ```
    pub fn alternative(&mut self, count: usize, weights: &[u32], leaves: usize) -> usize {
        self.one_of(count, &[], weights, leaves)
    }

    /// Draws one of the alternatives that have a weight above zero, or returns `None` if there is
    /// none.
    ///
    /// If the driver chooses an alternative of weight zero, this takes and records the next
    /// possible one. An edited tape therefore always contains the alternatives that were taken.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{Source, Tape};
    /// let mut source = Source::replay(&Tape::from_text("i1").unwrap());
    /// assert_eq!(source.weighted_alternative(&[1, 0, 1]), Some(2));
    /// assert_eq!(source.weighted_alternative(&[0, 0]), None);
    /// assert_eq!(source.into_tape().to_text(), "i2 i0");
    /// ```
    pub fn weighted_alternative(&mut self, weights: &[u32]) -> Option<usize> {
        let count = weights.len();
        let answer = self.alternative(count, weights, count);
        let order = (answer..count).chain(0..answer);
        let taken = order.into_iter().find(|&nth| weights[nth] > 0)?;
        if taken != answer {
            // The choice was recorded last. A host records it itself, so there the tape is empty.
            let tokens = &mut self.state.borrow_mut().tokens;
            if let Some(Token::Choice(choice)) = tokens.last_mut() {
                internal_assert!(
                    choice.domain.contains(taken as i128),
                    "alternative {taken} is not in {:?}",
                    choice.domain
                );
                choice.number = taken as i128;
            }
        }
        Some(taken)
    }

    /// Like [`Source::alternative`], for alternatives with names.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{Source, Tape};
    /// let mut source = Source::replay(&Tape::from_text("i1").unwrap());
    /// assert_eq!(source.variant(&["Circle", "Square"], &[], 2), 1);
    /// ```
    pub fn variant(&mut self, names: &[&str], weights: &[u32], leaves: usize) -> usize {
        self.one_of(names.len(), names, weights, leaves)
    }

    fn one_of(&mut self, count: usize, names: &[&str], weights: &[u32], leaves: usize) -> usize {
        let domain = Domain::integers(0, count as i128 - 1).with_role(Role::Alternative);
        let leaves = u32::try_from(leaves).unwrap_or(u32::MAX);
        self.choose(&Request { domain, weights, leaves, names, may_omit: false }) as usize
    }

    /// Draws the index of one of several operations with these weights. A random case may omit some of
    /// them, so that others follow each other more often (swarm testing, Groce et al. 2012).
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{Source, Tape};
    /// let mut source = Source::replay(&Tape::from_text("i1").unwrap());
    /// assert_eq!(["push", "pop"][source.operation(&[2, 1])], "pop");
    /// ```
    pub fn operation(&mut self, weights: &[u32]) -> usize {
        let domain = Domain::integers(0, weights.len() as i128 - 1).with_role(Role::Alternative);
        self.choose(&Request { weights, may_omit: true, ..Request::plain(domain) }) as usize
    }

    /// Announces the names of the parts that the next value consists of; see
    /// [`Driver::announce_fields`](crate::Driver::announce_fields). Neither draws nor records
    /// anything.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{Source, Tape};
    /// let mut source = Source::replay(&Tape::from_text("i1 i2").unwrap());
    /// source.announce_fields(&["x", "y"]);
    /// let point = (source.integer(0, 9), source.integer(0, 9));
    /// assert_eq!(point, (1, 2));
    /// ```
    #[inline]
    pub fn announce_fields(&mut self, names: &[&str]) {
        if let AnyDriver::Other(driver) = &mut self.state.borrow_mut().driver {
            driver.announce_fields(names);
        }
    }

    /// Draws an index below `count`.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{Source, Tape};
    /// let mut source = Source::replay(&Tape::from_text("i1").unwrap());
    /// assert_eq!(["a", "b", "c"][source.index(3)], "b");
    /// ```
    pub fn index(&mut self, count: usize) -> usize {
        let domain = Domain::integers(0, count as i128 - 1).with_role(Role::Index);
        self.choose(&Request::plain(domain)) as usize
    }

    /// Translates a string that the driver expects into choices.
    ///
    /// Generators of strings call it if their choices are not the characters themselves. If the
    /// driver expects a certain string, `find` returns the numbers that generate it. Neither
    /// draws nor records anything.
    ///
    /// # Examples
    /// A driver that expects a string, and a generator that encodes it as an index:
    /// ```
    /// use rebut_choice::{AnyDriver, Driver, Request, Source, Token};
    ///
    /// #[derive(Debug)]
    /// struct Expect(Option<String>, Vec<i128>);
    /// impl Driver for Expect {
    ///     fn choose(&mut self, _: &Request<'_>, _: &[Token]) -> i128 { self.1.remove(0) }
    ///     fn expected_text(&mut self) -> Option<String> { self.0.take() }
    ///     fn supply(&mut self, numbers: Vec<i128>) { self.1 = numbers; }
    /// }
    /// let words = ["ping", "pong"];
    /// let driver = Expect(Some("pong".into()), vec![]);
    /// let mut source = Source::new(AnyDriver::Other(Box::new(driver)));
    /// source.follow_text(&|text| {
    ///     let index = words.iter().position(|word| *word == text)?;
    ///     Some(vec![index as i128])
    /// });
    /// assert_eq!(words[source.index(2)], "pong");
    /// ```
    pub fn follow_text(&mut self, find: &dyn Fn(&str) -> Option<Vec<i128>>) {
        let text = match &mut self.state.borrow_mut().driver {
            AnyDriver::Other(driver) => driver.expected_text(),
            _ => None,
        };
        if let Some(text) = text {
            let numbers = find(&text);
            self.supply(numbers);
        }
    }

    /// Like [`Source::follow_text`], but for a single character.
    ///
    /// # Examples
    /// Nothing happens unless the driver expects a character:
    /// ```
    /// use rebut_choice::{Source, Tape};
    /// let mut source = Source::replay(&Tape::default());
    /// source.follow_char(&|_| None);
    /// assert!(source.is_empty());
    /// ```
    #[inline]
    pub fn follow_char(&mut self, find: &dyn Fn(char) -> Option<i128>) {
        let expected = match &mut self.state.borrow_mut().driver {
            AnyDriver::Other(driver) => driver.expected_char(),
            _ => None,
        };
        if let Some(expected) = expected {
            self.supply(find(expected).map(|number| vec![number]));
        }
    }

    fn supply(&mut self, numbers: Option<Vec<i128>>) {
        match (numbers, &mut self.state.borrow_mut().driver) {
            (Some(numbers), AnyDriver::Other(driver)) => driver.supply(numbers),
            (None, _) => Stop::Rejected("the generator cannot generate this string".into()).raise(),
            _ => {}
        }
    }

    /// Calls `draw` inside a span.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{Label, Source, Tape};
    /// let mut source = Source::replay(&Tape::default());
    /// source.span(Label::group("point"), |source| (source.integer(0, 9), source.integer(0, 9)));
    /// assert_eq!(source.tape().spans()[0].choices, 2);
    /// ```
    #[inline]
    pub fn span<T>(&mut self, label: Label, draw: impl FnOnce(&mut Source) -> T) -> T {
        self.open(label);
        let value = draw(self);
        self.close();
        value
    }

    /// Opens a span, as [`Source::span`] does, but without a closure. Code that is compiled once
    /// per type uses it to save compile time.
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
        internal_assert!(state.depth > 0, "a span is closed that was never opened");
        state.depth = state.depth.saturating_sub(1);
        state.close();
    }

    /// Calls `draw` until it returns a value.
    ///
    /// The tape keeps only the choices of the successful attempt. Rejects the case after too many
    /// attempts, or at once if the driver would answer the same again.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{AnyDriver, Random, Source};
    /// let mut source = Source::new(AnyDriver::Random(Box::new(Random::new(3))));
    /// let even = source.attempt("even", |source| {
    ///     Some(source.integer(0, 1000)).filter(|n| n % 2 == 0)
    /// });
    /// assert_eq!(even % 2, 0);
    /// assert_eq!(source.len(), 1);
    /// ```
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
            if !state.driver.can_retry() {
                break;
            }
            state.truncate(kept);
            state.choices = choices;
            state.driver.rewind(kept);
        }
        self.reject(why)
    }

    /// Ends the case because the drawn values do not satisfy an assumption.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{Source, Stop, Tape};
    /// let result = std::panic::catch_unwind(|| {
    ///     let mut source = Source::replay(&Tape::default());
    ///     if source.integer(0, 9) == 0 {
    ///         source.reject("zero has no inverse");
    ///     }
    /// });
    /// assert!(result.unwrap_err().is::<Stop>());
    /// ```
    pub fn reject(&mut self, why: impl Into<Cow<'static, str>>) -> ! {
        Stop::Rejected(why.into()).raise()
    }
}

impl State {
    fn open(&mut self, label: Label) {
        #[cfg(all(target_family = "wasm", target_os = "unknown"))]
        if let AnyDriver::Host = self.driver {
            return crate::host::open(label);
        }
        self.driver.open(label, &self.tokens);
        self.tokens.push(Token::Open(label));
    }

    fn close(&mut self) {
        #[cfg(all(target_family = "wasm", target_os = "unknown"))]
        if let AnyDriver::Host = self.driver {
            return crate::host::close();
        }
        self.tokens.push(Token::Close);
        self.driver.close(&self.tokens);
    }
}

impl State {
    /// Replaces the last choice, a step that does not exist, by the end of its trail.
    fn end_trail(&mut self) {
        let Some(Token::Choice(last)) = self.tokens.last_mut() else { return };
        last.number = last.domain.origin;
        let last = *last;
        if let AnyDriver::Other(driver) = &mut self.driver {
            driver.replace_last(self.tokens.len() - 1, last);
        }
    }
}

const ATTEMPT: Label = Label::group("attempt");

#[cold]
fn refuse(domain: Domain) -> ! {
    if domain.min > domain.max {
        Stop::Misuse(format!(
            "invalid range {} to {}; expected a minimum that does not exceed the maximum",
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
    fn rejected_attempts_leave_no_tokens() {
        let random = crate::Random::new(3);
        let mut source = Source::new(AnyDriver::Random(Box::new(random)));
        let even =
            source.attempt("even", |source| Some(source.integer(0, 1000)).filter(|n| n % 2 == 0));
        assert_eq!(even % 2, 0);
        assert_eq!(source.into_tape().len(), 1);
    }

    #[test]
    fn trails_end_before_a_step_that_does_not_exist() {
        let mut source = source("(g1 i1 i5 i1 i0 ) i7");
        let mut taken = Vec::new();
        let is_followed = source.trail(&mut |step| {
            taken.push(step);
            step < 4
        });
        assert_eq!((is_followed, taken), (false, vec![0, 4]));
        assert_eq!(source.integer(0, 9), 7);
        let numbers: Vec<i128> = source.tape().choices().map(|choice| choice.number).collect();
        assert_eq!(numbers, [1, 0, 7]);
    }

    #[test]
    fn only_tapes_have_trails() {
        for driver in [
            AnyDriver::Simplest,
            AnyDriver::Random(Box::new(crate::Random::new(1))),
            AnyDriver::Exhaustive(Box::default()),
        ] {
            let mut source = Source::new(driver);
            assert!(source.trail(&mut |_| panic!("a step")));
            assert_eq!((source.len(), source.combinations()), (1, 1));
        }
    }

    #[test]
    fn crossed_bounds_are_a_misuse_and_not_an_internal_error() {
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
