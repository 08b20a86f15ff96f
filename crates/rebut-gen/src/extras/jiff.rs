//! Dates, times and spans of the crate `jiff`.

use jiff::civil::{Date, DateTime, ISOWeekDate, Time, Weekday};
use jiff::tz::{Offset, TimeZone};
use jiff::{SignedDuration, Span, Timestamp, Zoned};
use rebut_choice::{Label, Source};

use super::calendar::{draw_date, draw_offset, draw_time, draw_year};
use crate::library::times::{SECOND, draw_nanos};
use crate::misuse::expected;
use crate::{Code, Generate, ToCode};

impl Generate for Date {
    #[inline]
    fn generate(source: &mut Source) -> Date {
        let (min, max) = (Date::MIN.year(), Date::MAX.year());
        let (year, month, day) = draw_date(source, min.into(), max.into());
        expected(Date::new(year as i16, month as i8, day as i8).ok(), "a date")
    }
}

impl ToCode for Date {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        code.call("jiff::civil::date", &[&self.year(), &self.month(), &self.day()]);
    }
}

impl Generate for Time {
    #[inline]
    fn generate(source: &mut Source) -> Time {
        let (hour, minute, second, nano) = draw_time(source, false);
        let time = Time::new(hour as i8, minute as i8, second as i8, nano as i32);
        expected(time.ok(), "a time")
    }
}

impl ToCode for Time {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        let parts: [&dyn ToCode; 4] =
            [&self.hour(), &self.minute(), &self.second(), &self.subsec_nanosecond()];
        code.call("jiff::civil::time", &parts);
    }
}

impl Generate for DateTime {
    #[inline]
    fn generate(source: &mut Source) -> DateTime {
        DateTime::from_parts(Date::generate(source), Time::generate(source))
    }
}

impl ToCode for DateTime {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        code.call("jiff::civil::DateTime::from_parts", &[&self.date(), &self.time()]);
    }
}

impl Generate for Timestamp {
    #[inline]
    fn generate(source: &mut Source) -> Timestamp {
        let (min, max) = (Timestamp::MIN.as_nanosecond(), Timestamp::MAX.as_nanosecond());
        let nanos = draw_nanos(source, Label::group("Timestamp"), min, max);
        expected(Timestamp::from_nanosecond(nanos).ok(), "a timestamp")
    }
}

impl ToCode for Timestamp {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        let nanos = self.as_nanosecond();
        if nanos % SECOND == 0 {
            let seconds = nanos / SECOND;
            code.format(format_args!("jiff::Timestamp::from_second({seconds}).unwrap()"));
        } else {
            code.format(format_args!("jiff::Timestamp::from_nanosecond({nanos}).unwrap()"));
        }
    }
}

/// Time zones with special cases: half-hour daylight saving, odd offsets, daylight saving in
/// winter, a skipped day.
const ZONES: [&str; 9] = [
    "UTC",
    "America/New_York",
    "Europe/London",
    "Asia/Kathmandu",
    "Australia/Lord_Howe",
    "Europe/Dublin",
    "Africa/Casablanca",
    "Pacific/Apia",
    "America/Sao_Paulo",
];

/// Generates a zone with special cases, or a fixed offset.
impl Generate for TimeZone {
    #[inline]
    fn generate(source: &mut Source) -> TimeZone {
        source.span(Label::group("TimeZone"), |source| {
            let is_fixed = source.alternative(2, &[8, 1], 2) == 1;
            source.span(Label::ALTERNATIVE, |source| {
                if is_fixed {
                    return TimeZone::fixed(Offset::generate(source));
                }
                let name = ZONES[source.index(ZONES.len())];
                expected(TimeZone::get(name).ok(), "a time zone")
            })
        })
    }
}

impl ToCode for TimeZone {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        if *self == TimeZone::UTC {
            code.push("jiff::tz::TimeZone::UTC");
        } else if let Some(name) = self.iana_name() {
            code.format(format_args!("jiff::tz::TimeZone::get({name:?}).unwrap()"));
        } else if let Ok(offset) = self.to_fixed_offset() {
            code.call("jiff::tz::TimeZone::fixed", &[&offset]);
        } else {
            code.push("/* a time zone without a name */");
        }
    }
}

/// The hours of the largest offset.
const OFFSET_HOURS_MAX: i32 = 25;

impl Generate for Offset {
    #[inline]
    fn generate(source: &mut Source) -> Offset {
        let seconds = draw_offset(source, OFFSET_HOURS_MAX);
        expected(Offset::from_seconds(seconds).ok(), "an offset")
    }
}

impl ToCode for Offset {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        code.call("jiff::tz::Offset::from_seconds", &[&self.seconds()]);
        code.push(".unwrap()");
    }
}

/// The maximum distance in seconds from a transition of the time zone: a day. Almost all gaps and
/// folds take an hour, and the longest is the day that Samoa skipped.
const NEAR_MAX: i128 = 86_400;

