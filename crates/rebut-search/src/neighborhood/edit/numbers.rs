//! Operators that change only numbers and alternatives.

use rebut_choice::{Choice, ChoiceKind};

use super::Edit;

/// A number moves by at most this share of its range, times the temperature. Löscher and Sagonas
/// (2017) have the same for integers between bounds.
const REACH: f64 = 0.1;
/// The temperature counts as at least this, so that a cold edit of a wide range is not tiny.
/// Arbitrary and not measured.
const COLDEST: f64 = 0.1;
/// Numbers of a wider range than this also move by a factor. Arbitrary and not measured: in a range
/// of 65,536 numbers, 16 steps by a factor of two reach all of them.
const WIDE_RANGE: u128 = 1 << 16;

impl Edit<'_> {
    pub(super) fn nudge(&mut self) {
        let Some(at) = self.map.pick_value(self.rng) else { return };
        if let Some(choice) = self.tape.choice(at).copied() {
            let number = self.nudged(&choice);
            self.set(at, number);
        }
    }

    /// Returns another number of the domain near this one.
    fn nudged(&mut self, choice: &Choice) -> i128 {
        let domain = choice.domain;
        let span = domain.max.wrapping_sub(domain.min) as u128;
        let by_size = matches!(domain.kind, ChoiceKind::Integer) && span > WIDE_RANGE;
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
        // Use steps of every size up to the reach: near a goal only small steps help, and the
        // distance to the goal is unknown.
        let reach = ((span as f64 * REACH * self.temperature.max(COLDEST)) as u128).max(1);
        let bits = self.rng.below(u64::from(128 - reach.leading_zeros()));
        let step = 1 + self.rng.up_to((1u128 << bits) - 1).min(reach - 1) as i128;
        let up = self.rng.bits() & 1 == 0;
        let moved = |up: bool| {
            let number =
                if up { choice.number.checked_add(step) } else { choice.number.checked_sub(step) };
            number.filter(|&number| domain.contains(number))
        };
        // At a bound of the range, step in the other direction.
        moved(up).or_else(|| moved(!up)).unwrap_or(if up { domain.max } else { domain.min })
    }

    pub(super) fn redraw(&mut self) {
        let Some(at) = self.map.pick_value(self.rng) else { return };
        if let Some(choice) = self.tape.choice(at).copied() {
            let number = self.rng.between(choice.domain.min, choice.domain.max);
            self.set(at, number);
        }
    }

    pub(super) fn copy(&mut self) {
        let (Some(&from), Some(to)) =
            (self.rng.pick(&self.map.values), self.map.pick_value(self.rng))
        else {
            return;
        };
        if let (Some(from), Some(to_choice)) = (self.tape.choice(from), self.tape.choice(to)) {
            let near = [0, 0, 1, -1][self.rng.below(4) as usize];
            let number = from.number.wrapping_add(near);
            if to_choice.domain.kind == from.domain.kind && to_choice.domain.contains(number) {
                self.set(to, number);
            }
        }
    }

    pub(super) fn switch(&mut self) {
        let Some(&at) = self.rng.pick(&self.map.alternatives) else { return };
        let Some(choice) = self.tape.choice(at).copied() else { return };
        let domain = choice.domain;
        let mut number = self.rng.between(domain.min, domain.max - 1);
        if number >= choice.number {
            number += 1;
        }
        self.set(at, number);
    }
}
