//! The types in signatures, resolved as far as tests need.

use super::names::ItemPath;
use std::collections::BTreeMap;

/// A type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Ty {
    Unit,
    /// A number, `bool` or `char`.
    Plain(&'static str),
    Str,
    String,
    Slice(Box<Ty>),
    Array(Box<Ty>, Box<Ty>),
    Tuple(Vec<Ty>),
    /// A type of the standard library, by its path in tests.
    Std(&'static str, Vec<Ty>),
    /// A type of the crate.
    Own(ItemPath, Vec<Ty>),
    /// A generic parameter.
    Param(String),
    Ref(Box<Ty>),
    RefMut(Box<Ty>),
    /// `impl Trait`.
    Impl(Vec<Bound>),
    /// An omitted argument with a default.
    Omitted,
    /// A constant argument.
    Const(String),
    Unknown(String),
}

/// A bound of a generic parameter.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Bound {
    /// The last segment of the trait's path.
    pub(super) name: String,
    /// The trait, if the crate defines it.
    pub(super) own: Option<ItemPath>,
    pub(super) arguments: Vec<Ty>,
    /// Associated types, such as `Item = u8`.
    pub(super) associated: Vec<(String, Ty)>,
}

/// A generic parameter with its bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Generic {
    pub(super) name: String,
    pub(super) is_const: bool,
    pub(super) has_default: bool,
    pub(super) bounds: Vec<Bound>,
}

/// Types for generic parameters.
pub(super) type Substitution = BTreeMap<String, Ty>;

pub(super) const PLAIN: &[&str] = &[
    "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "bool",
    "char", "f32", "f64",
];

/// Types of the standard library that Rebut can generate: name, path and number of arguments.
const GENERATED: &[(&str, &str, usize)] = &[
    ("Option", "Option", 1),
    ("Result", "Result", 2),
    ("Vec", "Vec", 1),
    ("Box", "Box", 1),
    ("Rc", "std::rc::Rc", 1),
    ("Arc", "std::sync::Arc", 1),
    ("VecDeque", "std::collections::VecDeque", 1),
    ("BTreeSet", "std::collections::BTreeSet", 1),
    ("HashSet", "std::collections::HashSet", 1),
    ("BTreeMap", "std::collections::BTreeMap", 2),
    ("HashMap", "std::collections::HashMap", 2),
    ("Duration", "std::time::Duration", 0),
    ("Ordering", "std::cmp::Ordering", 0),
    ("IpAddr", "std::net::IpAddr", 0),
    ("Ipv4Addr", "std::net::Ipv4Addr", 0),
    ("Ipv6Addr", "std::net::Ipv6Addr", 0),
    ("Range", "std::ops::Range", 1),
    ("RangeInclusive", "std::ops::RangeInclusive", 1),
];

/// Types of the standard library that Rebut cannot generate, but that functions often return.
const KNOWN: &[(&str, &str, usize)] = &[("Cow", "std::borrow::Cow", 1)];

/// The type of the standard library with this name.
pub(super) fn std_type(name: &str, arguments: Vec<Ty>) -> Option<Ty> {
    if arguments.is_empty() {
        if let Some(plain) = PLAIN.iter().find(|plain| **plain == name) {
            return Some(Ty::Plain(plain));
        }
        match name {
            "str" => return Some(Ty::Str),
            "String" => return Some(Ty::String),
            _ => {}
        }
    }
    let is_it = |(known, _, count): &&(&str, &str, usize)| {
        *known == name && (*count == arguments.len() || *known == "Result")
    };
    let (_, path, _) = GENERATED.iter().chain(KNOWN).find(is_it)?;
    Some(Ty::Std(path, arguments))
}

impl Ty {
    /// The type behind references.
    pub(super) fn bare(&self) -> &Ty {
        match self {
            Ty::Ref(inner) | Ty::RefMut(inner) => inner.bare(),
            ty => ty,
        }
    }