/// Generates a time in a zone. The alternative is a time near the zone's next transition, where
/// civil times do not exist or exist twice.
impl Generate for Zoned {
    #[inline]
    fn generate(source: &mut Source) -> Zoned {
        source.span(Label::group("Zoned"), |source| {
            // Drawn first, so that plain times have the same number of choices in all years and
            // zones, and none of them is simpler because it is after the last transition.
            let is_near = source.presence(2, 1);
            let timestamp = Timestamp::generate(source);
            let zone = TimeZone::generate(source);
            let transition = if is_near { zone.following(timestamp).next() } else { None };
            let near = transition.and_then(|transition| {
                let seconds = source.integer(-NEAR_MAX, NEAR_MAX) as i64;
                transition.timestamp().checked_add(SignedDuration::from_secs(seconds)).ok()
            });
            near.unwrap_or(timestamp).to_zoned(zone)
        })
    }
}

impl ToCode for Zoned {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        self.timestamp().to_code(code);
        match self.time_zone().iana_name() {
            Some(name) => code.format(format_args!(".in_tz({name:?}).unwrap()")),
            None => code.call(".to_zoned", &[self.time_zone()]),
        }
    }
}

named_values!(
    Weekday,
    "jiff::civil::Weekday",
    [Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday]
);

impl Generate for ISOWeekDate {
    #[inline]
    fn generate(source: &mut Source) -> ISOWeekDate {
        source.span(Label::group("ISOWeekDate"), |source| {
            let last = ISOWeekDate::MAX;
            let year = draw_year(source, ISOWeekDate::MIN.year().into(), last.year().into()) as i16;
            let first = expected(ISOWeekDate::new(year, 1, Weekday::Monday).ok(), "a week date");
            let week = source.integer(1, first.weeks_in_year().into()) as i8;
            let is_last = year == last.year() && week == last.week();
            let days = if is_last { last.weekday().to_monday_one_offset() } else { 7 };
            let day = source.integer(1, days.into()) as i8;
            let weekday = Weekday::from_monday_one_offset(day);
            let date = weekday.and_then(|weekday| ISOWeekDate::new(year, week, weekday));
            expected(date.ok(), "a week date")
        })
    }
}

impl ToCode for ISOWeekDate {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        let parts: [&dyn ToCode; 3] = [&self.year(), &self.week(), &self.weekday()];
        code.call("jiff::civil::ISOWeekDate::new", &parts);
        code.push(".unwrap()");
    }
}

impl Generate for SignedDuration {
    #[inline]
    fn generate(source: &mut Source) -> SignedDuration {
        let (min, max) = (SignedDuration::MIN.as_nanos(), SignedDuration::MAX.as_nanos());
        let nanos = draw_nanos(source, Label::group("SignedDuration"), min, max);
        SignedDuration::new((nanos / SECOND) as i64, (nanos % SECOND) as i32)
    }
}

impl ToCode for SignedDuration {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        code.call("jiff::SignedDuration::new", &[&self.as_secs(), &self.subsec_nanos()]);
    }
}

