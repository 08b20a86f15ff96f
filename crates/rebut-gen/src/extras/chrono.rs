//! Dates and times of the crate `chrono`.
//!
//! `DateTime<Local>` is missing, because it depends on the time zone of the machine.

use chrono::{
    DateTime, Datelike, Days, FixedOffset, IsoWeek, Month, Months, NaiveDate, NaiveDateTime,
    NaiveTime, TimeDelta, Timelike, Utc, Weekday,
};
use rebut_choice::{Label, Source};

use super::calendar::{draw_date, draw_offset, draw_time, draw_year};
use crate::library::times::{SECOND, draw_nanos};
use crate::misuse::expected;
use crate::{Code, Generate, ToCode};

impl Generate for NaiveDate {
    #[inline]
    fn generate(source: &mut Source) -> NaiveDate {
        let (min, max) = (NaiveDate::MIN.year(), NaiveDate::MAX.year());
        let (year, month, day) = draw_date(source, min, max);
        expected(NaiveDate::from_ymd_opt(year, month.into(), day.into()), "a date")
    }
}

impl ToCode for NaiveDate {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        code.call("chrono::NaiveDate::from_ymd_opt", &[&self.year(), &self.month(), &self.day()]);
        code.push(".unwrap()");
    }
}

impl Generate for NaiveTime {
    #[inline]
    fn generate(source: &mut Source) -> NaiveTime {
        let (hour, minute, second, nano) = draw_time(source, true);
        let time = NaiveTime::from_hms_nano_opt(hour.into(), minute.into(), second.into(), nano);
        expected(time, "a time")
    }
}

impl ToCode for NaiveTime {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        let parts: [&dyn ToCode; 4] =
            [&self.hour(), &self.minute(), &self.second(), &self.nanosecond()];
        code.call("chrono::NaiveTime::from_hms_nano_opt", &parts);
        code.push(".unwrap()");
    }
}

impl Generate for NaiveDateTime {
    #[inline]
    fn generate(source: &mut Source) -> NaiveDateTime {
        NaiveDateTime::new(NaiveDate::generate(source), NaiveTime::generate(source))
    }
}

impl ToCode for NaiveDateTime {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        code.call("chrono::NaiveDateTime::new", &[&self.date(), &self.time()]);
    }
}

impl Generate for DateTime<Utc> {
    #[inline]
    fn generate(source: &mut Source) -> DateTime<Utc> {
        NaiveDateTime::generate(source).and_utc()
    }
}

impl ToCode for DateTime<Utc> {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        self.naive_utc().to_code(code);
        code.push(".and_utc()");
    }
}

impl Generate for TimeDelta {
    #[inline]
    fn generate(source: &mut Source) -> TimeDelta {
        let (min, max) = (nanos_of(TimeDelta::MIN), nanos_of(TimeDelta::MAX));
        let nanos = draw_nanos(source, Label::group("TimeDelta"), min, max);
        let (seconds, nanos) = (nanos.div_euclid(SECOND), nanos.rem_euclid(SECOND));
        expected(TimeDelta::new(seconds as i64, nanos as u32), "a time delta")
    }
}

fn nanos_of(delta: TimeDelta) -> i128 {
    i128::from(delta.num_seconds()) * SECOND + i128::from(delta.subsec_nanos())
}

impl ToCode for TimeDelta {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        let nanos = nanos_of(*self);
        let (seconds, nanos) = (nanos.div_euclid(SECOND), nanos.rem_euclid(SECOND));
        code.format(format_args!("chrono::TimeDelta::new({seconds}, {nanos}).unwrap()"));
    }
}

/// The largest offset has fewer than 24 hours.
const OFFSET_HOURS_MAX: i32 = 23;

impl Generate for FixedOffset {
    #[inline]
    fn generate(source: &mut Source) -> FixedOffset {
        let seconds = draw_offset(source, OFFSET_HOURS_MAX);
        expected(FixedOffset::east_opt(seconds), "an offset")
    }
}

impl ToCode for FixedOffset {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        code.call("chrono::FixedOffset::east_opt", &[&self.local_minus_utc()]);
        code.push(".unwrap()");
    }
}

/// Generates any time of `DateTime<Utc>` with any offset. The local time of the first and the last
/// day can be out of range, and `naive_local` panics then.
impl Generate for DateTime<FixedOffset> {
    #[inline]
    fn generate(source: &mut Source) -> DateTime<FixedOffset> {
        let utc = NaiveDateTime::generate(source);
        DateTime::from_naive_utc_and_offset(utc, FixedOffset::generate(source))
    }
}

impl ToCode for DateTime<FixedOffset> {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        self.to_utc().to_code(code);
        code.push(".with_timezone(&");
        self.offset().to_code(code);
        code.push(")");
    }
}

named_values!(Weekday, "chrono::Weekday", [Mon, Tue, Wed, Thu, Fri, Sat, Sun]);
named_values!(
    Month,
    "chrono::Month",
    [
        January, February, March, April, May, June, July, August, September, October, November,
        December
    ]
);

impl Generate for IsoWeek {
    #[inline]
    fn generate(source: &mut Source) -> IsoWeek {
        source.span(Label::group("IsoWeek"), |source| {
            let year = draw_year(source, NaiveDate::MIN.year(), NaiveDate::MAX.year());
            let is_long = thursday(year, 53).is_some();
            let week = source.integer(1, if is_long { 53 } else { 52 }) as u32;
            expected(thursday(year, week), "a week").iso_week()
        })
    }
}

