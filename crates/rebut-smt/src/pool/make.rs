//! Constructors by name. Those that have no operator of their own are made of others here.
//!
//! All of them panic if the sorts of the arguments do not fit, which is a mistake of the
//! caller; [`Pool::apply`] returns an error instead.

use super::{Pool, Term};
use crate::op::Op;
use crate::value::{Bits, mask};
use crate::{Rational, Sort, Value};

/// Constants.
impl Pool {
    /// `true` or `false`.
    pub fn bool(&mut self, value: bool) -> Term {
        self.constant(Value::Bool(value))
    }

    /// The low `width` bits of a number.
    pub fn bits(&mut self, width: u32, number: u128) -> Term {
        self.constant(Value::Bits(Bits::new(width, number)))
    }

    /// A whole number.
    pub fn int(&mut self, number: i128) -> Term {
        self.constant(Value::Int(number))
    }

    /// A real number.
    pub fn real(&mut self, number: Rational) -> Term {
        self.constant(Value::Real(number))
    }

    /// A text.
    pub fn string(&mut self, text: &str) -> Term {
        self.constant(Value::from(text))
    }
}

/// Truth values.
impl Pool {
    /// `not a`.
    #[track_caller]
    pub fn not(&mut self, a: Term) -> Term {
        self.must(Op::Not, &[a])
    }

    /// Both.
    #[track_caller]
    pub fn and(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::And, &[a, b])
    }

    /// At least one of the two.
    #[track_caller]
    pub fn or(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::Or, &[a, b])
    }

    /// All of them; true of none.
    #[track_caller]
    pub fn all(&mut self, terms: &[Term]) -> Term {
        self.must(Op::And, terms)
    }

    /// At least one of them; false of none.
    #[track_caller]
    pub fn any(&mut self, terms: &[Term]) -> Term {
        self.must(Op::Or, terms)
    }

    /// Just one of the two.
    #[track_caller]
    pub fn xor(&mut self, a: Term, b: Term) -> Term {
        let same = self.eq(a, b);
        self.not(same)
    }

    /// `b`, if `a`.
    #[track_caller]
    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let not_a = self.not(a);
        self.or(not_a, b)
    }

    /// Both are the same.
    #[track_caller]
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::Eq, &[a, b])
    }

    /// They differ.
    #[track_caller]
    pub fn ne(&mut self, a: Term, b: Term) -> Term {
        let same = self.eq(a, b);
        self.not(same)
    }

    /// No two are the same.
    #[track_caller]
    pub fn distinct(&mut self, terms: &[Term]) -> Term {
        if terms.is_empty() {
            return self.bool(true);
        }
        self.must(Op::Distinct, terms)
    }

    /// `then` if the condition holds, else `otherwise`.
    #[track_caller]
    pub fn ite(&mut self, condition: Term, then: Term, otherwise: Term) -> Term {
        self.must(Op::Ite, &[condition, then, otherwise])
    }
}

/// Bit-vectors.
impl Pool {
    /// Every bit flipped.
    #[track_caller]
    pub fn bv_not(&mut self, a: Term) -> Term {
        self.must(Op::BvNot, &[a])
    }

    /// The negation in two's complement.
    #[track_caller]
    pub fn bv_neg(&mut self, a: Term) -> Term {
        self.must(Op::BvNeg, &[a])
    }

