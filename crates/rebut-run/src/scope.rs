//! The names of types at a property.
//!
//! A derived type prints itself by its name. This module decides how the property can write that
//! name, from the list that the macro made of the imports around the property. If nothing shows
//! that a name is known there, the value is not offered to be kept: what does not compile is worse
//! than nothing.

use rebut_gen::code::{TypeNote, TypeNoteKind};

use crate::strings;

/// The module of a property, and the names that it imports. See `rebut-macros/src/test/scope.rs`
/// for the format of the names.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Scope {
    pub(crate) module: &'static str,
    pub(crate) names: &'static str,
}

impl Scope {
    /// Returns code with the names that the property knows, and the notes about types whose code may
    /// not compile there.
    pub(crate) fn written(&self, code: String, notes: Vec<TypeNote>) -> (String, Vec<TypeNote>) {
        let mut text = code;
        let mut left = Vec::new();
        for mut note in notes {
            if note.kind == TypeNoteKind::Named {
                match self.name_of(&note) {
                    Some(written) if written == note.type_name => continue,
                    Some(written) => {
                        text = renamed(&text, &note.type_name, &written);
                        continue;
                    }
                    None => note.kind = TypeNoteKind::OutOfScope,
                }
            }
            left.push(note);
        }
        (text, left)
    }

    /// Returns how the property can write the name of a type; `None` if that is not known.
    #[inline(never)]
    pub(crate) fn name_of(&self, note: &TypeNote) -> Option<String> {
        let TypeNote { type_name: name, module, visible_in, .. } = note;
        if self.module.is_empty() || module == self.module {
            return Some(name.clone());
        }
        if !visible_in.is_empty() && !is_inside(self.module, visible_in) {
            return None;
        }
        let mut imported = None;
        for line in strings::lines(self.names) {
            let Some((written, path)) = strings::split_once(line, " ") else { continue };
            if written == "*" {
                if self.absolute(path) == *module {
                    return Some(name.clone());
                }
                continue;
            }
            let (parent, last) = match path.rfind("::") {
                Some(at) => (&path[..at], &path[at + 2..]),
                None => ("", path),
            };
            if last != name {
                continue;
            }
            if !parent.is_empty() && self.absolute(parent) == *module {
                return Some(written.to_owned());
            }
            // A type may be exported elsewhere than it is defined, but not by another crate.
            if imported.is_none() && self.may_be_in(parent, module) {
                imported = Some(written.to_owned());
            }
        }
        imported.or_else(|| self.path_of(name, module))
    }

    /// Returns whether a path as written at the property may lead to an item of a module.
    fn may_be_in(&self, path: &str, module: &str) -> bool {
        let crate_of_type = first(module);
        path.is_empty() || first(self.module) == crate_of_type || first(path) == crate_of_type
    }

    /// Returns the full path of a type if all its modules are visible: each is around the property,
    /// or next to a module that is.
    fn path_of(&self, name: &str, module: &str) -> Option<String> {
        if first(module) != first(self.module) {
            return None;
        }
        let parent = module.rfind("::").map_or("", |at| &module[..at]);
        let is_visible = is_inside(self.module, module)
            || (!parent.is_empty() && is_inside(self.module, parent));
        let rest = module.strip_prefix(first(module))?;
        is_visible.then(|| format!("crate{rest}::{name}"))
    }

    /// Returns a path from the root of its crate, as far as the words of the path say.
    fn absolute(&self, path: &str) -> String {
        let mut module = self.module.to_owned();
        let mut rest = path;
        if let Some(inside) = path.strip_prefix("crate") {
            return format!("{}{inside}", first(&module));
        }
        if rest == "self" {
            return module;
        }
        if let Some(inside) = rest.strip_prefix("self::") {
            return format!("{module}::{inside}");
        }
        let mut is_relative = false;
        while rest == "super" || rest.starts_with("super::") {
            module.truncate(module.rfind("::").unwrap_or(0));
            rest = rest.strip_prefix("super").unwrap_or_default();
            rest = rest.strip_prefix("::").unwrap_or_default();
            is_relative = true;
        }
        match (is_relative, rest) {
            (true, "") => module,
            (true, rest) => format!("{module}::{rest}"),
            _ => rest.to_owned(),
        }
    }
}

fn first(path: &str) -> &str {
    strings::split_once(path, "::").map_or(path, |(first, _)| first)
}

fn is_inside(module: &str, outer: &str) -> bool {
    let rest = module.strip_prefix(outer);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// Replaces the name of a type in code, but not in literals or behind `::`.
#[inline(never)]
pub(crate) fn renamed(code: &str, name: &str, written: &str) -> String {
    let mut text = String::new();
    let mut rest = code;
    let is_word = |c: char| c == '_' || c.is_alphanumeric();
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '"' => literal_length(rest, '"'),
            '\'' => literal_length(rest, '\''),
            c if is_word(c) => rest.find(|c: char| !is_word(c)).unwrap_or(rest.len()),
            c => c.len_utf8(),
        };
        let (piece, after) = rest.split_at(length);
        let is_type = piece == name && !text.ends_with("::") && !text.ends_with('.');
        text.push_str(if is_type { written } else { piece });
        rest = after;
    }
    text
}

/// Returns the length of a literal, with its quotes.
fn literal_length(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(module: &str, visible_in: &str, names: &'static str, expected: Option<&str>) {
        let scope = Scope { module: "demo::a::tests", names };
        let note = TypeNote {
            kind: TypeNoteKind::Named,
            type_name: "Point".to_owned(),
            module: module.to_owned(),
            visible_in: visible_in.to_owned(),
        };
        assert_eq!(scope.name_of(&note).as_deref(), expected, "{module} {names}");
    }

    #[test]
    fn names_are_found_where_they_are_imported() {
        check("demo::a::tests", "demo::a::tests", "", Some("Point"));
        check("demo::a", "demo::a", "* super", Some("Point"));
        check("demo::a", "", "", Some("crate::a::Point"));
        check("demo::a::shapes", "", "Dot super::shapes::Point", Some("Dot"));
        check("demo::a::shapes", "", "Dot crate::a::shapes::Point", Some("Dot"));
        check("demo::b::c::inner", "", "Point crate::b::Point", Some("Point"));
        check("other::inner", "", "Point other::Point", Some("Point"));
        check("other::inner", "", "other::Point other::Point", Some("other::Point"));
    }

    #[test]
    fn names_that_may_be_unknown_are_not_used() {
        check("demo::b::c", "", "", None);
        check("demo::b", "demo::b", "Point crate::b::Point", None);
        check("other::inner", "", "", None);
        check("other::inner", "", "* other", None);
    }

    #[test]
    fn only_names_of_types_are_replaced() {
        let renamed = |code| renamed(code, "P", "a::P");
        assert_eq!(
            renamed("[P { P: \"P\\\"P\" }, x::P, 'P', XP]"),
            "[a::P { a::P: \"P\\\"P\" }, x::P, 'P', XP]"
        );
    }
}
