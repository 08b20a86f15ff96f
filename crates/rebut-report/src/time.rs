//! Times as events have them.

/// Seconds since 1970 of a time such as `2026-11-15T22:35:54.120Z`; 0 of anything else.
pub(crate) fn unix_time(text: &str) -> f64 {
    let part = |from: usize, to: usize| text.get(from..to)?.parse::<f64>().ok();
    let seconds = || {
        let (year, month, day) = (part(0, 4)?, part(5, 7)?, part(8, 10)?);
        let clock = part(11, 13)? * 3600.0 + part(14, 16)? * 60.0 + part(17, text.len() - 1)?;
        // Years begin in March, so that a leap day is the last of its year.
        let (year, month) =
            if month > 2.0 { (year, month - 3.0) } else { (year - 1.0, month + 9.0) };
        let leaps = (year / 4.0).floor() - (year / 100.0).floor() + (year / 400.0).floor();
        let days = 365.0 * year + leaps + ((153.0 * month + 2.0) / 5.0).floor() + day - 719_469.0;
        Some(days * 86_400.0 + clock)
    };
    if text.is_ascii() && text.ends_with('Z') { seconds().unwrap_or(0.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_count_from_1970() {
        assert_eq!(unix_time("1970-01-01T00:00:00.000Z"), 0.0);
        assert_eq!(unix_time("2000-02-29T00:00:00.000Z"), 951_782_400.0);
        assert_eq!(unix_time("2024-02-29T23:59:59.500Z"), 1_709_251_199.5);
        assert_eq!(unix_time("Z"), 0.0);
        assert_eq!(unix_time("yesterday"), 0.0);
    }
}
