//! Operators that change the elements of sequences and their order.

use std::ops::Range;

use rebut_choice::{Choice, Domain, Label, Token};

use super::{Edit, EditableSequence};

/// The largest share of elements that one edit reworks, at temperature 1. More would be another
/// sequence rather than a neighbor. Arbitrary; in `bench search` (see `adaptive.rs`), 0.25 needs 963,
/// 1,109, 396 and 2,265 tests, and 1.0 needs 887, 1,382, 334 and 3,468.
const REWORKED_MAX: f64 = 0.5;

/// The maximum number of elements that one edit repeats. Arbitrary and not measured.
const DUPLICATED_MAX: usize = 5;

impl Edit<'_> {
    fn pick_sequence(&mut self, wanted: fn(&EditableSequence) -> bool) -> Option<EditableSequence> {
        let fitting: Vec<&EditableSequence> =
            self.map.sequences.iter().filter(|s| wanted(s)).collect();
        // Half of the time take the first, which is an outermost one; otherwise any.
        if self.rng.bits() & 1 == 0 {
            return fitting.first().map(|s| (*s).clone());
        }
        self.rng.pick(&fitting).map(|s| (*s).clone())
    }

    fn change_length(&mut self, sequence: &EditableSequence, by: i128) {
        for at in [Some(sequence.length), sequence.fixed_by].into_iter().flatten() {
            if let Some(Token::Choice(length)) = self.tokens.get_mut(at) {
                length.number += by;
            }
        }
    }

    pub(super) fn insert(&mut self, count: usize) {
        let Some(sequence) = self.pick_sequence(EditableSequence::can_grow) else { return };
        let count = count.min(sequence.max - sequence.elements.len());
        let index = self.rng.below(sequence.elements.len() as u64 + 1) as usize;
        let fresh = self.fresh_elements(&sequence, count);
        self.put(&sequence, index, fresh, count);
    }

    /// Returns the tokens of new elements. Replay draws their choices.
    fn fresh_elements(&mut self, sequence: &EditableSequence, count: usize) -> Vec<Token> {
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

    /// Adds a step that goes as far as the temperature allows. Replay draws its other choices.
    pub(super) fn step(&mut self) {
        let Some(sequence) = self.pick_sequence(EditableSequence::can_step) else { return };
        let domain = Domain::temperatures();
        let number = (domain.max as f64 * self.temperature.clamp(0.0, 1.0)) as i128;
        let temperature = Token::Choice(Choice { number, domain });
        let step = vec![Token::Open(Label::ELEMENT), temperature, Token::Close];
        self.put(&sequence, sequence.elements.len(), step, 1);
    }

    fn put(&mut self, sequence: &EditableSequence, index: usize, tokens: Vec<Token>, count: usize) {
        let at = match sequence.elements.get(index) {
            Some(element) => element.start,
            None => sequence.tokens.end - 1,
        };
        self.change_length(sequence, count as i128);
        // In an empty sequence of single choices there is nothing to insert; the length suffices.
        if !sequence.elements.is_empty() || matches!(tokens.first(), Some(Token::Open(_))) {
            self.tokens.splice(at..at, tokens);
        }
    }

    pub(super) fn delete(&mut self, count: usize) {
        let Some(sequence) = self.pick_sequence(EditableSequence::can_shrink) else { return };
        let spare = sequence.elements.len() - sequence.min;
        let count = count.min(spare);
        if count == 0 {
            return;
        }
        let first = self.rng.below((sequence.elements.len() - count) as u64 + 1) as usize;
        let range = sequence.elements[first].start..sequence.elements[first + count - 1].end;
        self.change_length(&sequence, -(count as i128));
        self.tokens.drain(range);
    }

    pub(super) fn duplicate(&mut self) {
        let wanted = |s: &EditableSequence| s.can_grow() && !s.elements.is_empty();
        let Some(sequence) = self.pick_sequence(wanted) else { return };
        let room = sequence.max - sequence.elements.len();
        let count = (1 + self.scaled(DUPLICATED_MAX - 1)).min(room).min(sequence.elements.len());
        let first = self.rng.below((sequence.elements.len() - count) as u64 + 1) as usize;
        let range = sequence.elements[first].start..sequence.elements[first + count - 1].end;
        let copy = self.tape.tokens()[range].to_vec();
        let index = self.rng.below(sequence.elements.len() as u64 + 1) as usize;
        self.put(&sequence, index, copy, count);
    }

    pub(super) fn swap(&mut self) {
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

    pub(super) fn replace(&mut self) {
        let Some(sequence) = self.pick_sequence(|s| !s.elements.is_empty()) else { return };
        let Some(element) = self.rng.pick(&sequence.elements).cloned() else { return };
        let fresh = self.fresh_elements(&sequence, 1);
        self.tokens.splice(element, fresh);
    }

    /// Changes a few elements up to half of them, so that many elements of a good sequence are
    /// tried in a new context (Löscher and Sagonas 2018, section III: their lists).
    pub(super) fn rework(&mut self) {
        let Some(sequence) = self.pick_sequence(EditableSequence::can_rework) else { return };
        let count = sequence.elements.len();
        let least = 2.0 / count as f64;
        let most = (REWORKED_MAX * self.temperature / least).max(1.0);
        let rate = least * most.powf(self.rng.unit());
        // The share of insertions, drawn for each edit so that sequences drift in either direction
        // (Löscher and Sagonas 2018: from 0.1 to 0.9).
        let growth = 0.1 + 0.8 * self.rng.unit();
        let (mut body, mut length) = (Vec::new(), 0);
        for (nth, element) in sequence.elements.iter().enumerate() {
            let all = length + count - nth;
            if all < sequence.max && self.rng.unit() < rate * growth {
                body.extend(self.fresh_elements(&sequence, 1));
                length += 1;
            }
            let roll = self.rng.unit() / rate;
            if roll < 1.0 - growth && all > sequence.min {
                continue;
            }
            length += 1;
            if roll < 1.5 - growth {
                body.extend(self.fresh_elements(&sequence, 1));
            } else {
                body.extend_from_slice(&self.tape.tokens()[element.clone()]);
            }
        }
        self.change_length(&sequence, length as i128 - count as i128);
        self.put_over(&sequence, 0..count, body);
    }

    pub(super) fn shuffle(&mut self) {
        let Some(sequence) = self.pick_sequence(|s| s.elements.len() > 1) else { return };
        let count = sequence.elements.len();
        let size = 2 + self.scaled(count - 2);
        let first = self.rng.below((count - size) as u64 + 1) as usize;
        let mut order: Vec<usize> = (first..first + size).collect();
        for n in (1..size).rev() {
            order.swap(n, self.rng.below(n as u64 + 1) as usize);
        }
        let mut body = Vec::new();
        for nth in order {
            body.extend_from_slice(&self.tape.tokens()[sequence.elements[nth].clone()]);
        }
        self.put_over(&sequence, first..first + size, body);
    }

    /// Keeps a sequence up to some element and replaces everything after it.
    pub(super) fn regrow(&mut self) {
        let Some(sequence) = self.pick_sequence(EditableSequence::can_rework) else { return };
        let count = sequence.elements.len();
        let fresh = 1 + self.scaled(count - 2);
        let body = self.fresh_elements(&sequence, fresh);
        self.put_over(&sequence, count - fresh..count, body);
    }

    /// Replaces a range of elements with other tokens.
    fn put_over(
        &mut self,
        sequence: &EditableSequence,
        elements: Range<usize>,
        tokens: Vec<Token>,
    ) {
        let first = sequence.elements[elements.start].start;
        let last = sequence.elements[elements.end - 1].end;
        self.tokens.splice(first..last, tokens);
    }
}
