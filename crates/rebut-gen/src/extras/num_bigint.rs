//! Integers of any size: types of the crate `num-bigint`.
//!
//! The size is drawn first: up to 32 bits, up to 64, up to 126, or long. The rest is one choice, as for
//! an `i128`. Only long numbers take more: the number of their bits, the first 127 bits, and the other
//! bits in digits of 64. So every number has one tape, the limits of machine integers are the limits
//! of a choice, and of two numbers with the same sign, the one nearer to zero is simpler.
//!
//! If an engine takes a smaller size, replay moves the first bits to the largest number of that size.
//! So a number shrinks across sizes. A sequence of digits would not: to delete a digit, another one
//! must be raised.

use num_bigint::{BigInt, BigUint};
use rebut_choice::{Label, Source};

use crate::{Code, Generate, ToCode};

/// Generates up to 2048 bits. Shrinks toward zero.
impl Generate for BigInt {
    #[inline]
    fn generate(source: &mut Source) -> BigInt {
        draw_number(source, &SIGNED, &[6, 2, 2, 1, 1, 1, 1])
    }
}

/// Generates up to 2048 bits. Shrinks toward zero.
impl Generate for BigUint {
    #[inline]
    fn generate(source: &mut Source) -> BigUint {
        draw_number(source, &UNSIGNED, &[6, 4, 2, 2]).into_parts().1
    }
}

/// The numbers of one size and sign.
#[derive(Clone, Copy)]
struct Class {
    /// The bounds of the number, or of the first bits of a long one.
    min: i128,
    max: i128,
    is_long: bool,
}

impl Class {
    const fn new(min: i128, max: i128) -> Class {
        Class { min, max, is_long: false }
    }

    /// Returns the class of the same numbers below zero.
    const fn negated(self) -> Class {
        Class { min: -self.max, max: -self.min, ..self }
    }
}

const UP_TO_32_BITS: Class = Class::new(0, (1 << 32) - 1);
const UP_TO_64_BITS: Class = Class::new(1 << 32, (1 << 64) - 1);
const UP_TO_126_BITS: Class = Class::new(1 << 64, (1 << 126) - 1);
/// The first bits are as many as a choice can have. The first of them is set.
const LONG: Class = Class { min: 1 << 126, max: i128::MAX, is_long: true };

const UNSIGNED: [Class; 4] = [UP_TO_32_BITS, UP_TO_64_BITS, UP_TO_126_BITS, LONG];
const SIGNED: [Class; 7] = [
    Class::new(-UP_TO_32_BITS.max, UP_TO_32_BITS.max),
    UP_TO_64_BITS,
    UP_TO_64_BITS.negated(),
    UP_TO_126_BITS,
    UP_TO_126_BITS.negated(),
    LONG,
    LONG.negated(),
];

/// The number of the first bits of a long number.
const HEAD_BITS: i128 = 127;
/// The maximum number of bits. Arbitrary: random long numbers have half of it on average.
const BITS_MAX: i128 = 2048;
/// The number of bits of each further choice.
const DIGIT_BITS: i128 = 64;

fn draw_number(source: &mut Source, classes: &[Class], weights: &[u32]) -> BigInt {
    source.span(Label::group("BigInt"), |source| {
        let class = classes[source.alternative(classes.len(), weights, classes.len())];
        // All choices of a negative number are negative, so that engines can lower one of them and
        // raise another by the same amount.
        let is_negative = class.max < 0;
        let distance = |min: i128, max: i128, source: &mut Source| match is_negative {
            false => source.integer(min, max),
            true => source.integer(-max, -min).wrapping_neg(),
        };
        // In a span, so that the first bits stay where they are if another size has no such choice.
        let bits = source.span(Label::group("bits"), |source| match class.is_long {
            true => distance(HEAD_BITS, BITS_MAX, source),
            false => HEAD_BITS,
        });
        let head = source.integer(class.min, class.max);
        let mut magnitude = BigUint::from(head.unsigned_abs());
        let mut left = bits - HEAD_BITS;
        while left > 0 {
            let taken = (left - 1) % DIGIT_BITS + 1;
            let digit = distance(0, (1 << taken) - 1, source);
            magnitude = (magnitude << taken as u32) | BigUint::from(digit as u64);
            left -= taken;
        }
        let number = BigInt::from(magnitude);
        if head < 0 { -number } else { number }
    })
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
    use crate::testing::{drawn, prints, replays, shrinks_to};
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
            let limit = limit.magnitude();
            shrinks_to(&(limit + 1u32), |number: &BigUint| number > limit);
        }
    }

    #[test]
    fn short_numbers_are_printed_as_literals() {
        prints!(BigInt, num_bigint::BigInt::from(0));
        prints!(BigInt, num_bigint::BigInt::from(-5));
        prints!(BigInt, num_bigint::BigInt::from(-2147483649i64));
        prints!(BigInt, num_bigint::BigInt::from(9223372036854775808i128));
        prints!(
            BigInt,
            num_bigint::BigInt::parse_bytes(b"-1000000000000000000000000000000000000000", 10)
                .unwrap()
        );
        prints!(BigUint, num_bigint::BigUint::from(5u32));
        prints!(BigUint, num_bigint::BigUint::from(18446744073709551615u64));
        prints!(BigUint, num_bigint::BigUint::from(18446744073709551616u128));
        prints!(
            BigUint,
            num_bigint::BigUint::parse_bytes(b"1000000000000000000000000000000000000000", 10)
                .unwrap()
        );
    }
}
