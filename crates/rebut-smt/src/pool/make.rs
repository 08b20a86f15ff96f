//! Named constructors of terms. Operators that [`Op`] lacks are built from others here.
//!
//! All of them panic if the sorts of the arguments do not fit, which is a bug of the caller.
//! [`Pool::apply`] returns an error instead.

use super::{Pool, Term};
use crate::op::Op;
use crate::value::{Bits, mask};
use crate::{Rational, Sort, Table, Value};

/// Constants.
impl Pool {
    /// Builds `true` or `false`.
    pub fn bool(&mut self, value: bool) -> Term {
        self.constant(Value::Bool(value))
    }

    /// Builds a bit-vector constant from the low `width` bits of a number.
    pub fn bits(&mut self, width: u32, number: u128) -> Term {
        self.constant(Value::Bits(Bits::new(width, number)))
    }

    /// Builds a bit-vector constant from a number in two's complement.
    ///
    /// ```
    /// let mut pool = rebut_smt::Pool::new();
    /// assert_eq!(pool.bits_of_i128(8, -1), pool.bits(8, 255));
    /// ```
    pub fn bits_of_i128(&mut self, width: u32, number: i128) -> Term {
        self.constant(Value::Bits(Bits::of_i128(width, number)))
    }

    /// Builds an `Int` constant.
    pub fn int(&mut self, number: i128) -> Term {
        self.constant(Value::Int(number))
    }

    /// Builds a `Real` constant.
    pub fn real(&mut self, number: Rational) -> Term {
        self.constant(Value::Real(number))
    }

    /// Builds a `String` constant.
    pub fn string(&mut self, text: &str) -> Term {
        self.constant(Value::from(text))
    }
}

/// Booleans.
impl Pool {
    /// Builds the negation.
    #[track_caller]
    pub fn not(&mut self, a: Term) -> Term {
        self.must(Op::Not, &[a])
    }

    /// Builds the conjunction.
    #[track_caller]
    pub fn and(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::And, &[a, b])
    }

    /// Builds the disjunction.
    #[track_caller]
    pub fn or(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::Or, &[a, b])
    }

    /// Builds the conjunction of any number of terms. Without terms it is true.
    #[track_caller]
    pub fn all(&mut self, terms: &[Term]) -> Term {
        self.must(Op::And, terms)
    }

    /// Builds the disjunction of any number of terms. Without terms it is false.
    #[track_caller]
    pub fn any(&mut self, terms: &[Term]) -> Term {
        self.must(Op::Or, terms)
    }

    /// Builds the exclusive or.
    #[track_caller]
    pub fn xor(&mut self, a: Term, b: Term) -> Term {
        let same = self.eq(a, b);
        self.not(same)
    }

    /// Builds the implication: `b` is true whenever `a` is.
    #[track_caller]
    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let not_a = self.not(a);
        self.or(not_a, b)
    }

    /// Builds `a = b`.
    #[track_caller]
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::Eq, &[a, b])
    }

    /// Builds the negation of `a = b`.
    #[track_caller]
    pub fn ne(&mut self, a: Term, b: Term) -> Term {
        let same = self.eq(a, b);
        self.not(same)
    }

    /// Builds the condition that no two terms are equal.
    #[track_caller]
    pub fn distinct(&mut self, terms: &[Term]) -> Term {
        if terms.is_empty() {
            return self.bool(true);
        }
        self.must(Op::Distinct, terms)
    }

    /// Builds `then` if the condition is true, else `otherwise`.
    #[track_caller]
    pub fn ite(&mut self, condition: Term, then: Term, otherwise: Term) -> Term {
        self.must(Op::Ite, &[condition, then, otherwise])
    }
}

/// Bit-vectors.
impl Pool {
    /// Flips every bit.
    #[track_caller]
    pub fn bv_not(&mut self, a: Term) -> Term {
        self.must(Op::BvNot, &[a])
    }

    /// Builds the negation in two's complement.
    #[track_caller]
    pub fn bv_neg(&mut self, a: Term) -> Term {
        self.must(Op::BvNeg, &[a])
    }

