//! Circuits on words: rows of literals, the lowest bit first.
//!
//! The circuits are the textbook ones with few gates: ripple-carry adder, shift-and-add
//! multiplier, restoring divider and barrel shifter.

use super::gates::Gates;
use super::sat::Lit;

/// A row of literals, the lowest bit first.
pub(super) type Word = Vec<Lit>;

/// A quotient and a remainder.
pub(super) type Division = (Word, Word);

impl Gates {
    pub(super) fn constant(width: usize, number: u128) -> Word {
        let bit = |n: usize| if n < 128 { Lit::constant(number >> n & 1 == 1) } else { Lit::FALSE };
        (0..width).map(bit).collect()
    }

    pub(super) fn map2(
        &mut self,
        a: &[Lit],
        b: &[Lit],
        gate: impl Fn(&mut Gates, Lit, Lit) -> Lit,
    ) -> Word {
        a.iter().zip(b).map(|(x, y)| gate(self, *x, *y)).collect()
    }

    pub(super) fn add(&mut self, a: &[Lit], b: &[Lit], carry: Lit) -> Word {
        let mut carry = carry;
        let mut sum = Vec::with_capacity(a.len());
        for (n, (x, y)) in a.iter().zip(b).enumerate() {
            sum.push(self.parity(*x, *y, carry));
            if n + 1 < a.len() {
                carry = self.majority(*x, *y, carry);
            }
        }
        sum
    }

    pub(super) fn sub(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let flipped = not(b);
        self.add(a, &flipped, Lit::TRUE)
    }

    pub(super) fn neg(&mut self, a: &[Lit]) -> Word {
        let zero = vec![Lit::FALSE; a.len()];
        self.sub(&zero, a)
    }

    /// Multiplies, wrapping. If one factor is constant, there is one addition per nonzero signed
    /// digit of it (Booth 1951), otherwise one per bit.
    pub(super) fn mul(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let (a, b) = if constant_bits(a) > constant_bits(b) { (b, a) } else { (a, b) };
        if b.iter().all(|lit| lit.is_constant()) {
            return self.mul_by_constant(a, b);
        }
        if a == b {
            return self.square(a);
        }
        let width = a.len();
        let mut sum: Word = vec![Lit::FALSE; width];
        for (position, bit) in b.iter().enumerate() {
            if *bit == Lit::FALSE {
                continue;
            }
            let row: Word = a[..width - position].iter().map(|lit| self.and(*lit, *bit)).collect();
            let upper = self.add(&sum[position..], &row, Lit::FALSE);
            sum.truncate(position);
            sum.extend(upper);
        }
        sum
    }

    /// Squares a word. Each product of two different bits occurs twice, so it is added once, one
    /// position higher. The proof that no 64-bit float squared is 2 takes 2,346 conflicts, and took
    /// 19,740 with `mul` (commit 1097397).
    fn square(&mut self, a: &[Lit]) -> Word {
        let width = a.len();
        let mut sum: Word = vec![Lit::FALSE; width];
        for (position, bit) in a.iter().enumerate().take(width.div_ceil(2)) {
            if *bit == Lit::FALSE {
                continue;
            }
            let mut row = vec![*bit, Lit::FALSE];
            row.extend(a[position + 1..].iter().map(|lit| self.and(*lit, *bit)));
            row.resize(width - 2 * position, Lit::FALSE);
            let upper = self.add(&sum[2 * position..], &row, Lit::FALSE);
            sum.truncate(2 * position);
            sum.extend(upper);
        }
        sum
    }

    fn mul_by_constant(&mut self, a: &[Lit], factor: &[Lit]) -> Word {
        let width = a.len();
        let mut sum: Word = vec![Lit::FALSE; width];
        for (position, digit) in signed_digits(factor) {
            let row = &a[..width - position];
            let upper = match digit {
                true => self.add(&sum[position..], row, Lit::FALSE),
                false => self.sub(&sum[position..], row),
            };
            sum.truncate(position);
            sum.extend(upper);
        }
        sum
    }

