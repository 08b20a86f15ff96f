//! The edits.

use std::ops::Range;

use rebut_choice::{Choice, Domain, Kind, Label, Rng, Tape, Token};

use super::map::{Map, Sequence, choice};

/// One sort of edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Operator {
    /// Moves numbers a little: by a share of their range, or by a factor.
    Nudge,
    /// Draws numbers anew.
    Redraw,
    /// Gives a number the value of another.
    Copy,
    /// Takes another alternative, or turns an optional part on or off.
    Switch,
    /// Inserts a new element into a sequence.
    Insert,
    /// Appends several new elements.
    Grow,
    /// Deletes elements.
    Delete,
    /// Repeats elements.
    Duplicate,
    /// Exchanges two elements, or moves one elsewhere.
    Swap,
    /// Draws an element anew.
    Replace,
    /// Draws a whole part anew.
    RedrawPart,
    /// Puts a copy of a part in the place of another of its sort.
    Splice,
    /// Takes steps of a neighbourhood that the user wrote.
    Step,
}

impl Operator {
    /// All of them.
    pub const ALL: [Operator; 13] = [
        Operator::Nudge,
        Operator::Redraw,
        Operator::Copy,
        Operator::Switch,
        Operator::Insert,
        Operator::Grow,
        Operator::Delete,
        Operator::Duplicate,
        Operator::Swap,
        Operator::Replace,
        Operator::RedrawPart,
        Operator::Splice,
        Operator::Step,
    ];

    /// Whether a tape has anything for it to do.
    pub(super) fn applies(self, map: &Map) -> bool {
        let any = |wanted: fn(&Sequence) -> bool| map.sequences.iter().any(wanted);
        match self {
            Operator::Nudge | Operator::Redraw => !map.values.is_empty(),
            Operator::Copy => map.values.len() > 1,
            Operator::Switch => !map.alternatives.is_empty(),
            Operator::Insert | Operator::Grow => any(Sequence::can_grow),
            Operator::Delete => any(Sequence::can_shrink),
            Operator::Duplicate => any(|s| s.can_grow() && !s.elements.is_empty()),
            Operator::Swap => any(|s| s.elements.len() > 1),
            Operator::Replace => any(|s| !s.elements.is_empty()),
            Operator::RedrawPart => !map.parts.is_empty(),
            Operator::Splice => map.parts.len() > 1,
            Operator::Step => any(Sequence::can_step),
        }
    }

    /// Whether it changes numbers and nothing else, so that many changes fit into one edit.
    #[must_use]
    pub fn is_local(self) -> bool {
        matches!(self, Operator::Nudge | Operator::Redraw | Operator::Copy | Operator::Switch)
    }

    /// Applies it; `count` times if it is local.
    pub(super) fn apply(
        self,
        tape: &Tape,
        map: &Map,
        temperature: f64,
        count: usize,
        rng: &mut Rng,
    ) -> Tape {
        let mut edit = Edit { tokens: tape.tokens().to_vec(), tape, map, temperature, rng };
        for _ in 0..if self.is_local() { count } else { 1 } {
            match self {
                Operator::Nudge => edit.nudge(),
                Operator::Redraw => edit.redraw(),
                Operator::Copy => edit.copy(),
                Operator::Switch => edit.switch(),
                Operator::Insert => edit.insert(1),
                Operator::Grow => {
                    let many = 1 + edit.scaled(8);
                    edit.insert(many);
                }
                Operator::Delete => edit.delete(count),
                Operator::Duplicate => edit.duplicate(),
                Operator::Swap => edit.swap(),
                Operator::Replace => edit.replace(),
                Operator::RedrawPart => edit.redraw_part(),
                Operator::Splice => edit.splice(),
                Operator::Step => edit.step(),
            }
        }
        Tape::new(edit.tokens)
    }
}

impl Sequence {
    fn can_grow(&self) -> bool {
        self.elements.len() < self.max && !self.is_steps
    }

    fn can_step(&self) -> bool {
        self.elements.len() < self.max && self.is_steps
    }

    fn can_shrink(&self) -> bool {
        !self.elements.is_empty() && self.elements.len() > self.min
    }
}

/// An edit under way.
struct Edit<'a> {
    tokens: Vec<Token>,
    tape: &'a Tape,
    map: &'a Map,
    temperature: f64,
    rng: &'a mut Rng,
}

