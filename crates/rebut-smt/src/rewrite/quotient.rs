//! Quotients and remainders by constants, and what is put together from them again.
//!
//! Code that writes a number in digits and reads it again computes `n / 10 * 10 + n % 10`, through
//! tables of digits and of sums with many summands. The rules here find that this is `n`:
//!
//! - a product with a constant is spread over a sum, so that digits meet their neighbors;
//! - in a sum, `x / k * k + x % k` is `x`, and entries of one index are one entry;
//! - a number that fits into few bits equals the extension of these bits.
//!
//! A bit-blaster needs a multiplier and a divider for each digit to learn as much.

use crate::op::Op;
use crate::value::{Value, mask};
use crate::{Pool, Term};

/// The depth of terms whose bounds are computed. Arbitrary: digits of digits have three levels. The
/// bound of a deeper part is its width.
const DEPTH_MAX: u32 = 6;

/// The number of summands between which pairs are searched. Arbitrary: the search is quadratic, and
/// the largest integers of Rust have 39 digits, of which at most two are new in each sum.
const SUMMANDS_MAX: usize = 40;

impl Pool {
    /// Returns an upper bound of a bit-vector, from its operators alone.
    pub(super) fn greatest(&self, term: Term) -> u128 {
        self.greatest_within(term, DEPTH_MAX)
    }

    fn greatest_within(&self, term: Term, depth: u32) -> u128 {
        let all = mask(self.width(term));
        if let Some(number) = self.bits_of(term) {
            return number;
        }
        if depth == 0 {
            return all;
        }
        let of = |part: Term| self.greatest_within(part, depth - 1);
        let bound = match (self.op(term), self.args(term)) {
            (Op::Concat, [high, low]) => of(*high) << self.width(*low) | of(*low),
            (Op::Extract { low, .. }, [a]) => of(*a) >> low,
            (Op::BvUrem, [a, k]) => match self.bits_of(*k) {
                Some(k) if k > 0 => of(*a).min(k - 1),
                _ => of(*a),
            },
            (Op::BvUdiv, [a, k]) => match self.bits_of(*k) {
                Some(k) if k > 0 => of(*a) / k,
                _ => all,
            },
            (Op::BvAdd, [a, b]) => of(*a).saturating_add(of(*b)),
            (Op::BvMul, [a, b]) => {
                let product = of(*a).saturating_mul(of(*b));
                match self.multiple_of_divisor(*a, *b).or_else(|| self.multiple_of_divisor(*b, *a))
                {
                    Some(dividend) => product.min(of(dividend)),
                    None => product,
                }
            }
            (Op::BvAnd, [a, b]) => of(*a).min(of(*b)),
            (Op::Ite, [_, a, b]) => of(*a).max(of(*b)),
            (Op::Select, [_, table]) => match self.value(*table) {
                Some(Value::Table(table)) => table.greatest(),
                _ => all,
            },
            _ => all,
        };
        // More than all means that it may wrap; an extract may cut off the upper bits.
        if bound > all { all } else { bound }
    }

    /// Returns `x` if the product is `x / k * k`, which is at most `x`. A quotient by zero is all
    /// ones, but its product with zero is zero.
    fn multiple_of_divisor(&self, quotient: Term, factor: Term) -> Option<Term> {
        let quotient = self.unextended(quotient);
        let [x, k] = self.parts(quotient, Op::BvUdiv)?;
        let is_divisor = factor == k || self.unextended(factor) == k;
        (is_divisor && self.value(k).is_none()).then_some(x)
    }

    /// Whether the first number is `x / k * k` for a constant `k`, where `x` is the second.
    pub(super) fn is_multiple_below(&mut self, multiple: Term, number: Term) -> bool {
        let Some((quotient, factor)) = self.multiple_of(multiple) else { return false };
        let k = self.bits(self.width(number), factor);
        self.bv_udiv(number, k) == quotient
    }

    /// Returns a number without its zero extension.
    pub(crate) fn unextended(&self, term: Term) -> Term {
        match self.parts(term, Op::Concat) {
            Some([high, low]) if self.bits_of(high) == Some(0) => low,
            _ => term,
        }
    }

    /// Writes the extension of the lowest bits of a number as the number, if it has no others.
    pub(super) fn number_of_low_bits(&mut self, high: Term, low: Term) -> Option<Term> {
        let Op::Extract { high: top, low: 0 } = self.op(low) else { return None };
        let number = self.args(low)[0];
        let is_whole = self.bits_of(high) == Some(0) && self.greatest(number) <= mask(top + 1);
        is_whole.then(|| {
            let width = self.width(high) + self.width(low);
            self.resize(number, width)
        })
    }

    /// Writes the extension of `x + k` as `x + k` of the extension, if nothing carries.
    pub(super) fn extended_sum(&mut self, high: Term, low: Term) -> Option<Term> {
        let [x, k] = self.parts(low, Op::BvAdd)?;
        let number = self.bits_of(k)?;
        let carries = self.greatest(x).checked_add(number)? > mask(self.width(low));
        if carries || self.bits_of(high) != Some(0) {
            return None;
        }
        let width = self.width(high) + self.width(low);
        let (x, k) = (self.resize(x, width), self.bits(width, number));
        Some(self.bv_add(x, k))
    }

