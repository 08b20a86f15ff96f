//! Writes expressions that own a value. A value that is compared after the call must not borrow
//! the object that the call changes.

use rebut_concolic::TypeName;

/// Returns an expression that owns the value of another one, which has this type.
pub(crate) fn owned(call: &str, type_name: Option<&TypeName>) -> String {
    match type_name {
        Some(TypeName::Iterator(item)) => match &**item {
            TypeName::Reference { target, .. } if is_copied(target) => {
                format!("{call}.copied().collect::<Vec<_>>()")
            }
            TypeName::Reference { .. } => format!("{call}.cloned().collect::<Vec<_>>()"),
            _ => format!("{call}.collect::<Vec<_>>()"),
        },
        Some(TypeName::Reference { target, .. }) => match &**target {
            TypeName::Slice(_) => format!("{call}.to_vec()"),
            TypeName::Reference { .. } => call.to_owned(),
            target if target.is("str") => format!("{call}.to_owned()"),
            target if is_copied(target) => format!("*{call}"),
            _ => format!("{call}.clone()"),
        },
        Some(other) => match borrowed_content(other) {
            Some(TypeName::Slice(_)) => format!("{call}.map(<[_]>::to_vec)"),
            Some(target) if target.is("str") => format!("{call}.map(str::to_owned)"),
            Some(target) if is_copied(target) => format!("{call}.copied()"),
            Some(_) => format!("{call}.cloned()"),
            None => call.to_owned(),
        },
        None => call.to_owned(),
    }
}

/// Returns the type behind the reference in an `Option` or in the `Ok` of a `Result`.
fn borrowed_content(type_name: &TypeName) -> Option<&TypeName> {
    let arguments = type_name
        .arguments("core::option::Option")
        .or_else(|| type_name.arguments("core::result::Result"))?;
    match arguments.first()? {
        TypeName::Reference { target, .. } => Some(target),
        _ => None,
    }
}

fn is_copied(type_name: &TypeName) -> bool {
    const COPIED: &[&str] = &[
        "bool", "char", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64",
        "i128", "isize", "f32", "f64",
    ];
    COPIED.iter().any(|name| type_name.is(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_owned_by_their_type() {
        for (type_name, expected) in [
            ("usize", "x()"),
            ("&str", "x().to_owned()"),
            ("&[i32]", "x().to_vec()"),
            ("&[i32; 2]", "x().clone()"),
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
            assert_eq!(owned("x()", Some(&TypeName::parse(type_name))), expected, "{type_name}");
        }
        assert_eq!(owned("x()", None), "x()");
    }
}
