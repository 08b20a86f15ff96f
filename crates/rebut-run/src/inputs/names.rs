//! Compares names of a specification with names in Rust.

/// Returns whether two names differ only in their style: `startTime`, `start-time` and
/// `start_time`.
pub(super) fn same_name(a: &str, b: &str) -> bool {
    let letters = |name: &str| -> Vec<char> {
        let letters = name.chars().filter(|c| !matches!(c, '_' | '-' | ' '));
        letters.flat_map(char::to_lowercase).collect()
    };
    a == b || letters(a) == letters(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_any_style_are_equal() {
        assert!(same_name("startTime", "start_time") && same_name("start-time", "StartTime"));
        assert!(!same_name("start", "end") && !same_name("a", ""));
    }
}
