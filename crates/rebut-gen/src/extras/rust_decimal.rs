//! Decimal numbers of the crate `rust_decimal`.

use rebut_choice::{Label, Source};
use rust_decimal::Decimal;

use crate::{Code, Generate, ToCode};

/// The largest mantissa, which has 96 bits.
const DIGITS_MAX: i128 = (1 << 96) - 1;

/// Generates the digits as one integer, then the number of digits after the point.
impl Generate for Decimal {
    #[inline]
    fn generate(source: &mut Source) -> Decimal {
        source.span(Label::group("Decimal"), |source| {
            let digits = source.integer(-DIGITS_MAX, DIGITS_MAX);
            let scale = source.integer(0, Decimal::MAX_SCALE.into()) as u32;
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
    use crate::testing::{drawn, replays};

    #[test]
    fn every_scale_and_both_signs_are_drawn() {
        let all = drawn(&any::<Decimal>(), 500);
        assert!(all.iter().any(Decimal::is_sign_negative));
        assert!(all.iter().any(|decimal| decimal.scale() == 28));
        replays(&any::<Decimal>());
        assert_eq!(
            Code::of(&Decimal::new(-15, 1)),
            "rust_decimal::Decimal::from_i128_with_scale(-15, 1)"
        );
    }
}
