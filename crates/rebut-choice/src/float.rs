//! The numbers of floats, and their order of simplicity.
//!
//! The number of a float is its position in the order -inf < .. < -0.0 < 0.0 < .. < inf < NaN:
//! 0.0 is 0, -0.0 is -1, and the number after infinity is NaN. A range of floats is therefore a
//! range of numbers. No flag is needed to include or exclude infinities and NaN.
//!
//! # Examples
//! ```
//! use rebut_choice::float::{f64_of, number_of_f64};
//! assert_eq!(f64_of(number_of_f64(0.1)), 0.1);
//! assert_eq!(number_of_f64(f64::INFINITY) + 1, number_of_f64(f64::NAN));
//! ```

/// The bits of infinity (IEEE 754): all larger numbers are NaNs.
const F64_INFINITY: i128 = 0x7FF0_0000_0000_0000;
const F32_INFINITY: i128 = 0x7F80_0000;

/// Returns the number of an `f64`. All NaNs have the same number.
///
/// # Examples
/// ```
/// use rebut_choice::float::number_of_f64;
/// assert_eq!(number_of_f64(0.0), 0);
/// assert_eq!(number_of_f64(-0.0), -1);
/// assert!(number_of_f64(1.5) < number_of_f64(f64::INFINITY));
/// ```
#[must_use]
pub fn number_of_f64(float: f64) -> i128 {
    if float.is_nan() {
        return F64_INFINITY + 1;
    }
    let magnitude = i128::from(float.abs().to_bits());
    if float.is_sign_negative() { -1 - magnitude } else { magnitude }
}

/// Returns the `f64` of a number. Numbers after infinity are NaN.
///
/// # Examples
/// ```
/// use rebut_choice::float::{f64_of, number_of_f64};
/// assert_eq!(f64_of(number_of_f64(1.5)), 1.5);
/// assert!(f64_of(i128::MAX).is_nan());
/// ```
#[must_use]
pub fn f64_of(number: i128) -> f64 {
    let magnitude = number ^ (number >> 127);
    let bits = magnitude as u64 | u64::from(number < 0) << 63;
    // Exploration does not see a branch here.
    f64::from_bits(if magnitude > F64_INFINITY { f64::NAN.to_bits() } else { bits })
}

/// Returns the number of an `f32`. All NaNs have the same number.
///
/// # Examples
/// ```
/// use rebut_choice::float::number_of_f32;
/// assert_eq!(number_of_f32(0.0), 0);
/// assert!(number_of_f32(-1.0) < number_of_f32(-0.5));
/// ```
#[must_use]
pub fn number_of_f32(float: f32) -> i128 {
    if float.is_nan() {
        return F32_INFINITY + 1;
    }
    let magnitude = i128::from(float.abs().to_bits());
    if float.is_sign_negative() { -1 - magnitude } else { magnitude }
}

/// Returns the `f32` of a number. Numbers after infinity are NaN.
///
/// # Examples
/// ```
/// use rebut_choice::float::{f32_of, number_of_f32};
/// assert_eq!(f32_of(number_of_f32(0.25)), 0.25);
/// ```
#[must_use]
pub fn f32_of(number: i128) -> f32 {
    let magnitude = number ^ (number >> 127);
    let bits = magnitude as u32 | u32::from(number < 0) << 31;
    // Exploration does not see a branch here.
    f32::from_bits(if magnitude > F32_INFINITY { f32::NAN.to_bits() } else { bits })
}

/// Returns the position of a float in the order of simplicity: whole numbers by size, positive
/// before negative; then fractions, those with fewer binary digits first; then the numbers that
/// are too large to have a fraction; then infinity; then NaN.
pub(crate) fn rank(float: f64) -> u128 {
    let sign = u128::from(float.is_sign_negative());
    let magnitude = float.abs();
    let class: u128 = if float.is_nan() {
        return u128::MAX;
    } else if magnitude.is_infinite() {
        3 << 100
    } else if magnitude.fract() != 0.0 {
        (1 << 100) + fraction_rank(magnitude)
    } else if magnitude < EXACT {
        magnitude as u128
    } else {
        (2 << 100) + u128::from(magnitude.to_bits())
    };
    class * 2 + sign
}

/// All floats from this one on are whole numbers.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Ranks by the number of binary digits after the point, then by size.
fn fraction_rank(magnitude: f64) -> u128 {
    let bits = magnitude.to_bits();
    let exponent = (bits >> 52).max(1) as i64 - 1075;
    let mantissa = (bits & ((1 << 52) - 1)) | if bits >> 52 == 0 { 0 } else { 1 << 52 };
    let digits = -(exponent + i64::from(mantissa.trailing_zeros()));
    (u128::from(digits.unsigned_abs()) << 64) | u128::from(bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_the_total_order() {
        let floats =
            [f64::NEG_INFINITY, -1.5, -f64::MIN_POSITIVE, -0.0, 0.0, 5e-324, 1.0, f64::INFINITY];
        for pair in floats.windows(2) {
            assert!(number_of_f64(pair[0]) < number_of_f64(pair[1]), "{pair:?}");
        }
        for float in floats {
            assert_eq!(f64_of(number_of_f64(float)).to_bits(), float.to_bits());
            let narrow = float as f32;
            assert_eq!(f32_of(number_of_f32(narrow)).to_bits(), narrow.to_bits());
        }
        assert!(f64_of(number_of_f64(f64::NAN)).is_nan());
        assert!(f32_of(number_of_f32(f32::NAN)).is_nan());
    }

    #[test]
    fn simple_floats_rank_first() {
        let ordered = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            2.0,
            100.0,
            0.5,
            1.5,
            100.5,
            0.25,
            0.1,
            1e17,
            f64::MAX,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
        ];
        for pair in ordered.windows(2) {
            assert!(rank(pair[0]) < rank(pair[1]), "{pair:?}");
        }
    }
}
