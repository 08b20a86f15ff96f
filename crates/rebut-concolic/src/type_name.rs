//! Parses the names that `std::any::type_name` gives to types.
//!
//! A test in WebAssembly reports the type of a value by its name: `&str`,
//! `core::option::Option<&alloc::string::String>`. [`TypeName`] is the structure of such a name.

use std::fmt;

/// A type, as `std::any::type_name` writes it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TypeName {
    /// `&T`, or `&mut T`.
    Reference {
        /// Whether it is `&mut T`.
        is_mutable: bool,
        /// The type that it refers to.
        target: Box<TypeName>,
    },
    /// `[T]`.
    Slice(Box<TypeName>),
    /// `[T; 3]`, with its length.
    Array(Box<TypeName>, String),
    /// `(A, B)`; without types, it is `()`.
    Tuple(Vec<TypeName>),
    /// `u8`, or `alloc::vec::Vec<u8>`.
    Path {
        /// The path without arguments.
        path: String,
        /// The types in angle brackets.
        arguments: Vec<TypeName>,
    },
    /// `impl Iterator<Item = T>`. The compiler never writes this: the types of iterators are long,
    /// and only their items are observed.
    Iterator(Box<TypeName>),
    /// Anything else, as written: functions, pointers, trait objects, closures.
    Other(String),
}

/// The start of the name of an iterator; its end is `>`.
const ITERATOR: &str = "impl Iterator<Item = ";

impl TypeName {
    /// Parses a name. A name that is not understood becomes [`TypeName::Other`].
    ///
    /// # Example
    ///
    /// ```
    /// use rebut_concolic::TypeName;
    ///
    /// let name = TypeName::parse("core::option::Option<&[u8]>");
    /// let [held] = name.arguments("core::option::Option").unwrap() else { panic!() };
    /// assert!(matches!(held.without_references(), TypeName::Slice(_)));
    /// ```
    #[must_use]
    pub fn parse(name: &str) -> TypeName {
        let name = name.trim();
        if let Some(item) = enclosed(name, ITERATOR, ">") {
            return TypeName::Iterator(Box::new(TypeName::parse(item)));
        }
        if let Some(target) = name.strip_prefix('&') {
            let target = without_lifetime(target);
            let is_mutable = target.starts_with("mut ");
            let target = target.strip_prefix("mut ").unwrap_or(target);
            return TypeName::Reference { is_mutable, target: Box::new(TypeName::parse(target)) };
        }
        if let Some(inner) = enclosed(name, "[", "]") {
            return match parts(inner, ';').as_slice() {
                [element, length] => {
                    let length = length.trim().to_owned();
                    TypeName::Array(Box::new(TypeName::parse(element)), length)
                }
                _ => TypeName::Slice(Box::new(TypeName::parse(inner))),
            };
        }
        if let Some(inner) = enclosed(name, "(", ")") {
            return TypeName::Tuple(parsed_list(inner));
        }
        TypeName::parse_path(name).unwrap_or_else(|| TypeName::Other(name.to_owned()))
    }

    fn parse_path(name: &str) -> Option<TypeName> {
        let (path, arguments) = match name.find('<') {
            Some(open) => {
                let (path, arguments) = name.split_at(open);
                (path, parsed_list(enclosed(arguments, "<", ">")?))
            }
            None => (name, Vec::new()),
        };
        let is_of_path = |letter: char| letter.is_alphanumeric() || "_:#".contains(letter);
        let is_path = !path.is_empty() && path.chars().all(is_of_path);
        is_path.then(|| TypeName::Path { path: path.to_owned(), arguments })
    }

    /// Returns the arguments of the type, if its path is this one.
    #[must_use]
    pub fn arguments(&self, wanted_path: &str) -> Option<&[TypeName]> {
        match self {
            TypeName::Path { path, arguments } if path == wanted_path => Some(arguments),
            _ => None,
        }
    }

    /// Whether it is this path without arguments, such as `usize`.
    #[must_use]
    pub fn is(&self, wanted_path: &str) -> bool {
        self.arguments(wanted_path).is_some_and(<[TypeName]>::is_empty)
    }

    /// Returns the type behind all outer references, or the type itself.
    #[must_use]
    pub fn without_references(&self) -> &TypeName {
        match self {
            TypeName::Reference { target, .. } => target.without_references(),
            other => other,
        }
    }
}

