//! Years, months and days, in the basic and in the extended form.

use super::Judged;
use crate::Branches;

pub(super) fn judge(text: &str, b: &mut Branches) -> Judged {
    let is_extended = when!(b, text.contains('-'));
    let parts: Vec<&str> = match is_extended {
        true => text.split('-').collect(),
        false => basic(text, b)?,
    };
    if when!(b, parts.len() > 3) {
        return Err("a date has three parts at most");
    }
    let year = number(parts[0], 4, b).ok_or("a year has four digits")?;
    if when!(b, parts.len() == 1) {
        return Ok(if when!(b, is_leap(year, b)) { "leap year" } else { "common year" });
    }
    let month = number(parts[1], 2, b).ok_or("a month has two digits")?;
    if when!(b, month == 0) || when!(b, month > 12) {
        return Err("there are twelve months");
    }
    if when!(b, parts.len() == 2) {
        return Ok("month");
    }
    let day = number(parts[2], 2, b).ok_or("a day has two digits")?;
    if when!(b, day == 0) || when!(b, day > days(year, month, b)) {
        return Err("the month has no such day");
    }
    Ok(if is_extended { "date" } else { "basic date" })
}

fn basic<'a>(text: &'a str, b: &mut Branches) -> Result<Vec<&'a str>, &'static str> {
    if when!(b, !text.is_ascii()) {
        return Err("a date has digits");
    }
    if when!(b, text.len() == 8) {
        return Ok(vec![&text[..4], &text[4..6], &text[6..]]);
    }
    Ok(vec![text])
}

fn number(part: &str, digits: usize, b: &mut Branches) -> Option<u32> {
    let is_short = when!(b, part.len() == digits);
    let is_number = is_short && when!(b, part.bytes().all(|byte| byte.is_ascii_digit()));
    part.parse().ok().filter(|_| is_number)
}

fn days(year: u32, month: u32, b: &mut Branches) -> u32 {
    if when!(b, month == 2) {
        return if is_leap(year, b) { 29 } else { 28 };
    }
    if when!(b, [4, 6, 9, 11].contains(&month)) { 30 } else { 31 }
}

fn is_leap(year: u32, b: &mut Branches) -> bool {
    if when!(b, year.is_multiple_of(100)) {
        return when!(b, year.is_multiple_of(400));
    }
    when!(b, year.is_multiple_of(4))
}
