//! The names of types that a property can use.
//!
//! A report prints a value of a derived type by the name of its type, and that name may not be
//! known at the property: it is in another module, or imported under another name. A macro cannot
//! resolve names. So this module lists what the code says: the paths in the signature, and the
//! imports of the modules around the property. `rebut-run` compares them with the module of the
//! type.
//!
//! Each line is a name as it can be written and a path, or `*` and the path of a glob import. Paths
//! are as written, relative to the module of the property.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::{FnArg, ItemFn};

use crate::lexer::{self, Piece, PieceKind};
use crate::written;

/// Returns the names at a function.
pub(super) fn names(function: &ItemFn) -> String {
    let mut imports = Vec::new();
    for input in &function.sig.inputs {
        if let FnArg::Typed(input) = input {
            find_paths(input.ty.to_token_stream(), &mut imports);
        }
    }
    if let Some((file, offset)) = written::position(function.sig.ident.span()) {
        imports.extend(imports_before(&lexer::pieces(&file[..offset])));
    }
    let mut lines: Vec<String> = Vec::new();
    for Import { name, path } in imports {
        let line = format!("{name} {path}");
        if is_type(&name) && !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines.join("\n")
}

/// A name in scope, or `*`, and its path.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Import {
    name: String,
    path: String,
}

/// Returns whether a name may be that of a type. Other names only make the list longer.
fn is_type(name: &str) -> bool {
    let last = name.rsplit("::").next().unwrap_or(name);
    name == "*" || last.trim_start_matches("r#").starts_with(char::is_uppercase)
}

/// Adds the paths in a type.
fn find_paths(tokens: TokenStream, imports: &mut Vec<Import>) {
    let mut path = String::new();
    let mut finish = |path: &mut String| {
        if !path.is_empty() {
            imports.push(Import { name: path.clone(), path: std::mem::take(path) });
        }
    };
    let mut groups = Vec::new();
    for tree in tokens {
        match tree {
            TokenTree::Ident(ident) => {
                if !path.ends_with("::") {
                    finish(&mut path);
                }
                path.push_str(&ident.to_string());
            }
            TokenTree::Punct(punct) if punct.as_char() == ':' => path.push(':'),
            TokenTree::Group(group) => {
                finish(&mut path);
                groups.push(group.stream());
            }
            _ => finish(&mut path),
        }
    }
    finish(&mut path);
    for group in groups {
        find_paths(group, imports);
    }
}

/// The braces around a position.
struct Frame {
    is_module: bool,
    imports: Vec<Import>,
}

/// Returns the imports of the innermost module at the end of the code, with those of outer modules
/// that it imports by `use super::*`.
fn imports_before(pieces: &[Piece<'_>]) -> Vec<Import> {
    let mut frames = vec![Frame { is_module: true, imports: Vec::new() }];
    let mut at = 0;
    while let Some(piece) = pieces.get(at) {
        at += 1;
        match piece.text {
            "{" => {
                let is_module = at >= 3 && pieces[at - 3].text == "mod";
                frames.push(Frame { is_module, imports: Vec::new() });
            }
            "}" => {
                frames.pop();
            }
            "use" => {
                let (imports, end) = UseTree { pieces, at }.read();
                at = end;
                if let Some(frame) = frames.last_mut().filter(|frame| frame.is_module) {
                    frame.imports.extend(imports);
                }
            }
            _ => {}
        }
    }
    let mut found = Vec::new();
    let modules = frames.iter().rev().filter(|frame| frame.is_module);
    for (depth, frame) in modules.enumerate() {
        let outer = frame.imports.iter();
        found.extend(outer.map(|import| Import {
            name: import.name.clone(),
            path: from_inside(&import.path, depth),
        }));
        let is_open = |import: &Import| import.name == "*" && import.path == "super";
        if !frame.imports.iter().any(is_open) {
            break;
        }
    }
    found
}

/// Returns a path of a module, as seen from a module `depth` levels inside of it.
fn from_inside(path: &str, depth: usize) -> String {
    let outside = "super::".repeat(depth);
    match path.strip_prefix("self::") {
        Some(rest) if depth > 0 => outside + rest,
        None if path == "super" || path.starts_with("super::") => outside + path,
        _ => path.to_owned(),
    }
}

/// Reads a `use` declaration.
struct UseTree<'a> {
    pieces: &'a [Piece<'a>],
    at: usize,
}

impl UseTree<'_> {
    /// Returns the imports and the position after the declaration.
    fn read(mut self) -> (Vec<Import>, usize) {
        let mut imports = Vec::new();
        self.tree(&mut Vec::new(), &mut imports);
        (imports, self.at)
    }

    fn next(&mut self) -> Option<(PieceKind, String)> {
        let piece = self.pieces.get(self.at)?;
        self.at += 1;
        Some((piece.kind, piece.text.to_owned()))
    }

    fn is_next(&self, text: &str) -> bool {
        self.pieces.get(self.at).is_some_and(|piece| piece.text == text)
    }

    fn tree(&mut self, prefix: &mut Vec<String>, imports: &mut Vec<Import>) {
        let depth = prefix.len();
        while let Some((kind, text)) = self.next() {
            match text.as_str() {
                ":" => continue,
                "{" => {
                    while !self.is_next("}") && self.at < self.pieces.len() {
                        self.tree(prefix, imports);
                        if self.is_next(",") {
                            self.at += 1;
                        }
                    }
                    self.at += 1;
                }
                "*" => imports.push(Import { name: text, path: prefix.join("::") }),
                _ if kind != PieceKind::Ident => {}
                _ => {
                    // `self` inside of braces stands for the path before it.
                    if text != "self" || prefix.is_empty() {
                        prefix.push(text);
                    }
                    if self.is_next(":") {
                        continue;
                    }
                    let mut name = prefix.last().cloned().unwrap_or_default();
                    if self.is_next("as") {
                        self.at += 1;
                        name = self.next().map_or(name, |(_, alias)| alias);
                    }
                    imports.push(Import { name, path: prefix.join("::") });
                }
            }
            break;
        }
        prefix.truncate(depth);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(code: &str, expected: &[&str]) {
        let imports = imports_before(&lexer::pieces(code));
        let lines = imports.iter().map(|one| format!("{} {}", one.name, one.path));
        assert_eq!(lines.collect::<Vec<_>>(), expected, "{code}");
    }

    #[test]
    fn imports_of_the_innermost_module_are_found() {
        check("use a::B;", &["B a::B"]);
        check(
            "use a::{B, c::{D as E, self}, f::*}; fn",
            &["B a::B", "E a::c::D", "c a::c", "* a::f"],
        );
        check("use a::B; mod m { use super::C; fn f() { use x::Y; } ", &["C super::C"]);
        check("mod m { use a::B; } use self::m::C;", &["C self::m::C"]);
    }

    #[test]
    fn imports_of_outer_modules_are_seen_through_a_glob() {
        check(
            "use a::B; use self::c::D; use super::E; mod m { use super::*; ",
            &["* super", "B a::B", "D super::c::D", "E super::super::E"],
        );
    }

    #[test]
    fn paths_in_types_are_found() {
        let mut imports = Vec::new();
        let tokens = "& 'a [shapes::Point<(Unit, a::B)>]".parse().expect("tokens");
        find_paths(tokens, &mut imports);
        let names: Vec<&str> = imports.iter().map(|import| import.name.as_str()).collect();
        assert_eq!(names, ["a", "shapes::Point", "Unit", "a::B"]);
    }
}
