//! Dates and times of the crate `time`.

use rebut_choice::{Label, Source};
use time::{
    Date, Duration, Month, OffsetDateTime, PrimitiveDateTime, Time, UtcDateTime, UtcOffset, Weekday,
};

use super::calendar::{draw_date, draw_offset, draw_time};
use crate::library::times::{SECOND, draw_nanos};
use crate::misuse::expected;
use crate::{Code, Generate, ToCode};

/// Generates all years of the type: more if the feature `large-dates` of `time` is on.
impl Generate for Date {
    #[inline]
    fn generate(source: &mut Source) -> Date {
        let (year, month, day) = draw_date(source, Date::MIN.year(), Date::MAX.year());
        let month = Month::try_from(month).ok();
        let date = month.and_then(|month| Date::from_calendar_date(year, month, day).ok());
        expected(date, "a date")
    }
}

impl ToCode for Date {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        let (year, month, day) = self.to_calendar_date();
        code.call("time::Date::from_calendar_date", &[&year, &month, &day]);
        code.push(".unwrap()");
    }
}

impl Generate for Time {
    #[inline]
    fn generate(source: &mut Source) -> Time {
        let (hour, minute, second, nano) = draw_time(source, false);
        expected(Time::from_hms_nano(hour, minute, second, nano).ok(), "a time")
    }
}

impl ToCode for Time {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        let (hour, minute, second, nano) = self.as_hms_nano();
        code.call("time::Time::from_hms_nano", &[&hour, &minute, &second, &nano]);
        code.push(".unwrap()");
    }
}

impl Generate for PrimitiveDateTime {
    #[inline]
    fn generate(source: &mut Source) -> PrimitiveDateTime {
        PrimitiveDateTime::new(Date::generate(source), Time::generate(source))
    }
}

impl ToCode for PrimitiveDateTime {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        code.call("time::PrimitiveDateTime::new", &[&self.date(), &self.time()]);
    }
}

impl Generate for UtcDateTime {
    #[inline]
    fn generate(source: &mut Source) -> UtcDateTime {
        UtcDateTime::new(Date::generate(source), Time::generate(source))
    }
}

impl ToCode for UtcDateTime {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        code.call("time::UtcDateTime::new", &[&self.date(), &self.time()]);
    }
}

/// The hours of the largest offset.
const OFFSET_HOURS_MAX: i32 = 25;

impl Generate for UtcOffset {
    #[inline]
    fn generate(source: &mut Source) -> UtcOffset {
        let seconds = draw_offset(source, OFFSET_HOURS_MAX);
        expected(UtcOffset::from_whole_seconds(seconds).ok(), "an offset")
    }
}

impl ToCode for UtcOffset {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        if self.is_utc() {
            return code.push("time::UtcOffset::UTC");
        }
        let (hours, minutes, seconds) = self.as_hms();
        code.call("time::UtcOffset::from_hms", &[&hours, &minutes, &seconds]);
        code.push(".unwrap()");
    }
}

/// Generates any local time with any offset. In UTC, a time of the first or the last day can be out
/// of range, and `to_offset` panics then.
impl Generate for OffsetDateTime {
    #[inline]
    fn generate(source: &mut Source) -> OffsetDateTime {
        let local = PrimitiveDateTime::generate(source);
        local.assume_offset(UtcOffset::generate(source))
    }
}

impl ToCode for OffsetDateTime {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        PrimitiveDateTime::new(self.date(), self.time()).to_code(code);
        code.call(".assume_offset", &[&self.offset()]);
    }
}

impl Generate for Duration {
    #[inline]
    fn generate(source: &mut Source) -> Duration {
        let (min, max) = (Duration::MIN.whole_nanoseconds(), Duration::MAX.whole_nanoseconds());
        let nanos = draw_nanos(source, Label::group("time::Duration"), min, max);
        Duration::new((nanos / SECOND) as i64, (nanos % SECOND) as i32)
    }
}

impl ToCode for Duration {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        code.call("time::Duration::new", &[&self.whole_seconds(), &self.subsec_nanoseconds()]);
    }
}

named_values!(
    Weekday,
    "time::Weekday",
    [Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday]
);
named_values!(
    Month,
    "time::Month",
    [
        January, February, March, April, May, June, July, August, September, October, November,
        December
    ]
);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::any;
    use crate::testing::{drawn, prints, replays};
    use rebut::find;

    #[test]
    fn both_ends_of_each_type_are_drawn() {
        let dates = drawn(&any::<Date>(), 5000);
        assert!(dates.iter().any(|date| date.year() == Date::MIN.year()));
        assert!(dates.iter().any(|date| date.year() == Date::MAX.year()));
        let offsets = drawn(&any::<UtcOffset>(), 2000);
        assert!(offsets.iter().any(|offset| offset.as_hms() == (25, 59, 59)));
        assert!(offsets.iter().any(|offset| offset.as_hms() == (-25, -59, -59)));
        let durations = drawn(&any::<Duration>(), 2000);
        assert!(durations.iter().any(|duration| duration.whole_seconds() == i64::MIN));
        assert!(durations.iter().any(|duration| duration.whole_seconds() == i64::MAX));
        replays(&any::<(PrimitiveDateTime, UtcDateTime, OffsetDateTime, Duration)>());
    }

    #[test]
    fn parts_of_a_time_give_the_time_again() {
        for time in drawn(&any::<OffsetDateTime>(), 2000) {
            let again = Date::from_julian_day(time.to_julian_day())
                .map(|date| PrimitiveDateTime::new(date, time.time()).assume_offset(time.offset()));
            assert_eq!(again, Ok(time));
        }
        for duration in drawn(&any::<Duration>(), 2000) {
            let (seconds, nanos) = (duration.whole_seconds(), duration.subsec_nanoseconds());
            assert_eq!(Duration::new(seconds, nanos), duration);
        }
    }

    #[test]
    fn dates_and_times_shrink_to_the_year_2000_in_utc() {
        let late = find(rebut::any(), |date: &Date| date.year() > 2010);
        assert_eq!(late, Date::from_calendar_date(2011, Month::January, 1).ok());
        let west = find(rebut::any(), |time: &OffsetDateTime| time.offset().is_negative());
        prints!(
            time::PrimitiveDateTime::new(
                time::Date::from_calendar_date(2000, time::Month::January, 1).unwrap(),
                time::Time::from_hms_nano(0, 0, 0, 0).unwrap()
            )
            .assume_offset(time::UtcOffset::from_hms(0, -1, 0).unwrap()),
            west.expect("a time west of UTC")
        );
        let short = find(rebut::any(), |duration: &Duration| duration.is_negative());
        assert_eq!(short, Some(Duration::nanoseconds(-1_000_000_000)));
        assert_eq!(find(rebut::any::<Weekday>(), |_| true), Some(Weekday::Monday));
    }

    #[test]
    fn dates_and_times_are_printed_part_by_part() {
        prints!(time::UtcDateTime::new(
            time::Date::from_calendar_date(-9999, time::Month::February, 28).unwrap(),
            time::Time::from_hms_nano(23, 59, 59, 999999999).unwrap()
        ));
        prints!(time::UtcOffset::UTC);
        prints!(time::Duration::new(-1, -500000000), Duration::milliseconds(-1500));
        prints!(time::Weekday::Sunday);
        prints!(time::Month::December);
    }
}
