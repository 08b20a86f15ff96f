//! Sum, product, quotient and square root: computed exactly on significands, then rounded once.

use super::format::{FloatParts, Format};
use super::round::{normalize_within, pack, round, shift_right_sticky, upper_and_sticky};
use super::{any_set, bit_of, is_set, is_zero};
use crate::{Pool, Term};

/// Adds. The operand with the greater magnitude stays, and the other is shifted right to the same
/// exponent. Three extra bits are enough: if the shift loses more than one bit, the operands are
/// so far apart that the sum is shifted left by at most one.
#[track_caller]
pub(super) fn add(pool: &mut Pool, a: Term, b: Term) -> Term {
    let format = Format::of_both(pool, a, b);
    let (x, y) = (FloatParts::split(pool, a), FloatParts::split(pool, b));
    let is_less = pool.bv_ult(x.magnitude, y.magnitude);
    let (great, small) = (pool.ite(is_less, b, a), pool.ite(is_less, a, b));
    let (great, small) = (FloatParts::split(pool, great), FloatParts::split(pool, small));
    let finite = add_finite(pool, &great, &small);

    let opposed = pool.bv_xor(great.sign, small.sign);
    let opposed = is_set(pool, opposed);
    let both_infinite = small.is_infinite(pool);
    let undefined = pool.and(both_infinite, opposed);
    let is_nan = great.is_nan(pool);
    let is_nan = pool.or(is_nan, undefined);
    let is_infinite = great.is_infinite(pool);
    let infinite = format.signed(pool, great.sign, format.infinity());
    let nan = format.nan(pool);
    let number = pool.ite(is_infinite, infinite, finite);
    pool.ite(is_nan, nan, number)
}

fn add_finite(pool: &mut Pool, great: &FloatParts, small: &FloatParts) -> Term {
    let format = great.format;
    let (scale, other) = (great.scale(pool), small.scale(pool));
    let apart = pool.bv_sub(scale, other);
    let spare = pool.bits(3, 0);
    let [upper, lower] = [great, small].map(|parts| {
        let significand = parts.significand(pool);
        pool.concat(significand, spare)
    });
    let lower = shift_right_sticky(pool, lower, apart);
    let opposed = pool.bv_xor(great.sign, small.sign);
    let sum = add_or_subtract(pool, upper, lower, opposed);

    // The sum has one more bit, so its exponent is greater by one. After cancellation it is
    // shifted left as far as the exponent allows.
    let (sum, left) = normalize_within(pool, sum, scale);
    let left = pool.zero_extend(1, left);
    let one = pool.bits(format.exponent + 1, 1);
    let exponent = pool.bv_add(left, one);
    let top = pool.extract(pool.width(sum) - 1, pool.width(sum) - 1, sum);
    let is_normal = is_set(pool, top);
    let none = pool.bits(format.exponent + 1, 0);
    let exponent = pool.ite(is_normal, exponent, none);
    let significand = upper_and_sticky(pool, sum, format.precision() + 1);

    // Numbers that cancel give a positive zero. Two negative zeros give a negative one.
    let is_zero = is_zero(pool, sum);
    let both = pool.bv_and(great.sign, small.sign);
    let sign = pool.ite(is_zero, both, great.sign);
    pack(pool, format, sign, exponent, significand)
}

/// Adds or subtracts with one adder: an extra low bit feeds the carry. The result has one bit more
/// than the operands.
fn add_or_subtract(pool: &mut Pool, a: Term, b: Term, subtract: Term) -> Term {
    let width = pool.width(a) + 2;
    let one = pool.bits(1, 1);
    let a = pool.concat(a, one);
    let a = pool.zero_extend(1, a);
    let b = pool.zero_extend(1, b);
    let flip = pool.sign_extend(width - 2, subtract);
    let b = pool.bv_xor(b, flip);
    let b = pool.concat(b, subtract);
    let sum = pool.bv_add(a, b);
    pool.extract(width - 1, 1, sum)
}

#[track_caller]
pub(super) fn mul(pool: &mut Pool, a: Term, b: Term) -> Term {
    let format = Format::of_both(pool, a, b);
    let (x, y) = (FloatParts::split(pool, a), FloatParts::split(pool, b));
    let sign = pool.bv_xor(x.sign, y.sign);
    let finite = mul_finite(pool, &x, &y, sign);
    let zeros = [x.is_zero(pool), y.is_zero(pool)];
    let infinities = [x.is_infinite(pool), y.is_infinite(pool)];
    let special_cases = SpecialCases {
        undefined: [pool.and(zeros[0], infinities[1]), pool.and(infinities[0], zeros[1])],
        infinite: infinities,
        zero: zeros,
    };
    special_cases.or_else(pool, format, [&x, &y], sign, finite)
}

