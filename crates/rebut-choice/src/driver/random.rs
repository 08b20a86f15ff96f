//! Draws random choices, biased toward values that break programs.
//!
//! Uniform numbers miss most bugs: two equal numbers, the largest number of a type, a list with
//! only one kind of element. This driver combines what other tools have found to help: boundary
//! and special values, constants of the code under test, values that repeat or are close to
//! earlier ones, whole parts copied from earlier parts (span mutation in Hypothesis), growing
//! sizes, and swarm testing (Groce et al. 2012: each case omits some alternatives). Each case has
//! a random profile, a [`Mood`], that decides how much of each it gets. A little of everything in
//! every case would average out to nothing special.

mod mood;
mod numbers;
mod texts;

use std::rc::Rc;

use mood::Mood;

use super::{Driver, Request};
use crate::{ChoiceKind, Label, Rng, Role, SpanShape, Token, mix};

/// Values that occur in the code under test, which random drivers try more often than others.
///
/// # Examples
/// ```
/// use std::rc::Rc;
///
/// use rebut_choice::{Constants, AnyDriver, Random, Source};
/// let constants = Rc::new(Constants { integers: vec![86_400], ..Constants::default() });
/// let found = (0..100).any(|seed| {
///     let random = Random::new(seed).with_constants(Rc::clone(&constants));
///     let mut source = Source::new(AnyDriver::Random(Box::new(random)));
///     (0..10).any(|_| source.integer(0, i128::from(u64::MAX)) == 86_400)
/// });
/// assert!(found);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Constants {
    /// Whole numbers. Characters and bytes are in this list as their numbers.
    pub integers: Vec<i128>,
    /// Floats.
    pub floats: Vec<f64>,
    /// Strings.
    pub texts: Vec<String>,
}

/// Draws random choices.
///
/// # Examples
/// The same seed draws the same choices:
/// ```
/// use rebut_choice::{AnyDriver, Random, Source};
/// let number = |seed| {
///     let mut source = Source::new(AnyDriver::Random(Box::new(Random::new(seed))));
///     source.integer(0, i128::MAX)
/// };
/// assert_eq!(number(1), number(1));
/// assert_ne!(number(1), number(2));
/// ```
#[derive(Clone, Debug)]
pub struct Random {
    rng: Rng,
    mood: Mood,
    constants: Rc<Constants>,
    /// The last numbers drawn as values; a new one overwrites the oldest.
    recent: Ring<i128, RECENT_MAX>,
    /// The last closed spans: their labels and token ranges.
    closed: Ring<(Label, u32, u32), CLOSED_MAX>,
    /// The label and the first token of each open span.
    open: Vec<(Label, u32)>,
    recursion: u32,
    sequences: u32,
    script: Script,
}

// These values are arbitrary. Like the tables of `mood.rs`, they were halved and doubled in `bench
// find`, except for three that say "not measured". No sum differs from 2,943 by more than 7.

/// Numbers that are repeated are among this many last ones. Older ones are forgotten. Not measured.
const RECENT_MAX: usize = 4;
/// Spans that are copied are among this many last ones. Older ones are forgotten.
const CLOSED_MAX: usize = 16;
/// A copy is one of this many last spans with the same label, or the last one if there are fewer.
const COPIES_MAX: u64 = 4;
/// The chance, out of 256, that a copy differs in a choice. The next choice is copied again.
const COPY_ERROR: u8 = 6;
/// Half of the sequences in sequences have at most this many elements more than required.
const NESTED_LENGTH_MAX: u64 = 4;
/// If the bounds of a length differ by at most this number, all lengths are equally likely half of
/// the time. Otherwise the limit of the case applies.
const SMALL_ROOM_MAX: u128 = 16;
/// The chances, out of 256, of the minimum and of the maximum of a length. The maximum is taken only
/// if it is near the lengths of the case.
const SHORTEST: u8 = 8;
const LONGEST: u8 = 16;
/// A maximum is near if it is at most this many times the longest length of the case. Not measured.
const NEAR_FACTOR: u128 = 4;
/// The chance, out of 256, of the first index, and of the last.
const INDEX_AT_END: u8 = 8;
/// Alternatives beyond this number are neither omitted nor counted as leaves: a case remembers which
/// to omit in the bits of a `u64`.
const ALTERNATIVES_MAX: u32 = u64::BITS;
/// The chance, out of 256, to take the simplest alternative far below the maximum depth, where no
/// alternative is known to end the recursion. Without it, some types would recur until the case is
/// too large. Not measured.
const GIVE_UP_RECURSION: u8 = 128;

