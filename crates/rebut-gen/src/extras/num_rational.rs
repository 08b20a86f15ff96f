//! Fractions: types of the crate `num-rational`.

use num_rational::Ratio;
use rebut_choice::{Label, Source};

use crate::{Code, Generate, Generator, ToCode, integers};

const RATIO: Label = Label::group("Ratio");

/// Generates reduced fractions with a positive denominator, and prints_as them.
///
/// The denominator is drawn first, so whole numbers are simpler than other fractions.
macro_rules! ratios {
    ($($type:ty, $draw_denominator:expr;)*) => {$(
        impl Generate for Ratio<$type> {
            #[inline]
            fn generate(source: &mut Source) -> Self {
                source.span(RATIO, |source| {
                    let denominator: $type = $draw_denominator(source);
                    // The smallest numerator does not overflow, because nothing is negated.
                    Ratio::new(<$type>::generate(source), denominator)
                })
            }
        }

        impl ToCode for Ratio<$type> {
            #[inline]
            fn to_code(&self, code: &mut Code) {
                let is_reduced = self.denom() > &<$type>::default()
                    && Ratio::new(self.numer().clone(), self.denom().clone()).denom() == self.denom();
                let function = if is_reduced { "new" } else { "new_raw" };
                code.push("num_rational::Ratio::");
                code.call(function, &[self.numer(), self.denom()]);
            }
        }
    )*};
}

macro_rules! primitive {
    ($($type:ident)*) => {
        ratios! {$($type, |source| integers::<$type>().min_value(1).draw(source);)*}
    };
}
primitive!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

#[cfg(feature = "num-bigint")]
mod big {
    use num_bigint::{BigInt, BigUint};

    use super::*;

    ratios! {
        BigInt, |source| BigInt::from(BigUint::generate(source)) + 1;
        BigUint, |source| BigUint::generate(source) + 1u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{drawn, exhausted, prints_as, replays, shrinks_to};
    use crate::{any, simplest};

    #[test]
    fn every_fraction_of_small_integers_is_reduced() {
        let all = exhausted(&any::<Ratio<i8>>());
        assert_eq!(all.len(), 127 * 256);
        assert!(all.iter().all(|ratio| *ratio.denom() > 0));
        assert!(all.iter().all(|ratio| ratio.reduced().denom() == ratio.denom()));
        for (numerator, denominator) in [(i8::MIN, 1), (i8::MIN, 127), (127, 126), (0, 1), (-1, 2)]
        {
            assert!(all.contains(&Ratio::new_raw(numerator, denominator)));
        }
        let all = drawn(&any::<Ratio<i64>>(), 1000);
        assert!(all.iter().any(|ratio| *ratio.numer() == i64::MIN));
        assert!(all.iter().any(|ratio| *ratio.denom() == i64::MAX));
        replays(&any::<(Ratio<u128>, Ratio<i128>)>());
    }

    #[test]
    fn fractions_shrink_to_whole_numbers() {
        assert_eq!(simplest(&any::<Ratio<i32>>()), Ratio::new(0, 1));
        shrinks_to(&Ratio::new(4, 1), |ratio: &Ratio<i32>| *ratio > Ratio::new(7, 2));
        shrinks_to(&Ratio::new(1, 2), |ratio: &Ratio<u8>| !ratio.is_integer());
        shrinks_to(&Ratio::new(-1, 3), |ratio: &Ratio<i64>| {
            *ratio.numer() < 0 && *ratio.denom() > 2
        });
    }

    #[test]
    fn fractions_are_printed_as_they_are() {
        prints_as!(Ratio<i8>, num_rational::Ratio::new(-128, 127));
        prints_as!(Ratio<i8>, num_rational::Ratio::new(0, 1));
        prints_as!(Ratio<i8>, num_rational::Ratio::new_raw(2, 4));
        prints_as!(Ratio<i8>, num_rational::Ratio::new_raw(1, -128));
    }

    #[cfg(feature = "num-bigint")]
    #[test]
    fn fractions_of_large_integers_are_reduced() {
        use num_bigint::BigInt;
        use num_rational::BigRational;

        let all = drawn(&any::<BigRational>(), 500);
        assert!(all.iter().all(|ratio| ratio.reduced().denom() == ratio.denom()));
        assert!(all.iter().any(|ratio| ratio.denom().bits() > 128 && ratio.numer().bits() > 128));
        let limit = Ratio::from_integer(BigInt::from(1) << 70u32);
        let next = Ratio::from_integer((BigInt::from(1) << 70u32) + 1);
        shrinks_to(&next, |ratio: &BigRational| *ratio > limit);
        prints_as!(
            BigRational,
            num_rational::Ratio::new(num_bigint::BigInt::from(-1), num_bigint::BigInt::from(2))
        );
    }
}
