//! Follows the input through the variables of a body.
//!
//! A condition that does not depend on the input depends on the machine, so its branches need not
//! run. This module decides what depends on the input: each variable that is made or changed from it,
//! or changed only if the input says so. It knows names and no types, so it follows what looks like a
//! change.

use std::collections::BTreeSet;

use proc_macro2::{Literal, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::parse::Parser as _;
use syn::punctuated::Punctuated;
use syn::{BinOp, Expr, Macro, Token};

use super::names;

/// The variables that depend on the input.
#[derive(Default)]
pub(super) struct Flow {
    inputs: BTreeSet<String>,
    /// The variables that are declared with `mut`.
    mutable: BTreeSet<String>,
    /// References, and the variables that they may change.
    references: BTreeSet<(String, String)>,
    /// Whether the input decides that the current expression runs.
    is_decided: bool,
}

impl Flow {
    /// Begins a branch or a loop. Returns what [`leave`](Flow::leave) takes at its end.
    pub(super) fn enter(&mut self, is_input: bool) -> bool {
        let outer = self.is_decided;
        self.is_decided |= is_input;
        outer
    }

    pub(super) fn leave(&mut self, outer: bool) {
        self.is_decided = outer;
    }

    /// Records the names in a pattern that can be changed.
    pub(super) fn declare(&mut self, pattern: TokenStream) {
        let mut is_mutable = false;
        for tree in pattern {
            match tree {
                TokenTree::Group(group) => self.declare(group.stream()),
                TokenTree::Ident(name) => {
                    if is_mutable {
                        self.mutable.insert(name.to_string());
                    }
                    is_mutable = name == "mut";
                }
                _ => is_mutable = false,
            }
        }
    }

    /// Records that the names in a pattern depend on the input.
    pub(super) fn bind(&mut self, pattern: TokenStream) {
        for name in names_in(pattern) {
            self.bind_name(&name);
        }
    }

    fn bind_name(&mut self, name: &str) {
        if !self.inputs.insert(name.to_owned()) {
            return;
        }
        let of_name = |(reference, _): &&(String, String)| reference == name;
        let changed: Vec<String> =
            self.references.iter().filter(of_name).map(|(_, target)| target.clone()).collect();
        changed.iter().for_each(|target| self.bind_name(target));
    }

    /// Records that the names in a pattern may be references to variables of an expression:
    /// `let last = list.last_mut()`.
    pub(super) fn connect(&mut self, pattern: TokenStream, expr: &Expr) {
        if !lends_mutably(expr.to_token_stream()) {
            return;
        }
        let targets: Vec<String> = names_in(expr.to_token_stream())
            .into_iter()
            .filter(|name| self.mutable.contains(name) || self.is_reference(name))
            .collect();
        for reference in names_in(pattern) {
            for target in &targets {
                self.references.insert((reference.clone(), target.clone()));
            }
        }
    }

    fn is_reference(&self, name: &str) -> bool {
        self.references.iter().any(|(reference, _)| reference == name)
    }

    /// Records the change of an assignment.
    pub(super) fn change_by_assignment(&mut self, left: &Expr, right: &Expr) {
        // An index says which element changes.
        let is_part = !matches!(left, Expr::Path(_));
        if self.is_decided || self.is_input(right) || (is_part && self.is_input(left)) {
            match left {
                Expr::Tuple(_) | Expr::Array(_) | Expr::Struct(_) | Expr::Call(_) => {
                    self.bind(left.to_token_stream());
                }
                left => self.bind(names::root(left)),
            }
        }
    }

    /// Records the changes of a call: `list.push(input)` and `fill(&mut list, input)` change `list`. A
    /// call whose value is used may change nothing, so the receiver must be `mut` or a reference.
    pub(super) fn change_by_call(&mut self, call: &Expr, is_statement: bool) {
        if !self.is_decided && !self.is_input(call) {
            return;
        }
        let arguments = match call {
            Expr::MethodCall(method) => {
                let receiver = names::root(&method.receiver);
                let is_changed = names_in(receiver.clone())
                    .iter()
                    .any(|name| self.mutable.contains(name) || self.is_reference(name));
                if is_statement || is_changed || names::changes(&method.method.to_string()) {
                    self.bind(receiver);
                }
                &method.args
            }
            Expr::Call(call) => &call.args,
            _ => return,
        };
        self.bind_lent(arguments.iter());
    }

    /// Records the changes of a macro: `write!(text, "{input}")` changes `text`.
    pub(super) fn change_by_macro(&mut self, mac: &Macro, name: &str) {
        let is_input = self.mentions_input(mac.tokens.clone(), true);
        if names::is_assertion(name) || !(self.is_decided || is_input) {
            return;
        }
        let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
        let Ok(arguments) = parser.parse2(mac.tokens.clone()) else { return };
        if let Some(first) = arguments.first() {
            for name in names_in(names::root(first)) {
                if self.mutable.contains(&name) || self.is_reference(&name) {
                    self.bind_name(&name);
                }
            }
        }
        self.bind_lent(arguments.iter());
    }

    /// Binds the variables that arguments borrow mutably.
    fn bind_lent<'a>(&mut self, arguments: impl Iterator<Item = &'a Expr>) {
        for argument in arguments {
            match argument {
                Expr::Path(path) => {
                    let name = path.to_token_stream().to_string();
                    if self.is_reference(&name) {
                        self.bind_name(&name);
                    }
                }
                // The changes of a closure are found inside of it.
                Expr::Closure(_) => {}
                argument if lends_mutably(argument.to_token_stream()) => {
                    for name in names_in(argument.to_token_stream()) {
                        if self.mutable.contains(&name) || self.is_reference(&name) {
                            self.bind_name(&name);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// Returns whether the arguments of a macro depend on the input.
    pub(super) fn is_input_of_macro(&self, mac: &Macro) -> bool {
        self.mentions_input(mac.tokens.clone(), true)
    }

    /// Returns whether a call cannot change this receiver: it is a variable of the body that is
    /// neither `mut` nor a reference to such a variable.
    pub(super) fn is_fixed(&self, receiver: &Expr) -> bool {
        let name = names::root(receiver).to_string();
        !name.is_empty()
            && self.inputs.contains(&name)
            && !self.mutable.contains(&name)
            && !self.is_reference(&name)
    }

    pub(super) fn is_input(&self, expr: &Expr) -> bool {
        self.mentions_input(expr.to_token_stream(), false)
    }

    /// Returns whether tokens name something that depends on the input. In a macro, a string can name a
    /// variable too: `format!("{n}")`.
    fn mentions_input(&self, tokens: TokenStream, is_macro: bool) -> bool {
        let mut is_name = false;
        let mut is_call = false;
        tokens.into_iter().any(|tree| {
            let was_call = std::mem::replace(&mut is_call, false);
            let was_name = std::mem::replace(&mut is_name, false);
            match tree {
                TokenTree::Group(group) => {
                    self.mentions_input(group.stream(), is_macro || was_call)
                }
                TokenTree::Ident(name) => {
                    is_name = true;
                    self.inputs.contains(&name.to_string())
                }
                TokenTree::Punct(punct) => {
                    is_call = was_name && punct.as_char() == '!';
                    false
                }
                TokenTree::Literal(literal) => {
                    is_macro && captures(&literal).iter().any(|name| self.inputs.contains(name))
                }
            }
        })
    }
}

/// Returns whether an operator assigns.
pub(super) fn assigns(operator: &BinOp) -> bool {
    use BinOp::{
        AddAssign, BitAndAssign, BitOrAssign, BitXorAssign, DivAssign, MulAssign, RemAssign,
        ShlAssign, ShrAssign, SubAssign,
    };
    matches!(
        operator,
        AddAssign(_)
            | SubAssign(_)
            | MulAssign(_)
            | DivAssign(_)
            | RemAssign(_)
            | BitXorAssign(_)
            | BitAndAssign(_)
            | BitOrAssign(_)
            | ShlAssign(_)
            | ShrAssign(_)
    )
}

/// Returns the names of variables in tokens.
fn names_in(tokens: TokenStream) -> Vec<String> {
    let mut all = Vec::new();
    for tree in tokens {
        match tree {
            TokenTree::Group(group) => all.extend(names_in(group.stream())),
            TokenTree::Ident(name) => {
                let name = name.to_string();
                if name.starts_with(|first: char| first == '_' || first.is_lowercase()) {
                    all.push(name);
                }
            }
            _ => {}
        }
    }
    all
}

/// Returns whether an expression borrows something mutably: `&mut list`, `list.iter_mut()`.
fn lends_mutably(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|tree| match tree {
        TokenTree::Group(group) => lends_mutably(group.stream()),
        TokenTree::Ident(name) => {
            let name = name.to_string();
            name == "mut" || name.ends_with("_mut") || name == "entry" || name == "by_ref"
        }
        _ => false,
    })
}

/// Returns the names that a format string captures: `"{n} {:width$}"`.
fn captures(literal: &Literal) -> Vec<String> {
    let text = literal.to_string();
    if !text.contains('"') {
        return Vec::new();
    }
    let mut names = Vec::new();
    let text = text.replace("{{", "").replace("}}", "");
    for hole in text.split('{').skip(1) {
        let hole = hole.split('}').next().unwrap_or_default();
        let (name, format) = hole.split_once(':').unwrap_or((hole, ""));
        names.push(name.trim().to_owned());
        let mut parts: Vec<&str> = format.split('$').collect();
        // The part after the last `$` is not a name.
        parts.pop();
        for part in parts {
            let is_part = |c: char| c == '_' || c.is_alphanumeric();
            let name = part.rsplit(|c| !is_part(c)).next().unwrap_or_default();
            names.push(name.trim_start_matches(|c: char| c.is_ascii_digit()).to_owned());
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn format_strings_capture_names() {
        let captures = |text: &str| captures(&text.parse::<Literal>().expect("a literal"));
        assert_eq!(captures("\"{n}\""), ["n"]);
        assert_eq!(captures("r#\"a{n:?} {b:>width$.2$} {{m}} {}\"#"), ["n", "b", "width", "", ""]);
        assert_eq!(captures("1"), [""; 0]);
    }
}