/// Returns the day of a week that is in the year that the week counts in.
fn thursday(year: i32, week: u32) -> Option<NaiveDate> {
    NaiveDate::from_isoywd_opt(year, week, Weekday::Thu)
}

impl ToCode for IsoWeek {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        let parts: [&dyn ToCode; 3] = [&self.year(), &self.week(), &Weekday::Thu];
        code.push("chrono::Datelike::iso_week(&");
        code.call("chrono::NaiveDate::from_isoywd_opt", &parts);
        code.push(".unwrap())");
    }
}

impl Generate for Months {
    #[inline]
    fn generate(source: &mut Source) -> Months {
        Months::new(u32::generate(source))
    }
}

impl ToCode for Months {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        code.call("chrono::Months::new", &[&self.as_u32()]);
    }
}

impl Generate for Days {
    #[inline]
    fn generate(source: &mut Source) -> Days {
        Days::new(u64::generate(source))
    }
}

impl ToCode for Days {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        // Only `Debug` shows the number: `Days(7)`.
        let text = format!("{self:?}");
        let number = text.trim_matches(|c: char| !c.is_ascii_digit());
        code.format(format_args!("chrono::Days::new({number})"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::any;
    use crate::testing::{drawn, prints, replays};
    use rebut::find;

    #[test]
    fn dates_and_times_are_drawn_in_their_whole_range() {
        let dates = drawn(&any::<NaiveDate>(), 2000);
        assert!(dates.iter().any(|date| date.year() < -10_000));
        assert!(dates.iter().any(|date| date.day() == 31));
        let times = drawn(&any::<NaiveTime>(), 20_000);
        assert!(times.iter().any(|time| time.nanosecond() >= 1_000_000_000));
        let offsets = drawn(&any::<FixedOffset>(), 2000);
        assert!(offsets.iter().any(|offset| offset.local_minus_utc() == -86_399));
        assert!(offsets.iter().any(|offset| offset.local_minus_utc() == 86_399));
        assert!(drawn(&any::<IsoWeek>(), 2000).iter().any(|week| week.week() == 53));
        replays(&any::<(DateTime<Utc>, TimeDelta, DateTime<FixedOffset>)>());
        replays(&any::<(IsoWeek, Days, Months, Weekday, Month)>());
    }

    #[test]
    fn times_with_an_offset_are_read_back() {
        for time in drawn(&any::<DateTime<FixedOffset>>(), 2000) {
            // The format has years of four digits and offsets of minutes. It has one leap second
            // in a minute, at its end in UTC.
            let is_writable = (1..9999).contains(&time.to_utc().year())
                && time.offset().local_minus_utc() % 60 == 0;
            if is_writable {
                assert_eq!(DateTime::parse_from_rfc3339(&time.to_rfc3339()), Ok(time));
            }
        }
    }

    #[test]
    fn dates_and_times_shrink_to_the_year_2000_in_utc() {
        let date = find(rebut::any(), |date: &NaiveDate| date.year() > 2010);
        assert_eq!(date, NaiveDate::from_ymd_opt(2011, 1, 1));
        let is_east = |time: &DateTime<FixedOffset>| time.offset().local_minus_utc() > 3000;
        let time = find(rebut::any(), is_east).map(|time| time.to_rfc3339());
        assert_eq!(time.as_deref(), Some("2000-01-01T00:51:00+00:51"));
        assert_eq!(find(rebut::any::<FixedOffset>(), |_| true), FixedOffset::east_opt(0));
        let odd = find(rebut::any(), |offset: &FixedOffset| offset.local_minus_utc() % 60 != 0);
        assert_eq!(odd, FixedOffset::east_opt(1));
        let leap = find(rebut::any(), |time: &NaiveTime| time.nanosecond() >= 1_000_000_000);
        assert_eq!(leap, NaiveTime::from_hms_nano_opt(0, 0, 59, 1_000_000_000));
        let short = find(rebut::any(), |delta: &TimeDelta| *delta < TimeDelta::zero());
        assert_eq!(short, Some(TimeDelta::seconds(-1)));
        let late = find(rebut::any(), |week: &IsoWeek| week.week() > 2).map(|week| week.week());
        assert_eq!(late, Some(3));
        assert_eq!(find(rebut::any::<(Weekday, Month)>(), |_| true), {
            Some((Weekday::Mon, Month::January))
        });
        assert_eq!(find(rebut::any(), |days: &Days| *days > Days::new(9)), Some(Days::new(10)));
    }

    #[test]
    fn dates_and_times_are_printed_part_by_part() {
        prints!(
            chrono::NaiveDateTime::new(
                chrono::NaiveDate::from_ymd_opt(-4, 2, 29).unwrap(),
                chrono::NaiveTime::from_hms_nano_opt(23, 59, 59, 1500000000).unwrap()
            )
            .and_utc()
        );
        prints!(
            chrono::NaiveDateTime::new(
                chrono::NaiveDate::from_ymd_opt(2000, 1, 1).unwrap(),
                chrono::NaiveTime::from_hms_nano_opt(0, 0, 0, 0).unwrap()
            )
            .and_utc()
            .with_timezone(&chrono::FixedOffset::east_opt(-86399).unwrap())
        );
        prints!(chrono::TimeDelta::new(-2, 500000000).unwrap(), TimeDelta::milliseconds(-1500));
        prints!(chrono::Datelike::iso_week(
            &chrono::NaiveDate::from_isoywd_opt(2004, 53, chrono::Weekday::Thu).unwrap()
        ));
        prints!(chrono::Weekday::Sun);
        prints!(chrono::Month::December);
        prints!(chrono::Days::new(18446744073709551615));
        prints!(chrono::Months::new(7));
    }
}