    /// Bitwise and.
    #[track_caller]
    pub fn bv_and(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::BvAnd, &[a, b])
    }

    /// Bitwise or.
    #[track_caller]
    pub fn bv_or(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::BvOr, &[a, b])
    }

    /// Bitwise exclusive or.
    #[track_caller]
    pub fn bv_xor(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::BvXor, &[a, b])
    }

    /// The sum, wrapping.
    #[track_caller]
    pub fn bv_add(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::BvAdd, &[a, b])
    }

    /// The difference, wrapping.
    #[track_caller]
    pub fn bv_sub(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::BvSub, &[a, b])
    }

    /// The product, wrapping.
    #[track_caller]
    pub fn bv_mul(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::BvMul, &[a, b])
    }

    /// The unsigned quotient; all ones if `b` is zero.
    #[track_caller]
    pub fn bv_udiv(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::BvUdiv, &[a, b])
    }

    /// The unsigned remainder; `a` if `b` is zero.
    #[track_caller]
    pub fn bv_urem(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::BvUrem, &[a, b])
    }

    /// The signed quotient, rounded toward zero.
    #[track_caller]
    pub fn bv_sdiv(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::BvSdiv, &[a, b])
    }

    /// The signed remainder with the sign of `a`.
    #[track_caller]
    pub fn bv_srem(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::BvSrem, &[a, b])
    }

    /// The signed remainder with the sign of `b`.
    #[track_caller]
    pub fn bv_smod(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::BvSmod, &[a, b])
    }

    /// `a` shifted left by `b`; zero from the width on.
    #[track_caller]
    pub fn bv_shl(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::BvShl, &[a, b])
    }

    /// `a` shifted right by `b`, with zeros.
    #[track_caller]
    pub fn bv_lshr(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::BvLshr, &[a, b])
    }

    /// `a` shifted right by `b`, with copies of the sign.
    #[track_caller]
    pub fn bv_ashr(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::BvAshr, &[a, b])
    }

    /// The bits of `high` above those of `low`.
    #[track_caller]
    pub fn concat(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::Concat, &[a, b])
    }

    /// Bits `high` down to `low`.
    #[track_caller]
    pub fn extract(&mut self, high: u32, low: u32, a: Term) -> Term {
        self.must(Op::Extract { high, low }, &[a])
    }

    /// `by` zeros on top.
    #[track_caller]
    pub fn zero_extend(&mut self, by: u32, a: Term) -> Term {
        if by == 0 {
            return a;
        }
        let zeros = self.bits(by, 0);
        self.concat(zeros, a)
    }

    /// `by` copies of the sign on top.
    #[track_caller]
    pub fn sign_extend(&mut self, by: u32, a: Term) -> Term {
        self.must(Op::SignExtend(by), &[a])
    }

    /// `a` rotated left by the number `b`.
    #[track_caller]
    pub fn bv_rotl(&mut self, a: Term, b: Term) -> Term {
        let (left, right) = self.rotation(a, b);
        self.both_shifts(a, left, right)
    }

    /// `a` rotated right by the number `b`.
    #[track_caller]
    pub fn bv_rotr(&mut self, a: Term, b: Term) -> Term {
        let (right, left) = self.rotation(a, b);
        self.both_shifts(a, left, right)
    }

    /// Less than, unsigned.
    #[track_caller]
    pub fn bv_ult(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::BvUlt, &[a, b])
    }

    /// At most, unsigned.
    #[track_caller]
    pub fn bv_ule(&mut self, a: Term, b: Term) -> Term {
        let more = self.bv_ult(b, a);
        self.not(more)
    }

    /// Less than, signed.
    #[track_caller]
    pub fn bv_slt(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::BvSlt, &[a, b])
    }

    /// At most, signed.
    #[track_caller]
    pub fn bv_sle(&mut self, a: Term, b: Term) -> Term {
        let more = self.bv_slt(b, a);
        self.not(more)
    }

    /// How many bits are set, in as many bits as `a` has.
    #[track_caller]
    pub fn bv_popcount(&mut self, a: Term) -> Term {
        let width = self.width(a);
        let bits: Vec<Term> = (0..width).map(|bit| self.extract(bit, bit, a)).collect();
        self.sum_of_bits(&bits, width)
    }

    /// How many zeros are on top, in as many bits as `a` has.
    #[track_caller]
    pub fn bv_clz(&mut self, a: Term) -> Term {
        let width = self.width(a);
        self.zeros_before(a, (0..width).rev())
    }

    /// How many zeros are at the bottom, in as many bits as `a` has.
    #[track_caller]
    pub fn bv_ctz(&mut self, a: Term) -> Term {
        let width = self.width(a);
        self.zeros_before(a, 0..width)
    }

    /// The unsigned number as an `Int`; at most 127 bits.
    #[track_caller]
    pub fn bv_to_int(&mut self, a: Term) -> Term {
        self.must(Op::BvToInt, &[a])
    }

    /// The signed number as an `Int`; at most 127 bits.
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

    /// An `Int` modulo two to the width.
    #[track_caller]
    pub fn int_to_bv(&mut self, width: u32, a: Term) -> Term {
        self.must(Op::IntToBv(width), &[a])
    }
}

