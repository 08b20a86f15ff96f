//! Conversions of items to what an operation expects.
//!
//! A string can be a date or the name of an Enum, an integer can be a Real, and a function can be
//! an assertion about the subject. A conversion that fails reports an error and returns `None`;
//! poison returns `None` without a report.

use super::interpret::Interpreter;
use super::item::Item;
use crate::diagnostic::{Diagnostic, Span, nearest};
use crate::ir::{Constraint, Expr, Op, Sort, Value};
use crate::number::Real;
use crate::{dates, zones};

impl Interpreter<'_> {
    /// Converts an item to an assertion. A function is called with the subject.
    pub(crate) fn assertion(
        &mut self,
        item: &Item,
        span: Span,
        subject: Option<&Item>,
    ) -> Option<Expr> {
        match item {
            Item::Poison => None,
            Item::Expr(expr) if *expr.sort() == Sort::Bool => Some(expr.clone()),
            Item::Option { present, inner }
                if inner.expr().is_some_and(|e| *e.sort() == Sort::Bool) =>
            {
                let inner = inner.expr()?.clone();
                Some(present.clone().implies(inner))
            }
            Item::Function(_) | Item::Builtin(_) if subject.is_some() => {
                let result = self.apply(item, Vec::new(), &[], span, subject);
                self.assertion(&result, span, None)
            }
            Item::Difference(_) | Item::Constraint(_) => {
                self.error(
                    span,
                    "expected an assertion about one model, found a constraint between two",
                    "use it in (constrain-solutions ..)",
                );
                None
            }
            other => {
                let help = "an assertion is true or false: (gte 0), (matches r), (and a b), ..";
                self.error(span, format!("expected an assertion, found {}", other.kind()), help);
                None
            }
        }
    }

    /// Converts an item to a constraint. A difference is applied to the subject.
    pub(crate) fn constraint(
        &mut self,
        item: &Item,
        span: Span,
        subject: Option<&Item>,
    ) -> Option<Constraint> {
        match item {
            Item::Poison => None,
            Item::Constraint(constraint) => Some((**constraint).clone()),
            Item::Difference(difference) => match subject {
                Some(subject) => self.difference(difference, subject, span),
                None => {
                    self.error(
                        span,
                        "this does not name what must differ",
                        "write (relation x not-equal) or (coverage x (cover-regexp r))",
                    );
                    None
                }
            },
            Item::Expr(expr) if *expr.sort() == Sort::Bool => {
                Some(Constraint::custom(expr.clone()))
            }
            Item::Function(_) | Item::Builtin(_) => match subject {
                Some(subject) => self.function_as_constraint(item, subject, span),
                None => {
                    self.error(span, "this does not name what must differ", "write (relation x f)");
                    None
                }
            },
            other => {
                let help = "constraints are not-equal, (numeric-distance 10), (cover-regexp r), (all-of c c), ..";
                self.error(span, format!("expected a constraint, found {}", other.kind()), help);
                None
            }
        }
    }

    /// Converts a function to a constraint: a function of two arguments relates the subject's
    /// values in both models, any other returns a constraint when called with the subject.
    fn function_as_constraint(
        &mut self,
        item: &Item,
        subject: &Item,
        span: Span,
    ) -> Option<Constraint> {
        if self.takes_two(item) {
            return self.custom(item, subject, span);
        }
        let result = self.apply(item, Vec::new(), &[], span, Some(subject));
        if matches!(result, Item::Function(_) | Item::Builtin(_)) {
            self.error(
                span,
                "expected a constraint, but this function returns a function",
                "call it with all of its arguments",
            );
            return None;
        }
        self.constraint(&result, span, Some(subject))
    }

    /// Whether a function takes two more arguments.
    fn takes_two(&self, item: &Item) -> bool {
        use super::item::Function;
        match item {
            Item::Builtin(builtin) => builtin.min == 2,
            Item::Function(function) => match &**function {
                Function::Closure { parameters, .. } => parameters.len() == 2,
                Function::Partial { function, arguments } => match function {
                    Item::Function(inner) => {
                        matches!(&**inner, Function::Closure { parameters, .. } if parameters.len() == arguments.len() + 2)
                    }
                    _ => false,
                },
            },
            _ => false,
        }
    }

    /// Converts an item to an expression.
    pub(crate) fn simple(&mut self, item: &Item, span: Span) -> Option<Expr> {
        match item {
            Item::Poison => None,
            Item::Expr(expr) => Some(expr.clone()),
            Item::Symbol(name) => Some(Expr::str(name)),
            Item::Option { .. } => {
                self.error(
                    span,
                    "this may be absent",
                    "write (value x) for its value where it is present",
                );
                None
            }
            other => {
                self.error(
                    span,
                    format!("expected a simple value, found {}", other.kind()),
                    "numbers, strings, dates, .. are simple values",
                );
                None
            }
        }
    }

    /// Converts an item to a number, known or not.
    pub(crate) fn number(&mut self, item: &Item, span: Span) -> Option<Expr> {
        let expr = self.simple(item, span)?;
        if expr.sort().is_numeric() {
            return Some(expr);
        }
        self.error(span, format!("expected a number, found {}", expr.sort()), "write a number");
        None
    }

    /// Converts an item to a known number.
    pub(crate) fn known_number(&mut self, item: &Item, span: Span) -> Option<Real> {
        let expr = self.number(item, span)?;
        let known = expr.value().and_then(Value::as_real);
        if known.is_none() {
            self.error(span, "this number must be known", "write the number itself");
        }
        known
    }

    /// Converts an item to a string, known or not.
    pub(crate) fn text(&mut self, item: &Item, span: Span) -> Option<Expr> {
        let expr = self.simple(item, span)?;
        if *expr.sort() == Sort::Str {
            return Some(expr);
        }
        self.error(span, format!("expected a String, found {}", expr.sort()), "write a String");
        None
    }

    /// Converts an item to a list of known length.
    pub(crate) fn items(&mut self, item: &Item, span: Span) -> Option<Vec<Item>> {
        match item {
            Item::List(items) => Some(items.to_vec()),
            Item::Poison => None,
            Item::Sequence { length, items } if length.value().is_some() => Some(items.to_vec()),
            other => {
                self.error(
                    span,
                    format!("expected a list, found {}", other.kind()),
                    "write (list a b c) or '(a b c)",
                );
                None
            }
        }
    }

    /// Converts two values to the same sort, so that they can be compared.
    pub(crate) fn same_sort(
        &mut self,
        left: &Expr,
        right: &Expr,
        span: Span,
    ) -> Option<(Expr, Expr)> {
        if left.sort() == right.sort() {
            return Some((left.clone(), right.clone()));
        }
        match (left.sort(), right.sort()) {
            (Sort::Int, Sort::Real) => Some((to_real(left), right.clone())),
            (Sort::Real, Sort::Int) => Some((left.clone(), to_real(right))),
            (sort, Sort::Str) if right.value().is_some() => {
                self.literal(right, sort, span).map(|right| (left.clone(), right))
            }
            (Sort::Str, sort) if left.value().is_some() => {
                self.literal(left, sort, span).map(|left| (left, right.clone()))
            }
            (sort @ (Sort::Enum(_) | Sort::Location), _) if right.value().is_some() => {
                let sort = sort.clone();
                self.error(
                    span,
                    format!("cannot compare {sort} with {}", right.sort()),
                    "write its name",
                );
                None
            }
            (one, other) => {
                let message = format!("{one} cannot be compared with {other}");
                self.error(span, message, "compare values of the same type");
                None
            }
        }
    }

    /// Converts a string constant to a date, a day, a location or a name of an Enum.
    fn literal(&mut self, text: &Expr, sort: &Sort, span: Span) -> Option<Expr> {
        let word = text.value().and_then(Value::as_str)?.to_owned();
        let (number, help) = match sort {
            Sort::Date => {
                (dates::parse_date(&word), "dates look like \"2017-10-21T10:00:00Z\"".to_owned())
            }
            Sort::Day => (dates::parse_day(&word), "days look like \"2017-10-21\"".to_owned()),
            Sort::Location => {
                let near =
                    nearest(&word, zones::locations().iter().map(|place| place.name.as_str()));
                let help = near.map(|near| format!("did you mean \"{near}\"?"));
                let help = help.unwrap_or_else(|| {
                    "locations are IANA time zones such as \"Europe/Berlin\"".to_owned()
                });
                (zones::find(&word).map(|at| at as i128), help)
            }
            Sort::Enum(choices) => {
                let at = choices.names.iter().position(|name| **name == *word);
                let near = nearest(&word, choices.names.iter().map(|name| &**name));
                let help = near.map(|near| format!("did you mean `{near}`?"));
                let help =
                    help.unwrap_or_else(|| format!("it is one of {}", choices.names.join(", ")));
                (at.map(|at| at as i128), help)
            }
            _ => (None, format!("expected {sort}")),
        };
        match number {
            Some(number) => Some(Expr::constant(number, sort.clone())),
            None => {
                self.report(Diagnostic::error(span, format!("{word:?} is not {sort}")).help(help));
                None
            }
        }
    }

    /// Unwraps Options: returns the inner items, and the condition that all of them are present.
    pub(crate) fn unwrapped(items: Vec<Item>) -> (Vec<Item>, Expr) {
        let mut guards = Vec::new();
        let items = items
            .into_iter()
            .map(|mut item| {
                while let Item::Option { present, inner } = item {
                    guards.push(present);
                    item = *inner;
                }
                item
            })
            .collect();
        (items, Expr::and(guards))
    }
}

/// Converts an integer to a Real.
pub(crate) fn to_real(expr: &Expr) -> Expr {
    if *expr.sort() == Sort::Real {
        expr.clone()
    } else {
        Expr::apply(Op::ToReal, vec![expr.clone()], Sort::Real)
    }
}
