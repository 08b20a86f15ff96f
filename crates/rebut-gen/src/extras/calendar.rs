//! Calendar dates and times of day, drawn part by part.

use rebut_choice::{Label, Source};

use crate::{Generator, integers};

/// The year whose first day dates shrink to.
const YEAR: i32 = 2000;

/// Draws a year within the bounds, a month, and a day that exists in that month.
pub(super) fn draw_date(source: &mut Source, min_year: i32, max_year: i32) -> (i32, u8, u8) {
    source.span(Label::group("date"), |source| {
        let year = draw_year(source, min_year, max_year);
        let month = source.integer(1, 12) as u8;
        let day = source.integer(1, days_in(year, month).into()) as u8;
        (year, month, day)
    })
}

/// Draws a year within the bounds.
pub(super) fn draw_year(source: &mut Source, min_year: i32, max_year: i32) -> i32 {
    integers::<i32>().in_range(min_year..=max_year).origin(YEAR).draw(source)
}

/// Returns the length of a month in the Gregorian calendar.
fn days_in(year: i32, month: u8) -> u8 {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 => 28 + u8::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Draws the hour, minute, second and nanosecond. With `leap_seconds`, the last second of a minute
/// can be a leap second, which has up to 2 * 10^9 nanoseconds.
pub(super) fn draw_time(source: &mut Source, leap_seconds: bool) -> (u8, u8, u8, u32) {
    source.span(Label::group("time"), |source| {
        let hour = source.integer(0, 23) as u8;
        let minute = source.integer(0, 59) as u8;
        let second = source.integer(0, 59) as u8;
        let nanos_max = if leap_seconds && second == 59 { 1_999_999_999 } else { 999_999_999 };
        (hour, minute, second, source.integer(0, nanos_max) as u32)
    })
}

/// Draws an offset from UTC in seconds, up to `hours_max` hours, 59 minutes and 59 seconds on both
/// sides: whole minutes, as most offsets of the world, or any number of seconds.
pub(super) fn draw_offset(source: &mut Source, hours_max: i32) -> i32 {
    source.span(Label::group("offset"), |source| {
        let minutes_max = i128::from(hours_max * 60 + 59);
        let is_odd = source.alternative(2, &[3, 1], 2) == 1;
        source.span(Label::ALTERNATIVE, |source| {
            let (max, unit) = if is_odd { (minutes_max * 60 + 59, 1) } else { (minutes_max, 60) };
            source.integer(-max, max) as i32 * unit
        })
    })
}
