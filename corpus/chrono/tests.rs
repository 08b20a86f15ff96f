extern crate chrono;
extern crate rebut;

use chrono::{DateTime, Datelike, Duration, DurationRound, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, SubsecRound, TimeZone, Timelike, Utc};
use rebut::prelude::*;

/// A date of the calendar.
#[derive(Debug, Clone, Copy, PartialEq, Generate)]
struct Day {
    #[generate(-9999..=9999)]
    year: i32,
    #[generate(1..=12u32)]
    month: u32,
    #[generate(1..=28u32)]
    day: u32,
}

impl Day {
    fn date(self) -> NaiveDate {
        NaiveDate::from_ymd(self.year, self.month, self.day)
    }
}

// expect: passed
#[rebut::test]
fn dates_round_trip(day: Day) -> Result<(), chrono::ParseError> {
    let date = day.date();
    assert_eq!(date.to_string().parse::<NaiveDate>()?, date);
    assert_eq!(NaiveDate::from_num_days_from_ce(date.num_days_from_ce()), date);
    Ok(())
}

// The documentation says that this panics on the out-of-range number of seconds.
// expect: failed: invalid or out-of-range datetime
#[rebut::test]
fn any_timestamp_is_a_time(seconds: i64, nanos: u32) {
    let time = NaiveDateTime::from_timestamp(seconds, nanos);
    assert_eq!(time.timestamp(), seconds);
}

// expect: failed: attempt to multiply with overflow
#[rebut::test]
fn nanoseconds_of_any_day(day: Day, _zone: Option<String>) {
    let time = day.date().and_hms(0, 0, 0);
    assert_eq!(time.timestamp_nanos() / 1_000_000_000, time.timestamp());
}

// A duration of zero divides by zero.
// expect: failed: attempt to calculate the remainder with a divisor of zero
#[rebut::test]
fn rounding_never_panics(#[from(0..4_000_000_000i64)] seconds: i64, #[from(0..100_000i64)] millis: i64) {
    let time = Utc.timestamp(seconds, 0);
    let _ = time.duration_round(Duration::milliseconds(millis));
}

// expect: failed: out of bounds
#[rebut::test]
fn durations_have_their_days(days: i64) -> bool {
    Duration::days(days).num_days() == days
}

// The months have different lengths.
// expect: failed
#[rebut::test]
fn the_next_month_has_the_same_day(#[from(1..=31u32)] day: u32, #[from(1..=11u32)] month: u32, leap: bool) {
    let Some(date) = NaiveDate::from_ymd_opt(if leap { 2020 } else { 2021 }, month, day) else { return };
    assert!(date.with_month(month + 1).is_some());
}

// A week at the end of a year belongs to the next one.
// expect: failed
#[rebut::test]
fn weeks_are_in_the_year_of_their_days(days: Vec<Day>) {
    for day in &days {
        assert_eq!(day.date().iso_week().year(), day.year);
    }
}

// expect: proved: 1440
#[rebut::test]
fn minutes_of_a_day(#[from(0..24u32)] hour: u32, #[from(0..60u32)] minute: u32) {
    let time = NaiveTime::from_hms(hour, minute, 0);
    assert_eq!(time.num_seconds_from_midnight(), 60 * (60 * hour + minute));
    assert_eq!(NaiveTime::parse_from_str(&time.format("%H:%M").to_string(), "%H:%M"), Ok(time));
}

// expect: vacuous
#[rebut::test]
fn parsed_times_are_printed(text: &str) {
    if let Ok(time) = DateTime::parse_from_rfc3339(text) {
        assert_eq!(DateTime::parse_from_rfc3339(&time.to_rfc3339()), Ok(time));
    }
}

// expect: passed
#[rebut::test]
fn offsets_keep_the_instant(#[from(-86_399..=86_399)] offset: i32, seconds: i32, #[from(0..=9u16)] digits: u16) {
    let time = Utc.timestamp(seconds.into(), 123_456_789);
    let local = time.with_timezone(&FixedOffset::east(offset));
    assert_eq!(local, time);
    assert_eq!(local.trunc_subsecs(digits), time.trunc_subsecs(digits));
}

/// An alarm that is moved.
#[derive(Debug)]
pub struct Alarm {
    at: NaiveDate,
}

#[rebut::contract]
impl Alarm {
    pub fn new() -> Alarm {
        Alarm { at: NaiveDate::from_ymd(2000, 1, 1) }
    }

    #[requires(days < 400)]
    #[ensures(self.at.num_days_from_ce() == old(self.at.num_days_from_ce()) + i32::from(days))]
    pub fn delay(&mut self, days: u16) {
        self.at += Duration::days(days.into());
    }

    #[ensures(result, "a year later is a date")]
    pub fn delay_by_a_year(&mut self) -> bool {
        let later = self.at.with_year(self.at.year() + 1);
        self.at = later.unwrap_or(self.at);
        later.is_some()
    }
}

// The 29th of February is rare.
// expect: failed: a year later is a date
#[rebut::test]
fn alarms_keep_their_contract(program: rebut::Program<Alarm>) {
    program.run();
}
