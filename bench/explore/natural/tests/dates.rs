//! Dates and times.

use time::{Date, Duration, Month, Time};

// true: a day of the Julian calendar is one date.
#[rebut::test]
fn days_round_trip(#[from(1_721_426..=5_373_484)] day: i32) {
    let date = Date::from_julian_day(day).expect("in range");
    assert_eq!(date.to_julian_day(), day);
}

// true: the weekday of a week later is the same.
#[rebut::test]
fn weeks_keep_the_weekday(#[from(1..=9998)] year: i32, #[from(1..=365u16)] day: u16) {
    let date = Date::from_ordinal_date(year, day).expect("a date");
    assert_eq!((date + Duration::days(7)).weekday(), date.weekday());
}

// false (easy): 2001, 29
#[rebut::test]
fn every_february_has_29_days(#[from(1..=9999)] year: i32, #[from(1..=29u8)] day: u8) {
    assert!(Date::from_calendar_date(year, Month::February, day).is_ok());
}

// true: the time is the three numbers.
#[rebut::test]
fn times_have_their_parts(hour: u8, minute: u8, second: u8) {
    match Time::from_hms(hour, minute, second) {
        Ok(time) => assert_eq!(time.as_hms(), (hour, minute, second)),
        Err(_) => assert!(hour > 23 || minute > 59 || second > 59),
    }
}

// false (easy): 31, 1
#[rebut::test]
fn a_month_later_is_the_same_day(#[from(1..=31u8)] day: u8, #[from(1..=11u8)] month: u8) {
    let month = Month::try_from(month).expect("a month");
    if Date::from_calendar_date(2023, month, day.min(28)).is_ok() {
        assert!(Date::from_calendar_date(2023, month.next(), day).is_ok());
    }
}
