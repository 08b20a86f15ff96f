//! How a value is kept while the object it was taken from changes, by the name of its type.

/// An expression that owns what another one gives. `type_name` is as the compiler names it.
pub(crate) fn owned(call: &str, type_name: &str) -> String {
    if let Some(item) = type_name.strip_prefix(ITERATOR).and_then(|item| item.strip_suffix('>')) {
        return match item.strip_prefix('&') {
            Some(lent) if is_copied(lent) => format!("{call}.copied().collect::<Vec<_>>()"),
            Some(_) => format!("{call}.cloned().collect::<Vec<_>>()"),
            None => format!("{call}.collect::<Vec<_>>()"),
        };
    }
    if let Some(lent) = type_name.strip_prefix('&') {
        return of_lent(call, lent.strip_prefix("mut ").unwrap_or(lent));
    }
    for around in ["Option", "Result"] {
        let Some(held) = inside(type_name, around) else { continue };
        let Some(lent) = held.strip_prefix('&') else { continue };
        let lent = lent.strip_prefix("mut ").unwrap_or(lent);
        return match lent {
            "str" => format!("{call}.map(str::to_owned)"),
            _ if lent.starts_with('[') => format!("{call}.map(<[_]>::to_vec)"),
            _ if is_copied(lent) => format!("{call}.copied()"),
            _ => format!("{call}.cloned()"),
        };
    }
    call.to_owned()
}

fn of_lent(call: &str, lent: &str) -> String {
    match lent {
        "str" => format!("{call}.to_owned()"),
        _ if lent.starts_with('[') && !lent.contains(';') => format!("{call}.to_vec()"),
        _ if is_copied(lent) => format!("*{call}"),
        _ if lent.starts_with('&') => call.to_owned(),
        _ => format!("{call}.clone()"),
    }
}

/// How iterators are named, of which the engine knows the items alone.
const ITERATOR: &str = "impl Iterator<Item = ";

/// What stands first in the angle brackets of a type, if its last name is this one.
fn inside<'t>(type_name: &'t str, name: &str) -> Option<&'t str> {
    let (path, rest) = type_name.split_once('<')?;
    let is_it = path.rsplit("::").next() == Some(name);
    let rest = rest.strip_suffix('>').filter(|_| is_it)?;
    let mut depth = 0_i32;
    for (place, letter) in rest.char_indices() {
        match letter {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth -= 1,
            ',' if depth == 0 => return Some(&rest[..place]),
            _ => {}
        }
    }
    Some(rest)
}

fn is_copied(type_name: &str) -> bool {
    const COPIED: &[&str] = &[
        "bool", "char", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64",
        "i128", "isize", "f32", "f64",
    ];
    COPIED.contains(&type_name)
}

/// A type as it is written, without what it is borrowed by: for `i32::MAX`.
pub(crate) fn bare(type_name: &str) -> String {
    type_name.trim_start_matches("&mut ").trim_start_matches('&').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_kept_as_their_types_need_it() {
        for (type_name, expected) in [
            ("usize", "x()"),
            ("&str", "x().to_owned()"),
            ("&[i32]", "x().to_vec()"),
            ("&mut i32", "*x()"),
            ("&alloc::string::String", "x().clone()"),
            ("core::option::Option<&i32>", "x().copied()"),
            ("core::option::Option<&alloc::string::String>", "x().cloned()"),
            ("core::option::Option<&str>", "x().map(str::to_owned)"),
            ("core::result::Result<&[u8], ()>", "x().map(<[_]>::to_vec)"),
            ("core::option::Option<i32>", "x()"),
            ("impl Iterator<Item = &u8>", "x().copied().collect::<Vec<_>>()"),
            ("impl Iterator<Item = (u8, i32)>", "x().collect::<Vec<_>>()"),
            ("alloc::vec::Vec<i32>", "x()"),
        ] {
            assert_eq!(owned("x()", type_name), expected, "{type_name}");
        }
    }
}