    pub(super) fn eq(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let same = self.map2(a, b, Gates::same);
        self.all(&same)
    }

    /// Less than, unsigned: the carry out of `b + ~a`.
    pub(super) fn ult(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let mut less = Lit::FALSE;
        for (x, y) in a.iter().zip(b) {
            less = self.majority(!*x, *y, less);
        }
        less
    }

    /// Less than, signed: as unsigned, with the sign bits swapped.
    pub(super) fn slt(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let (mut x, mut y) = (a.to_vec(), b.to_vec());
        if let (Some(x), Some(y)) = (x.last_mut(), y.last_mut()) {
            std::mem::swap(x, y);
        }
        self.ult(&x, &y)
    }

    pub(super) fn choose_word(&mut self, condition: Lit, then: &[Lit], otherwise: &[Lit]) -> Word {
        self.map2(then, otherwise, |gates, x, y| gates.choose(condition, x, y))
    }

    /// Divides unsigned. For a divisor of zero, long division returns what SMT-LIB defines: all
    /// ones and the dividend.
    ///
    /// Long division propagates from the operands to the results. Two redundant facts let the
    /// solver reason backward: `a = b * quotient + remainder`, and `remainder < b` unless `b` is
    /// zero. With them, `x % y >= y` is refuted at once and was not in 200,000 conflicts, and
    /// `x / y = 3` of 64-bit floats takes 34 conflicts in place of 12,982 (commit 80c1d7d). The
    /// facts alone, without long division, are worse where the operands are known.
    pub(super) fn divide(&mut self, a: &[Lit], b: &[Lit]) -> Division {
        let operands = (a.to_vec(), b.to_vec());
        if let Some(division) = self.divisions.get(&operands) {
            return division.clone();
        }
        let (quotient, rest) = self.long_division(a, b);
        self.assert_product(a, b, &quotient, &rest);
        let is_less = self.ult(&rest, b);
        let is_zero = !self.any(b);
        self.sat.clause(&[is_zero, is_less]);
        self.divisions.insert(operands, (quotient.clone(), rest.clone()));
        (quotient, rest)
    }

    fn long_division(&mut self, a: &[Lit], b: &[Lit]) -> Division {
        let width = a.len();
        let rest_width = width_below(b);
        let mut rest: Word = vec![Lit::FALSE; width];
        let mut quotient = vec![Lit::FALSE; width];
        for position in (0..width).rev() {
            // If a bit is shifted out on top, the rest is greater than any divisor.
            let overflow = rest[width - 1];
            rest.rotate_right(1);
            rest[0] = a[position];
            let less = self.ult(&rest, b);
            let fits = self.or(overflow, !less);
            let reduced = self.sub(&rest, b);
            rest = self.choose_word(fits, &reduced, &rest);
            rest[rest_width..].fill(Lit::FALSE);
            quotient[position] = fits;
        }
        (quotient, rest)
    }

    /// Asserts that `a = b * quotient + rest`, and that no intermediate sum overflows.
    fn assert_product(&mut self, a: &[Lit], b: &[Lit], quotient: &[Lit], rest: &[Lit]) {
        let width = a.len();
        let mut sum = rest.to_vec();
        sum.push(Lit::FALSE);
        for (position, bit) in b.iter().enumerate() {
            if *bit == Lit::FALSE {
                continue;
            }
            for lit in &quotient[width - position..] {
                self.sat.clause(&[!*lit, !*bit]);
            }
            let mut row: Word =
                quotient[..width - position].iter().map(|lit| self.and(*lit, *bit)).collect();
            row.push(Lit::FALSE);
            let upper = self.add(&sum[position..], &row, Lit::FALSE);
            self.sat.clause(&[!upper[width - position]]);
            sum.truncate(position);
            sum.extend(upper);
            sum[width] = Lit::FALSE;
        }
        for (x, y) in sum.iter().zip(a) {
            let same = self.same(*x, *y);
            self.sat.clause(&[same]);
        }
    }

