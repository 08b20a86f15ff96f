use iso8601::{Date, DateTime, Duration, Time};
use rebut::prelude::*;

#[derive(Debug, Clone, Generate)]
enum Day {
    InMonth {
        #[generate(-99_999..=99_999)]
        year: i32,
        #[generate(1..=12)]
        month: u32,
        #[generate(1..=28)]
        day: u32,
    },
    InWeek {
        #[generate(-99_999..=99_999)]
        year: i32,
        #[generate(1..=52)]
        week: u32,
        #[generate(1..=7)]
        day: u32,
    },
    InYear(#[generate(-99_999..=99_999)] i32, #[generate(1..=365)] u32),
}

impl Day {
    fn date(&self) -> Date {
        match *self {
            Day::InMonth { year, month, day } => Date::YMD { year, month, day },
            Day::InWeek { year, week, day } => Date::Week { year, ww: week, d: day },
            Day::InYear(year, day) => Date::Ordinal { year, ddd: day },
        }
    }
}

#[derive(Debug, Clone, Copy, Generate)]
struct Clock {
    #[generate(..=24)]
    hour: u32,
    #[generate(..60)]
    minute: u32,
    #[generate(..=60)]
    second: u32,
    #[generate(..1000)]
    millisecond: u32,
    offset: Option<(i8, u8)>,
}

impl Clock {
    fn time(self) -> Time {
        let Clock { hour, minute, second, millisecond, offset } = self;
        let (hours, minutes) = offset.unwrap_or_default();
        Time {
            hour,
            minute,
            second,
            millisecond,
            tz_offset_hours: hours.into(),
            tz_offset_minutes: minutes.into(),
        }
    }
}

// A year has four digits.
// expect: failed: 10000
#[rebut::test]
fn every_date_round_trips(day: Day) {
    let text = day.date().to_string();
    assert_eq!(text.parse::<Date>(), Ok(day.date()), "{text}");
}

// expect: passed
#[rebut::test]
fn dates_with_four_digits_round_trip(day: Day) {
    let (Day::InMonth { year, .. } | Day::InWeek { year, .. } | Day::InYear(year, _)) = day;
    assume!((-9999..=9999).contains(&year));
    assert_eq!(day.date().to_string().parse::<Date>(), Ok(day.date()));
}

// The offset can have too many minutes.
// expect: failed: is not
#[rebut::test]
fn times_round_trip(clock: Clock) -> Result<(), String> {
    let back: Time = clock.time().to_string().parse()?;
    if back != clock.time() {
        return Err(format!("{back} is not {}", clock.time()));
    }
    Ok(())
}

// The dashes can be missing.
// expect: failed
#[rebut::test]
fn dates_in_any_text_are_printed_alike(text: String) {
    if let Ok(date) = iso8601::date(&text) {
        assert_eq!(date.to_string(), text);
    }
}

// A thousand milliseconds have four digits.
// expect: failed
#[rebut::test]
fn durations_round_trip(
    year: u32,
    month: u32,
    day: u32,
    (hour, minute, second): (u32, u32, u32),
    millisecond: u32,
) {
    let duration = Duration::YMDHMS { year, month, day, hour, minute, second, millisecond };
    assert_eq!(iso8601::duration(&duration.to_string()).expect("it is printed"), duration);
}

// expect: proved: 256
#[rebut::test]
fn weeks_round_trip(weeks: u8) {
    assert_eq!(format!("P{weeks}W").parse::<Duration>(), Ok(Duration::Weeks(weeks.into())));
}

// Nanoseconds are computed in 32 bits.
// expect: failed: attempt to multiply with overflow
#[rebut::test]
fn durations_have_their_milliseconds(millisecond: u32) {
    let Duration::YMDHMS { year, month, day, hour, minute, second, .. } = Duration::default()
    else {
        return;
    };
    let duration = Duration::YMDHMS { year, month, day, hour, minute, second, millisecond };
    assert_eq!(std::time::Duration::from(duration).as_millis(), millisecond.into());
}

// expect: passed
#[rebut::test]
fn times_of_a_date_are_read(day: Day, clock: Clock) {
    let clock = Clock { offset: None, ..clock };
    let date_time = DateTime { date: day.date(), time: clock.time() };
    match iso8601::datetime(&date_time.to_string()) {
        Ok(back) => assert_eq!(back.time, date_time.time),
        Err(error) => assert!(error.starts_with("Failed to parse datetime")),
    }
}

// expect: passed
#[rebut::test]
fn parsers_never_panic(bytes: &[u8], which: u8) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let _ = match which % 4 {
        0 => iso8601::date(text).is_ok(),
        1 => iso8601::time(text).is_ok(),
        2 => iso8601::datetime(text).is_ok(),
        _ => iso8601::duration(text).is_ok(),
    };
}

// expect: proved: 28
#[rebut::test]
fn days_of_a_month_are_read(#[from(1..=28_u32)] day: u32) {
    if iso8601::date(&format!("2015-02-{day:02}")) != Ok(Date::YMD { year: 2015, month: 2, day }) {
        assert!(false, "another day than {day}");
    }
}
