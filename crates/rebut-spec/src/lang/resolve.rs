//! Reports unknown names in functions, even in those that are never called.
//!
//! The interpreter reports the names that it meets. This pass covers the bodies that it does not
//! evaluate. It knows only names, not types.

use super::builtins;
use super::statements::{Outline, Statement};
use crate::diagnostic::{Diagnostic, nearest};
use crate::syntax::{Datum, DatumKind};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Reports unknown names in the bodies of functions.
pub(crate) fn resolve(
    statements: &[Statement],
    outlines: &[Outline],
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut known: BTreeSet<Arc<str>> = BTreeSet::new();
    let local = outlines.iter().flat_map(|outline| &outline.body);
    for statement in statements.iter().chain(local.clone()) {
        known.extend(declared(&statement.datum));
        choices(&statement.datum, &mut known);
    }
    for statement in statements.iter().chain(local) {
        if matches!(&*statement.word, "define" | "define-relation") {
            let mut checker = NameChecker { known: &known, bound: Vec::new(), diagnostics };
            checker.definition(&statement.datum);
        }
    }
}

/// The name that a statement declares or defines.
fn declared(datum: &Datum) -> Option<Arc<str>> {
    if !matches!(datum.head(), Some("declare" | "define" | "define-relation")) {
        return None;
    }
    let target = datum.list()?.get(1)?;
    target.symbol().or_else(|| target.head()).map(Arc::from)
}

/// Collects the names of Enums, which need no quotes.
fn choices(datum: &Datum, known: &mut BTreeSet<Arc<str>>) {
    match &datum.kind {
        DatumKind::List(items) if datum.head() == Some("Enum") => {
            known.extend(items.iter().skip(1).filter_map(Datum::symbol).map(Arc::from));
        }
        DatumKind::List(items) => items.iter().for_each(|item| choices(item, known)),
        DatumKind::Blank(inner) => choices(inner, known),
        _ => {}
    }
}

struct NameChecker<'a> {
    known: &'a BTreeSet<Arc<str>>,
    bound: Vec<Arc<str>>,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl NameChecker<'_> {
    fn definition(&mut self, datum: &Datum) {
        let items = datum.list().unwrap_or_default();
        let depth = self.bound.len();
        if let Some(parameters) = items.get(1).and_then(Datum::list) {
            self.bound.extend(parameters.iter().skip(1).filter_map(Datum::symbol).map(Arc::from));
        }
        self.body(&items[2.min(items.len())..]);
        self.bound.truncate(depth);
    }

    fn body(&mut self, body: &[Datum]) {
        let depth = self.bound.len();
        self.bound.extend(body.iter().filter_map(declared));
        for datum in body {
            match datum.head() {
                Some("define" | "define-relation") => self.definition(datum),
                _ => self.datum(datum),
            }
        }
        self.bound.truncate(depth);
    }

    fn datum(&mut self, datum: &Datum) {
        match &datum.kind {
            DatumKind::Symbol(name) => self.name(name, datum),
            DatumKind::List(items) => self.list(items),
            _ => {}
        }
    }

    fn list(&mut self, items: &[Datum]) {
        let head = items.first().and_then(Datum::symbol);
        let shadowed = head.is_some_and(|head| self.known.contains(head) || self.is_bound(head));
        let depth = self.bound.len();
        match head.filter(|_| !shadowed) {
            Some("quote") => {}
            Some("λ" | "lambda") => {
                let parameters = items.get(1).and_then(Datum::list).unwrap_or_default();
                self.bound.extend(parameters.iter().filter_map(Datum::symbol).map(Arc::from));
                self.body(&items[2.min(items.len())..]);
            }
            Some("let" | "let*") => {
                for binding in items.get(1).and_then(Datum::list).unwrap_or_default() {
                    if let Some([name, value]) = binding.list() {
                        self.datum(value);
                        self.bound.extend(name.symbol().map(Arc::from));
                    }
                }
                self.body(&items[2.min(items.len())..]);
            }
            Some("match") => {
                for datum in items.iter().skip(1).take(1) {
                    self.datum(datum);
                }
                for case in items.iter().skip(2).filter_map(Datum::list) {
                    if let Some((pattern, body)) = case.split_first() {
                        let depth = self.bound.len();
                        self.pattern(pattern);
                        self.body(body);
                        self.bound.truncate(depth);
                    }
                }
            }
            Some("get" | "field") => {
                for datum in items.iter().skip(1).take(1) {
                    self.datum(datum);
                }
            }
            Some("with" | "evaluate") => {}
            _ => {
                for datum in items {
                    self.datum(datum);
                }
            }
        }
        self.bound.truncate(depth);
    }

    fn pattern(&mut self, datum: &Datum) {
        match &datum.kind {
            DatumKind::Symbol(name) => self.bound.push(name.clone()),
            DatumKind::List(items) => {
                for item in items.iter() {
                    self.pattern(item);
                }
            }
            _ => {}
        }
    }

    fn is_bound(&self, name: &str) -> bool {
        self.bound.iter().any(|bound| &**bound == name)
    }

    fn name(&mut self, name: &str, datum: &Datum) {
        let object = name.split('.').next().unwrap_or(name);
        let is_known = |name: &str| {
            self.known.contains(name)
                || self.is_bound(name)
                || builtins::names().any(|known| known == name)
        };
        if is_known(name) || is_known(object) {
            return;
        }
        let names =
            self.known.iter().chain(&self.bound).map(|name| &**name).chain(builtins::names());
        let help = nearest(name, names).map(|near| format!("did you mean `{near}`?"));
        let help =
            help.unwrap_or_else(|| format!("declare it before it is used: (declare {name} ..)"));
        let error = Diagnostic::error(datum.span, format!("unknown name `{name}`")).help(help);
        if !self
            .diagnostics
            .iter()
            .any(|known| known.span == error.span && known.message == error.message)
        {
            self.diagnostics.push(error);
        }
    }
}
