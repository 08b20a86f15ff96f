//! Codes of banks: eight characters, or eleven with a branch.

use super::Judged;
use crate::Branches;

pub(super) fn judge(text: &str, b: &mut Branches) -> Judged {
    let signs = text.as_bytes();
    let has_branch = when!(b, signs.len() == 11);
    if !has_branch && when!(b, signs.len() != 8) {
        return Err("a code has eight or eleven characters");
    }
    if when!(b, signs.iter().any(u8::is_ascii_lowercase)) {
        return Err("a code has capital letters");
    }
    if when!(b, !signs.iter().all(u8::is_ascii_alphanumeric)) {
        return Err("a code has letters and digits");
    }
    let (party, rest) = signs.split_at(4);
    let (country, rest) = rest.split_at(2);
    if when!(b, !country.iter().all(u8::is_ascii_alphabetic)) {
        return Err("a country has two letters");
    }
    if when!(b, country == b"XK") {
        return Ok("of Kosovo, by agreement");
    }
    let (place, branch) = rest.split_at(2);
    let is_test = when!(b, place[1] == b'0');
    if when!(b, place[1] == b'O') {
        return Err("the letter O cannot end a location");
    }
    if when!(b, matches!(place[0], b'0' | b'1')) {
        return Err("0 and 1 cannot start a location");
    }
    let is_passive = when!(b, place[1] == b'1');
    if has_branch {
        if when!(b, branch == b"XXX") {
            return Ok("the head office");
        }
        if when!(b, branch[0] == b'X') {
            return Err("a branch does not start with X");
        }
        return Ok("a branch");
    }
    if when!(b, party.iter().any(u8::is_ascii_digit)) {
        return Ok("a party named after 2014");
    }
    Ok(match (is_test, is_passive) {
        (true, _) => "for tests",
        (_, true) => "passive",
        _ => "a bank",
    })
}