    /// Builds the bitwise and.
    #[track_caller]
    pub fn bv_and(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::BvAnd, &[a, b])
    }

    /// Builds the bitwise or.
    #[track_caller]
    pub fn bv_or(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::BvOr, &[a, b])
    }

    /// Builds the bitwise exclusive or.
    #[track_caller]
    pub fn bv_xor(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::BvXor, &[a, b])
    }

    /// Builds the wrapping sum.
    #[track_caller]
    pub fn bv_add(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::BvAdd, &[a, b])
    }

    /// Builds the wrapping difference.
    #[track_caller]
    pub fn bv_sub(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::BvSub, &[a, b])
    }

    /// Builds the wrapping product.
    #[track_caller]
    pub fn bv_mul(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::BvMul, &[a, b])
    }

    /// Builds the unsigned quotient; all ones if `b` is zero.
    #[track_caller]
    pub fn bv_udiv(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::BvUdiv, &[a, b])
    }

    /// Builds the unsigned remainder; `a` if `b` is zero.
    #[track_caller]
    pub fn bv_urem(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::BvUrem, &[a, b])
    }

    /// Builds the signed quotient, rounded toward zero.
    #[track_caller]
    pub fn bv_sdiv(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::BvSdiv, &[a, b])
    }

    /// Builds the signed remainder with the sign of `a`.
    #[track_caller]
    pub fn bv_srem(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::BvSrem, &[a, b])
    }

    /// Builds the signed remainder with the sign of `b`.
    #[track_caller]
    pub fn bv_smod(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::BvSmod, &[a, b])
    }

    /// Shifts `a` left by `b`; zero if `b` is at least the width.
    #[track_caller]
    pub fn bv_shl(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::BvShl, &[a, b])
    }

    /// Shifts `a` right by `b` and fills with zeros.
    #[track_caller]
    pub fn bv_lshr(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::BvLshr, &[a, b])
    }

    /// Shifts `a` right by `b` and fills with the sign.
    #[track_caller]
    pub fn bv_ashr(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::BvAshr, &[a, b])
    }

    /// Builds the bits of `a` above those of `b`.
    #[track_caller]
    pub fn concat(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::Concat, &[a, b])
    }

    /// Builds the bits `high` down to `low`, inclusive.
    #[track_caller]
    pub fn extract(&mut self, high: u32, low: u32, a: Term) -> Term {
        self.must(Op::Extract { high, low }, &[a])
    }

    /// Adds `by` zeros on top.
    #[track_caller]
    pub fn zero_extend(&mut self, by: u32, a: Term) -> Term {
        if by == 0 {
            return a;
        }
        let zeros = self.bits(by, 0);
        self.concat(zeros, a)
    }

    /// Adds `by` copies of the sign on top.
    #[track_caller]
    pub fn sign_extend(&mut self, by: u32, a: Term) -> Term {
        self.must(Op::SignExtend(by), &[a])
    }

    /// Rotates `a` left by `b`.
    #[track_caller]
    pub fn bv_rotl(&mut self, a: Term, b: Term) -> Term {
        let (left, right) = self.rotation(a, b);
        self.both_shifts(a, left, right)
    }

    /// Rotates `a` right by `b`.
    #[track_caller]
    pub fn bv_rotr(&mut self, a: Term, b: Term) -> Term {
        let (right, left) = self.rotation(a, b);
        self.both_shifts(a, left, right)
    }

    /// Builds `a < b`, unsigned.
    #[track_caller]
    pub fn bv_ult(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::BvUlt, &[a, b])
    }

    /// Builds `a <= b`, unsigned.
    #[track_caller]
    pub fn bv_ule(&mut self, a: Term, b: Term) -> Term {
        let more = self.bv_ult(b, a);
        self.not(more)
    }

    /// Builds `a < b`, signed.
    #[track_caller]
    pub fn bv_slt(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::BvSlt, &[a, b])
    }

    /// Builds `a <= b`, signed.
    #[track_caller]
    pub fn bv_sle(&mut self, a: Term, b: Term) -> Term {
        let more = self.bv_slt(b, a);
        self.not(more)
    }

    /// Counts the set bits. The result is as wide as `a`.
    #[track_caller]
    pub fn bv_popcount(&mut self, a: Term) -> Term {
        let width = self.width(a);
        let bits: Vec<Term> = (0..width).map(|bit| self.extract(bit, bit, a)).collect();
        self.sum_of_bits(&bits, width)
    }

    /// Counts the leading zeros. The result is as wide as `a`.
    #[track_caller]
    pub fn bv_clz(&mut self, a: Term) -> Term {
        let width = self.width(a);
        self.zeros_before(a, (0..width).rev())
    }

    /// Counts the trailing zeros. The result is as wide as `a`.
    #[track_caller]
    pub fn bv_ctz(&mut self, a: Term) -> Term {
        let width = self.width(a);
        self.zeros_before(a, 0..width)
    }

    /// Builds the value of a constant table at an index.
    ///
    /// ```
    /// use rebut_smt::{Pool, Sort, Table};
    ///
    /// let mut pool = Pool::new();
    /// let x = pool.var("x", Sort::BitVec(2));
    /// let squares = Table::of_values(2, 8, &[0, 1, 4, 9]).expect("four values");
    /// let square = pool.select(x, squares);
    /// let (nine, three) = (pool.bits(8, 9), pool.bits(2, 3));
    /// assert_eq!(pool.eq(square, nine), pool.eq(x, three));
    /// ```
    #[track_caller]
    pub fn select(&mut self, index: Term, table: Table) -> Term {
        let table = self.constant(Value::Table(table));
        self.must(Op::Select, &[index, table])
    }

    /// Converts an unsigned bit-vector of at most 127 bits to an `Int`.
    #[track_caller]
    pub fn bv_to_int(&mut self, a: Term) -> Term {
        self.must(Op::BvToInt, &[a])
    }

    /// Converts a signed bit-vector of at most 127 bits to an `Int`.
    #[track_caller]
    pub fn bv_to_int_signed(&mut self, a: Term) -> Term {
        let width = self.width(a);
        let unsigned = self.bv_to_int(a);
        let zero = self.bits(width, 0);
        let negative = self.bv_slt(a, zero);
        let modulus = self.int(i128::MIN >> 127u32.saturating_sub(width));
        let wrapped = self.add(unsigned, modulus);
        self.ite(negative, wrapped, unsigned)
    }

    /// Converts an `Int`, modulo two to the power of the width, to a bit-vector.
    #[track_caller]
    pub fn int_to_bv(&mut self, width: u32, a: Term) -> Term {
        self.must(Op::IntToBv(width), &[a])
    }
}

