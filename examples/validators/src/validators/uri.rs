//! URIs: scheme, authority, path, query and fragment.

use super::Judged;
use crate::Branches;

pub(super) fn judge(text: &str, b: &mut Branches) -> Judged {
    let (scheme, rest) = text.split_once(':').ok_or("a scheme is missing")?;
    if when!(b, !scheme.starts_with(|sign: char| sign.is_ascii_alphabetic())) {
        return Err("a scheme starts with a letter");
    }
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    if when!(b, !scheme.bytes().all(fits)) {
        return Err("a scheme has letters and digits");
    }
    let (rest, fragment) = rest.split_once('#').unwrap_or((rest, ""));
    if when!(b, !fragment.is_empty()) {
        characters(fragment, "/?:@", b)?;
    }
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    if when!(b, !query.is_empty()) {
        characters(query, "/?:@", b)?;
    }
    if let Some(rest) = rest.strip_prefix("//") {
        let end = rest.find('/').unwrap_or(rest.len());
        authority(&rest[..end], b)?;
        characters(&rest[end..], "/:@", b)?;
        return Ok(if when!(b, end == rest.len()) { "of a host" } else { "with a path" });
    }
    characters(rest, "/:@", b)?;
    if when!(b, rest.is_empty()) {
        return Ok("without a path");
    }
    Ok(if when!(b, rest.starts_with('/')) { "absolute" } else { "rootless" })
}

fn authority(text: &str, b: &mut Branches) -> Result<(), &'static str> {
    let host = match text.split_once('@') {
        Some((user, host)) => {
            characters(user, ":", b)?;
            host
        }
        None => text,
    };
    let (host, port) = match when!(b, host.starts_with('[')) {
        true => {
            let (inner, port) = host[1..].split_once(']').ok_or("a bracket is not closed")?;
            let is_address = |byte: u8| byte.is_ascii_hexdigit() || byte == b':' || byte == b'.';
            if when!(b, !inner.contains(':')) || when!(b, !inner.bytes().all(is_address)) {
                return Err("brackets hold an address");
            }
            ("", port)
        }
        false => host.split_at(host.find(':').unwrap_or(host.len())),
    };
    characters(host, "", b)?;
    if when!(b, port.is_empty()) {
        return Ok(());
    }
    let digits = port.strip_prefix(':').ok_or("a port follows a colon")?;
    if when!(b, digits.bytes().any(|byte| !byte.is_ascii_digit())) {
        return Err("a port is a number");
    }
    if when!(b, digits.parse::<u16>().is_err()) && when!(b, !digits.is_empty()) {
        return Err("there are 65536 ports");
    }
    Ok(())
}

fn characters(text: &str, more: &str, b: &mut Branches) -> Result<(), &'static str> {
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        if when!(b, byte == b'%') {
            let is_hex = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_hexdigit());
            if when!(b, !is_hex(bytes.next())) || when!(b, !is_hex(bytes.next())) {
                return Err("two digits follow a percent sign");
            }
        } else if when!(b, !byte.is_ascii_alphanumeric()) {
            let is_unreserved = when!(b, b"-._~".contains(&byte));
            let is_delimiter = is_unreserved || when!(b, b"!$&'()*+,;=".contains(&byte));
            if !is_delimiter && when!(b, !more.as_bytes().contains(&byte)) {
                return Err("a character must be written with a percent sign");
            }
        }
    }
    Ok(())
}