macro_rules! span_units {
    ($($unit:ident, $try_set:ident, $get:ident, $max:literal;)*) => {
        /// Generates a sign for the whole span, and for each unit its presence and its amount.
        impl Generate for Span {
            #[inline]
            fn generate(source: &mut Source) -> Span {
                source.span(Label::group("Span"), |source| {
                    let sign = if source.boolean() { -1 } else { 1 };
                    let mut span = Span::new();
                    $(
                        let amount = source.span(Label::group(stringify!($unit)), |source| {
                            source.presence(2, 1).then(|| source.integer(1, $max) as i64)
                        });
                        if let Some(amount) = amount {
                            span = expected(span.$try_set(sign * amount).ok(), "a span");
                        }
                    )*
                    span
                })
            }
        }

        impl ToCode for Span {
            #[inline]
            fn to_code(&self, code: &mut Code) {
                code.push("jiff::Span::new()");
                $(
                    let amount = i64::from(self.$get());
                    if amount != 0 {
                        // The method is generic over the integer type, so a literal that does not
                        // fit in an `i32` needs a suffix.
                        let suffix = if i32::try_from(amount).is_ok() { "" } else { "i64" };
                        code.format(format_args!(".{}({amount}{suffix})", stringify!($unit)));
                    }
                )*
            }
        }
    };
}
span_units! {
    years, try_years, get_years, 19_998;
    months, try_months, get_months, 239_976;
    weeks, try_weeks, get_weeks, 1_043_497;
    days, try_days, get_days, 7_304_484;
    hours, try_hours, get_hours, 175_307_616;
    minutes, try_minutes, get_minutes, 10_518_456_960;
    seconds, try_seconds, get_seconds, 631_107_417_600;
    milliseconds, try_milliseconds, get_milliseconds, 631_107_417_600_000;
    microseconds, try_microseconds, get_microseconds, 631_107_417_600_000_000;
    nanoseconds, try_nanoseconds, get_nanoseconds, 9_223_372_036_854_775_807;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::any;
    use crate::testing::{drawn, prints, replays};
    use jiff::ToSpan as _;
    use rebut::find;

    #[test]
    fn dates_times_and_zones_are_drawn() {
        let zoned = drawn(&any::<Zoned>(), 500);
        assert!(
            ZONES.iter().all(|zone| {
                zoned.iter().any(|zoned| zoned.time_zone().iana_name() == Some(zone))
            })
        );
        assert!(drawn(&any::<Date>(), 1000).iter().any(|date| date.year() < 0));
        assert!(drawn(&any::<Span>(), 300).iter().any(|span| span.is_negative()));
        let durations = drawn(&any::<SignedDuration>(), 2000);
        assert!(durations.iter().any(|duration| duration.as_secs() == i64::MIN));
        assert!(durations.iter().any(|duration| duration.as_secs() == i64::MAX));
        let offsets = drawn(&any::<Offset>(), 2000);
        assert!(offsets.contains(&Offset::MIN) && offsets.contains(&Offset::MAX));
        replays(&any::<(DateTime, Timestamp, Zoned, ISOWeekDate, Offset, TimeZone)>());
        replays(&any::<(SignedDuration, Weekday)>());
    }

    #[test]
    fn times_before_gaps_and_in_folds_are_drawn() {
        let zoned = drawn(&any::<Zoned>(), 2000);
        let is_ambiguous =
            |zoned: &Zoned| zoned.time_zone().to_ambiguous_zoned(zoned.datetime()).is_ambiguous();
        assert!(zoned.iter().filter(|zoned| is_ambiguous(zoned)).count() > 5);
        let is_before_gap = |zoned: &Zoned| {
            let day = zoned.datetime().checked_add(1.day());
            day.is_ok_and(|day| zoned.time_zone().to_ambiguous_timestamp(day).is_ambiguous())
        };
        assert!(zoned.iter().filter(|zoned| is_before_gap(zoned)).count() > 5);
    }

    #[test]
    fn dates_and_times_are_read_back() {
        for (date_time, timestamp, week) in
            drawn(&any::<(DateTime, Timestamp, ISOWeekDate)>(), 2000)
        {
            assert_eq!(date_time.to_string().parse().ok(), Some(date_time));
            assert_eq!(timestamp.to_string().parse().ok(), Some(timestamp));
            assert_eq!(ISOWeekDate::from_date(week.date()), week);
        }
        for (zoned, duration) in drawn(&any::<(Zoned, SignedDuration)>(), 2000) {
            // The text has offsets of minutes. An offset that has seconds is rounded.
            if zoned.offset().seconds() % 60 == 0 {
                let again = zoned.to_string().parse::<Zoned>();
                assert_eq!(again.ok().as_ref(), Some(&zoned), "{zoned}");
            }
            assert_eq!(duration.to_string().parse().ok(), Some(duration));
        }
    }

    #[test]
    fn dates_and_times_shrink_to_simple_ones() {
        let late = find(rebut::any(), |date: &Date| date.year() > 2010);
        assert_eq!(late, Some(jiff::civil::date(2011, 1, 1)));
        prints!(
            jiff::Timestamp::from_second(0).unwrap().in_tz("UTC").unwrap(),
            find(rebut::any::<Zoned>(), |_| true).expect("a time")
        );
        let is_in_london = |zoned: &Zoned| zoned.time_zone().iana_name() == Some("Europe/London");
        prints!(
            jiff::Timestamp::from_second(0).unwrap().in_tz("Europe/London").unwrap(),
            find(rebut::any(), is_in_london).expect("a time")
        );
        let fixed = find(rebut::any(), |zone: &TimeZone| zone.iana_name().is_none());
        prints!(
            jiff::tz::TimeZone::fixed(jiff::tz::Offset::from_seconds(60).unwrap()),
            fixed.expect("a zone")
        );
        prints!(
            jiff::civil::ISOWeekDate::new(2000, 3, jiff::civil::Weekday::Monday).unwrap(),
            find(rebut::any(), |date: &ISOWeekDate| date.week() > 2).expect("a date")
        );
        let short = find(rebut::any(), |duration: &SignedDuration| duration.is_negative());
        assert_eq!(short, Some(SignedDuration::from_secs(-1)));
        assert_eq!(find(rebut::any::<Weekday>(), |_| true), Some(Weekday::Monday));
    }

    #[test]
    fn dates_and_times_are_printed_part_by_part() {
        prints!(jiff::civil::DateTime::from_parts(
            jiff::civil::date(-9999, 2, 28),
            jiff::civil::time(23, 59, 59, 999999999)
        ));
        prints!(jiff::Timestamp::from_nanosecond(-1).unwrap());
        prints!(
            jiff::Timestamp::from_second(0).unwrap().to_zoned(jiff::tz::TimeZone::fixed(
                jiff::tz::Offset::from_seconds(-3661).unwrap()
            ))
        );
        prints!(jiff::tz::TimeZone::get("Europe/Dublin").unwrap());
        prints!(jiff::tz::TimeZone::UTC);
        prints!(jiff::SignedDuration::new(-1, -500000000), SignedDuration::from_millis(-1500));
        assert_eq!(
            Code::of(&Span::new().years(-1).seconds(-5_000_000_000_i64)),
            "jiff::Span::new().years(-1).seconds(-5000000000i64)"
        );
    }
}