    /// Spreads a product with a constant over a sum that may merge with others.
    pub(super) fn spread(&mut self, a: Term, factor: Term) -> Option<Term> {
        let [x, y] = self.parts(a, Op::BvAdd)?;
        let merges = |part: Term| {
            self.value(part).is_some()
                || self.index_of(part).is_some()
                || self.remainder_of(part).is_some()
                || self.multiple_of(part).is_some()
        };
        if self.is_deep(a) || !(merges(x) || merges(y)) {
            return None;
        }
        let (x, y) = (self.bv_mul(x, factor), self.bv_mul(y, factor));
        Some(self.bv_add(x, y))
    }

    /// Adds two sums in which a summand of one and one of the other are simpler together.
    pub(super) fn merged_sum(&mut self, a: Term, b: Term) -> Option<Term> {
        if self.is_deep(a) || self.is_deep(b) {
            return None;
        }
        let (left, right) = (self.summands(a), self.summands(b));
        if left.len() + right.len() > SUMMANDS_MAX {
            return None;
        }
        for (n, x) in left.iter().enumerate() {
            for (m, y) in right.iter().enumerate() {
                let Some(merged) = self.merged_pair(*x, *y) else { continue };
                let others = |all: &[Term], but: usize| {
                    let mut rest = all.to_vec();
                    rest.remove(but);
                    rest
                };
                let rest = [others(&left, n), others(&right, m)].concat();
                return Some(rest.into_iter().fold(merged, |sum, one| self.bv_add(sum, one)));
            }
        }
        None
    }

    fn summands(&self, term: Term) -> Vec<Term> {
        let (mut open, mut found) = (vec![term], Vec::new());
        while let Some(term) = open.pop() {
            match self.parts::<2>(term, Op::BvAdd) {
                Some(parts) if found.len() + open.len() < SUMMANDS_MAX => open.extend(parts),
                _ => found.push(term),
            }
        }
        found
    }

    fn merged_pair(&mut self, x: Term, y: Term) -> Option<Term> {
        if let Some(number) = self.divided(x, y).or_else(|| self.divided(y, x)) {
            return Some(number);
        }
        let is_one_index = self.index_of(x).is_some_and(|index| self.index_of(y) == Some(index));
        if !is_one_index {
            return None;
        }
        let sum = self.intern(Op::BvAdd, &[x, y], self.sort(x));
        self.fused(sum)
    }

    /// Simplifies `x / k * k * f + x % k * f` to `x * f`.
    fn divided(&mut self, product: Term, remainder: Term) -> Option<Term> {
        let (quotient, factor) = self.multiple_of(product)?;
        let (number, k, times) = self.remainder_of(remainder)?;
        let width = self.width(product);
        if k.checked_mul(times)? != factor || factor > mask(width) {
            return None;
        }
        let k = self.bits(width, k);
        if self.bv_udiv(number, k) != quotient {
            return None;
        }
        let times = self.bits(width, times);
        Some(self.bv_mul(number, times))
    }

    /// Splits a product with a constant.
    fn multiple_of(&self, term: Term) -> Option<(Term, u128)> {
        let [x, factor] = self.parts(term, Op::BvMul)?;
        Some((x, self.bits_of(factor)?))
    }

    /// Returns `x`, `k` and `f` of `x % k * f`; `x` is as wide as the term.
    fn remainder_of(&self, term: Term) -> Option<(Term, u128, u128)> {
        let (remainder, times) = self.multiple_of(term).unwrap_or((term, 1));
        let [x, k] = self.parts(remainder, Op::BvUrem)?;
        let k = self.bits_of(k).filter(|k| *k > 0)?;
        Some((x, k, times))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Sort, Table};

    #[test]
    fn digits_put_together_are_the_number() {
        let mut pool = Pool::new();
        let n = pool.var("n", Sort::BitVec(32));
        let ten = pool.bits(32, 10);
        let (mut rest, mut digits) = (n, Vec::new());
        for _ in 0..4 {
            digits.push(pool.bv_urem(rest, ten));
            rest = pool.bv_udiv(rest, ten);
        }
        let mut number = rest;
        for digit in digits.into_iter().rev() {
            let shifted = pool.bv_mul(number, ten);
            number = pool.bv_add(shifted, digit);
        }
        assert_eq!(number, n);
    }

    #[test]
    fn a_multiple_below_a_number_is_not_above_it() {
        let mut pool = Pool::new();
        let (n, ten) = (pool.var("n", Sort::BitVec(32)), pool.bits(32, 10));
        let quotient = pool.bv_udiv(n, ten);
        let multiple = pool.bv_mul(quotient, ten);
        let is_above = pool.bv_ult(n, multiple);
        assert_eq!(is_above, pool.bool(false));
    }

    #[test]
    fn pairs_of_digits_from_a_table_are_the_number() {
        let mut pool = Pool::new();
        let n = pool.var("n", Sort::BitVec(32));
        let [ten, hundred, zero_digit] = [10, 100, 48].map(|k| pool.bits(32, k));
        let (pair, rest) = (pool.bv_urem(n, hundred), pool.bv_udiv(n, hundred));
        let index = pool.extract(6, 0, pair);
        let mut number = rest;
        for digit in [|n: u128| n / 10, |n: u128| n % 10] {
            let letters: Vec<u128> = (0..100).map(|n| 48 + digit(n)).collect();
            let table = Table::of_values(7, 8, &letters).expect("100 values");
            let letter = pool.select(index, table);
            let letter = pool.zero_extend(24, letter);
            let digit = pool.bv_sub(letter, zero_digit);
            let shifted = pool.bv_mul(number, ten);
            number = pool.bv_add(shifted, digit);
        }
        assert_eq!(number, n);
    }
}
