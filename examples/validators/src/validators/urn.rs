//! URNs: namespace, string, and the components behind it.

use super::Judged;
use crate::Branches;

pub(super) fn judge(text: &str, b: &mut Branches) -> Judged {
    let is_urn = text.get(..4).is_some_and(|scheme| scheme.eq_ignore_ascii_case("urn:"));
    if when!(b, !is_urn) {
        return Err("a name starts with urn:");
    }
    let (space, rest) = text[4..].split_once(':').ok_or("a namespace is missing")?;
    if when!(b, space.len() < 2) || when!(b, space.len() > 32) {
        return Err("a namespace has two to 32 characters");
    }
    if when!(b, !space.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')) {
        return Err("a namespace has letters, digits and hyphens");
    }
    if when!(b, space.starts_with('-')) || when!(b, space.ends_with('-')) {
        return Err("a hyphen stands inside a namespace");
    }
    if when!(b, space.eq_ignore_ascii_case("urn")) {
        return Err("no namespace is called urn");
    }
    let is_informal = when!(b, space.get(..4).is_some_and(|s| s.eq_ignore_ascii_case("urn-")));
    if is_informal && when!(b, !space[4..].bytes().all(|byte| byte.is_ascii_digit())) {
        return Err("an informal namespace is a number");
    }
    let (rest, fragment) = match rest.split_once('#') {
        Some((rest, fragment)) => (rest, Some(fragment)),
        None => (rest, None),
    };
    if when!(b, fragment.is_some()) {
        characters(fragment.unwrap_or_default(), true, b)?;
    }
    let (name, components) = match rest.split_once('?') {
        Some((name, components)) => (name, Some(components)),
        None => (rest, None),
    };
    if when!(b, name.is_empty()) || when!(b, name.starts_with('/')) {
        return Err("a name is missing");
    }
    characters(name, false, b)?;
    let kind = match components {
        Some(components) if when!(b, components.starts_with('+')) => {
            let (resolver, query) =
                components[1..].split_once("?=").unwrap_or((&components[1..], ""));
            if when!(b, resolver.is_empty()) {
                return Err("the part for the resolver is empty");
            }
            characters(resolver, true, b)?;
            characters(query, true, b)?;
            "for a resolver"
        }
        Some(components) if when!(b, components.starts_with('=')) => {
            if when!(b, components.len() == 1) {
                return Err("the query is empty");
            }
            characters(&components[1..], true, b)?;
            "with a query"
        }
        Some(_) => return Err("a question mark is followed by + or ="),
        None => "plain",
    };
    Ok(if is_informal { "informal" } else { kind })
}

fn characters(text: &str, is_open: bool, b: &mut Branches) -> Result<(), &'static str> {
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        if when!(b, byte == b'%') {
            let is_hex = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_hexdigit());
            if when!(b, !is_hex(bytes.next())) || when!(b, !is_hex(bytes.next())) {
                return Err("two digits follow a percent sign");
            }
        } else if when!(b, byte == b'?') {
            if when!(b, !is_open) {
                return Err("a question mark cannot stand in a name");
            }
        } else if when!(b, !byte.is_ascii_alphanumeric())
            && when!(b, !b"-._~!$&'()*+,;=:@/".contains(&byte))
        {
            return Err("a character must be written with a percent sign");
        }
    }
    Ok(())
}
