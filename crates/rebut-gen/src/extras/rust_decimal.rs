//! Decimal numbers of the crate `rust_decimal`.

use rebut_choice::{Label, Source};
use rust_decimal::Decimal;

use crate::{Code, Generate, ToCode};

/// The largest mantissa, which has 96 bits.
const DIGITS_MAX: i128 = (1 << 96) - 1;
/// The largest number of digits after the point.
const SCALE_MAX: i128 = 28;

/// Generates the digits as one integer, then the number of digits after the point.
impl Generate for Decimal {
    #[inline]
    fn generate(source: &mut Source) -> Decimal {
        source.span(Label::group("Decimal"), |source| {
            let digits = source.integer(-DIGITS_MAX, DIGITS_MAX);
            let scale = source.integer(0, SCALE_MAX) as u32;
            Decimal::from_i128_with_scale(digits, scale)
        })
    }
}

impl ToCode for Decimal {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        let parts: [&dyn ToCode; 2] = [&self.mantissa(), &self.scale()];
        code.call("rust_decimal::Decimal::from_i128_with_scale", &parts);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::any;
    use crate::testing::{drawn, prints, replays};
    use rebut::find;

    #[test]
    fn every_scale_and_both_signs_are_drawn() {
        let all = drawn(&any::<Decimal>(), 5000);
        assert!(all.iter().any(Decimal::is_sign_negative));
        assert!(all.iter().any(|decimal| decimal.scale() == 28));
        assert!(all.contains(&Decimal::MIN) && all.contains(&Decimal::MAX));
        assert!(all.iter().all(|decimal| decimal.to_string().parse() == Ok(*decimal)));
        replays(&any::<Decimal>());
    }

    #[test]
    fn numbers_shrink_to_small_whole_ones() {
        assert_eq!(find(rebut::any::<Decimal>(), |_| true), Some(Decimal::ZERO));
        let found = find(rebut::any(), |decimal: &Decimal| *decimal > Decimal::from(9));
        assert_eq!(found, Some(Decimal::from(10)));
        let found = find(rebut::any(), |decimal: &Decimal| !decimal.fract().is_zero());
        assert_eq!(found, Some(Decimal::new(1, 1)));
    }

    #[test]
    fn numbers_are_printed_as_digits_and_scale() {
        prints!(rust_decimal::Decimal::from_i128_with_scale(-15, 1), Decimal::new(-15, 1));
    }
}