    /// Whether it is text in some form.
    pub(super) fn is_text(&self) -> bool {
        matches!(self.bare(), Ty::Str | Ty::String) || self.cow().is_some_and(|ty| *ty == Ty::Str)
    }

    /// Whether it is a borrowed or owned list of bytes.
    pub(super) fn is_bytes(&self) -> bool {
        match self.bare() {
            Ty::Slice(of) => **of == Ty::Plain("u8"),
            Ty::Std("Vec", of) => of.first() == Some(&Ty::Plain("u8")),
            ty => matches!(ty.cow(), Some(Ty::Slice(of)) if **of == Ty::Plain("u8")),
        }
    }

    /// The type `T` of a `Cow<'_, T>`.
    pub(super) fn cow(&self) -> Option<&Ty> {
        match self {
            Ty::Std("std::borrow::Cow", of) => of.first(),
            _ => None,
        }
    }

    pub(super) fn is_integer(&self) -> bool {
        matches!(self, Ty::Plain(name) if !["bool", "char", "f32", "f64"].contains(name))
    }

    pub(super) fn is_float(&self) -> bool {
        matches!(self, Ty::Plain("f32" | "f64"))
    }

    /// The element type of a list, slice or array.
    pub(super) fn element(&self) -> Option<&Ty> {
        match self.bare() {
            Ty::Slice(of) | Ty::Array(of, _) => Some(of),
            Ty::Std("Vec", of) => of.first(),
            _ => None,
        }
    }

    /// Whether it contains floats, so that a value may not equal itself.
    pub(super) fn has_floats(&self) -> bool {
        self.any(&|ty| ty.is_float())
    }

    /// Whether the type or a part of it meets a condition.
    pub(super) fn any(&self, condition: &dyn Fn(&Ty) -> bool) -> bool {
        condition(self)
            || match self {
                Ty::Slice(of) | Ty::Ref(of) | Ty::RefMut(of) => of.any(condition),
                Ty::Array(of, length) => of.any(condition) || length.any(condition),
                Ty::Tuple(parts) | Ty::Std(_, parts) | Ty::Own(_, parts) => {
                    parts.iter().any(|part| part.any(condition))
                }
                _ => false,
            }
    }

    /// The same type with generic parameters replaced.
    pub(super) fn with(&self, types: &Substitution) -> Ty {
        let each = |parts: &[Ty]| parts.iter().map(|part| part.with(types)).collect();
        match self {
            Ty::Param(name) => types.get(name).cloned().unwrap_or_else(|| self.clone()),
            Ty::Slice(of) => Ty::Slice(Box::new(of.with(types))),
            Ty::Array(of, length) => {
                Ty::Array(Box::new(of.with(types)), Box::new(length.with(types)))
            }
            Ty::Ref(of) => Ty::Ref(Box::new(of.with(types))),
            Ty::RefMut(of) => Ty::RefMut(Box::new(of.with(types))),
            Ty::Tuple(parts) => Ty::Tuple(each(parts)),
            Ty::Std(path, parts) => Ty::Std(path, each(parts)),
            Ty::Own(path, parts) => Ty::Own(path.clone(), each(parts)),
            Ty::Impl(bounds) => Ty::Impl(bounds.iter().map(|bound| bound.with(types)).collect()),
            ty => ty.clone(),
        }
    }

    /// Whether all its parts are known, so that code can name it.
    pub(super) fn is_concrete(&self) -> bool {
        !self.any(&|ty| matches!(ty, Ty::Param(_) | Ty::Impl(_) | Ty::Unknown(_)))
    }

    /// Whether `#[rebut::test]` can generate owned values of it.
    pub(super) fn is_generated(&self) -> bool {
        match self {
            Ty::Plain(_) | Ty::String => true,
            Ty::Std("std::borrow::Cow", _) => false,
            Ty::Std(_, parts) => parts.iter().all(Ty::is_generated),
            // Rebut implements its traits for tuples of at most twelve parts.
            Ty::Tuple(parts) => {
                (1..=12).contains(&parts.len()) && parts.iter().all(Ty::is_generated)
            }
            Ty::Array(of, length) => {
                of.is_generated() && matches!(length.as_ref(), Ty::Const(text) if is_small(text))
            }
            _ => false,
        }
    }

