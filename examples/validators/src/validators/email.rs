//! Addresses of mail.

use super::Judged;
use crate::Branches;

pub(super) fn judge(text: &str, b: &mut Branches) -> Judged {
    let (local, domain) = text.rsplit_once('@').ok_or("an address has an @")?;
    if when!(b, local.is_empty()) || when!(b, local.len() > 64) {
        return Err("the part before the @ has 1 to 64 characters");
    }
    let is_quoted = when!(b, local.starts_with('"'));
    match is_quoted {
        true => quoted(local, b)?,
        false => dotted(local, b)?,
    }
    if when!(b, domain.starts_with('[')) {
        let inner = domain[1..].strip_suffix(']').ok_or("a bracket is not closed")?;
        return literal(inner, b);
    }
    if when!(b, domain.len() > 255) {
        return Err("a domain has 255 characters at most");
    }
    let labels: Vec<&str> = domain.split('.').collect();
    for name in &labels {
        label(name, b)?;
    }
    if when!(b, labels.len() < 2) {
        return Ok("local");
    }
    let is_number = |name: &&str| name.bytes().all(|byte| byte.is_ascii_digit());
    if when!(b, labels.last().is_some_and(is_number)) {
        return Err("the last part of a domain is no number");
    }
    Ok(match (is_quoted, when!(b, local.contains('+'))) {
        (true, _) => "quoted",
        (_, true) => "tagged",
        _ => "plain",
    })
}

fn dotted(local: &str, b: &mut Branches) -> Result<(), &'static str> {
    for atom in local.split('.') {
        if when!(b, atom.is_empty()) {
            return Err("a dot stands between others");
        }
        let fits =
            |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&byte);
        if when!(b, !atom.bytes().all(fits)) {
            return Err("such a character is quoted");
        }
    }
    Ok(())
}

fn quoted(local: &str, b: &mut Branches) -> Result<(), &'static str> {
    let inner = local[1..].strip_suffix('"').ok_or("a quote is not closed")?;
    let mut signs = inner.chars();
    while let Some(sign) = signs.next() {
        if when!(b, sign == '\\') {
            if when!(b, signs.next().is_none()) {
                return Err("nothing follows a backslash");
            }
        } else if when!(b, sign == '"') {
            return Err("a quote stands inside");
        }
    }
    Ok(())
}

fn literal(inner: &str, b: &mut Branches) -> Judged {
    if let Some(address) = inner.strip_prefix("IPv6:") {
        return match when!(b, address.contains("::") || address.matches(':').count() == 7) {
            true => Ok("at an IPv6 address"),
            false => Err("an IPv6 address has eight parts"),
        };
    }
    let parts: Vec<&str> = inner.split('.').collect();
    if when!(b, parts.len() != 4) {
        return Err("an address has four parts");
    }
    match when!(b, parts.iter().all(|part| part.parse::<u8>().is_ok())) {
        true => Ok("at an address"),
        false => Err("each part is a byte"),
    }
}

fn label(name: &str, b: &mut Branches) -> Result<(), &'static str> {
    if when!(b, name.is_empty()) || when!(b, name.len() > 63) {
        return Err("a label has 1 to 63 characters");
    }
    if when!(b, name.starts_with('-')) || when!(b, name.ends_with('-')) {
        return Err("a hyphen stands inside a label");
    }
    match when!(b, name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')) {
        true => Ok(()),
        false => Err("a label has letters, digits and hyphens"),
    }
}