    /// Returns the magnitude and the sign of a word. The least number is its own magnitude, which
    /// is right in the unsigned reading.
    pub(super) fn magnitude(&mut self, a: &[Lit]) -> (Word, Lit) {
        let sign = a.last().copied().unwrap_or(Lit::FALSE);
        (self.negate_if(sign, a), sign)
    }

    pub(super) fn negate_if(&mut self, condition: Lit, a: &[Lit]) -> Word {
        let flipped: Word = a.iter().map(|lit| self.xor(*lit, condition)).collect();
        let zero = vec![Lit::FALSE; a.len()];
        self.add(&flipped, &zero, condition)
    }

    /// Shifts by a variable amount, to the left if `left`, with one stage per bit of the amount.
    pub(super) fn shift(&mut self, a: &[Lit], by: &[Lit], left: bool, fill: Lit) -> Word {
        let width = a.len();
        let mut word = a.to_vec();
        let mut too_far = Lit::FALSE;
        for (stage, bit) in by.iter().enumerate() {
            match 1usize.checked_shl(stage as u32).filter(|distance| *distance < width) {
                Some(distance) => {
                    let moved: Word = (0..width)
                        .map(|n| match left {
                            true => n.checked_sub(distance).map_or(fill, |from| word[from]),
                            false => word.get(n + distance).copied().unwrap_or(fill),
                        })
                        .collect();
                    word = self.choose_word(*bit, &moved, &word);
                }
                None => too_far = self.or(too_far, *bit),
            }
        }
        let filled = vec![fill; width];
        self.choose_word(too_far, &filled, &word)
    }
}

pub(super) fn not(a: &[Lit]) -> Word {
    a.iter().map(|lit| !*lit).collect()
}

/// Extends a word to `width` bits in two's complement, or drops its upper bits.
pub(super) fn resize_signed(a: &[Lit], width: usize) -> Word {
    let sign = a.last().copied().unwrap_or(Lit::FALSE);
    (0..width).map(|n| a.get(n).copied().unwrap_or(sign)).collect()
}

fn constant_bits(a: &[Lit]) -> usize {
    a.iter().filter(|lit| lit.is_constant()).count()
}

/// The number of bits that a number less than `limit` needs; all if `limit` may be zero.
fn width_below(limit: &[Lit]) -> usize {
    let zeros = limit.iter().rev().take_while(|lit| **lit == Lit::FALSE).count();
    if limit.contains(&Lit::TRUE) { limit.len() - zeros } else { limit.len() }
}

/// Writes a constant as a sum of powers of two, some negative, without adjacent positions (the
/// non-adjacent form). For example, 7 is `8 - 1`, one addition less than `4 + 2 + 1`. Returns the
/// positions, and whether each is positive.
fn signed_digits(factor: &[Lit]) -> Vec<(usize, bool)> {
    let mut digits = Vec::new();
    let mut carry = false;
    let bit = |n: usize| factor.get(n) == Some(&Lit::TRUE);
    for position in 0..factor.len() {
        match (bit(position), carry) {
            (true, true) | (false, false) => {}
            _ => {
                let negative = bit(position + 1);
                digits.push((position, !negative));
                carry = negative;
            }
        }
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signed_digits_sum_to_the_constant_without_neighbors() {
        assert_eq!(signed_digits(&Gates::constant(5, 7)), [(0, false), (3, true)]);
        for number in 0..32u32 {
            let digits = signed_digits(&Gates::constant(5, number.into()));
            let sum = digits.iter().fold(0u32, |sum, (position, is_positive)| {
                let power = 1u32 << position;
                if *is_positive { sum.wrapping_add(power) } else { sum.wrapping_sub(power) }
            });
            assert_eq!(sum % 32, number);
            assert!(digits.windows(2).all(|pair| pair[0].0 + 1 < pair[1].0), "{digits:?}");
        }
    }

    #[test]
    fn remainders_below_a_known_divisor_need_few_bits() {
        assert_eq!(width_below(&Gates::constant(8, 5)), 3);
        assert_eq!(width_below(&Gates::constant(8, 0)), 8);
    }
}
