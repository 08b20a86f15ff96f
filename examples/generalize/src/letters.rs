//! Tests that expect something of a text or a list, and tests of great numbers.

/// How many characters a text has.
pub fn letters(text: &str) -> usize {
    text.chars().count()
}

/// The first of some temperatures.
pub fn at_dawn(temperatures: &[i16]) -> Option<i16> {
    temperatures.first().copied()
}

/// Whether a balance is enough for a payment.
pub fn is_enough(balance: i128, payment: i128) -> bool {
    assert!(payment >= 0, "nobody pays less than nothing");
    payment <= balance
}

/// The later of two serial numbers.
pub fn later(one: u128, other: u128) -> u128 {
    if one < other { other } else { one }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_counts_characters() {
        assert_eq!(letters("abc"), 3);
    }

    #[test]
    fn first_temperature_is_the_one_at_dawn() {
        assert_eq!(at_dawn(&[-3, 8]), Some(-3));
    }

    #[test]
    fn large_balance_is_enough() {
        assert!(is_enough(170_141_183_460_469_231_731, 1));
    }

    #[test]
    fn larger_number_is_later() {
        assert_eq!(later(3, 40_000_000_000_000_000_000), 40_000_000_000_000_000_000);
    }
}
