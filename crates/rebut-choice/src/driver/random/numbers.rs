//! Random integers and floats.

use super::{RECENT_MAX, Random};
use crate::{ChoiceKind, Domain, float};

/// The chance, out of 256, of a uniform number from a large range. Other numbers have a uniform
/// number of bits. Arbitrary; in `bench find` (see `mood.rs`), 28 needs 2,945 cases instead of 2,943,
/// and 112 needs 2,934.
const UNIFORM: u64 = 56;
/// A range that needs at most this many bits is small, and drawn uniformly if the case allows these
/// bits. Arbitrary; in `bench find`, 10 needs 2,949 cases and 40 needs 2,947.
const SMALL_SPAN_BITS: u32 = 20;

impl Random {
    /// Draws a number from a domain of integers.
    #[inline]
    pub(super) fn integer(&mut self, domain: &Domain) -> i128 {
        let dice = self.rng.bits();
        if (dice & 0xFFFF) as u32 >= self.mood.special {
            return self.ordinary_integer(domain, dice >> 16);
        }
        match self.special_integer(domain, dice) {
            Some(number) if domain.contains(number) => number,
            _ => self.ordinary_integer(domain, dice >> 16),
        }
    }

    /// Draws a repeated, a small, a boundary or a known number, with the chances of the mood. It
    /// may be out of range.
    #[inline(never)]
    fn special_integer(&mut self, domain: &Domain, dice: u64) -> Option<i128> {
        let mood = &self.mood;
        let mut roll = (dice & 0xFFFF) as u32;
        let mut is = |chance: u8| {
            let bound = u32::from(chance) << 8;
            let hit = roll < bound;
            roll = roll.wrapping_sub(bound);
            hit
        };
        let dice = dice >> 16;
        if is(mood.repeat) {
            let earlier =
                self.recent.nth(dice as usize % RECENT_MAX).or_else(|| self.recent.nth(0))?;
            return Some(match dice >> 8 & 15 {
                0 => earlier.wrapping_add(1),
                1 => earlier.wrapping_sub(1),
                2 => earlier.wrapping_neg(),
                3 => earlier.wrapping_mul(2),
                _ => earlier,
            });
        }
        if is(mood.small) {
            let reach = if dice & 1 == 0 { 3 } else { 16 };
            return Some(domain.origin.wrapping_add(self.rng.between(-reach, reach)));
        }
        if is(mood.edge) {
            return Some(match dice & 7 {
                0 | 1 => domain.min,
                2 | 3 => domain.max,
                4 => domain.origin,
                5 => domain.min.wrapping_add(1),
                6 => domain.max.wrapping_sub(1),
                _ => domain.origin.wrapping_sub(1),
            });
        }
        let off_by = [0, 0, 1, -1][dice as usize & 3];
        let known = self.constants.integers.len();
        if known > 0 && dice >> 2 & 3 != 0 {
            let constant = self.constants.integers[(dice >> 8) as usize % known];
            return Some(constant.wrapping_add(off_by));
        }
        let power = 1i128 << ((dice >> 8) % 127);
        let power = if dice >> 4 & 1 == 0 { power } else { -power };
        Some(power.wrapping_add(off_by))
    }

    /// Draws uniformly from a small range. From a large range, draws uniformly or with a uniform
    /// number of bits.
    #[inline]
    fn ordinary_integer(&mut self, domain: &Domain, dice: u64) -> i128 {
        let span = domain.max.wrapping_sub(domain.min) as u128;
        let bits_of_span = 128 - span.leading_zeros();
        let is_uniform = dice & 0xFF < UNIFORM;
        if is_uniform || (bits_of_span <= SMALL_SPAN_BITS && self.mood.bits >= bits_of_span) {
            return self.rng.between(domain.min, domain.max);
        }
        let bits_max = bits_of_span.min(self.mood.bits).min(127);
        let bits = ((dice >> 8 & 0xFF) as u32 * (bits_max + 1)) >> 8;
        let distance = if bits <= 64 {
            u128::from(self.rng.bits() >> (64 - bits.clamp(1, 64)))
        } else {
            self.rng.up_to((1 << bits) - 1)
        };
        let room_above = domain.max.wrapping_sub(domain.origin) as u128;
        let room_below = domain.origin.wrapping_sub(domain.min) as u128;
        let below = room_below > 0 && (room_above == 0 || dice >> 16 & 1 == 1);
        if below {
            domain.origin.wrapping_sub(distance.min(room_below) as i128)
        } else {
            domain.origin.wrapping_add(distance.min(room_above) as i128)
        }
    }

    /// Draws a number from a domain of floats: one of the last, a nasty or a plain one, one that is
    /// uniform between the bounds, or one that is uniform in the order of floats. The shares are
    /// arbitrary and not measured.
    pub(super) fn float(&mut self, domain: &Domain) -> i128 {
        let is_narrow = domain.kind == ChoiceKind::Float32;
        let dice = self.rng.bits();
        let number = match dice as u8 {
            0..32 => self.recent.nth((dice >> 8) as usize % RECENT_MAX),
            32..96 => Some(number_of(self.nasty_float(dice >> 8), is_narrow)),
            96..160 => Some(number_of(self.plain_float(dice >> 8), is_narrow)),
            160..192 => {
                let (min, max) = (float_of(domain.min, is_narrow), float_of(domain.max, is_narrow));
                let (min, max) = (finite_or(min, f64::MIN / 4.0), finite_or(max, f64::MAX / 4.0));
                Some(number_of(min + (max - min) * self.rng.unit(), is_narrow))
            }
            _ => None,
        };
        let number = match number {
            Some(number) if domain.contains(number) => number,
            _ => self.rng.between(domain.min, domain.max),
        };
        self.recent.push(number);
        number
    }

    fn nasty_float(&mut self, dice: u64) -> f64 {
        let known = &self.constants.floats;
        let magnitude = if !known.is_empty() && dice & 3 == 0 {
            known[(dice >> 8) as usize % known.len()]
        } else {
            NASTY_FLOATS[(dice >> 8) as usize % NASTY_FLOATS.len()]
        };
        if dice >> 2 & 1 == 0 { magnitude } else { -magnitude }
    }

    /// Draws a float that people write: a small whole number or a simple fraction.
    fn plain_float(&mut self, dice: u64) -> f64 {
        let reach = if dice & 1 == 0 { 10 } else { 1000 };
        let whole = self.rng.between(-reach, reach) as f64;
        whole / [1.0, 1.0, 2.0, 10.0, 100.0, 3.0, 4.0, 1000.0][(dice >> 1 & 7) as usize]
    }
}

const NASTY_FLOATS: [f64; 20] = [
    0.0,
    1.0,
    0.5,
    0.1,
    f64::NAN,
    f64::INFINITY,
    f64::MAX,
    f64::MIN_POSITIVE,
    5e-324,
    f64::EPSILON,
    1.0 + f64::EPSILON,
    9_007_199_254_740_992.0,
    9_007_199_254_740_993.0,
    1e308,
    1e16,
    f32::MAX as f64,
    f32::MIN_POSITIVE as f64,
    2_147_483_648.0,
    1.0 / 3.0,
    1e-9,
];

fn number_of(float: f64, is_narrow: bool) -> i128 {
    if is_narrow { float::number_of_f32(float as f32) } else { float::number_of_f64(float) }
}

fn float_of(number: i128, is_narrow: bool) -> f64 {
    if is_narrow { f64::from(float::f32_of(number)) } else { float::f64_of(number) }
}

fn finite_or(float: f64, otherwise: f64) -> f64 {
    if float.is_finite() { float } else { otherwise }
}
