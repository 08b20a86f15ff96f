//! Types as they are written in source files: substitution, printing, and whether values of a type
//! can be generated.

use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use syn::{GenericArgument, PathArguments, Type, TypePath};

/// The tokens that replace a name: the arguments of type parameters, and the type for `Self`.
pub(crate) type Bindings = BTreeMap<String, TokenStream>;

/// Replaces names in tokens.
pub(crate) fn substituted(tokens: TokenStream, bindings: &Bindings) -> TokenStream {
    let one = |token: TokenTree| match token {
        TokenTree::Ident(ident) => match bindings.get(&ident.to_string()) {
            Some(bound) => bound.clone(),
            None => TokenTree::Ident(ident).into(),
        },
        TokenTree::Group(group) => {
            let inside = substituted(group.stream(), bindings);
            TokenTree::Group(Group::new(group.delimiter(), inside)).into()
        }
        other => other.into(),
    };
    tokens.into_iter().map(one).collect::<Vec<TokenStream>>().into_iter().collect()
}

/// Replaces names in a type. Returns the type unchanged if the result is not a type.
pub(crate) fn substituted_type(ty: &Type, bindings: &Bindings) -> Type {
    syn::parse2(substituted(ty.to_token_stream(), bindings)).unwrap_or_else(|_| ty.clone())
}

/// Returns tokens as a person would write them, in one line.
pub(crate) fn text(tokens: &impl ToTokens) -> String {
    let mut text = String::new();
    write(tokens.to_token_stream(), &mut text);
    text
}

/// A piece of printed code.
enum Piece {
    Word(String),
    /// Punctuation, such as `->`.
    Mark(String),
    Group(Group),
}

fn write(tokens: TokenStream, text: &mut String) {
    let mut before: Option<Piece> = None;
    let mut is_binary = false;
    let mut is_lifetime = false;
    for piece in pieces(tokens) {
        let is_operand = match &before {
            Some(Piece::Mark(mark)) => mark.ends_with('>'),
            other => other.is_some(),
        };
        let was_binary = is_binary;
        is_binary = matches!(&piece, Piece::Mark(mark) if is_operator(mark)) && is_operand;
        let has_space = match (&before, &piece) {
            (None, _) => false,
            (Some(Piece::Mark(mark)), _) if mark == "," || mark == ";" => true,
            _ if is_binary || was_binary => true,
            (Some(Piece::Word(_)), Piece::Word(_)) => true,
            (Some(Piece::Word(word)), Piece::Group(_)) => word == "mut" || is_lifetime,
            _ => false,
        };
        if has_space {
            text.push(' ');
        }
        let is_tick = matches!(&before, Some(Piece::Mark(mark)) if mark.ends_with('\''));
        is_lifetime = is_tick && matches!(&piece, Piece::Word(_));
        match &piece {
            Piece::Word(word) | Piece::Mark(word) => text.push_str(word),
            Piece::Group(group) => write_group(group, text),
        }
        before = Some(piece);
    }
}

fn write_group(group: &Group, text: &mut String) {
    let (open, close) = match group.delimiter() {
        Delimiter::Parenthesis => ("(", ")"),
        Delimiter::Bracket => ("[", "]"),
        Delimiter::Brace => ("{ ", " }"),
        Delimiter::None => ("", ""),
    };
    text.push_str(open);
    write(group.stream(), text);
    text.push_str(close);
}

/// Splits tokens into pieces. Punctuation that belongs together, such as `->`, is one piece.
fn pieces(tokens: TokenStream) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut is_joined = false;
    for token in tokens {
        match token {
            TokenTree::Punct(punct) => {
                match pieces.last_mut() {
                    Some(Piece::Mark(mark)) if is_joined => mark.push(punct.as_char()),
                    _ => pieces.push(Piece::Mark(punct.as_char().to_string())),
                }
                is_joined = punct.spacing() == Spacing::Joint;
            }
            TokenTree::Group(group) => pieces.push(Piece::Group(group)),
            other => pieces.push(Piece::Word(other.to_string())),
        }
    }
    pieces
}

/// Whether punctuation between two operands has spaces around it. A single `<` may be a bracket.
fn is_operator(mark: &str) -> bool {
    const OPERATORS: &[&str] = &[
        "==", "!=", "<=", ">=", "&&", "||", "->", "=>", "=", "+", "-", "*", "/", "%", "^", "|",
        "&", "+=", "-=",
    ];
    OPERATORS.contains(&mark)
}

/// Returns the part of a type whose values cannot be generated, as text; `None` if values of the
/// type can be generated. `generated` contains the names of the crate's own types with generators.
pub(crate) fn ungenerable_part(ty: &Type, generated: &BTreeSet<String>) -> Option<String> {
    match ty {
        Type::Reference(reference) if reference.mutability.is_none() => match &*reference.elem {
            Type::Slice(slice) => ungenerable_part(&slice.elem, generated),
            Type::Path(path) if path.path.is_ident("str") => None,
            Type::Reference(_) => Some(text(ty)),
            other => ungenerable_part(other, generated),
        },
        Type::Paren(inner) => ungenerable_part(&inner.elem, generated),
        Type::Group(inner) => ungenerable_part(&inner.elem, generated),
        Type::Array(array) => ungenerable_field(&array.elem, generated),
        Type::Tuple(tuple) => tuple.elems.iter().find_map(|ty| ungenerable_field(ty, generated)),
        Type::Path(path) => ungenerable_path(path, generated),
        _ => Some(text(ty)),
    }
}