impl Edit<'_> {
    /// A number from 0 up to `max`, mostly small when it is cold.
    fn scaled(&mut self, max: usize) -> usize {
        let top = (max as f64 * self.temperature * self.rng.unit()) as usize;
        self.rng.below(top as u64 + 1) as usize
    }

    fn set(&mut self, at: usize, number: i128) {
        if let Some(Token::Choice(choice)) = self.tokens.get_mut(at) {
            choice.number = number;
        }
    }

    fn nudge(&mut self) {
        let Some(at) = self.map.pick_value(self.rng) else { return };
        if let Some(choice) = choice(self.tape, at).copied() {
            let number = self.nudged(&choice);
            self.set(at, number);
        }
    }

    /// Another number of the domain near this one.
    fn nudged(&mut self, choice: &Choice) -> i128 {
        let domain = choice.domain;
        let span = domain.max.wrapping_sub(domain.min) as u128;
        let by_size = matches!(domain.kind, Kind::Integer) && span > 1 << 16;
        if by_size && self.rng.bits() & 1 == 0 {
            let distance = choice.number.wrapping_sub(domain.origin);
            let scaled = match self.rng.below(4) {
                0 => distance.wrapping_mul(2),
                1 => distance / 2,
                2 => distance.wrapping_add(distance / 8).wrapping_add(1),
                _ => distance.wrapping_sub(distance / 8).wrapping_sub(1),
            };
            let number = domain.origin.wrapping_add(scaled);
            if domain.contains(number) && number != choice.number {
                return number;
            }
        }
        // Steps of every size up to the reach: near a goal only small ones help, and nobody
        // says how near it is.
        let reach = ((span as f64 * 0.1 * self.temperature.max(0.1)) as u128).max(1);
        let bits = self.rng.below(u64::from(128 - reach.leading_zeros()));
        let step = 1 + self.rng.up_to((1u128 << bits) - 1).min(reach - 1) as i128;
        let up = self.rng.bits() & 1 == 0;
        let moved = |up: bool| {
            let number =
                if up { choice.number.checked_add(step) } else { choice.number.checked_sub(step) };
            number.filter(|&number| domain.contains(number))
        };
        // At an end of the range the step is mirrored.
        moved(up).or_else(|| moved(!up)).unwrap_or(if up { domain.max } else { domain.min })
    }

    fn redraw(&mut self) {
        let Some(at) = self.map.pick_value(self.rng) else { return };
        if let Some(choice) = choice(self.tape, at).copied() {
            let number = self.rng.between(choice.domain.min, choice.domain.max);
            self.set(at, number);
        }
    }

    fn copy(&mut self) {
        let (Some(&from), Some(to)) =
            (self.rng.pick(&self.map.values), self.map.pick_value(self.rng))
        else {
            return;
        };
        if let (Some(from), Some(to_choice)) = (choice(self.tape, from), choice(self.tape, to)) {
            let near = [0, 0, 1, -1][self.rng.below(4) as usize];
            let number = from.number.wrapping_add(near);
            if to_choice.domain.kind == from.domain.kind && to_choice.domain.contains(number) {
                self.set(to, number);
            }
        }
    }

    fn switch(&mut self) {
        let Some(&at) = self.rng.pick(&self.map.alternatives) else { return };
        let Some(choice) = choice(self.tape, at).copied() else { return };
        let domain = choice.domain;
        let mut number = self.rng.between(domain.min, domain.max - 1);
        if number >= choice.number {
            number += 1;
        }
        self.set(at, number);
    }

    fn pick_sequence(&mut self, wanted: fn(&Sequence) -> bool) -> Option<Sequence> {
        let fitting: Vec<&Sequence> = self.map.sequences.iter().filter(|s| wanted(s)).collect();
        // Half of the time one among all, half of the time one of the outermost.
        if self.rng.bits() & 1 == 0 {
            return fitting.first().map(|s| (*s).clone());
        }
        self.rng.pick(&fitting).map(|s| (*s).clone())
    }

    fn change_length(&mut self, sequence: &Sequence, by: i128) {
        for at in [Some(sequence.length), sequence.fixed_by].into_iter().flatten() {
            if let Some(Token::Choice(length)) = self.tokens.get_mut(at) {
                length.number += by;
            }
        }
    }

    fn insert(&mut self, count: usize) {
        let Some(sequence) = self.pick_sequence(Sequence::can_grow) else { return };
        let count = count.min(sequence.max - sequence.elements.len());
        let place = self.rng.below(sequence.elements.len() as u64 + 1) as usize;
        let fresh = self.fresh_elements(&sequence, count);
        self.put(&sequence, place, fresh, count);
    }

    /// Tokens of new elements: replay draws what they lack.
    fn fresh_elements(&mut self, sequence: &Sequence, count: usize) -> Vec<Token> {
        let sample = sequence.elements.first().map(|element| self.tape.tokens()[element.start]);
        let mut fresh = Vec::new();
        for _ in 0..count {
            match sample {
                Some(Token::Choice(mut bare)) => {
                    bare.number = self.rng.between(bare.domain.min, bare.domain.max);
                    fresh.push(Token::Choice(bare));
                }
                _ => fresh.extend([Token::Open(Label::ELEMENT), Token::Close]),
            }
        }
        fresh
    }

    /// One more step, as far as the temperature allows; replay draws what it needs besides.
    fn step(&mut self) {
        let Some(sequence) = self.pick_sequence(Sequence::can_step) else { return };
        let domain = Domain::temperatures();
        let number = (domain.max as f64 * self.temperature.clamp(0.0, 1.0)) as i128;
        let temperature = Token::Choice(Choice { number, domain });
        let step = vec![Token::Open(Label::ELEMENT), temperature, Token::Close];
        self.put(&sequence, sequence.elements.len(), step, 1);
    }

    fn put(&mut self, sequence: &Sequence, place: usize, tokens: Vec<Token>, count: usize) {
        let at = match sequence.elements.get(place) {
            Some(element) => element.start,
            None => sequence.tokens.end - 1,
        };
        self.change_length(sequence, count as i128);
        // In an empty sequence of bare choices there is nothing to put; the length suffices.
        if !sequence.elements.is_empty() || matches!(tokens.first(), Some(Token::Open(_))) {
            self.tokens.splice(at..at, tokens);
        }
    }

    fn delete(&mut self, count: usize) {
        let Some(sequence) = self.pick_sequence(Sequence::can_shrink) else { return };
        let spare = sequence.elements.len() - sequence.min;
        let count = count.min(spare);
        let first = self.rng.below((sequence.elements.len() - count) as u64 + 1) as usize;
        let range = sequence.elements[first].start..sequence.elements[first + count - 1].end;
        self.change_length(&sequence, -(count as i128));
        self.tokens.drain(range);
    }

    fn duplicate(&mut self) {
        let wanted = |s: &Sequence| s.can_grow() && !s.elements.is_empty();
        let Some(sequence) = self.pick_sequence(wanted) else { return };
        let room = sequence.max - sequence.elements.len();
        let count = (1 + self.scaled(4)).min(room).min(sequence.elements.len());
        let first = self.rng.below((sequence.elements.len() - count) as u64 + 1) as usize;
        let range = sequence.elements[first].start..sequence.elements[first + count - 1].end;
        let copy = self.tape.tokens()[range].to_vec();
        let place = self.rng.below(sequence.elements.len() as u64 + 1) as usize;
        self.put(&sequence, place, copy, count);
    }

    fn swap(&mut self) {
        let Some(sequence) = self.pick_sequence(|s| s.elements.len() > 1) else { return };
        let count = sequence.elements.len() as u64;
        let (a, b) = (self.rng.below(count) as usize, self.rng.below(count) as usize);
        let (a, b) = (a.min(b), a.max(b));
        if a == b {
            return;
        }
        let (first, second) = (sequence.elements[a].clone(), sequence.elements[b].clone());
        let part = |range: &Range<usize>| self.tape.tokens()[range.clone()].to_vec();
        let between = part(&(first.end..second.start));
        let swapped = [part(&second), between, part(&first)].concat();
        self.tokens.splice(first.start..second.end, swapped);
    }

    fn replace(&mut self) {
        let Some(sequence) = self.pick_sequence(|s| !s.elements.is_empty()) else { return };
        let Some(element) = self.rng.pick(&sequence.elements).cloned() else { return };
        let fresh = self.fresh_elements(&sequence, 1);
        self.tokens.splice(element, fresh);
    }

    fn redraw_part(&mut self) {
        // Small parts when it is cold, any when it is hot.
        let tries = if self.temperature > 0.5 { 1 } else { 3 };
        let part = (0..tries)
            .filter_map(|_| self.rng.pick(&self.map.parts))
            .min_by_key(|(_, tokens)| tokens.len());
        if let Some((label, tokens)) = part {
            self.tokens.splice(tokens.clone(), [Token::Open(*label), Token::Close]);
        }
    }

    fn splice(&mut self) {
        let Some((label, to)) = self.rng.pick(&self.map.parts).cloned() else { return };
        let others: Vec<&Range<usize>> = self
            .map
            .parts
            .iter()
            .filter(|(other, tokens)| *other == label && *tokens != to)
            .map(|(_, tokens)| tokens)
            .collect();
        if let Some(&from) = self.rng.pick(&others) {
            let copy = self.tape.tokens()[from.clone()].to_vec();
            self.tokens.splice(to, copy);
        }
    }
}