/// Writes the name as it was parsed.
impl fmt::Display for TypeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TypeName::Reference { is_mutable: true, target } => write!(f, "&mut {target}"),
            TypeName::Reference { is_mutable: false, target } => write!(f, "&{target}"),
            TypeName::Slice(element) => write!(f, "[{element}]"),
            TypeName::Array(element, length) => write!(f, "[{element}; {length}]"),
            TypeName::Tuple(parts) => match parts.as_slice() {
                [one] => write!(f, "({one},)"),
                parts => write!(f, "({})", joined(parts)),
            },
            TypeName::Path { path, arguments } if arguments.is_empty() => f.write_str(path),
            TypeName::Path { path, arguments } => write!(f, "{path}<{}>", joined(arguments)),
            TypeName::Iterator(item) => write!(f, "{ITERATOR}{item}>"),
            TypeName::Other(text) => f.write_str(text),
        }
    }
}

fn joined(names: &[TypeName]) -> String {
    names.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn without_lifetime(target: &str) -> &str {
    match target.strip_prefix('\'').and_then(|lifetime| lifetime.split_once(' ')) {
        Some((_, target)) => target,
        None => target,
    }
}

/// Returns the text between `open` and `close`, if they enclose all of the text.
fn enclosed<'t>(text: &'t str, open: &str, close: &str) -> Option<&'t str> {
    let inner = text.strip_prefix(open)?.strip_suffix(close)?;
    // `(A) -> (B)` is not enclosed.
    let mut depth = 0_i32;
    let is_closed_early = brackets(inner).any(|(_, change)| {
        depth += change;
        depth < 0
    });
    (!is_closed_early && depth == 0).then_some(inner)
}

fn parsed_list(list: &str) -> Vec<TypeName> {
    let parts = parts(list, ',');
    parts.into_iter().filter(|part| !part.trim().is_empty()).map(TypeName::parse).collect()
}

/// Returns the parts of `text` between separators that are not in brackets.
fn parts(text: &str, separator: char) -> Vec<&str> {
    let (mut parts, mut start) = (Vec::new(), 0);
    for (at, _) in text.match_indices(separator) {
        let depth: i32 = brackets(&text[start..at]).map(|(_, change)| change).sum();
        if depth == 0 {
            parts.push(&text[start..at]);
            start = at + separator.len_utf8();
        }
    }
    parts.push(&text[start..]);
    parts
}

/// Returns the brackets of `text`: where each is, and 1 if it opens or -1 if it closes. The arrow
/// of `fn(u8) -> u8` has none.
fn brackets(text: &str) -> impl Iterator<Item = (usize, i32)> {
    text.char_indices().filter_map(move |(at, letter)| match letter {
        '<' | '(' | '[' => Some((at, 1)),
        '>' if text[..at].ends_with('-') => None,
        '>' | ')' | ']' => Some((at, -1)),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_written_as_they_were_parsed() {
        for name in [
            "u8",
            "&str",
            "&mut [alloc::string::String]",
            "[u8; 3]",
            "()",
            "(u8,)",
            "(u8, &[(bool, char)])",
            "core::result::Result<&[u8], (u8, demo::Shape<4>)>",
            "impl Iterator<Item = (u8, i32)>",
            "alloc::boxed::Box<dyn core::ops::Fn(u8) -> bool>",
            "fn(u8) -> (u8, u8)",
            "*const u8",
            "demo::f<u8>::{{closure}}",
            "",
        ] {
            assert_eq!(TypeName::parse(name).to_string(), name);
        }
    }

    #[test]
    fn names_have_structure() {
        let byte = || TypeName::parse("u8");
        let result = TypeName::parse("core::result::Result<[u8; 2], (u8, u8)>");
        let expected =
            [TypeName::Array(Box::new(byte()), "2".into()), TypeName::Tuple(vec![byte(), byte()])];
        assert_eq!(result.arguments("core::result::Result"), Some(&expected[..]));
        assert_eq!(result.arguments("core::option::Option"), None);
        assert!(byte().is("u8") && !result.is("core::result::Result"));
        assert_eq!(TypeName::parse("&'static &mut u8").without_references(), &byte());
        let function = TypeName::parse("(u8) -> (u8)");
        assert_eq!(function, TypeName::Other("(u8) -> (u8)".into()));
    }
}