/// Numbers: `Int` and `Real`.
impl Pool {
    /// Builds the sum.
    #[track_caller]
    pub fn add(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::Add, &[a, b])
    }

    /// Builds the sum of one or more terms.
    #[track_caller]
    pub fn sum(&mut self, terms: &[Term]) -> Term {
        self.must(Op::Add, terms)
    }

    /// Builds the difference.
    #[track_caller]
    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        let minus = self.neg(b);
        self.add(a, minus)
    }

    /// Builds the negation.
    #[track_caller]
    pub fn neg(&mut self, a: Term) -> Term {
        let minus = match self.sort(a) {
            Sort::Real => self.real(Rational::whole(-1)),
            _ => self.int(-1),
        };
        self.mul(minus, a)
    }

    /// Builds the product.
    #[track_caller]
    pub fn mul(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::Mul, &[a, b])
    }

    /// Builds the Euclidean quotient of `Int`s; zero if `b` is zero.
    #[track_caller]
    pub fn int_div(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::IntDiv, &[a, b])
    }

    /// Builds the Euclidean remainder of `Int`s, never negative; `a` if `b` is zero.
    #[track_caller]
    pub fn int_mod(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::IntMod, &[a, b])
    }

    /// Builds the quotient of `Real`s; zero if `b` is zero.
    #[track_caller]
    pub fn real_div(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::RealDiv, &[a, b])
    }

    /// Builds the absolute value.
    #[track_caller]
    pub fn abs(&mut self, a: Term) -> Term {
        let zero = match self.sort(a) {
            Sort::Real => self.real(Rational::ZERO),
            _ => self.int(0),
        };
        let minus = self.neg(a);
        let negative = self.lt(a, zero);
        self.ite(negative, minus, a)
    }

    /// Converts an `Int` to a `Real`.
    #[track_caller]
    pub fn to_real(&mut self, a: Term) -> Term {
        self.must(Op::ToReal, &[a])
    }

    /// Rounds a `Real` down to an `Int`.
    #[track_caller]
    pub fn to_int(&mut self, a: Term) -> Term {
        self.must(Op::ToInt, &[a])
    }

    /// Builds `a < b`.
    #[track_caller]
    pub fn lt(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::Lt, &[a, b])
    }

    /// Builds `a <= b`.
    #[track_caller]
    pub fn le(&mut self, a: Term, b: Term) -> Term {
        let more = self.lt(b, a);
        self.not(more)
    }

    /// Builds `a > b`.
    #[track_caller]
    pub fn gt(&mut self, a: Term, b: Term) -> Term {
        self.lt(b, a)
    }

    /// Builds `a >= b`.
    #[track_caller]
    pub fn ge(&mut self, a: Term, b: Term) -> Term {
        self.le(b, a)
    }
}

