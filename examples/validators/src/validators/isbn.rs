//! Numbers of books, with ten or thirteen digits, with or without hyphens.

use super::Judged;
use crate::Branches;

pub(super) fn judge(text: &str, b: &mut Branches) -> Judged {
    let body = text.strip_prefix("ISBN").map_or(text, str::trim_start);
    let is_labeled = when!(b, body.len() != text.len());
    let mut signs: Vec<char> = Vec::new();
    let mut hyphens = 0;
    for (place, sign) in body.chars().enumerate() {
        if when!(b, sign == '-' || sign == ' ') {
            if when!(b, place == 0) {
                return Err("a number does not start with a hyphen");
            }
            if when!(b, body.chars().nth(place - 1) == Some(sign)) {
                return Err("two hyphens stand together");
            }
            hyphens += 1;
        } else {
            signs.push(sign);
        }
    }
    if when!(b, body.ends_with('-')) {
        return Err("a number does not end with a hyphen");
    }
    let kind = match (when!(b, signs.len() == 10), when!(b, signs.len() == 13)) {
        (true, _) => ten(&signs, b)?,
        (_, true) => thirteen(&signs, b)?,
        _ => return Err("a number has ten or thirteen digits"),
    };
    let most = if signs.len() == 10 { 3 } else { 4 };
    if when!(b, hyphens > 0) && when!(b, hyphens != most) {
        return Err("hyphens stand between all parts or none");
    }
    Ok(if is_labeled { "labeled" } else { kind })
}

fn ten(signs: &[char], b: &mut Branches) -> Judged {
    let mut sum = 0;
    for (place, sign) in signs.iter().enumerate() {
        let digit = match sign.to_digit(10) {
            Some(digit) => digit,
            None if when!(b, *sign == 'X' || *sign == 'x') => {
                if when!(b, place != 9) {
                    return Err("an X stands at the end only");
                }
                10
            }
            None => return Err("a number has digits"),
        };
        sum += (10 - place as u32) * digit;
    }
    match when!(b, sum.is_multiple_of(11)) {
        true => Ok("ISBN-10"),
        false => Err("the check digit is wrong"),
    }
}

fn thirteen(signs: &[char], b: &mut Branches) -> Judged {
    let digits: Option<Vec<u32>> = signs.iter().map(|sign| sign.to_digit(10)).collect();
    if when!(b, digits.is_none()) {
        return Err("a number has digits");
    }
    let digits = digits.unwrap_or_default();
    let prefix = (digits[0], digits[1], digits[2]);
    if when!(b, prefix != (9, 7, 8)) && when!(b, prefix != (9, 7, 9)) {
        return Err("a number starts with 978 or 979");
    }
    let weigh = |(place, digit): (usize, &u32)| if place % 2 == 0 { *digit } else { 3 * digit };
    let sum: u32 = digits.iter().enumerate().map(weigh).sum();
    match when!(b, sum.is_multiple_of(10)) {
        true => Ok("ISBN-13"),
        false => Err("the check digit is wrong"),
    }
}
