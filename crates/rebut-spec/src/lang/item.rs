//! Items: the values of expressions while a program is evaluated.

use super::builtins::Builtin;
use crate::ir::{Constraint, CoverMode, Expr, Pattern, Relation, Sort};
use crate::syntax::Datum;
use std::sync::Arc;

/// The value of an expression. It may contain blanks.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    /// A number, a string, a date, .., known or not.
    Expr(Expr),
    /// An object, as an index into [`super::World::objects`], so that fields can be added later.
    Object(usize),
    /// A value that may be absent.
    Option { present: Expr, inner: Box<Item> },
    /// One of several alternatives.
    Either { which: Expr, alternatives: Arc<[Item]> },
    /// A list of which the first `length` items are present.
    Sequence { length: Expr, items: Arc<[Item]> },
    /// A regular expression.
    Pattern(Arc<Pattern>),
    /// A list of known length.
    List(Arc<[Item]>),
    /// A quoted name.
    Symbol(Arc<str>),
    /// A function of the file.
    Function(Arc<Function>),
    /// A function of the language.
    Builtin(&'static Builtin),
    /// A constraint that waits for its subject.
    Difference(Difference),
    /// A constraint between two models.
    Constraint(Arc<Constraint>),
    /// A field for an object: `(with name value)`.
    Field(Arc<str>, Box<Item>),
    /// The result of an error that was reported.
    Poison,
}

/// How two values of a subject must differ.
#[derive(Clone, Debug)]
pub(crate) enum Difference {
    Relation(Relation),
    Regexp(Arc<Pattern>, CoverMode),
    /// Each structure that a value can have.
    Json,
    /// Each name of an Enum.
    Enum,
    /// The values at the bounds and next to them.
    Boundaries,
}

/// A function of the file.
#[derive(Debug)]
pub(crate) enum Function {
    Closure { name: Arc<str>, parameters: Vec<Arc<str>>, body: Arc<[Datum]>, scope: Scope },
    Partial { function: Item, arguments: Vec<Item> },
}

/// The local names, innermost first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope(Option<Arc<Frame>>);

#[derive(Debug)]
struct Frame {
    name: Arc<str>,
    item: Item,
    outer: Scope,
}

impl Scope {
    pub(crate) fn with(&self, name: Arc<str>, item: Item) -> Self {
        Self(Some(Arc::new(Frame { name, item, outer: self.clone() })))
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Item> {
        let mut frame = self.0.as_ref()?;
        loop {
            if &*frame.name == name {
                return Some(&frame.item);
            }
            frame = frame.outer.0.as_ref()?;
        }
    }
}

impl Item {
    pub(crate) fn bool(value: bool) -> Self {
        Self::Expr(Expr::bool(value))
    }

    pub(crate) fn int(value: i128) -> Self {
        Self::Expr(Expr::int(value))
    }

    pub(crate) fn str(value: &str) -> Self {
        Self::Expr(Expr::str(value))
    }

    pub(crate) fn list(items: Vec<Self>) -> Self {
        Self::List(items.into())
    }

    pub(crate) fn constraint(constraint: Constraint) -> Self {
        Self::Constraint(Arc::new(constraint))
    }

    /// Describes the item for messages.
    pub(crate) fn kind(&self) -> String {
        match self {
            Self::Expr(expr) => expr.sort().to_string(),
            Self::Object(_) => "an Object".into(),
            Self::Option { .. } => "an Option".into(),
            Self::Either { .. } => "an Either".into(),
            Self::Sequence { .. } => "a List".into(),
            Self::Pattern(_) => "a regular expression".into(),
            Self::List(_) => "a list".into(),
            Self::Symbol(name) => format!("the name `{name}`"),
            Self::Function(_) | Self::Builtin(_) => "a function".into(),
            Self::Difference(_) | Self::Constraint(_) => "a constraint".into(),
            Self::Field(..) => "a field".into(),
            Self::Poison => "an error".into(),
        }
    }

    pub(crate) fn is_poison(&self) -> bool {
        matches!(self, Self::Poison)
    }

    /// Whether the item has blanks that a model fills.
    pub(crate) fn is_symbolic(&self) -> bool {
        match self {
            Self::Expr(expr) => expr.value().is_none(),
            Self::Object(_) | Self::Option { .. } | Self::Either { .. } | Self::Sequence { .. } => {
                true
            }
            _ => false,
        }
    }

    pub(crate) fn expr(&self) -> Option<&Expr> {
        match self {
            Self::Expr(expr) => Some(expr),
            _ => None,
        }
    }

    /// The integer, if the item is a known one.
    pub(crate) fn known_int(&self) -> Option<i128> {
        self.expr()?
            .value()?
            .as_int()
            .filter(|_| self.expr().is_some_and(|e| *e.sort() == Sort::Int))
    }

    /// The string, if the item is a known one.
    pub(crate) fn known_str(&self) -> Option<&str> {
        self.expr()?.value()?.as_str()
    }
}
