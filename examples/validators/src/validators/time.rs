//! Times of 24 hours, with or without seconds.

use super::Judged;
use crate::Branches;

pub(super) fn judge(text: &str, b: &mut Branches) -> Judged {
    let parts: Vec<&str> = text.split(':').collect();
    if when!(b, parts.len() < 2 || parts.len() > 3) {
        return Err("a time has hours and minutes, perhaps seconds");
    }
    let mut numbers = [0; 3];
    for (number, part) in numbers.iter_mut().zip(&parts) {
        *number = two_digits(part, b).ok_or("each part has two digits")?;
    }
    let [hours, minutes, seconds] = numbers;
    if when!(b, minutes > 59) {
        return Err("an hour has sixty minutes");
    }
    if when!(b, seconds > 59) {
        return Err(if when!(b, seconds == 60) { "a leap second" } else { "too many seconds" });
    }
    if when!(b, hours == 24) {
        let is_end = when!(b, minutes == 0) && when!(b, seconds == 0);
        return if is_end { Ok("end of the day") } else { Err("the day ends at 24:00") };
    }
    if when!(b, hours > 24) {
        return Err("a day has 24 hours");
    }
    if when!(b, hours == 0) && when!(b, minutes == 0) {
        return Ok("midnight");
    }
    Ok(if when!(b, hours < 12) { "before noon" } else { "after noon" })
}

fn two_digits(part: &str, b: &mut Branches) -> Option<u32> {
    if when!(b, part.len() != 2) {
        return None;
    }
    if when!(b, !part.bytes().all(|byte| byte.is_ascii_digit())) {
        return None;
    }
    part.parse().ok()
}