/// Answers that are decided in advance.
#[derive(Clone, Debug)]
enum Script {
    Nothing,
    /// Repeats the choices of these tokens until the span at `depth` closes.
    Copy {
        next: u32,
        end: u32,
        depth: u32,
    },
    /// Spells this string.
    Spell {
        text: Vec<char>,
        next: usize,
    },
}

impl Random {
    /// Creates a driver for one case. Its sizes are those of a case in the middle of a run.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{AnyDriver, Random, Source};
    /// let mut source = Source::new(AnyDriver::Random(Box::new(Random::new(1))));
    /// assert!(source.length(0, 3) <= 3);
    /// ```
    #[must_use]
    pub fn new(seed: u64) -> Random {
        let mut random = Random {
            rng: Rng::new(0),
            mood: Mood::default(),
            constants: Rc::default(),
            recent: Ring::new(0),
            closed: Ring::new((Label::ARGUMENT, 0, 0)),
            open: Vec::new(),
            recursion: 0,
            sequences: 0,
            script: Script::Nothing,
        };
        random.reset(seed, u64::MAX);
        random
    }

    /// Sets the constants to draw more often than other values.
    ///
    /// # Examples
    /// ```
    /// use std::rc::Rc;
    ///
    /// use rebut_choice::{Constants, Random};
    /// let constants = Constants { texts: vec!["admin".to_owned()], ..Constants::default() };
    /// let random = Random::new(1).with_constants(Rc::new(constants));
    /// # let _ = random;
    /// ```
    #[must_use]
    pub fn with_constants(mut self, constants: Rc<Constants>) -> Random {
        self.constants = constants;
        self
    }

    /// Starts case number `case` of the run with this seed. The first cases are small, so that
    /// easy failures are found with small inputs.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{AnyDriver, Random, Source};
    /// let mut random = Random::new(1);
    /// random.reset(1, 0);
    /// let mut source = Source::new(AnyDriver::Random(Box::new(random)));
    /// assert!(source.length(0, 1000) < 10);
    /// ```
    pub fn reset(&mut self, seed: u64, case: u64) {
        self.rng = Rng::new(seed ^ mix(case));
        self.mood = Mood::draw(&mut self.rng, case);
        self.recent.clear();
        self.closed.clear();
        self.open.clear();
        self.recursion = 0;
        self.sequences = 0;
        self.script = Script::Nothing;
    }

    fn is_over_budget(&self, so_far: &[Token]) -> bool {
        so_far.len() > self.mood.tokens_max
    }

    #[inline(never)]
    fn draw(&mut self, request: &Request<'_>, so_far: &[Token]) -> i128 {
        let domain = &request.domain;
        match (domain.role, domain.kind) {
            (Role::Value, ChoiceKind::Integer) => self.integer(domain),
            (Role::Value, ChoiceKind::Char) => self.character(domain),
            (Role::Value, ChoiceKind::Float32 | ChoiceKind::Float64) => self.float(domain),
            (Role::Length, _) => self.length(domain, so_far),
            (Role::Steps | Role::Trail, _) => domain.origin,
            // Seeds have no interesting numbers, and the first one stands for the simplest value.
            (Role::Value, ChoiceKind::Opaque) => self.rng.between(domain.min + 1, domain.max),
            (Role::Alternative, _) => self.alternative(request, so_far),
            (Role::Presence, _) => {
                if self.is_over_budget(so_far) || self.recursion > self.mood.depth_max {
                    return domain.origin;
                }
                self.weighted(request, u64::MAX)
            }
            (_, ChoiceKind::Boolean) => self.weighted(request, u64::MAX),
            (Role::Index, _) => self.index(domain),
        }
    }