/// Strings.
impl Pool {
    /// Concatenates strings.
    #[track_caller]
    pub fn str_concat(&mut self, texts: &[Term]) -> Term {
        self.must(Op::StrConcat, texts)
    }

    /// Counts the characters.
    #[track_caller]
    pub fn str_len(&mut self, a: Term) -> Term {
        self.must(Op::StrLen, &[a])
    }

    /// Builds the string of the character at index `b`; empty if there is none.
    #[track_caller]
    pub fn str_at(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::StrAt, &[a, b])
    }

    /// Builds the substring of at most `length` characters starting at index `from`.
    #[track_caller]
    pub fn str_substr(&mut self, a: Term, from: Term, length: Term) -> Term {
        self.must(Op::StrSubstr, &[a, from, length])
    }

    /// Builds the condition that `b` starts with `a`.
    #[track_caller]
    pub fn str_prefix_of(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::StrPrefixOf, &[a, b])
    }

    /// Builds the condition that `b` ends with `a`.
    #[track_caller]
    pub fn str_suffix_of(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::StrSuffixOf, &[a, b])
    }

    /// Builds the condition that `a` contains `b`.
    #[track_caller]
    pub fn str_contains(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::StrContains, &[a, b])
    }

    /// Builds the index of the first `b` in `a` at or after `from`; -1 if there is none.
    #[track_caller]
    pub fn str_index_of(&mut self, a: Term, b: Term, from: Term) -> Term {
        self.must(Op::StrIndexOf, &[a, b, from])
    }

    /// Replaces the first `b` in `a` by `c`.
    #[track_caller]
    pub fn str_replace(&mut self, a: Term, b: Term, c: Term) -> Term {
        self.must(Op::StrReplace, &[a, b, c])
    }

    /// Builds the condition that `a` comes before `b` by the codes of their characters.
    #[track_caller]
    pub fn str_lt(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::StrLt, &[a, b])
    }

    /// Builds the condition that `a` does not come after `b`.
    #[track_caller]
    pub fn str_le(&mut self, a: Term, b: Term) -> Term {
        let more = self.str_lt(b, a);
        self.not(more)
    }

    /// Reads decimal digits as an `Int`; -1 if there is anything else, or nothing.
    #[track_caller]
    pub fn str_to_int(&mut self, a: Term) -> Term {
        self.must(Op::StrToInt, &[a])
    }

    /// Writes an `Int` in decimal digits; empty if it is negative.
    #[track_caller]
    pub fn str_from_int(&mut self, a: Term) -> Term {
        self.must(Op::StrFromInt, &[a])
    }

    /// Builds the code of the only character; -1 if there is not exactly one.
    #[track_caller]
    pub fn str_to_code(&mut self, a: Term) -> Term {
        self.must(Op::StrToCode, &[a])
    }

    /// Builds the string of the character with this code; empty if there is none.
    #[track_caller]
    pub fn str_from_code(&mut self, a: Term) -> Term {
        self.must(Op::StrFromCode, &[a])
    }

    /// Builds the condition that the whole string matches the regular expression.
    #[track_caller]
    pub fn in_re(&mut self, text: Term, regex: Term) -> Term {
        self.must(Op::InRe, &[text, regex])
    }
}