/// Numbers: `Int` and `Real`.
impl Pool {
    /// The sum.
    #[track_caller]
    pub fn add(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::Add, &[a, b])
    }

    /// The sum of them all, which must not be none.
    #[track_caller]
    pub fn sum(&mut self, terms: &[Term]) -> Term {
        self.must(Op::Add, terms)
    }

    /// The difference.
    #[track_caller]
    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        let minus = self.neg(b);
        self.add(a, minus)
    }

    /// The negation.
    #[track_caller]
    pub fn neg(&mut self, a: Term) -> Term {
        let minus = match self.sort(a) {
            Sort::Real => self.real(Rational::whole(-1)),
            _ => self.int(-1),
        };
        self.mul(minus, a)
    }

    /// The product.
    #[track_caller]
    pub fn mul(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::Mul, &[a, b])
    }

    /// The quotient of `Int`s such that the remainder is not negative; zero if `b` is zero.
    #[track_caller]
    pub fn int_div(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::IntDiv, &[a, b])
    }

    /// The remainder of `Int`s, never negative; `a` if `b` is zero.
    #[track_caller]
    pub fn int_mod(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::IntMod, &[a, b])
    }

    /// The quotient of `Real`s; zero if `b` is zero.
    #[track_caller]
    pub fn real_div(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::RealDiv, &[a, b])
    }

    /// The number without its sign.
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

    /// An `Int` as a `Real`.
    #[track_caller]
    pub fn to_real(&mut self, a: Term) -> Term {
        self.must(Op::ToReal, &[a])
    }

    /// The greatest `Int` that is not greater.
    #[track_caller]
    pub fn to_int(&mut self, a: Term) -> Term {
        self.must(Op::ToInt, &[a])
    }

    /// Less than.
    #[track_caller]
    pub fn lt(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::Lt, &[a, b])
    }

    /// At most.
    #[track_caller]
    pub fn le(&mut self, a: Term, b: Term) -> Term {
        let more = self.lt(b, a);
        self.not(more)
    }

    /// More than.
    #[track_caller]
    pub fn gt(&mut self, a: Term, b: Term) -> Term {
        self.lt(b, a)
    }

    /// At least.
    #[track_caller]
    pub fn ge(&mut self, a: Term, b: Term) -> Term {
        self.le(b, a)
    }
}

/// Texts.
impl Pool {
    /// The texts joined.
    #[track_caller]
    pub fn str_concat(&mut self, texts: &[Term]) -> Term {
        self.must(Op::StrConcat, texts)
    }

    /// How many characters there are.
    #[track_caller]
    pub fn str_len(&mut self, a: Term) -> Term {
        self.must(Op::StrLen, &[a])
    }

