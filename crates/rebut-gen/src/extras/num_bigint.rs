//! Integers of any size: types of the crate `num-bigint`.
//!
//! The size and the sign are drawn first: up to 32 bits, up to 64, up to 126, or long. The rest is one
//! choice, as for an `i128`. Only long numbers take more: the number of their bits, the first 127
//! bits, and the other bits in digits of 64. So every number has one tape, the limits of machine
//! integers are the limits of a choice, and of two numbers with the same sign, the one nearer to
//! zero is simpler.
//!
//! If an engine takes a smaller size, replay moves the first bits to the largest number of that size.
//! If it takes the other sign, the bits stay. So a number shrinks across sizes and signs. A sequence
//! of digits would not: to delete a digit, another one must be raised.

use num_bigint::{BigInt, BigUint};
use rebut_choice::{Label, Source};

use crate::{Code, Generate, ToCode};

/// Generates up to 2048 bits. Shrinks toward zero.
impl Generate for BigInt {
    #[inline]
    fn generate(source: &mut Source) -> BigInt {
        source.span(BIG_INT, |source| {
            // For each size, the positive numbers and the negative ones.
            let choice = source.alternative(8, &[3, 3, 2, 2, 1, 1, 1, 1], 8);
            let is_negative = choice % 2 == 1;
            let number = BigInt::from(draw_magnitude(source, choice / 2, i128::from(is_negative)));
            if is_negative { -number } else { number }
        })
    }
}

/// Generates up to 2048 bits. Shrinks toward zero.
impl Generate for BigUint {
    #[inline]
    fn generate(source: &mut Source) -> BigUint {
        source.span(BIG_INT, |source| {
            let size = source.alternative(4, &[3, 2, 1, 1], 4);
            draw_magnitude(source, size, 0)
        })
    }
}

const BIG_INT: Label = Label::group("BigInt");

/// The bounds of the numbers of each size. For long numbers, these are the bounds of their first
/// bits: as many as a choice can have, of which the first is set.
const SIZES: [(i128, i128); 4] = [
    (0, (1 << 32) - 1),
    (1 << 32, (1 << 64) - 1),
    (1 << 64, (1 << 126) - 1),
    (1 << 126, i128::MAX),
];
/// The index of the long numbers in `SIZES`.
const LONG: usize = 3;
/// The number of the first bits of a long number.
const HEAD_BITS: i128 = 127;
/// The maximum number of bits. Arbitrary: random long numbers have half of it on average.
const BITS_MAX: i128 = 2048;
/// The number of bits of each further choice.
const DIGIT_BITS: i128 = 64;

/// Draws a number of this size that is at least `min`.
fn draw_magnitude(source: &mut Source, size: usize, min: i128) -> BigUint {
    // In a span, so that the first bits stay where they are if another size has no such choice.
    let bits = source.span(Label::group("bits"), |source| match size {
        LONG => source.integer(HEAD_BITS, BITS_MAX),
        _ => HEAD_BITS,
    });
    let (head_min, head_max) = SIZES[size];
    let head = source.integer(head_min.max(min), head_max);
    let mut magnitude = BigUint::from(head as u128);
    let mut left = bits - HEAD_BITS;
    while left > 0 {
        let taken = (left - 1) % DIGIT_BITS + 1;
        let digit = source.integer(0, (1 << taken) - 1);
        magnitude = (magnitude << taken as u32) | BigUint::from(digit as u64);
        left -= taken;
    }
    magnitude
}

/// Writes an expression of type `$big` with the shortest literal that it can be converted from.
macro_rules! to_code {
    ($big:ident, $path:literal, $($type:ident $suffix:literal),+) => {
        impl ToCode for $big {
            #[inline]
            fn to_code(&self, code: &mut Code) {
                $(if let Ok(number) = $type::try_from(self) {
                    return code.format(format_args!(concat!($path, "::from({}", $suffix, ")"), number));
                })+
                code.format(format_args!(
                    concat!($path, "::parse_bytes(b\"{}\", 10).unwrap()"), self
                ));
            }
        }
    };
}
to_code!(BigInt, "num_bigint::BigInt", i32 "", i64 "i64", i128 "i128");
to_code!(BigUint, "num_bigint::BigUint", u32 "u32", u64 "u64", u128 "u128");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{drawn, prints_as, replays, shrinks_to};
    use crate::{any, simplest};

    #[test]
    fn numbers_around_the_sizes_of_machine_integers_are_drawn() {
        let numbers = drawn(&any::<BigInt>(), 20_000);
        let naturals = drawn(&any::<BigUint>(), 20_000);
        for bits in [32u32, 64, 128] {
            for off_by in [-1i32, 0, 1] {
                let number: BigInt = (BigInt::from(1) << bits) + off_by;
                assert!(naturals.contains(number.magnitude()), "{number}");
                assert!(numbers.contains(&number), "{number}");
                assert!(numbers.contains(&-&number), "-{number}");
            }
        }
        assert!(numbers.iter().any(|number| number.bits() == 2048));
        replays(&any::<(BigInt, BigUint)>());
    }

    #[test]
    fn numbers_shrink_to_the_nearest_that_fails() {
        assert_eq!(simplest(&any::<BigInt>()), BigInt::ZERO);
        for bits in [3u32, 70, 125, 126, 127, 128, 192, 200, 300] {
            let limit = BigInt::from(1) << bits;
            shrinks_to(&(&limit + 1), |number: &BigInt| *number > limit);
            shrinks_to(&(-&limit - 1), |number: &BigInt| *number < -&limit);
            shrinks_to(&limit, |number: &BigInt| number.bits() > bits.into());
            let limit = limit.magnitude();
            shrinks_to(&(limit + 1u32), |number: &BigUint| number > limit);
        }
    }

    #[test]
    fn short_numbers_are_printed_as_literals() {
        prints_as!(BigInt, num_bigint::BigInt::from(0));
        prints_as!(BigInt, num_bigint::BigInt::from(-5));
        prints_as!(BigInt, num_bigint::BigInt::from(-2147483649i64));
        prints_as!(BigInt, num_bigint::BigInt::from(9223372036854775808i128));
        prints_as!(
            BigInt,
            num_bigint::BigInt::parse_bytes(b"-1000000000000000000000000000000000000000", 10)
                .unwrap()
        );
        prints_as!(BigUint, num_bigint::BigUint::from(5u32));
        prints_as!(BigUint, num_bigint::BigUint::from(18446744073709551615u64));
        prints_as!(BigUint, num_bigint::BigUint::from(18446744073709551616u128));
        prints_as!(
            BigUint,
            num_bigint::BigUint::parse_bytes(b"1000000000000000000000000000000000000000", 10)
                .unwrap()
        );
    }
}
