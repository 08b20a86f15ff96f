//! Points in time and days as integers, and back.

use jiff::Timestamp;
use jiff::civil::Date;

/// The default bounds of a `?Date`: from 1970 to the end of 2099. Arbitrary; assertions can only
/// narrow them.
pub(crate) const DATE_BOUNDS: (i128, i128) = (0, 4_102_444_799);

/// The default bounds of a `?Day`: the same years.
pub(crate) const DAY_BOUNDS: (i128, i128) = (0, 47_481);

/// Seconds in a day without leap seconds.
const DAY_SECONDS: i64 = 86_400;

/// Parses `2017-10-21T10:00:00Z` or `2017-10-21` as seconds since 1970.
#[must_use]
pub(crate) fn parse_date(text: &str) -> Option<i128> {
    if let Ok(timestamp) = text.parse::<Timestamp>() {
        return Some(i128::from(timestamp.as_second()));
    }
    parse_day(text).map(|days| days * i128::from(DAY_SECONDS))
}

/// Parses `2017-10-21` as days since 1970.
#[must_use]
pub(crate) fn parse_day(text: &str) -> Option<i128> {
    let day: Date = text.parse().ok()?;
    // The parser also accepts a date with a time.
    if text.contains(['T', ' ']) {
        return None;
    }
    let start = day.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp().as_second();
    Some(i128::from(start.div_euclid(DAY_SECONDS)))
}

/// Prints seconds since 1970 as `2017-10-21T10:00:00Z`.
#[must_use]
pub(crate) fn show_date(seconds: i128) -> String {
    let timestamp = i64::try_from(seconds).ok().and_then(|s| Timestamp::from_second(s).ok());
    timestamp.map_or_else(|| seconds.to_string(), |timestamp| timestamp.to_string())
}

/// Prints days since 1970 as `2017-10-21`.
#[must_use]
pub(crate) fn show_day(days: i128) -> String {
    let shown = show_date(days.saturating_mul(i128::from(DAY_SECONDS)));
    shown.split('T').next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_days_round_trip() {
        for text in ["2017-10-21T10:00:00Z", "1970-01-01T00:00:00Z", "2099-12-31T23:59:59Z"] {
            assert_eq!(parse_date(text).map(show_date).as_deref(), Some(text));
        }
        assert_eq!(parse_day("2017-10-21").map(show_day).as_deref(), Some("2017-10-21"));
        assert_eq!(parse_date("2017-02-30"), None);
        assert_eq!(show_date(DATE_BOUNDS.1), "2099-12-31T23:59:59Z");
        assert_eq!(show_day(DAY_BOUNDS.1), "2099-12-31");
    }
}