/// Regular expressions.
impl Pool {
    /// Matches exactly this string.
    #[track_caller]
    pub fn re_literal(&mut self, a: Term) -> Term {
        self.must(Op::ReLiteral, &[a])
    }

    /// Matches no string.
    #[track_caller]
    pub fn re_none(&mut self) -> Term {
        self.must(Op::ReNone, &[])
    }

    /// Matches every string.
    #[track_caller]
    pub fn re_all(&mut self) -> Term {
        self.must(Op::ReAll, &[])
    }

    /// Matches every string of one character.
    #[track_caller]
    pub fn re_allchar(&mut self) -> Term {
        self.must(Op::ReAllChar, &[])
    }

    /// Matches every string of one character from `a` to `b`.
    #[track_caller]
    pub fn re_range(&mut self, a: char, b: char) -> Term {
        let a = self.string(a.encode_utf8(&mut [0; 4]));
        let b = self.string(b.encode_utf8(&mut [0; 4]));
        self.must(Op::ReRange, &[a, b])
    }

    /// Matches the parts one after the other. Without parts it matches the empty string.
    #[track_caller]
    pub fn re_concat(&mut self, parts: &[Term]) -> Term {
        if parts.is_empty() {
            let empty = self.string("");
            return self.re_literal(empty);
        }
        self.must(Op::ReConcat, parts)
    }

    /// Matches what any of the parts matches.
    #[track_caller]
    pub fn re_union(&mut self, parts: &[Term]) -> Term {
        if parts.is_empty() {
            return self.re_none();
        }
        self.must(Op::ReUnion, parts)
    }

    /// Matches what all of the parts match.
    #[track_caller]
    pub fn re_inter(&mut self, parts: &[Term]) -> Term {
        if parts.is_empty() {
            return self.re_all();
        }
        self.must(Op::ReInter, parts)
    }

    /// Matches what `a` does not match.
    #[track_caller]
    pub fn re_comp(&mut self, a: Term) -> Term {
        self.must(Op::ReComp, &[a])
    }

    /// Matches what `a` matches and `b` does not.
    #[track_caller]
    pub fn re_diff(&mut self, a: Term, b: Term) -> Term {
        let others = self.re_comp(b);
        self.re_inter(&[a, others])
    }

    /// Matches `a` any number of times.
    #[track_caller]
    pub fn re_star(&mut self, a: Term) -> Term {
        self.must(Op::ReStar, &[a])
    }

    /// Matches `a` at least once.
    #[track_caller]
    pub fn re_plus(&mut self, a: Term) -> Term {
        let more = self.re_star(a);
        self.re_concat(&[a, more])
    }

    /// Matches `a` or the empty string.
    #[track_caller]
    pub fn re_opt(&mut self, a: Term) -> Term {
        self.must(Op::ReLoop { min: 0, max: 1 }, &[a])
    }

    /// Matches `a` between `min` and `max` times, and matches no string if `min` is greater than `max`.
    #[track_caller]
    pub fn re_loop(&mut self, min: u32, max: u32, a: Term) -> Term {
        self.must(Op::ReLoop { min, max }, &[a])
    }
}

/// Helpers of the constructors.
impl Pool {
    /// Returns how far a rotation shifts in its direction, and how far in the other.
    fn rotation(&mut self, a: Term, b: Term) -> (Term, Term) {
        let width = self.width(a);
        // The width fits into its own bits, except for one bit, which rotates to itself.
        let modulus = self.bits(width, u128::from(width));
        let forth = if width == 1 { self.bits(1, 0) } else { self.bv_urem(b, modulus) };
        (forth, self.bv_sub(modulus, forth))
    }

