//! What is known of a bit-vector: bits, and bounds of it read as unsigned and as signed.

use super::{Empty, Taste};
use crate::Bits;
use crate::random::Random;
use crate::value::mask;

/// All words with these bits set and those not, between these bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BitRange {
    pub(crate) width: u32,
    /// Bits that are set.
    pub(crate) ones: u128,
    /// Bits that are not.
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

    /// Words between two unsigned bounds.
    pub(super) fn between(width: u32, min: u128, max: u128) -> Result<BitRange, Empty> {
        BitRange { min, max, ..BitRange::all(width) }.tightened()
    }

    /// Words between two signed bounds.
    pub(super) fn between_signed(width: u32, min: i128, max: i128) -> Result<BitRange, Empty> {
        let all = BitRange::all(width);
        let (signed_min, signed_max) = (min.max(all.signed_min), max.min(all.signed_max));
        BitRange { signed_min, signed_max, ..all }.tightened()
    }

    /// Words with these bits set and those not.
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

    /// What each view says of the others, until they agree.
    fn tightened(mut self) -> Result<BitRange, Empty> {
        loop {
            let before = self;
            self.bits_to_bounds();
            self.bounds_to_bits();
            self.between_signs();
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

    /// The bits on top that both bounds share are those of every word between them.
    fn bounds_to_bits(&mut self) {
        if self.min > self.max {
            return;
        }
        let free = 128 - (self.min ^ self.max).leading_zeros();
        let shared = mask(self.width) & !mask(free);
        self.ones |= self.min & shared;
        self.zeros |= !self.min & shared;
    }

    fn between_signs(&mut self) {
        let sign = 1u128 << (self.width - 1);
        let signed = |number: u128| Bits::new(self.width, number).signed();
        let unsigned = |number: i128| Bits::new(self.width, number as u128).unsigned();
        // Within one half, signed and unsigned bounds are the same numbers.
        if self.max < sign || self.min >= sign {
            self.signed_min = self.signed_min.max(signed(self.min));
            self.signed_max = self.signed_max.min(signed(self.max));
        }
        if self.signed_min >= 0 || self.signed_max < 0 {
            self.min = self.min.max(unsigned(self.signed_min));
            self.max = self.max.min(unsigned(self.signed_max));
        }
    }

    /// A word that fits the bits and, unless chance has it otherwise, the bounds.
    pub(super) fn pick(self, taste: Taste, random: &mut Random) -> Bits {
        let number = match taste {
            Taste::Least if self.signed_min <= 0 && self.signed_max >= 0 => self.min,
            Taste::Least => self.signed_min as u128,
            Taste::Greatest => self.max,
            Taste::Random => {
                // Of the two readings, the one with the fewer numbers.
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
