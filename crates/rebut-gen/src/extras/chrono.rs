//! Dates and times of the crate `chrono`.

use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Timelike, Utc};
use rebut_choice::{Label, Source};

use super::calendar::{draw_date, draw_time};
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{drawn, replays};
    use crate::{any, simplest};

    #[test]
    fn dates_and_times_are_drawn_in_their_whole_range() {
        let dates = drawn(&any::<NaiveDate>(), 2000);
        assert!(dates.iter().any(|date| date.year() < -10_000));
        assert!(dates.iter().any(|date| date.day() == 31));
        let times = drawn(&any::<NaiveTime>(), 20_000);
        assert!(times.iter().any(|time| time.nanosecond() >= 1_000_000_000));
        replays(&any::<(DateTime<Utc>, TimeDelta)>());
    }

    #[test]
    fn dates_and_times_are_printed_part_by_part() {
        let simple: DateTime<Utc> = simplest(&any());
        assert_eq!(
            Code::of(&simple),
            "chrono::NaiveDateTime::new(chrono::NaiveDate::from_ymd_opt(2000, 1, 1).unwrap(), \
             chrono::NaiveTime::from_hms_nano_opt(0, 0, 0, 0).unwrap()).and_utc()"
        );
        let delta = TimeDelta::milliseconds(-1500);
        assert_eq!(Code::of(&delta), "chrono::TimeDelta::new(-2, 500000000).unwrap()");
        assert_eq!(TimeDelta::new(-2, 500_000_000), Some(delta));
    }
}
