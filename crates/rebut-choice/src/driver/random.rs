//! Draws choices at random, biased toward what breaks programs.
//!
//! Uniform numbers miss most bugs: two that are equal, one that is the largest of its type,
//! a list with one kind of element only. What helps is known from the tools of the field and
//! gathered here: boundary and special values, constants of the code under test, values
//! that repeat or come near earlier ones, whole parts copied from earlier parts (Hypothesis'
//! span mutation), sizes that grow, swarm testing (Groce et al. 2012: each case leaves some
//! alternatives out). Each case is drawn in a [`Mood`] that says how much of each it gets,
//! because a little of everything in every case averages out to nothing special.

mod mood;
mod numbers;
mod texts;

use std::rc::Rc;

use mood::Mood;

use super::{Driver, Request};
use crate::{Kind, Label, Rng, Role, Shape, Token, mix};

/// Values that deserve to be tried because the code under test mentions them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Constants {
    /// Whole numbers; characters and bytes as their number.
    pub integers: Vec<i128>,
    /// Floats.
    pub floats: Vec<f64>,
    /// Text.
    pub texts: Vec<String>,
}

/// Draws at random.
#[derive(Clone, Debug)]
pub struct Random {
    rng: Rng,
    mood: Mood,
    constants: Rc<Constants>,
    /// The last numbers drawn as values, newest overwriting oldest.
    recent: Ring<i128, 8>,
    /// The last spans that were closed: label and tokens.
    closed: Ring<(Label, u32, u32), 16>,
    /// For each open span its label and first token.
    open: Vec<(Label, u32)>,
    recursion: u32,
    sequences: u32,
    script: Script,
}

/// Answers that are already decided.
#[derive(Clone, Debug)]
enum Script {
    Nothing,
    /// Repeat the choices of these tokens, until the span at `depth` is closed.
    Copy {
        next: u32,
        end: u32,
        depth: u32,
    },
    /// Spell this text.
    Spell {
        text: Vec<char>,
        next: usize,
    },
}

impl Random {
    /// The driver of one case among many: sizes are drawn as for a case in mid-run.
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

    /// Makes it draw these values more often than others.
    #[must_use]
    pub fn with_constants(mut self, constants: Rc<Constants>) -> Random {
        self.constants = constants;
        self
    }