    /// Draws a length: mostly small, sometimes in the hundreds, and the minimum once the case is
    /// large.
    fn length(&mut self, domain: &crate::Domain, so_far: &[Token]) -> i128 {
        const MINIMUM_OR_MAXIMUM: u8 = SHORTEST + LONGEST;
        let room = domain.max.wrapping_sub(domain.min) as u128;
        if self.is_over_budget(so_far) {
            return domain.min;
        }
        let roll = self.rng.bits();
        let is_nested = self.sequences > 1;
        let scale = match self.mood.length_max {
            max if is_nested && roll & 1 == 0 => max.min(NESTED_LENGTH_MAX),
            // A small bound means that all lengths up to it are of interest.
            max if room <= SMALL_ROOM_MAX && self.mood.is_grown && roll & 2 == 0 => {
                max.max(room as u64)
            }
            max => max,
        };
        let extra = match (roll >> 8) as u8 {
            0..SHORTEST => 0,
            SHORTEST..MINIMUM_OR_MAXIMUM if room <= NEAR_FACTOR * u128::from(scale) => room,
            _ => u128::from(self.rng.below((u128::from(scale).min(room) as u64).saturating_add(1))),
        };
        domain.min + extra as i128
    }

    fn index(&mut self, domain: &crate::Domain) -> i128 {
        const FIRST_OR_LAST: u8 = 2 * INDEX_AT_END;
        match (self.rng.bits() >> 56) as u8 {
            0..INDEX_AT_END => domain.min,
            INDEX_AT_END..FIRST_OR_LAST => domain.max,
            _ => self.rng.between(domain.min, domain.max),
        }
    }

    /// Draws an alternative. Respects the weights, the alternatives that this case omits, and the
    /// depth.
    fn alternative(&mut self, request: &Request<'_>, so_far: &[Token]) -> i128 {
        let count = request.domain.size().min(u128::from(ALTERNATIVES_MAX)) as u32;
        let all = u64::MAX >> (ALTERNATIVES_MAX - count);
        let mut allowed = all & self.swarm_mask(request);
        if request.domain.size() > u128::from(ALTERNATIVES_MAX) {
            allowed = u64::MAX;
        }
        let is_deep = self.recursion > self.mood.depth_max || self.is_over_budget(so_far);
        if is_deep && request.leaves > 0 && request.leaves < count {
            let leaves = all >> (count - request.leaves);
            allowed = if allowed & leaves == 0 { leaves } else { allowed & leaves };
        } else if is_deep
            && self.recursion > 2 * self.mood.depth_max
            && self.rng.chance(GIVE_UP_RECURSION)
        {
            return request.domain.origin;
        }
        if allowed == 0 {
            allowed = all;
        }
        self.weighted(request, allowed)
    }

    /// Returns the alternatives that this case may take, as a bit mask that depends only on the
    /// enclosing span and the number of alternatives. A request with weights allows all unless it
    /// says otherwise: its weights already define how often each is wanted.
    fn swarm_mask(&self, request: &Request<'_>) -> u64 {
        match self.mood.swarm {
            None => u64::MAX,
            Some(_) if !request.weights.is_empty() && !request.may_omit => u64::MAX,
            Some(swarm) => {
                let label = self.open.last().map_or(0, |(label, _)| label.id());
                mix(swarm ^ u64::from(label) ^ (request.domain.size() as u64).rotate_left(40))
            }
        }
    }

    fn weighted(&mut self, request: &Request<'_>, allowed: u64) -> i128 {
        let domain = &request.domain;
        let count = domain.size();
        let is_allowed = |n: usize| n >= ALTERNATIVES_MAX as usize || allowed >> n & 1 == 1;
        if request.weights.is_empty() {
            if allowed == u64::MAX || count > u128::from(ALTERNATIVES_MAX) {
                return self.rng.between(domain.min, domain.max);
            }
            let skip = self.rng.below(u64::from(allowed.count_ones()));
            let nth = (0..ALTERNATIVES_MAX as usize).filter(|&n| is_allowed(n)).nth(skip as usize);
            return domain.min + nth.unwrap_or(0) as i128;
        }
        let weight_of = |n: usize| if is_allowed(n) { u64::from(request.weights[n]) } else { 0 };
        let total: u64 = (0..request.weights.len()).map(weight_of).sum();
        let mut left = self.rng.below(total.max(1));
        for n in 0..request.weights.len() {
            let weight = weight_of(n);
            if left < weight {
                return domain.min + n as i128;
            }
            left -= weight;
        }
        domain.origin
    }