    fn both_shifts(&mut self, a: Term, left: Term, right: Term) -> Term {
        let left = self.bv_shl(a, left);
        let right = self.bv_lshr(a, right);
        self.bv_or(left, right)
    }

    /// Sums single bits by halves, so that most of the additions are narrow.
    fn sum_of_bits(&mut self, bits: &[Term], width: u32) -> Term {
        let (low, high) = bits.split_at(bits.len() / 2);
        match (low, high) {
            ([], []) => self.bits(width, 0),
            ([], [bit]) => self.resize(*bit, width),
            _ => {
                let needed = (bits.len().ilog2() + 1).min(width);
                let low = self.sum_of_bits(low, needed);
                let high = self.sum_of_bits(high, needed);
                let sum = self.bv_add(low, high);
                self.resize(sum, width)
            }
        }
    }

    /// Extends a number with zeros to `width` bits, or drops its upper bits.
    pub(crate) fn resize(&mut self, a: Term, width: u32) -> Term {
        match self.width(a) {
            wide if wide > width => self.extract(width - 1, 0, a),
            narrow => self.zero_extend(width - narrow, a),
        }
    }

    /// Counts the zeros before the first set bit, in the given order of bits.
    fn zeros_before(&mut self, a: Term, order: impl DoubleEndedIterator<Item = u32>) -> Term {
        let width = self.width(a);
        let count = |n: u32| u128::from(n) & mask(width);
        let mut zeros = self.bits(width, count(width));
        let bits: Vec<u32> = order.collect();
        for (before, bit) in bits.into_iter().enumerate().rev() {
            let bit = self.extract(bit, bit, a);
            let one = self.bits(1, 1);
            let is_set = self.eq(bit, one);
            let here = self.bits(width, count(before as u32));
            zeros = self.ite(is_set, here, zeros);
        }
        zeros
    }
}

#[cfg(test)]
mod tests {
    use crate::{Model, Pool, Sort, Value};

    /// Checks a constructor on all pairs of 3-bit words against a function of numbers.
    #[track_caller]
    fn check(
        build: impl Fn(&mut Pool, crate::Term, crate::Term) -> crate::Term,
        wanted: impl Fn(u128, u128) -> u128,
    ) {
        let mut pool = Pool::new();
        let (x, y) = (pool.var("x", Sort::BitVec(3)), pool.var("y", Sort::BitVec(3)));
        let built = build(&mut pool, x, y);
        for (a, b) in (0..8).flat_map(|a| (0..8).map(move |b| (a, b))) {
            let bits = |n| Value::Bits(crate::Bits::new(3, n));
            let model = Model::new([(x, bits(a)), (y, bits(b))]);
            assert_eq!(model.evaluate(&pool, built), Ok(bits(wanted(a, b))), "{a} {b}");
        }
    }

    #[test]
    fn rotations_wrap_around() {
        check(|pool, x, y| pool.bv_rotl(x, y), |a, b| a << (b % 3) | a >> (3 - b % 3));
        check(|pool, x, y| pool.bv_rotr(x, y), |a, b| a >> (b % 3) | a << (3 - b % 3));
    }

    #[test]
    fn counts_of_bits_agree_with_rust() {
        check(|pool, x, _| pool.bv_popcount(x), |a, _| u128::from(a.count_ones()));
        check(|pool, x, _| pool.bv_clz(x), |a, _| u128::from(a.leading_zeros()) - 125);
        check(|pool, x, _| pool.bv_ctz(x), |a, _| u128::from(a.trailing_zeros().min(3)));
    }

    #[test]
    #[should_panic(expected = "`bvadd` takes two bit-vectors of one width, not (_ BitVec 3), Int")]
    fn wrong_sorts_panic_with_the_accepted_ones() {
        let mut pool = Pool::new();
        let (x, y) = (pool.var("x", Sort::BitVec(3)), pool.int(1));
        pool.bv_add(x, y);
    }
}
