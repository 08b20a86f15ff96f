//! The domain of a bit-vector: known bits, and bounds in the unsigned and the signed reading.
//!
//! The three views narrow each other (`tightened`). For example, 8 bits between 0xf2 and 0xf5 share
//! their upper five bits, so these are known, and the signed bounds are -14 and -11.

use super::{Empty, Preference};
use crate::Bits;
use crate::random::Random;
use crate::value::mask;

/// The words that have all known bits and are within both pairs of bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BitRange {
    pub(crate) width: u32,
    /// Bits that are set in every word.
    pub(crate) ones: u128,
    /// Bits that are clear in every word.
    pub(crate) zeros: u128,
    pub(crate) min: u128,
    pub(crate) max: u128,
    pub(super) signed_min: i128,
    pub(super) signed_max: i128,
}

impl BitRange {
    pub(crate) fn all(width: u32) -> BitRange {
        let width = width.max(1);
        let half = mask(width - 1) as i128;
        BitRange {
            width,
            ones: 0,
            zeros: 0,
            min: 0,
            max: mask(width),
            signed_min: -half - 1,
            signed_max: half,
        }
    }

    pub(crate) fn only(bits: Bits) -> BitRange {
        let (number, signed) = (bits.unsigned(), bits.signed());
        BitRange {
            width: bits.width(),
            ones: number,
            zeros: !number & mask(bits.width()),
            min: number,
            max: number,
            signed_min: signed,
            signed_max: signed,
        }
    }

    /// Creates the words between two unsigned bounds.
    pub(super) fn between(width: u32, min: u128, max: u128) -> Result<BitRange, Empty> {
        BitRange { min, max, ..BitRange::all(width) }.tightened()
    }

    /// Creates the words between two signed bounds.
    pub(super) fn between_signed(width: u32, min: i128, max: i128) -> Result<BitRange, Empty> {
        let all = BitRange::all(width);
        let (signed_min, signed_max) = (min.max(all.signed_min), max.min(all.signed_max));
        BitRange { signed_min, signed_max, ..all }.tightened()
    }

    /// Creates the words with these bits set and those bits clear.
    pub(super) fn known(width: u32, ones: u128, zeros: u128) -> Result<BitRange, Empty> {
        let mask = mask(width);
        BitRange { ones: ones & mask, zeros: zeros & mask, ..BitRange::all(width) }.tightened()
    }

    pub(super) fn meet(self, other: BitRange) -> Result<BitRange, Empty> {
        if self == other {
            return Ok(self);
        }
        BitRange {
            width: self.width,
            ones: self.ones | other.ones,
            zeros: self.zeros | other.zeros,
            min: self.min.max(other.min),
            max: self.max.min(other.max),
            signed_min: self.signed_min.max(other.signed_min),
            signed_max: self.signed_max.min(other.signed_max),
        }
        .tightened()
    }

    pub(super) fn join(self, other: BitRange) -> BitRange {
        BitRange {
            width: self.width,
            ones: self.ones & other.ones,
            zeros: self.zeros & other.zeros,
            min: self.min.min(other.min),
            max: self.max.max(other.max),
            signed_min: self.signed_min.min(other.signed_min),
            signed_max: self.signed_max.max(other.signed_max),
        }
    }

    pub(super) fn value(self) -> Option<Bits> {
        (self.min == self.max).then(|| Bits::new(self.width, self.min))
    }

    /// Whether a word may be in this range.
    pub(super) fn contains(self, bits: Bits) -> bool {
        self.meet(BitRange::only(bits)).is_ok()
    }

    /// Narrows each view by the others until nothing changes.
    fn tightened(mut self) -> Result<BitRange, Empty> {
        loop {
            let before = self;
            self.bits_to_bounds();
            self.bounds_to_bits();
            self.signed_and_unsigned();
            let is_empty = self.ones & self.zeros != 0
                || self.min > self.max
                || self.signed_min > self.signed_max;
            if is_empty {
                return Err(Empty);
            }
            if self == before {
                return Ok(self);
            }
        }
    }

    fn bits_to_bounds(&mut self) {
        self.min = self.min.max(self.ones);
        self.max = self.max.min(!self.zeros & mask(self.width));
    }

    /// The leading bits that both bounds share are those of every word between them.
    fn bounds_to_bits(&mut self) {
        if self.min > self.max {
            return;
        }
        let free = 128 - (self.min ^ self.max).leading_zeros();
        let shared = mask(self.width) & !mask(free);
        self.ones |= self.min & shared;
        self.zeros |= !self.min & shared;
    }

    fn signed_and_unsigned(&mut self) {
        let sign = 1u128 << (self.width - 1);
        let signed = |number: u128| Bits::new(self.width, number).signed();
        let unsigned = |number: i128| Bits::new(self.width, number as u128).unsigned();
        // If the sign is known, both readings have the same order.
        if self.max < sign || self.min >= sign {
            self.signed_min = self.signed_min.max(signed(self.min));
            self.signed_max = self.signed_max.min(signed(self.max));
        }
        if self.signed_min >= 0 || self.signed_max < 0 {
            self.min = self.min.max(unsigned(self.signed_min));
            self.max = self.max.min(unsigned(self.signed_max));
        }
    }

    /// Picks a word with the known bits. A random one may miss the bounds.
    pub(super) fn pick(self, preference: Preference, random: &mut Random) -> Bits {
        let number = match preference {
            Preference::Least if self.signed_min <= 0 && self.signed_max >= 0 => self.min,
            Preference::Least => self.signed_min as u128,
            Preference::Greatest => self.max,
            Preference::Random => {
                // Use the reading with the narrower bounds.
                let span = self.max - self.min;
                let signed_span = self.signed_max.wrapping_sub(self.signed_min) as u128;
                let (low, span) = match signed_span < span {
                    true => (self.signed_min as u128, signed_span),
                    false => (self.min, span),
                };
                low.wrapping_add(random.up_to(span))
            }
        };
        Bits::new(self.width, (number | self.ones) & !self.zeros)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_determine_shared_leading_bits_and_signed_bounds() {
        let range = BitRange::between(8, 0xf2, 0xf5).expect("not empty");
        assert_eq!((range.ones, range.zeros), (0xf0, 0x08));
        assert_eq!((range.signed_min, range.signed_max), (-14, -11));
    }

    #[test]
    fn known_bits_determine_bounds() {
        let range = BitRange::known(8, 0x81, 0x02).expect("not empty");
        assert_eq!((range.min, range.max), (0x81, 0xfd));
        assert!(BitRange::known(8, 1, 1).is_err());
    }

    #[test]
    fn meet_of_disjoint_ranges_is_empty() {
        let low = BitRange::between(8, 0, 10).expect("not empty");
        let high = BitRange::between(8, 11, 20).expect("not empty");
        assert_eq!(low.meet(high), Err(Empty));
        let both = low.join(high);
        assert_eq!((both.min, both.max), (0, 20));
    }
}