fn mul_finite(pool: &mut Pool, x: &FloatParts, y: &FloatParts, sign: Term) -> Term {
    let format = x.format;
    let precision = format.precision();
    let (x, y) = (x.normalized(pool), y.normalized(pool));
    let bias = pool.bits(format.exponent + 2, format.bias());
    let exponent = pool.bv_add(x.exponent, y.exponent);
    let exponent = pool.bv_sub(exponent, bias);
    let a = pool.zero_extend(precision, x.significand);
    let b = pool.zero_extend(precision, y.significand);
    let product = pool.bv_mul(a, b);
    let top = pool.extract(2 * precision - 1, 2 * precision - 1, product);
    let more = pool.resize(top, format.exponent + 2);
    let exponent = pool.bv_add(exponent, more);
    let significand = shifted_unless(pool, top, product, precision);
    round(pool, format, sign, exponent, significand)
}

/// Shifts a number left by one unless its highest bit is set, and cuts it to the form that
/// [`round`] takes.
fn shifted_unless(pool: &mut Pool, top: Term, a: Term, precision: u32) -> Term {
    let width = pool.width(a);
    let upper = upper_and_sticky(pool, a, precision + 1);
    let rest = pool.extract(width - 2, 0, a);
    let lower = upper_and_sticky(pool, rest, precision + 1);
    let is_top = is_set(pool, top);
    pool.ite(is_top, upper, lower)
}

#[track_caller]
pub(super) fn div(pool: &mut Pool, a: Term, b: Term) -> Term {
    let format = Format::of_both(pool, a, b);
    if let Some(inverse) = inverse_of_power(pool, format, b) {
        return mul(pool, a, inverse);
    }
    let (x, y) = (FloatParts::split(pool, a), FloatParts::split(pool, b));
    let sign = pool.bv_xor(x.sign, y.sign);
    let finite = div_finite(pool, &x, &y, sign);
    let zeros = [x.is_zero(pool), y.is_zero(pool)];
    let infinities = [x.is_infinite(pool), y.is_infinite(pool)];
    let special_cases = SpecialCases {
        undefined: [pool.and(zeros[0], zeros[1]), pool.and(infinities[0], infinities[1])],
        infinite: [infinities[0], zeros[1]],
        zero: [zeros[0], infinities[1]],
    };
    special_cases.or_else(pool, format, [&x, &y], sign, finite)
}

/// Returns the reciprocal of a constant power of two, if it is a normal float. Multiplying by it
/// is the same as dividing, and cheaper.
fn inverse_of_power(pool: &mut Pool, format: Format, b: Term) -> Option<Term> {
    let bits = pool.bits_of(b)?;
    let exponent = bits >> format.fraction & format.exponent_max();
    let is_power = bits & ((1 << format.fraction) - 1) == 0;
    let inverse = (2 * format.bias()).checked_sub(exponent)?;
    if !is_power || exponent == 0 || inverse == 0 {
        return None;
    }
    let sign = bits >> format.magnitude() << format.magnitude();
    Some(pool.bits(format.magnitude() + 1, sign | inverse << format.fraction))
}

fn div_finite(pool: &mut Pool, x: &FloatParts, y: &FloatParts, sign: Term) -> Term {
    let format = x.format;
    let precision = format.precision();
    let width = format.exponent + 2;
    let (x, y) = (x.normalized(pool), y.normalized(pool));
    let (quotient, rest) = quotient(pool, x.significand, y.significand);
    let top = pool.extract(precision + 1, precision + 1, quotient);
    let bias = pool.bits(width, format.bias() - 1);
    let exponent = pool.bv_sub(x.exponent, y.exponent);
    let exponent = pool.bv_add(exponent, bias);
    let more = pool.resize(top, width);
    let exponent = pool.bv_add(exponent, more);
    let is_inexact = any_set(pool, rest);
    let sticky = bit_of(pool, is_inexact);
    let quotient = pool.concat(quotient, sticky);
    let significand = shifted_unless(pool, top, quotient, precision);
    round(pool, format, sign, exponent, significand)
}

/// Divides significands, each less than twice the other. Returns the quotient, with one digit
/// before the point and one more after it than the result has, and the remainder.
///
/// This uses the general division. The bit-blaster sees that the divisor is not zero and how many
/// bits it has, so its circuit is as small as a special one, and it also asserts how quotient and
/// remainder are related. Non-restoring division has fewer gates, and took up to twenty times the
/// conflicts.
fn quotient(pool: &mut Pool, a: Term, b: Term) -> (Term, Term) {
    let precision = pool.width(a);
    let zeros = pool.bits(precision + 1, 0);
    let dividend = pool.concat(a, zeros);
    let divisor = pool.zero_extend(precision + 1, b);
    let quotient = pool.bv_udiv(dividend, divisor);
    let rest = pool.bv_urem(dividend, divisor);
    (pool.extract(precision + 1, 0, quotient), rest)
}

