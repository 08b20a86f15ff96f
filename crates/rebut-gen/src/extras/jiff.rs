//! Dates, times and spans of the crate `jiff`.

use jiff::civil::{Date, DateTime, Time};
use jiff::{Span, Timestamp, Zoned};
use rebut_choice::{Label, Source};

use super::calendar::{draw_date, draw_time};
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

impl Generate for Zoned {
    #[inline]
    fn generate(source: &mut Source) -> Zoned {
        let timestamp = Timestamp::generate(source);
        let zone = ZONES[source.index(ZONES.len())];
        expected(timestamp.in_tz(zone).ok(), "a time in a zone")
    }
}

impl ToCode for Zoned {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        self.timestamp().to_code(code);
        let zone = self.time_zone().iana_name().unwrap_or("UTC");
        code.format(format_args!(".in_tz({zone:?}).unwrap()"));
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
    use crate::testing::{drawn, replays};
    use crate::{any, simplest};

    #[test]
    fn dates_times_and_zones_are_drawn() {
        let zoned = drawn(&any::<Zoned>(), 300);
        assert!(
            ZONES.iter().all(|zone| {
                zoned.iter().any(|zoned| zoned.time_zone().iana_name() == Some(zone))
            })
        );
        assert!(drawn(&any::<Date>(), 1000).iter().any(|date| date.year() < 0));
        assert!(drawn(&any::<Span>(), 300).iter().any(|span| span.is_negative()));
        replays(&any::<(DateTime, Timestamp)>());
    }

    #[test]
    fn dates_and_times_are_printed_part_by_part() {
        let simple: DateTime = simplest(&any());
        assert_eq!(
            Code::of(&simple),
            "jiff::civil::DateTime::from_parts(jiff::civil::date(2000, 1, 1), \
             jiff::civil::time(0, 0, 0, 0))"
        );
        assert_eq!(
            Code::of(&simplest(&any::<Zoned>())),
            "jiff::Timestamp::from_second(0).unwrap().in_tz(\"UTC\").unwrap()"
        );
        assert_eq!(
            Code::of(&Span::new().years(-1).days(-2)),
            "jiff::Span::new().years(-1).days(-2)"
        );
    }
}