    /// The character at place `b` as a text; nothing outside.
    #[track_caller]
    pub fn str_at(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::StrAt, &[a, b])
    }

    /// `length` characters from place `from` on, or as many as there are.
    #[track_caller]
    pub fn str_substr(&mut self, a: Term, from: Term, length: Term) -> Term {
        self.must(Op::StrSubstr, &[a, from, length])
    }

    /// `b` begins with `a`.
    #[track_caller]
    pub fn str_prefix_of(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::StrPrefixOf, &[a, b])
    }

    /// `b` ends with `a`.
    #[track_caller]
    pub fn str_suffix_of(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::StrSuffixOf, &[a, b])
    }

    /// `b` is in `a`.
    #[track_caller]
    pub fn str_contains(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::StrContains, &[a, b])
    }

    /// Where `b` is in `a` at or after place `from`; -1 if nowhere.
    #[track_caller]
    pub fn str_index_of(&mut self, a: Term, b: Term, from: Term) -> Term {
        self.must(Op::StrIndexOf, &[a, b, from])
    }

    /// The first `b` in `a` replaced by `c`.
    #[track_caller]
    pub fn str_replace(&mut self, a: Term, b: Term, c: Term) -> Term {
        self.must(Op::StrReplace, &[a, b, c])
    }

    /// `a` comes before `b` in the order of characters.
    #[track_caller]
    pub fn str_lt(&mut self, a: Term, b: Term) -> Term {
        self.must(Op::StrLt, &[a, b])
    }

    /// `a` does not come after `b`.
    #[track_caller]
    pub fn str_le(&mut self, a: Term, b: Term) -> Term {
        let more = self.str_lt(b, a);
        self.not(more)
    }

    /// What the digits say; -1 if there is anything but digits.
    #[track_caller]
    pub fn str_to_int(&mut self, a: Term) -> Term {
        self.must(Op::StrToInt, &[a])
    }

    /// In digits; nothing if negative.
    #[track_caller]
    pub fn str_from_int(&mut self, a: Term) -> Term {
        self.must(Op::StrFromInt, &[a])
    }

    /// The code of the only character; -1 if there is not just one.
    #[track_caller]
    pub fn str_to_code(&mut self, a: Term) -> Term {
        self.must(Op::StrToCode, &[a])
    }

    /// The character with this code; nothing if there is none.
    #[track_caller]
    pub fn str_from_code(&mut self, a: Term) -> Term {
        self.must(Op::StrFromCode, &[a])
    }

    /// The text matches the whole of the regular expression.
    #[track_caller]
    pub fn in_re(&mut self, text: Term, regex: Term) -> Term {
        self.must(Op::InRe, &[text, regex])
    }
}

/// Regular expressions.
impl Pool {
    /// Just this text.
    #[track_caller]
    pub fn re_text(&mut self, a: Term) -> Term {
        self.must(Op::ReText, &[a])
    }

    /// No text.
    #[track_caller]
    pub fn re_none(&mut self) -> Term {
        self.must(Op::ReNone, &[])
    }

    /// Every text.
    #[track_caller]
    pub fn re_all(&mut self) -> Term {
        self.must(Op::ReAll, &[])
    }

    /// Every text of one character.
    #[track_caller]
    pub fn re_allchar(&mut self) -> Term {
        self.must(Op::ReAllChar, &[])
    }

    /// Every text of one character from `a` to `b`.
    #[track_caller]
    pub fn re_range(&mut self, a: char, b: char) -> Term {
        let a = self.string(a.encode_utf8(&mut [0; 4]));
        let b = self.string(b.encode_utf8(&mut [0; 4]));
        self.must(Op::ReRange, &[a, b])
    }

    /// A text of each, joined; the empty text if there are none.
    #[track_caller]
    pub fn re_concat(&mut self, parts: &[Term]) -> Term {
        if parts.is_empty() {
            let empty = self.string("");
            return self.re_text(empty);
        }
        self.must(Op::ReConcat, parts)
    }

    /// A text of any of them.
    #[track_caller]
    pub fn re_union(&mut self, parts: &[Term]) -> Term {
        if parts.is_empty() {
            return self.re_none();
        }
        self.must(Op::ReUnion, parts)
    }

    /// A text of all of them.
    #[track_caller]
    pub fn re_inter(&mut self, parts: &[Term]) -> Term {
        if parts.is_empty() {
            return self.re_all();
        }
        self.must(Op::ReInter, parts)
    }

