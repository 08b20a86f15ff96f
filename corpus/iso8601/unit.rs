//! Inside of the crate, which has no standard library.

use crate::parsers::*;
use crate::*;
use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

// The third digit of the minutes is left over.
// expect: failed: 00:100
#[rebut::test]
fn hours_and_minutes_are_checked(hour: u8, minute: u8) {
    let text = format!("{hour:02}:{minute:02}");
    let parsed = parse_time(text.as_bytes());
    assert_eq!(parsed.is_ok(), hour <= 24 && minute < 60, "{}", text);
}

// expect: failed: attempt to negate with overflow
#[rebut::test]
fn printed_times_have_an_offset(time: (u32, u32), offset: Option<(i32, i32)>) {
    let time =
        Time { hour: time.0, minute: time.1, ..Time::default() }.set_tz(offset.unwrap_or_default());
    assert!(time.to_string().len() >= 18);
}

// expect: passed
#[rebut::test]
fn the_rest_is_left_over(mut text: Vec<u8>, #[from(0..9999)] year: i32) {
    let mut all = format!("{year:04}-01-01").into_bytes();
    all.append(&mut text);
    let (rest, _) = parse_date(&all).unwrap();
    assert!(all.ends_with(rest));
    assert_eq!(rest.len() + 10, all.len());
}

// Days are counted from one.
// expect: failed: returned false
#[rebut::test]
fn every_digit_is_a_day(#[from(0..10_u8)] digit: u8) -> bool {
    parse_date(format!("2015-W05-{digit}").as_bytes()).is_ok()
}
