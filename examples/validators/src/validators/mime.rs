//! Media types with their parameters.

use super::Judged;
use crate::Branches;

const REGISTERED: [&str; 6] = ["application", "audio", "image", "multipart", "text", "video"];

pub(super) fn judge(text: &str, b: &mut Branches) -> Judged {
    let mut parts = text.split(';');
    let essence = parts.next().unwrap_or_default().trim_end();
    let (kind, subtype) = essence.split_once('/').ok_or("a type has a subtype")?;
    if when!(b, !is_name(kind, b)) || when!(b, !is_name(subtype, b)) {
        return Err("a name has letters, digits and some signs");
    }
    let is_registered = when!(b, REGISTERED.contains(&kind.to_ascii_lowercase().as_str()));
    if !is_registered && when!(b, !kind.starts_with("x-")) {
        return Err("a type is registered, or starts with x-");
    }
    let mut has_boundary = false;
    for parameter in parts {
        let name = judge_parameter(parameter.trim(), b)?;
        has_boundary |= when!(b, name.eq_ignore_ascii_case("boundary"));
    }
    if when!(b, kind == "multipart") && when!(b, !has_boundary) {
        return Err("several parts need a boundary");
    }
    Ok(match subtype.split_once('.') {
        Some((tree, _)) if when!(b, tree == "vnd") => "of a vendor",
        Some((tree, _)) if when!(b, tree == "prs") => "personal",
        _ if when!(b, subtype.contains('+')) => "with a suffix",
        _ => "standard",
    })
}

fn is_name(name: &str, b: &mut Branches) -> bool {
    if when!(b, name.is_empty()) || when!(b, name.len() > 127) {
        return false;
    }
    if when!(b, !name.starts_with(|sign: char| sign.is_ascii_alphanumeric())) {
        return false;
    }
    when!(b, name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&byte)))
}

fn judge_parameter<'a>(parameter: &'a str, b: &mut Branches) -> Result<&'a str, &'static str> {
    let (name, value) = parameter.split_once('=').ok_or("a parameter has a value")?;
    if when!(b, !is_name(name, b)) {
        return Err("a parameter has a name");
    }
    if when!(b, value.starts_with('"')) {
        let inner = value[1..].strip_suffix('"').ok_or("a quoted value ends with a quote")?;
        if when!(b, inner.contains('"')) {
            return Err("a quote stands in a quoted value");
        }
        return Ok(name);
    }
    if when!(b, value.is_empty()) {
        return Err("a value is missing");
    }
    if when!(b, value.contains([' ', '/', '"', '@', ','])) {
        return Err("a value with such signs is quoted");
    }
    Ok(name)
}