    /// Whether the type is known to be `Copy`.
    pub(super) fn is_copy(&self) -> bool {
        match self {
            Ty::Plain(_) | Ty::Ref(_) | Ty::Unit => true,
            Ty::Tuple(parts) => parts.iter().all(Ty::is_copy),
            Ty::Array(of, _) => of.is_copy(),
            Ty::Std("Option", parts) => parts.iter().all(Ty::is_copy),
            Ty::Std(path, _) => {
                path.starts_with("std::net") || path.ends_with("Duration") || path.ends_with("ing")
            }
            _ => false,
        }
    }
}

fn is_small(length: &str) -> bool {
    length.parse::<usize>().is_ok_and(|length| length <= 64)
}

impl Bound {
    fn with(&self, types: &Substitution) -> Bound {
        Bound {
            arguments: self.arguments.iter().map(|ty| ty.with(types)).collect(),
            associated: self
                .associated
                .iter()
                .map(|(name, ty)| (name.clone(), ty.with(types)))
                .collect(),
            ..self.clone()
        }
    }
}

/// Finds types for the generic parameters of `pattern` that make it equal to `ty`.
pub(super) fn matched(pattern: &Ty, ty: &Ty, types: &mut Substitution) -> bool {
    let all = |pattern: &[Ty], ty: &[Ty], types: &mut Substitution| {
        pattern.len() == ty.len()
            && pattern.iter().zip(ty).all(|(pattern, ty)| matched(pattern, ty, types))
    };
    match (pattern, ty) {
        (Ty::Param(name), ty) => match types.get(name) {
            Some(known) => known == ty,
            None => {
                types.insert(name.clone(), ty.clone());
                true
            }
        },
        (_, Ty::Omitted) => true,
        (Ty::Slice(pattern), Ty::Slice(ty))
        | (Ty::Ref(pattern), Ty::Ref(ty))
        | (Ty::RefMut(pattern), Ty::RefMut(ty)) => matched(pattern, ty, types),
        (Ty::Array(pattern, length), Ty::Array(ty, of)) => {
            matched(pattern, ty, types) && matched(length, of, types)
        }
        (Ty::Tuple(pattern), Ty::Tuple(ty)) => all(pattern, ty, types),
        (Ty::Std(one, pattern), Ty::Std(other, ty)) => one == other && all(pattern, ty, types),
        (Ty::Own(one, pattern), Ty::Own(other, ty)) => one == other && all(pattern, ty, types),
        _ => pattern == ty,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_types_are_recognized() {
        let bytes = std_type("Vec", vec![Ty::Plain("u8")]).expect("known");
        assert!(bytes.is_generated() && bytes.is_bytes() && !bytes.is_copy());
        let cow = std_type("Cow", vec![Ty::Str]).expect("known");
        assert!(!cow.is_generated() && cow.is_text());
        assert!(!Ty::Ref(Box::new(Ty::Str)).is_generated());
        assert_eq!(std_type("Vec", Vec::new()), None);
        assert!(Ty::Tuple(vec![Ty::Plain("u8"), Ty::Plain("f64")]).has_floats());
    }

    #[test]
    fn parameters_are_found_by_matching() {
        let list = |of: Ty| Ty::Std("Vec", vec![of]);
        let mut types = Substitution::new();
        let pattern = Ty::Tuple(vec![list(Ty::Param("T".into())), Ty::Param("T".into())]);
        let ty = Ty::Tuple(vec![list(Ty::String), Ty::String]);
        assert!(matched(&pattern, &ty, &mut types));
        assert_eq!(pattern.with(&types), ty);
        let other = Ty::Tuple(vec![list(Ty::String), Ty::Plain("u8")]);
        assert!(!matched(&pattern, &other, &mut Substitution::new()));
    }
}