#[track_caller]
pub(super) fn sqrt(pool: &mut Pool, a: Term) -> Term {
    let x = FloatParts::split(pool, a);
    let format = x.format;
    let root = sqrt_of_positive(pool, &x);
    let is_zero = x.is_zero(pool);
    let is_negative = x.is_negative(pool);
    let is_infinite = x.is_infinite(pool);
    let is_nan = x.is_nan(pool);
    let undefined = pool.or(is_negative, is_nan);
    let nan = format.nan(pool);
    let number = pool.ite(undefined, nan, root);
    let positive = pool.not(is_negative);
    let stays = pool.and(is_infinite, positive);
    let stays = pool.or(stays, is_zero);
    pool.ite(stays, a, number)
}

/// Builds the root of a positive number. It has half the exponent; if the exponent is odd, the
/// significand is doubled first.
fn sqrt_of_positive(pool: &mut Pool, x: &FloatParts) -> Term {
    let format = x.format;
    let number = x.normalized(pool);
    let bias = pool.bits(format.exponent + 2, format.bias());
    let sum = pool.bv_add(number.exponent, bias);
    let exponent = pool.extract(format.exponent, 1, sum);
    let odd = pool.extract(0, 0, sum);
    let doubles = is_set(pool, odd);
    let (one, two) = (pool.bits(1, 0), pool.bits(2, 0));
    let once = pool.concat(number.significand, one);
    let once = pool.zero_extend(1, once);
    let twice = pool.concat(number.significand, two);
    let radicand = pool.ite(doubles, twice, once);
    let significand = root(pool, radicand, format.precision() + 1);
    let sign = pool.bits(1, 0);
    pack(pool, format, sign, exponent, significand)
}

/// Computes `digits` binary digits of a square root by the schoolbook method: two digits of the
/// radicand yield one digit of the root. Appends a sticky bit that is set if there is a remainder.
fn root(pool: &mut Pool, radicand: Term, digits: u32) -> Term {
    let [zero, one] = [0, 1].map(|digit| pool.bits(1, digit));
    let unit = pool.bits(2, 1);
    // The first pair of digits is not zero, so the first digit of the root is one.
    let mut root = one;
    let first = pair(pool, radicand, 0);
    let mut rest = pool.bv_sub(first, unit);
    for index in 1..digits {
        let next = pair(pool, radicand, index);
        let next = pool.concat(rest, next);
        let trial = pool.concat(root, unit);
        let trial = pool.resize(trial, pool.width(next) + 1);
        let (fits, left) = subtract_if_it_fits(pool, next, trial);
        // An `ite` whose branches differ in the last bit needs no gates. Appending the digit itself
        // with `concat` would rebuild the whole chain, because chains nest to the right.
        let (longer, other) = (pool.concat(root, one), pool.concat(root, zero));
        root = pool.ite(fits, longer, other);
        // The remainder is at most twice the root.
        rest = pool.resize(left, pool.width(root) + 1);
    }
    let is_inexact = any_set(pool, rest);
    let sticky = bit_of(pool, is_inexact);
    pool.concat(root, sticky)
}

/// Returns a pair of bits of the radicand, counted from the top. After the last pair they are zero.
/// A single bit at the end is known to be zero.
fn pair(pool: &mut Pool, radicand: Term, index: u32) -> Term {
    match pool.width(radicand).saturating_sub(2 * index) {
        0 | 1 => pool.bits(2, 0),
        left => pool.extract(left - 1, left - 2, radicand),
    }
}

/// Subtracts `b` from `a` if it fits. Returns whether it does, and the difference, or else `a`.
/// `b` has one bit more than `a`.
fn subtract_if_it_fits(pool: &mut Pool, a: Term, b: Term) -> (Term, Term) {
    let width = pool.width(a);
    let wide = pool.zero_extend(1, a);
    let difference = pool.bv_sub(wide, b);
    let borrow = pool.extract(width, width, difference);
    let fits = is_zero(pool, borrow);
    let difference = pool.extract(width - 1, 0, difference);
    (fits, pool.ite(fits, difference, a))
}

/// The conditions under which a product or a quotient is NaN, infinite or zero.
struct SpecialCases {
    undefined: [Term; 2],
    infinite: [Term; 2],
    zero: [Term; 2],
}

impl SpecialCases {
    /// Builds the special value if a condition is true, else `number`.
    fn or_else(
        self,
        pool: &mut Pool,
        format: Format,
        operands: [&FloatParts; 2],
        sign: Term,
        number: Term,
    ) -> Term {
        let [x_nan, y_nan] = operands.map(|parts| parts.is_nan(pool));
        let is_nan = pool.any(&[x_nan, y_nan, self.undefined[0], self.undefined[1]]);
        let (is_infinite, is_zero) = (pool.any(&self.infinite), pool.any(&self.zero));
        let zero = format.signed(pool, sign, 0);
        let infinity = format.signed(pool, sign, format.infinity());
        let nan = format.nan(pool);
        let number = pool.ite(is_zero, zero, number);
        let number = pool.ite(is_infinite, infinity, number);
        pool.ite(is_nan, nan, number)
    }
}
