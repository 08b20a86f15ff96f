//! Types as they are written, and whether Rebut can draw values of them.

use syn::{Expr, GenericArgument, Lit, PathArguments, ReturnType, Type, TypeParamBound, TypePath};

use rebut_native::text_of;
use std::collections::{BTreeMap, BTreeSet};
use syn::spanned::Spanned as _;

/// A type without the references around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Value {
    /// As it is written in a property: `std::collections::HashMap<u8, String>`.
    pub(super) code: String,
    /// Whether Rebut can draw it.
    pub(super) is_drawn: bool,
    /// Whether two values that should be equal are: not if there are floats in it.
    pub(super) compares: bool,
    pub(super) is_copy: bool,
}

/// How a value is handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Passed {
    Owned,
    Shared,
    Exclusive,
}

/// What a function takes or gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Taken {
    pub(super) value: Value,
    pub(super) passed: Passed,
}

/// What a function gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Gives {
    Nothing,
    Plain(Taken),
    /// In `Ok`.
    Result(Taken),
    /// In `Some`.
    Option(Taken),
}

/// What names of types mean in some place.
#[derive(Debug)]
pub(super) struct Names<'a> {
    pub(super) source: &'a str,
    /// The types of the crate; whether two values of one can be compared and shown.
    pub(super) own: &'a BTreeMap<String, bool>,
    /// What `Self` is.
    pub(super) this: Option<&'a str>,
    /// Parameters of the function for which any type will do.
    pub(super) any: &'a BTreeSet<String>,
}

const INTEGERS: &[&str] = &[
    "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "bool",
    "char",
];

/// Types without parameters, with their whole paths.
const PLAIN: &[(&str, &str)] = &[
    ("String", "String"),
    ("Duration", "std::time::Duration"),
    ("Ordering", "std::cmp::Ordering"),
    ("IpAddr", "std::net::IpAddr"),
    ("Ipv4Addr", "std::net::Ipv4Addr"),
    ("Ipv6Addr", "std::net::Ipv6Addr"),
];

/// Types with parameters: their paths, and of how many.
const GENERIC: &[(&str, &str, usize)] = &[
    ("Vec", "Vec", 1),
    ("Option", "Option", 1),
    ("Box", "Box", 1),
    ("Result", "Result", 2),
    ("VecDeque", "std::collections::VecDeque", 1),
    ("BTreeSet", "std::collections::BTreeSet", 1),
    ("HashSet", "std::collections::HashSet", 1),
    ("BTreeMap", "std::collections::BTreeMap", 2),
    ("HashMap", "std::collections::HashMap", 2),
];

impl Value {
    fn drawn(code: &str) -> Value {
        Value { code: code.to_owned(), is_drawn: true, compares: true, is_copy: false }
    }

    /// A value made of others.
    fn of(code: String, parts: &[Value], is_copy: bool) -> Value {
        Value {
            code,
            is_drawn: parts.iter().all(|part| part.is_drawn),
            compares: parts.iter().all(|part| part.compares),
            is_copy: is_copy && parts.iter().all(|part| part.is_copy),
        }
    }
}

