//! `match`: destructures data and regular expressions.
//!
//! | pattern | matches |
//! |---|---|
//! | `_`, `else` | anything |
//! | `name` | anything, and binds the name |
//! | `(or p ..)`, `(and p ..)` | what one of the patterns, or all of them, match |
//! | `(tag p ..)` | a list that starts with the name `tag`, or a regular expression of that form |
//! | `(list p ..)`, `((..) p)` | a list of just these items |
//! | `(cons p q)` | a list with a first item and a rest |

use super::interpret::{Interpreter, quoted};
use super::item::{Item, Scope};
use crate::diagnostic::{Diagnostic, Span};
use crate::ir::{Pattern, PatternView};
use crate::syntax::{Datum, DatumKind};
use std::sync::Arc;

impl Interpreter<'_> {
    pub(crate) fn match_on(&mut self, rest: &[Datum], span: Span, scope: &Scope) -> Item {
        let Some((value, cases)) = rest.split_first() else {
            return self.error(
                span,
                "`match` needs a value",
                "write (match value [pattern result] ..)",
            );
        };
        let item = self.eval(value, scope);
        if item.is_poison() {
            return Item::Poison;
        }
        for case in cases {
            let Some([pattern, body @ ..]) = case.list() else {
                return self.error(
                    case.span,
                    "a case of `match` is a pattern and a result",
                    "write [pattern result]",
                );
            };
            if let Some(scope) = matched(pattern, &item, scope) {
                return self.body(body, case.span, &scope);
            }
        }
        let message = format!("no case of this `match` fits {}", describe(&item));
        self.report(Diagnostic::error(span, message).help("add a case, or [_ ..] for all others"));
        Item::Poison
    }
}

fn describe(item: &Item) -> String {
    match item {
        Item::Pattern(pattern) => format!("the regular expression {pattern}"),
        Item::List(items) => match items.first() {
            Some(Item::Symbol(name)) => format!("({name} ..)"),
            _ => "this list".to_owned(),
        },
        other => other.kind(),
    }
}

/// Returns the scope with the names that a pattern binds, or `None` if it does not match.
fn matched(pattern: &Datum, item: &Item, scope: &Scope) -> Option<Scope> {
    match &pattern.kind {
        DatumKind::Symbol(name) if matches!(&**name, "_" | "else") => Some(scope.clone()),
        DatumKind::Symbol(name) => Some(scope.with(name.clone(), item.clone())),
        DatumKind::Quote(inner) => equal(&quoted(inner), item).then(|| scope.clone()),
        DatumKind::List(parts) => matched_list(parts, item, scope),
        DatumKind::Broken => None,
        _ => equal(&quoted(pattern), item).then(|| scope.clone()),
    }
}

fn matched_list(parts: &[Datum], item: &Item, scope: &Scope) -> Option<Scope> {
    match (parts.first().and_then(Datum::symbol), &parts[1.min(parts.len())..]) {
        (Some("or"), alternatives) => {
            alternatives.iter().find_map(|part| matched(part, item, scope))
        }
        (Some("and"), all) => {
            all.iter().try_fold(scope.clone(), |scope, part| matched(part, item, &scope))
        }
        (Some("list"), inner) => matched_items(inner, as_list(item)?, scope),
        (Some("cons"), [first, rest]) => {
            let (head, tail) = as_list(item)?.split_first()?;
            let scope = matched(first, head, scope)?;
            matched(rest, &Item::List(tail.into()), &scope)
        }
        (Some(tag), inner) => match item {
            Item::Pattern(pattern) => matched_items(inner, &regex_parts(tag, pattern)?, scope),
            _ => {
                let (head, tail) = as_list(item)?.split_first()?;
                matches!(head, Item::Symbol(name) if &**name == tag).then_some(())?;
                matched_items(inner, tail, scope)
            }
        },
        (None, _) => matched_items(parts, as_list(item)?, scope),
    }
}

fn matched_items(patterns: &[Datum], items: &[Item], scope: &Scope) -> Option<Scope> {
    if patterns.len() != items.len() {
        return None;
    }
    let mut scope = scope.clone();
    for (pattern, item) in patterns.iter().zip(items) {
        scope = matched(pattern, item, &scope)?;
    }
    Some(scope)
}

fn as_list(item: &Item) -> Option<&[Item]> {
    match item {
        Item::List(items) => Some(items),
        _ => None,
    }
}

/// Returns the parts of a regular expression, or `None` if it is not of the form that the tag
/// names.
fn regex_parts(tag: &str, pattern: &Arc<Pattern>) -> Option<Vec<Item>> {
    let one = |pattern: Pattern| Item::Pattern(Arc::new(pattern));
    Some(match (tag, pattern.view()) {
        ("char-class", PatternView::Class(class)) => vec![one(class)],
        // A single character is a class with one member.
        ("char-class", PatternView::Literal(text)) if text.chars().count() == 1 => {
            vec![Item::Pattern(pattern.clone())]
        }
        ("literal", PatternView::Literal(text)) => vec![Item::str(&text)],
        ("any-char", PatternView::AnyChar) | ("re-empty", PatternView::Empty) => Vec::new(),
        ("re-union", PatternView::Union(left, right))
        | ("re-concat", PatternView::Concat(left, right)) => {
            vec![one(left), one(right)]
        }
        ("re-optional" | "re-?", PatternView::Optional(inner))
        | ("re-star" | "re-*", PatternView::Star(inner))
        | ("re-plus" | "re-+", PatternView::Plus(inner)) => vec![one(inner)],
        ("re-repeat", PatternView::Repeat(inner, min, max)) => {
            let max = max.map_or_else(|| Item::Symbol("∞".into()), |max| Item::int(max.into()));
            vec![one(inner), Item::int(min.into()), max]
        }
        _ => return None,
    })
}

/// Whether two known values are equal.
pub(crate) fn equal(left: &Item, right: &Item) -> bool {
    match (left, right) {
        (Item::Expr(left), Item::Expr(right)) => match (left.value(), right.value()) {
            (Some(a), Some(b)) => a == b || (a.as_real().is_some() && a.as_real() == b.as_real()),
            _ => left == right,
        },
        (Item::Symbol(left), Item::Symbol(right)) => left == right,
        (Item::Symbol(name), other) | (other, Item::Symbol(name)) => {
            other.known_str() == Some(&**name)
        }
        (Item::List(left), Item::List(right)) => {
            left.len() == right.len() && left.iter().zip(right.iter()).all(|(a, b)| equal(a, b))
        }
        (Item::Pattern(left), Item::Pattern(right)) => left == right,
        _ => false,
    }
}
