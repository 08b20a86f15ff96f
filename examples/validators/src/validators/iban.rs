//! Bank account numbers of some countries, in print and in electronic form.

use super::Judged;
use crate::Branches;

/// Countries, how long their numbers are, and whether the bank is named by letters.
const COUNTRIES: [(&str, usize, bool); 8] = [
    ("AT", 20, false),
    ("BE", 16, false),
    ("CH", 21, false),
    ("DE", 22, false),
    ("ES", 24, false),
    ("GB", 22, true),
    ("NL", 18, true),
    ("NO", 15, false),
];

pub(super) fn judge(text: &str, b: &mut Branches) -> Judged {
    if when!(b, !text.is_ascii()) {
        return Err("a number has letters and digits");
    }
    let compact = match when!(b, text.contains(' ')) {
        true => in_print(text, b)?,
        false => text.to_owned(),
    };
    if when!(b, compact.len() < 5) || when!(b, compact.len() > 34) {
        return Err("a number has five to 34 characters");
    }
    let (country, rest) = compact.split_at(2);
    if when!(b, !country.bytes().all(|byte| byte.is_ascii_uppercase())) {
        return Err("a number starts with a country");
    }
    if when!(b, !rest.bytes().take(2).all(|byte| byte.is_ascii_digit())) {
        return Err("two check digits follow");
    }
    if when!(b, !rest.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())) {
        return Err("a number has capital letters and digits");
    }
    let known = COUNTRIES.iter().find(|(code, ..)| *code == country);
    let kind = match known {
        Some((_, length, has_letters)) => national(&compact, *length, *has_letters, b)?,
        None if when!(b, country == "XX") => return Err("no country is called XX"),
        None => "of another country",
    };
    match when!(b, remainder(&compact) == 1) {
        true => Ok(kind),
        false => Err("the check digits are wrong"),
    }
}

fn in_print(text: &str, b: &mut Branches) -> Result<String, &'static str> {
    let groups: Vec<&str> = text.split(' ').collect();
    let (last, full) = groups.split_last().unwrap_or((&"", &[]));
    if when!(b, full.iter().any(|group| group.len() != 4)) {
        return Err("groups have four characters");
    }
    if when!(b, last.is_empty()) || when!(b, last.len() > 4) {
        return Err("the last group has one to four characters");
    }
    Ok(groups.concat())
}

fn national(compact: &str, length: usize, has_letters: bool, b: &mut Branches) -> Judged {
    if when!(b, compact.len() != length) {
        return Err("numbers of this country have another length");
    }
    let (bank, account) = compact[4..].split_at(4);
    let bank_fits = match when!(b, has_letters) {
        true => when!(b, bank.bytes().all(|byte| byte.is_ascii_uppercase())),
        false => when!(b, bank.bytes().all(|byte| byte.is_ascii_digit())),
    };
    if !bank_fits {
        return Err("banks of this country are named otherwise");
    }
    match when!(b, account.bytes().all(|byte| byte.is_ascii_digit())) {
        true => Ok("of a known country"),
        false => Err("accounts of this country have digits"),
    }
}

/// The number as digits, with the first four characters at its end, modulo 97.
fn remainder(compact: &str) -> u32 {
    let (head, tail) = compact.split_at(4);
    let digits = tail.chars().chain(head.chars()).filter_map(|sign| sign.to_digit(36));
    digits.fold(0, |rest, digit| (rest * if digit > 9 { 100 } else { 10 } + digit) % 97)
}