    /// Begins case number `case` of the run with this seed. The first cases are small, so that
    /// what fails easily fails small.
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
            (Role::Value, Kind::Integer) => self.integer(domain),
            (Role::Value, Kind::Char) => self.character(domain),
            (Role::Value, Kind::Float32 | Kind::Float64) => self.float(domain),
            (Role::Length, _) => self.length(domain, so_far),
            (Role::Steps, _) => domain.origin,
            (Role::Alternative, _) => self.alternative(request, so_far),
            (Role::Presence, _) => {
                if self.is_over_budget(so_far) || self.recursion > self.mood.depth_max {
                    return domain.origin;
                }
                self.weighted(request, u64::MAX)
            }
            (_, Kind::Boolean) => self.weighted(request, u64::MAX),
            (Role::Index, _) => self.index(domain),
        }
    }

    /// A length: small most of the time, hundreds now and then, none once the case is large.
    fn length(&mut self, domain: &crate::Domain, so_far: &[Token]) -> i128 {
        let room = domain.max.wrapping_sub(domain.min) as u128;
        if self.is_over_budget(so_far) {
            return domain.min;
        }
        let roll = self.rng.bits();
        let nested = self.sequences > 1;
        let scale = match self.mood.length_max {
            max if nested && roll & 1 == 0 => max.min(4),
            // Who sets a small bound means all lengths up to it.
            max if room <= 16 && self.mood.is_grown && roll & 2 == 0 => max.max(room as u64),
            max => max,
        };
        let extra = match (roll >> 8) as u8 {
            0..8 => 0,
            8..24 if room <= 4 * u128::from(scale) => room,
            _ => u128::from(self.rng.below((u128::from(scale).min(room) as u64).saturating_add(1))),
        };
        domain.min + extra as i128
    }

    fn index(&mut self, domain: &crate::Domain) -> i128 {
        match (self.rng.bits() >> 56) as u8 {
            0..8 => domain.min,
            8..16 => domain.max,
            _ => self.rng.between(domain.min, domain.max),
        }
    }

    /// An alternative, with respect to weights, to those this case leaves out, and to depth.
    fn alternative(&mut self, request: &Request<'_>, so_far: &[Token]) -> i128 {
        let count = request.domain.size().min(64) as u32;
        let all = u64::MAX >> (64 - count);
        let mut allowed = all & self.swarm_mask(request);
        if request.domain.size() > 64 {
            allowed = u64::MAX;
        }
        let deep = self.recursion > self.mood.depth_max || self.is_over_budget(so_far);
        if deep && request.leaves > 0 && request.leaves < count {
            let leaves = all >> (count - request.leaves);
            allowed = if allowed & leaves == 0 { leaves } else { allowed & leaves };
        } else if deep && self.recursion > 2 * self.mood.depth_max && self.rng.chance(128) {
            return request.domain.origin;
        }
        if allowed == 0 {
            allowed = all;
        }
        self.weighted(request, allowed)
    }

    /// Which alternatives this case may take, in a way that depends on the place alone. Who
    /// gives weights has said how often each is wanted, and gets all.
    fn swarm_mask(&self, request: &Request<'_>) -> u64 {
        match self.mood.swarm {
            None => u64::MAX,
            Some(_) if !request.weights.is_empty() => u64::MAX,
            Some(swarm) => {
                let place = self.open.last().map_or(0, |(label, _)| label.id());
                mix(swarm ^ u64::from(place) ^ (request.domain.size() as u64).rotate_left(40))
            }
        }
    }

    fn weighted(&mut self, request: &Request<'_>, allowed: u64) -> i128 {
        let domain = &request.domain;
        let count = domain.size();
        let is_allowed = |n: usize| n >= 64 || allowed >> n & 1 == 1;
        if request.weights.is_empty() {
            if allowed == u64::MAX || count > 64 {
                return self.rng.between(domain.min, domain.max);
            }
            let skip = self.rng.below(u64::from(allowed.count_ones()));
            let nth = (0..64).filter(|&n| is_allowed(n)).nth(skip as usize);
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

    /// The next answer of the script, if it has one that fits.
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
        answer.filter(|_| !matches!(self.script, Script::Copy { .. }) || !self.rng.chance(6))
    }

    /// Looks for an earlier span with this label to copy.
    fn start_copy(&mut self, label: Label) {
        let skip = self.rng.below(4);
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
        // By far the most frequent request comes first.
        let domain = &request.domain;
        if domain.role == Role::Value && domain.kind == Kind::Integer {
            let number = self.integer(domain);
            self.recent.push(number);
            return number;
        }
        self.draw(request, so_far)
    }

    fn open(&mut self, label: Label, so_far: &[Token]) {
        self.open.push((label, so_far.len() as u32));
        match label.shape() {
            Shape::Recursive => self.recursion += 1,
            Shape::Sequence => self.sequences += 1,
            Shape::Group => {}
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
            Shape::Recursive => self.recursion = self.recursion.saturating_sub(1),
            Shape::Sequence => self.sequences = self.sequences.saturating_sub(1),
            Shape::Group => {}
        }
        self.closed.push((label, start, so_far.len() as u32));
        let ends = match self.script {
            Script::Nothing => false,
            Script::Copy { depth, .. } => self.open.len() < depth as usize,
            Script::Spell { .. } => label == Label::TEXT,
        };
        if ends {
            self.script = Script::Nothing;
        }
    }

    fn rewind(&mut self, kept: usize) {
        self.closed.retain(|&(_, _, end)| end as usize <= kept);
        self.script = Script::Nothing;
    }
}

/// The last `N` things, newest first when iterated.
#[derive(Clone, Debug)]
struct Ring<T, const N: usize> {
    items: [T; N],
    /// How many were pushed since it was cleared.
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
