//! Converts the times in events.

use std::time::Duration;

/// Returns the seconds since 1970 of a time such as `2026-11-15T22:35:54.120Z`, or 0 for any other
/// string.
pub(crate) fn unix_time(text: &str) -> f64 {
    let part = |from: usize, to: usize| text.get(from..to)?.parse::<f64>().ok();
    let seconds = || {
        let (year, month, day) = (part(0, 4)?, part(5, 7)?, part(8, 10)?);
        let clock = part(11, 13)? * 3600.0 + part(14, 16)? * 60.0 + part(17, text.len() - 1)?;
        // Count years from March, so that the leap day is the last day of its year.
        let (year, month) =
            if month > 2.0 { (year, month - 3.0) } else { (year - 1.0, month + 9.0) };
        let leaps = (year / 4.0).floor() - (year / 100.0).floor() + (year / 400.0).floor();
        let days = 365.0 * year + leaps + ((153.0 * month + 2.0) / 5.0).floor() + day - 719_469.0;
        Some(days * 86_400.0 + clock)
    };
    if text.is_ascii() && text.ends_with('Z') { seconds().unwrap_or(0.0) } else { 0.0 }
}

/// Formats a time since 1970 in the format of RFC 3339: `2026-11-15T22:35:54.120Z`.
#[must_use]
pub fn rfc3339(since: Duration) -> String {
    // Count days from March 1 of the year 0, so that the leap day is the last day of its year
    // (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
    let (days, rest) = (since.as_secs() / 86_400 + 719_468, since.as_secs() % 86_400);
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    let milliseconds = since.subsec_millis();
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milliseconds:03}Z")
}

/// Formats a time since 1970 for the name of a directory, so that later names sort behind earlier
/// ones: `20261115T223554Z`.
#[must_use]
pub fn compact_time(since: Duration) -> String {
    let time = rfc3339(since);
    let (seconds, _) = time.split_once('.').unwrap_or((&time, ""));
    format!("{}Z", seconds.replace(['-', ':'], ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unix_time_counts_seconds_since_1970() {
        assert_eq!(unix_time("1970-01-01T00:00:00.000Z"), 0.0);
        assert_eq!(unix_time("2000-02-29T00:00:00.000Z"), 951_782_400.0);
        assert_eq!(unix_time("2024-02-29T23:59:59.500Z"), 1_709_251_199.5);
        assert_eq!(unix_time("Z"), 0.0);
        assert_eq!(unix_time("yesterday"), 0.0);
    }

    #[test]
    fn rfc3339_follows_the_calendar() {
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400, "2000-02-29T00:00:00.000Z"),
            (1_793_057_754, "2026-10-26T23:35:54.000Z"),
            (4_107_542_399, "2100-02-28T23:59:59.000Z"),
            (4_107_542_400, "2100-03-01T00:00:00.000Z"),
        ] {
            assert_eq!(rfc3339(Duration::from_secs(seconds)), expected);
            assert_eq!(unix_time(expected), seconds as f64);
        }
        assert_eq!(rfc3339(Duration::from_millis(1_120)), "1970-01-01T00:00:01.120Z");
        assert_eq!(compact_time(Duration::from_millis(1_120)), "19700101T000001Z");
    }
}