impl Names<'_> {
    /// What a parameter takes.
    pub(super) fn taken(&self, ty: &Type) -> Taken {
        match ty {
            Type::Reference(reference) => {
                let is_exclusive = reference.mutability.is_some();
                let passed = if is_exclusive { Passed::Exclusive } else { Passed::Shared };
                Taken { value: self.value(&reference.elem), passed }
            }
            Type::ImplTrait(bounds) => self.bounded(&bounds.bounds, ty),
            ty => Taken { value: self.value(ty), passed: Passed::Owned },
        }
    }

    /// What is returned.
    pub(super) fn given(&self, output: &ReturnType) -> Gives {
        let ReturnType::Type(_, ty) = output else { return Gives::Nothing };
        if let Type::Tuple(tuple) = ty.as_ref()
            && tuple.elems.is_empty()
        {
            return Gives::Nothing;
        }
        if let Type::Path(path) = ty.as_ref()
            && let Some(last) = path.path.segments.last()
            && let Some(first) = arguments(&last.arguments).first()
            && !self.own.contains_key(&last.ident.to_string())
        {
            if last.ident == "Result" {
                return Gives::Result(self.taken(first));
            }
            if last.ident == "Option" {
                return Gives::Option(self.taken(first));
            }
        }
        Gives::Plain(self.taken(ty))
    }

    fn value(&self, ty: &Type) -> Value {
        let drawn = match ty {
            Type::Path(path) if path.qself.is_none() => self.named(path),
            Type::Slice(slice) => {
                let element = self.value(&slice.elem);
                Some(Value::of(format!("Vec<{}>", element.code), &[element], false))
            }
            Type::Array(array) => self.array(&array.elem, &array.len),
            Type::Tuple(tuple) if tuple.elems.len() > 1 => {
                let parts: Vec<Value> = tuple.elems.iter().map(|part| self.value(part)).collect();
                let codes: Vec<&str> = parts.iter().map(|part| part.code.as_str()).collect();
                Some(Value::of(format!("({})", codes.join(", ")), &parts, true))
            }
            Type::Paren(inner) => Some(self.value(&inner.elem)),
            _ => None,
        };
        drawn.unwrap_or_else(|| self.unknown(ty))
    }

    fn array(&self, element: &Type, length: &Expr) -> Option<Value> {
        let Expr::Lit(literal) = length else { return None };
        let Lit::Int(length) = &literal.lit else { return None };
        let element = self.value(element);
        let code = format!("[{}; {}]", element.code, length.base10_digits());
        Some(Value::of(code, &[element], true))
    }

    fn named(&self, path: &TypePath) -> Option<Value> {
        let segments = &path.path.segments;
        let last = segments.last()?;
        let name = last.ident.to_string();
        let first = segments.first()?.ident.to_string();
        if segments.len() > 1 && !["std", "core", "alloc"].contains(&first.as_str()) {
            return None;
        }
        if segments.len() == 1 && self.any.contains(&name) {
            return Some(Value { is_copy: true, ..Value::drawn("u8") });
        }
        if self.own.contains_key(&name) || name == "Self" {
            return None;
        }
        let parts: Vec<Value> =
            arguments(&last.arguments).into_iter().map(|part| self.value(part)).collect();
        if parts.is_empty() {
            return plain(&name);
        }
        let is_known =
            |(known, _, count): &&(&str, &str, usize)| *known == name && *count == parts.len();
        let (_, whole, _) = GENERIC.iter().find(is_known)?;
        let codes: Vec<&str> = parts.iter().map(|part| part.code.as_str()).collect();
        Some(Value::of(format!("{whole}<{}>", codes.join(", ")), &parts, *whole == "Option"))
    }

    /// A type that is not drawn; two of the same name are the same.
    fn unknown(&self, ty: &Type) -> Value {
        let written = text_of(self.source, ty.span()).unwrap_or_default();
        let code = match self.this {
            Some(this) if written == "Self" => this.to_owned(),
            _ => written,
        };
        let compares = self.own.get(&code).copied().unwrap_or(false);
        Value { code, is_drawn: false, compares, is_copy: false }
    }

    /// `impl AsRef<str>` and the like.
    fn bounded<'a>(
        &self,
        bounds: impl IntoIterator<Item = &'a TypeParamBound>,
        ty: &Type,
    ) -> Taken {
        let bound = bounds.into_iter().find_map(|bound| match bound {
            TypeParamBound::Trait(bound) => bound.path.segments.last(),
            _ => None,
        });
        let of = bound.and_then(|bound| {
            let first = *arguments(&bound.arguments).first()?;
            Some((bound.ident.to_string(), text_of(self.source, first.span())?))
        });
        let (value, passed) = match of.as_ref().map(|(name, of)| (name.as_str(), of.as_str())) {
            Some(("AsRef", "str")) => (Value::drawn("String"), Passed::Shared),
            Some(("AsRef", "[u8]")) => (Value::drawn("Vec<u8>"), Passed::Shared),
            Some(("Into", "String")) => (Value::drawn("String"), Passed::Owned),
            _ => (self.unknown(ty), Passed::Owned),
        };
        Taken { value, passed }
    }
}

fn plain(name: &str) -> Option<Value> {
    if INTEGERS.contains(&name) {
        return Some(Value { is_copy: true, ..Value::drawn(name) });
    }
    match name {
        "str" => Some(Value::drawn("String")),
        "f32" | "f64" => Some(Value { compares: false, is_copy: true, ..Value::drawn(name) }),
        _ => PLAIN.iter().find(|(known, _)| *known == name).map(|(_, whole)| Value::drawn(whole)),
    }
}

/// The types between `<` and `>`.
fn arguments(arguments: &PathArguments) -> Vec<&Type> {
    let PathArguments::AngleBracketed(all) = arguments else { return Vec::new() };
    let types = all.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    types.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(code: &str) -> Taken {
        let own = BTreeMap::from([("Token".to_owned(), true), ("Duration".to_owned(), false)]);
        let any = BTreeSet::from(["T".to_owned()]);
        let names = Names { source: code, own: &own, this: Some("Token"), any: &any };
        names.taken(&syn::parse_str(code).expect("a type"))
    }

    #[test]
    fn types_of_the_standard_library_are_drawn() {
        let drawn = [
            ("u8", "u8", Passed::Owned),
            ("&str", "String", Passed::Shared),
            ("&mut [T]", "Vec<u8>", Passed::Exclusive),
            ("Vec<Option<(u8, char)>>", "Vec<Option<(u8, char)>>", Passed::Owned),
            (
                "&HashMap<String, [i64; 3]>",
                "std::collections::HashMap<String, [i64; 3]>",
                Passed::Shared,
            ),
            ("std::string::String", "String", Passed::Owned),
            ("impl AsRef<str>", "String", Passed::Shared),
        ];
        for (code, expected, passed) in drawn {
            let taken = taken(code);
            assert!(taken.value.is_drawn, "{code}");
            assert_eq!((taken.value.code.as_str(), taken.passed), (expected, passed));
        }
    }

    #[test]
    fn what_is_not_known_is_not_drawn() {
        for code in [
            "Token",
            "Self",
            "&Token",
            "Vec<Token>",
            "Duration",
            "other::Vec<u8>",
            "&dyn Fn(u8)",
            "impl Fn(u8)",
            "[u8; N]",
            "Box<dyn Error>",
        ] {
            assert!(!taken(code).value.is_drawn, "{code}");
        }
        assert_eq!(taken("Self").value, taken("&Token").value);
        assert!(taken("Token").value.compares);
        assert!(!taken("Vec<f64>").value.compares && taken("Vec<f64>").value.is_drawn);
    }
}
