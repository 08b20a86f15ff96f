//! Phone numbers: international ones, and those of North America.

use super::Judged;
use crate::Branches;

pub(super) fn judge(text: &str, b: &mut Branches) -> Judged {
    let (number, extension) = text.split_once(" x").unwrap_or((text, ""));
    if when!(b, !extension.is_empty()) {
        let is_number = when!(b, extension.bytes().all(|byte| byte.is_ascii_digit()));
        if !is_number || when!(b, extension.len() > 6) {
            return Err("an extension has one to six digits");
        }
    }
    let is_international = when!(b, number.starts_with('+'));
    let digits = digits(number.trim_start_matches('+'), b)?;
    if is_international {
        return international(&digits, b);
    }
    let national = match when!(b, digits.len() == 11) && when!(b, digits[0] == 1) {
        true => &digits[1..],
        false => &digits[..],
    };
    if when!(b, national.len() != 10) {
        return match when!(b, digits.len() == 3 && digits[1..] == [1, 1]) {
            true => Ok("a service"),
            false => Err("a number has ten digits"),
        };
    }
    north_american(national, b)
}

fn digits(number: &str, b: &mut Branches) -> Result<Vec<u8>, &'static str> {
    let mut digits = Vec::new();
    let mut is_open = false;
    for byte in number.bytes() {
        if when!(b, byte.is_ascii_digit()) {
            digits.push(byte - b'0');
        } else if when!(b, byte == b'(') {
            if when!(b, is_open) || when!(b, digits.len() > 3) {
                return Err("a bracket stands around the area");
            }
            is_open = true;
        } else if when!(b, byte == b')') {
            if when!(b, !is_open) {
                return Err("a bracket was not opened");
            }
            is_open = false;
        } else if when!(b, !b" -.".contains(&byte)) {
            return Err("a number has digits");
        }
    }
    match when!(b, is_open) {
        true => Err("a bracket is not closed"),
        false => Ok(digits),
    }
}

fn international(digits: &[u8], b: &mut Branches) -> Judged {
    if when!(b, digits.len() < 7) || when!(b, digits.len() > 15) {
        return Err("an international number has 7 to 15 digits");
    }
    if when!(b, digits[0] == 0) {
        return Err("no country code starts with 0");
    }
    if when!(b, digits[0] == 1) {
        return match when!(b, digits.len() == 11) {
            true => north_american(&digits[1..], b),
            false => Err("numbers of North America have eleven digits"),
        };
    }
    Ok(if when!(b, digits[0] == 8) { "of the world or of Asia" } else { "international" })
}

fn north_american(digits: &[u8], b: &mut Branches) -> Judged {
    let (area, rest) = digits.split_at(3);
    if when!(b, area[0] < 2) || when!(b, rest[0] < 2) {
        return Err("areas and exchanges start with 2 to 9");
    }
    if when!(b, area[1..] == [1, 1]) {
        return Err("such an area is a service");
    }
    if when!(b, area[0] == 8 && area[1] == area[2]) {
        return Ok("free of charge");
    }
    Ok(if when!(b, rest[..3] == [5, 5, 5]) { "directory or fiction" } else { "subscriber" })
}
