//! Decimal numbers of any size: types of the crate `bigdecimal`.

use bigdecimal::BigDecimal;
use bigdecimal::num_bigint::BigInt;
use rebut_choice::{Label, Source};

use crate::{Code, Generate, ToCode};

/// The bounds of the scale. The type allows all of `i64`, but then a sum of two numbers can take all
/// memory. Arbitrary: it is beyond the precision of a division, which is 100 digits by default.
const SCALE_MAX: i128 = 150;

/// Generates the number of digits after the point, then the digits as one integer. A negative
/// number of digits after the point stands for zeros before it. Shrinks to whole numbers.
///
/// The scale goes from -150 to 150. Digits can end in zeros: `1.50` and `1.5` are equal, but not the
/// same.
impl Generate for BigDecimal {
    #[inline]
    fn generate(source: &mut Source) -> BigDecimal {
        source.span(Label::group("BigDecimal"), |source| {
            let scale = source.integer(-SCALE_MAX, SCALE_MAX) as i64;
            BigDecimal::new(BigInt::generate(source), scale)
        })
    }
}

impl ToCode for BigDecimal {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        let (digits, scale) = self.as_bigint_and_exponent();
        code.push("bigdecimal::BigDecimal::new(");
        // The path `num_bigint` may not exist where the code is compiled.
        let suffix = if i32::try_from(&digits).is_ok() { "" } else { "i128" };
        match i128::try_from(&digits) {
            Ok(digits) if digits < 0 => code.format(format_args!("({digits}{suffix}).into()")),
            Ok(digits) => code.format(format_args!("{digits}{suffix}.into()")),
            Err(_) => code.format(format_args!("\"{digits}\".parse().unwrap()")),
        }
        code.format(format_args!(", {scale})"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{drawn, prints_as, shrinks_to};
    use crate::{any, simplest};

    #[test]
    fn scales_on_both_sides_and_trailing_zeros_are_drawn() {
        let all: Vec<(BigInt, i64)> = drawn(&any::<BigDecimal>(), 2000)
            .into_iter()
            .map(BigDecimal::into_bigint_and_exponent)
            .collect();
        let zero = BigInt::ZERO;
        for expected in [-150, -1, 1, 2, 150] {
            assert!(all.iter().any(|(_, scale)| *scale == expected), "{expected}");
        }
        assert!(all.iter().any(|(digits, scale)| *digits == zero && *scale > 0));
        assert!(all.iter().any(|(digits, _)| *digits != zero && digits % 100 == zero));
        assert!(all.iter().any(|(digits, scale)| *digits < zero && *scale < 0));
    }

    #[test]
    fn decimals_shrink_to_whole_numbers() {
        assert_eq!(simplest(&any::<BigDecimal>()), BigDecimal::from(0));
        let half = BigDecimal::new(5.into(), 1);
        shrinks_to(&BigDecimal::from(1), |decimal: &BigDecimal| *decimal > half);
        shrinks_to(&BigDecimal::new(1.into(), 1), |decimal: &BigDecimal| !decimal.is_integer());
    }

    #[test]
    fn decimals_are_printed_as_digits_and_scale() {
        prints_as!(BigDecimal, bigdecimal::BigDecimal::new(0.into(), 0));
        prints_as!(BigDecimal, bigdecimal::BigDecimal::new((-150).into(), 2));
        prints_as!(BigDecimal, bigdecimal::BigDecimal::new(2147483648i128.into(), -3));
        prints_as!(
            BigDecimal,
            bigdecimal::BigDecimal::new(
                "-1000000000000000000000000000000000000000".parse().unwrap(),
                1
            )
        );
    }
}