    /// Returns the next answer of the script if it fits the request.
    fn scripted(&mut self, request: &Request<'_>, so_far: &[Token]) -> Option<i128> {
        let domain = &request.domain;
        let answer = match &mut self.script {
            Script::Nothing => None,
            Script::Copy { next, end, .. } => loop {
                if next >= end {
                    break None;
                }
                let token = so_far.get(*next as usize);
                *next += 1;
                if let Some(Token::Choice(choice)) = token {
                    let fits = choice.domain.kind == domain.kind
                        && choice.domain.role == domain.role
                        && domain.contains(choice.number);
                    break fits.then_some(choice.number);
                }
            },
            Script::Spell { text, next } => match domain.role {
                Role::Length => {
                    text.truncate(domain.max.clamp(0, 1 << 20) as usize);
                    Some(text.len() as i128)
                }
                _ => {
                    let character = text.get(*next).map(|&c| crate::text::number_of(c));
                    *next += 1;
                    character.filter(|&number| domain.contains(number))
                }
            },
        };
        if answer.is_none() {
            self.script = Script::Nothing;
        }
        answer
            .filter(|_| !matches!(self.script, Script::Copy { .. }) || !self.rng.chance(COPY_ERROR))
    }

    /// Starts to copy an earlier span with this label, if there is one.
    fn start_copy(&mut self, label: Label) {
        let skip = self.rng.below(COPIES_MAX);
        let found = self.closed.iter().filter(|(l, ..)| *l == label).nth(skip as usize);
        let found = found.or_else(|| self.closed.iter().find(|(l, ..)| *l == label));
        if let Some(&(_, next, end)) = found {
            self.script = Script::Copy { next, end, depth: self.open.len() as u32 };
        }
    }
}

impl Driver for Random {
    #[inline]
    fn choose(&mut self, request: &Request<'_>, so_far: &[Token]) -> i128 {
        if !matches!(self.script, Script::Nothing)
            && let Some(answer) = self.scripted(request, so_far)
        {
            return answer;
        }
        // Handle the most frequent request first.
        let domain = &request.domain;
        if domain.role == Role::Value && domain.kind == ChoiceKind::Integer {
            let number = self.integer(domain);
            self.recent.push(number);
            return number;
        }
        self.draw(request, so_far)
    }

    fn open(&mut self, label: Label, so_far: &[Token]) {
        self.open.push((label, so_far.len() as u32));
        match label.shape() {
            SpanShape::Recursive => self.recursion += 1,
            SpanShape::Sequence => self.sequences += 1,
            SpanShape::Group => {}
        }
        if !matches!(self.script, Script::Nothing) {
            return;
        }
        if label == Label::TEXT && self.rng.chance(self.mood.spell) {
            self.start_spelling();
        } else if self.mood.copy > 0 && self.rng.chance(self.mood.copy) {
            self.start_copy(label);
        }
    }

    fn close(&mut self, so_far: &[Token]) {
        let Some((label, start)) = self.open.pop() else { return };
        match label.shape() {
            SpanShape::Recursive => self.recursion = self.recursion.saturating_sub(1),
            SpanShape::Sequence => self.sequences = self.sequences.saturating_sub(1),
            SpanShape::Group => {}
        }
        self.closed.push((label, start, so_far.len() as u32));
        let is_over = match self.script {
            Script::Nothing => false,
            Script::Copy { depth, .. } => self.open.len() < depth as usize,
            Script::Spell { .. } => label == Label::TEXT,
        };
        if is_over {
            self.script = Script::Nothing;
        }
    }

    fn rewind(&mut self, kept: usize) {
        self.closed.retain(|&(_, _, end)| end as usize <= kept);
        self.script = Script::Nothing;
    }
}

/// The last `N` items; iterates from the newest to the oldest.
#[derive(Clone, Debug)]
struct Ring<T, const N: usize> {
    items: [T; N],
    /// The number of items pushed since the last `clear`.
    pushed: usize,
}

impl<T: Copy, const N: usize> Ring<T, N> {
    fn new(filler: T) -> Self {
        Ring { items: [filler; N], pushed: 0 }
    }

    #[inline]
    fn push(&mut self, item: T) {
        self.items[self.pushed % N] = item;
        self.pushed += 1;
    }

    fn clear(&mut self) {
        self.pushed = 0;
    }

    fn iter(&self) -> impl Iterator<Item = &T> {
        (1..=self.pushed.min(N)).map(|back| &self.items[(self.pushed - back) % N])
    }

    fn retain(&mut self, keep: impl Fn(&T) -> bool) {
        let kept: Vec<T> = self.iter().copied().filter(keep).collect();
        self.clear();
        for item in kept.into_iter().rev() {
            self.push(item);
        }
    }

    fn nth(&self, n: usize) -> Option<T> {
        self.iter().nth(n).copied()
    }
}