    /// Every other text.
    #[track_caller]
    pub fn re_comp(&mut self, a: Term) -> Term {
        self.must(Op::ReComp, &[a])
    }

    /// A text of `a` that is not one of `b`.
    #[track_caller]
    pub fn re_diff(&mut self, a: Term, b: Term) -> Term {
        let others = self.re_comp(b);
        self.re_inter(&[a, others])
    }

    /// Any number of times.
    #[track_caller]
    pub fn re_star(&mut self, a: Term) -> Term {
        self.must(Op::ReStar, &[a])
    }

    /// Once or more.
    #[track_caller]
    pub fn re_plus(&mut self, a: Term) -> Term {
        let more = self.re_star(a);
        self.re_concat(&[a, more])
    }

    /// Once or not at all.
    #[track_caller]
    pub fn re_opt(&mut self, a: Term) -> Term {
        self.must(Op::ReLoop { min: 0, max: 1 }, &[a])
    }

    /// Between `min` and `max` times; no text if `min` is the greater.
    #[track_caller]
    pub fn re_loop(&mut self, min: u32, max: u32, a: Term) -> Term {
        self.must(Op::ReLoop { min, max }, &[a])
    }
}

/// Parts of the above.
impl Pool {
    /// How far to shift in the direction of a rotation, and how far in the other.
    fn rotation(&mut self, a: Term, b: Term) -> (Term, Term) {
        let width = self.width(a);
        // The number of places fits its bits, except for a single bit, which rotates to itself.
        let modulus = self.bits(width, u128::from(width));
        let forth = if width == 1 { self.bits(1, 0) } else { self.bv_urem(b, modulus) };
        (forth, self.bv_sub(modulus, forth))
    }

    fn both_shifts(&mut self, a: Term, left: Term, right: Term) -> Term {
        let left = self.bv_shl(a, left);
        let right = self.bv_lshr(a, right);
        self.bv_or(left, right)
    }

    /// The sum of single bits, by halves, so that most of the additions are narrow.
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

    /// The same number in so many bits; upper bits are dropped if there are fewer.
    pub(crate) fn resize(&mut self, a: Term, width: u32) -> Term {
        match self.width(a) {
            wide if wide > width => self.extract(width - 1, 0, a),
            narrow => self.zero_extend(width - narrow, a),
        }
    }

    /// How many zeros come before the first set bit, in an order of the bits.
    fn zeros_before(&mut self, a: Term, order: impl DoubleEndedIterator<Item = u32>) -> Term {
        let width = self.width(a);
        let count = |n: u32| u128::from(n) & mask(width);
        let mut zeros = self.bits(width, count(width));
        let places: Vec<u32> = order.collect();
        for (before, bit) in places.into_iter().enumerate().rev() {
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

    /// A function of two bit-vectors of three bits agrees with one of numbers.
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
    fn rotations_go_round() {
        check(|pool, x, y| pool.bv_rotl(x, y), |a, b| a << (b % 3) | a >> (3 - b % 3));
        check(|pool, x, y| pool.bv_rotr(x, y), |a, b| a >> (b % 3) | a << (3 - b % 3));
    }

    #[test]
    fn bits_are_counted() {
        check(|pool, x, _| pool.bv_popcount(x), |a, _| u128::from(a.count_ones()));
        check(|pool, x, _| pool.bv_clz(x), |a, _| u128::from(a.leading_zeros()) - 125);
        check(|pool, x, _| pool.bv_ctz(x), |a, _| u128::from(a.trailing_zeros().min(3)));
    }

    #[test]
    #[should_panic(expected = "`bvadd` takes two bit-vectors of one width, not (_ BitVec 3), Int")]
    fn sorts_that_do_not_fit_are_a_mistake_of_the_caller() {
        let mut pool = Pool::new();
        let (x, y) = (pool.var("x", Sort::BitVec(3)), pool.int(1));
        pool.bv_add(x, y);
    }
}
