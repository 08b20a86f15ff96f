//! Conversions between floats and integers, and between the two formats.

use super::format::{FloatParts, Format};
use super::is_zero;
use super::round::{normalize, pack, round, upper_and_sticky};
use crate::value::mask;
use crate::{Pool, Term};

#[track_caller]
pub(super) fn from_integer(pool: &mut Pool, format: Format, a: Term, is_signed: bool) -> Term {
    let width = pool.width(a);
    let sign = match is_signed {
        true => pool.extract(width - 1, width - 1, a),
        false => pool.bits(1, 0),
    };
    let magnitude = negate_if(pool, sign, a);
    let (shifted, zeros) = normalize(pool, magnitude);
    let significand = upper_and_sticky(pool, shifted, format.precision() + 1);
    let greatest = pool.bits(format.exponent, format.bias() + u128::from(width) - 1);
    let zeros = pool.resize(zeros, format.exponent);
    let exponent = pool.bv_sub(greatest, zeros);
    let number = pack(pool, format, sign, exponent, significand);
    let is_zero = is_zero(pool, a);
    let zero = pool.bits(format.magnitude() + 1, 0);
    pool.ite(is_zero, zero, number)
}

fn negate_if(pool: &mut Pool, sign: Term, a: Term) -> Term {
    let negated = pool.bv_neg(a);
    let is_positive = is_zero(pool, sign);
    pool.ite(is_positive, a, negated)
}

/// Truncates a float that fits into `width` bits. Otherwise the result is arbitrary.
#[track_caller]
pub(super) fn to_integer(pool: &mut Pool, width: u32, a: Term, is_signed: bool) -> Term {
    let parts = FloatParts::split(pool, a);
    let format = parts.format;
    // The significand at the top of a word is the result for the greatest exponent that fits.
    // For a smaller exponent it is shifted right by the difference.
    let one = pool.bits(1, 1);
    let significand = pool.concat(one, parts.fraction);
    let top = top_of(pool, significand, width);
    let greatest = pool.bits(format.exponent, format.bias() + u128::from(width) - 1);
    let amount = pool.bv_sub(greatest, parts.exponent);
    let amount = pool.extract(width.ilog2() - 1, 0, amount);
    let amount = pool.resize(amount, width);
    let shifted = pool.bv_lshr(top, amount);
    let bias = pool.bits(format.exponent, format.bias());
    let is_below_one = pool.bv_ult(parts.exponent, bias);
    let zero = pool.bits(width, 0);
    let magnitude = pool.ite(is_below_one, zero, shifted);
    if is_signed { negate_if(pool, parts.sign, magnitude) } else { magnitude }
}

/// Builds the `width` highest bits, padded with zeros below.
fn top_of(pool: &mut Pool, a: Term, width: u32) -> Term {
    let have = pool.width(a);
    if have >= width {
        return pool.extract(have - 1, have - width, a);
    }
    let zeros = pool.bits(width - have, 0);
    pool.concat(a, zeros)
}

/// Builds the condition that a float does not fit. NaNs have the greatest magnitudes, so one
/// comparison per sign is enough.
#[track_caller]
pub(super) fn traps(pool: &mut Pool, width: u32, a: Term, is_signed: bool) -> Term {
    let parts = FloatParts::split(pool, a);
    let format = parts.format;
    let (above, below) = limits(format, width, is_signed);
    let [above, below] = [above, below].map(|limit| {
        let limit = pool.bits(format.magnitude(), limit);
        pool.bv_ule(limit, parts.magnitude)
    });
    let is_negative = parts.is_negative(pool);
    pool.ite(is_negative, below, above)
}

/// Returns the least magnitudes that do not fit, of positive and of negative numbers.
fn limits(format: Format, width: u32, is_signed: bool) -> (u128, u128) {
    if !is_signed {
        return (format.power_of_two(width), format.power_of_two(0));
    }
    let power = format.power_of_two(width - 1);
    // The power plus one, or the next float if that is not a float.
    let one = format.fraction.checked_sub(width - 1).map_or(1, |amount| 1 << amount);
    (power, power + one)
}

#[track_caller]
pub(super) fn saturating(pool: &mut Pool, width: u32, a: Term, is_signed: bool) -> Term {
    let parts = FloatParts::split(pool, a);
    let does_not_fit = traps(pool, width, a, is_signed);
    let number = to_integer(pool, width, a, is_signed);
    let (least, greatest) = match is_signed {
        true => (1 << (width - 1), mask(width - 1)),
        false => (0, mask(width)),
    };
    let (least, greatest) = (pool.bits(width, least), pool.bits(width, greatest));
    let (is_nan, is_negative) = (parts.is_nan(pool), parts.is_negative(pool));
    let zero = pool.bits(width, 0);
    let limit = pool.ite(is_negative, least, greatest);
    let limit = pool.ite(is_nan, zero, limit);
    pool.ite(does_not_fit, limit, number)
}

/// Converts 32 to 64 bits. That is exact; only subnormals must be normalized.
#[track_caller]
pub(super) fn promote(pool: &mut Pool, a: Term) -> Term {
    let (from, to) = (Format::F32, Format::F64);
    from.check_operand(pool, a);
    let parts = FloatParts::split(pool, a);
    let number = parts.normalized(pool);
    let wide = to.exponent - from.exponent;
    let exponent = pool.sign_extend(wide, number.exponent);
    let exponent = pool.extract(to.exponent - 1, 0, exponent);
    let bias = pool.bits(to.exponent, to.bias() - from.bias());
    let exponent = pool.bv_add(exponent, bias);
    let fraction = pool.extract(from.fraction - 1, 0, number.significand);
    let zeros = pool.bits(to.fraction - from.fraction, 0);
    let fraction = pool.concat(fraction, zeros);
    let magnitude = pool.concat(exponent, fraction);
    let number = pool.concat(parts.sign, magnitude);

    let zero = to.signed(pool, parts.sign, 0);
    let is_zero = parts.is_zero(pool);
    let number = pool.ite(is_zero, zero, number);
    or_special(pool, to, &parts, number)
}

/// Converts 64 to 32 bits. A subnormal operand is so small that the result is zero, so its hidden
/// bit does not matter.
#[track_caller]
pub(super) fn demote(pool: &mut Pool, a: Term) -> Term {
    let (from, to) = (Format::F64, Format::F32);
    from.check_operand(pool, a);
    let parts = FloatParts::split(pool, a);
    let bias = pool.bits(from.exponent + 2, from.bias() - to.bias());
    let exponent = pool.zero_extend(2, parts.exponent);
    let exponent = pool.bv_sub(exponent, bias);
    let one = pool.bits(1, 1);
    let significand = pool.concat(one, parts.fraction);
    let significand = upper_and_sticky(pool, significand, to.precision() + 1);
    let number = round(pool, to, parts.sign, exponent, significand);
    or_special(pool, to, &parts, number)
}

/// Builds the infinity or the NaN of the other format if `from` is one, else `number`.
fn or_special(pool: &mut Pool, to: Format, from: &FloatParts, number: Term) -> Term {
    let infinity = to.signed(pool, from.sign, to.infinity());
    let nan = to.nan(pool);
    let (is_infinite, is_nan) = (from.is_infinite(pool), from.is_nan(pool));
    let number = pool.ite(is_infinite, infinity, number);
    pool.ite(is_nan, nan, number)
}