/// Returns the same for the type of a part of a value, where references cannot be generated.
fn ungenerable_field(ty: &Type, generated: &BTreeSet<String>) -> Option<String> {
    match ty {
        Type::Reference(_) => Some(text(ty)),
        _ => ungenerable_part(ty, generated),
    }
}

fn ungenerable_path(path: &TypePath, generated: &BTreeSet<String>) -> Option<String> {
    let Some(last) = path.path.segments.last() else { return Some(text(path)) };
    let name = last.ident.to_string();
    let has_generator = GENERATED.contains(&name.as_str())
        || GENERATED_CONTAINERS.contains(&name.as_str())
        || generated.contains(&name);
    if path.qself.is_some() || !has_generator {
        return Some(text(path));
    }
    arguments(path).find_map(|ty| match ty {
        Type::Slice(slice) => ungenerable_field(&slice.elem, generated),
        Type::Path(path) if path.path.is_ident("str") => None,
        ty => ungenerable_field(ty, generated),
    })
}

/// Types without parameters that have a generator.
const GENERATED: &[&str] = &[
    "bool", "char", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128",
    "isize", "f32", "f64", "String", "Duration", "Ordering", "PathBuf", "OsString",
];

/// Types that have a generator if their arguments have one.
const GENERATED_CONTAINERS: &[&str] = &[
    "Option",
    "Result",
    "Vec",
    "Box",
    "Rc",
    "Arc",
    "Cell",
    "RefCell",
    "VecDeque",
    "LinkedList",
    "BTreeMap",
    "BTreeSet",
    "HashMap",
    "HashSet",
    "BinaryHeap",
    "Range",
    "RangeInclusive",
    "NonZero",
    "Wrapping",
    "Reverse",
    "Saturating",
];

/// Returns the types in the angle brackets of the last segment of a path.
pub(crate) fn arguments(path: &TypePath) -> impl Iterator<Item = &Type> {
    let last = path.path.segments.last().map(|last| &last.arguments);
    let arguments = match last {
        Some(PathArguments::AngleBracketed(arguments)) => Some(&arguments.args),
        _ => None,
    };
    arguments.into_iter().flatten().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

/// Returns the last name of a type's path.
pub(crate) fn last_name(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
        _ => None,
    }
}

/// Whether it is an integer type.
pub(crate) fn is_integer(ty: &Type) -> bool {
    const INTEGERS: &[&str] =
        &["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"];
    last_name(ty).is_some_and(|name| INTEGERS.contains(&name.as_str()))
}

/// Returns the type behind all references; other types unchanged.
pub(crate) fn without_reference(ty: &Type) -> &Type {
    match ty {
        Type::Reference(reference) => without_reference(&reference.elem),
        Type::Paren(inner) => without_reference(&inner.elem),
        Type::Group(inner) => without_reference(&inner.elem),
        other => other,
    }
}

/// Whether the type is known to be `Copy`.
pub(crate) fn is_copied(ty: &Type) -> bool {
    match ty {
        Type::Reference(reference) => reference.mutability.is_none(),
        Type::Paren(inner) => is_copied(&inner.elem),
        Type::Group(inner) => is_copied(&inner.elem),
        Type::Tuple(tuple) => tuple.elems.iter().all(is_copied),
        Type::Array(array) => is_copied(&array.elem),
        Type::Path(path) => match last_name(ty).as_deref() {
            Some("Option") => arguments(path).all(is_copied),
            Some("bool" | "char" | "f32" | "f64" | "Duration" | "Ordering") => true,
            _ => is_integer(ty),
        },
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ty(text: &str) -> Type {
        syn::parse_str(text).expect("a type")
    }

    #[test]
    fn types_are_printed_as_written() {
        for as_written in [
            "Stack<i32>",
            "&'a mut [Option<(u8, String)>]",
            "&[T; 3]",
            "Box<dyn Fn(i32) -> bool + 'static>",
            "impl Iterator<Item = &'a str> + use<'a>",
            "<T as std::ops::Add>::Output",
            "HashMap<String, Vec<u8>>",
            "&mut (u8, u8)",
        ] {
            assert_eq!(text(&ty(as_written)), as_written);
        }
    }

    #[test]
    fn expressions_are_printed_as_written() {
        for as_written in ["self.len <= self.items.len()", "a == b && !c", "x.at(-1) + *y"] {
            let tokens: TokenStream = as_written.parse().expect("tokens");
            assert_eq!(text(&tokens), as_written);
        }
    }

    #[test]
    fn parameters_are_replaced_at_any_depth() {
        let bindings = Bindings::from([("T".to_owned(), tokens("Vec<u8>"))]);
        let replaced = substituted_type(&ty("Result<&[T], (T, Other)>"), &bindings);
        assert_eq!(text(&replaced), "Result<&[Vec<u8>], (Vec<u8>, Other)>");
    }

    fn tokens(text: &str) -> TokenStream {
        text.parse().expect("tokens")
    }

    #[test]
    fn types_without_a_generator_are_found() {
        let generated = BTreeSet::from(["Shape".to_owned()]);
        for can in ["u8", "&str", "&[Vec<Shape>]", "Option<Box<[i32]>>", "(bool, [char; 3])", "()"]
        {
            assert_eq!(ungenerable_part(&ty(can), &generated), None, "{can}");
        }
        for (cannot, part) in [
            ("&mut u8", "&mut u8"),
            ("impl Fn(u8)", "impl Fn(u8)"),
            ("Circle", "Circle"),
            ("Vec<&str>", "&str"),
            ("Box<dyn Read>", "dyn Read"),
            ("T::Item", "T::Item"),
        ] {
            assert_eq!(ungenerable_part(&ty(cannot), &generated).as_deref(), Some(part));
        }
    }
}
