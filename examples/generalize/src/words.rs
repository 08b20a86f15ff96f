//! Words for numbers, and numbers for words.

/// A size in words.
#[must_use]
pub fn size(number: u8) -> &'static str {
    match number {
        0 => "none",
        1..=3 => "few",
        4..=20 => "some",
        _ => "many",
    }
}

/// What stands before the first `=`, and what behind it.
#[must_use]
pub fn pair(line: &str) -> Option<(&str, &str)> {
    line.split_once('=')
}

/// The number of a level such as `L3`.
#[must_use]
pub fn level(name: &str) -> u8 {
    let digits = &name[1..];
    digits.parse().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A few.
    #[test]
    fn size_names_a_number() {
        assert_eq!(size(2), "few");
    }

    #[test]
    fn pair_splits_a_line() {
        let line = "a=b";
        assert!(pair(line).is_some());
    }

    #[test]
    fn level_is_below_ten() {
        assert!(level("L3") < 10);
    }
}
