//! What an expression of the language evaluates to.

use super::builtins::Builtin;
use crate::ir::{Constraint, CoverMode, Expr, Pattern, Relation, Sort};
use crate::syntax::Datum;
use std::sync::Arc;

/// A value while a program is evaluated. It may contain blanks.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    /// A simple value, known or not.
    Expr(Expr),
    /// An object, by its number in the world, so that fields can be added later.
    Object(usize),
    /// Something that may be absent.
    Option { present: Expr, inner: Box<Item> },
    /// One of several.
    Either { which: Expr, alternatives: Arc<[Item]> },
    /// A list of which only the first `length` items are there.
    Sequence { length: Expr, items: Arc<[Item]> },
    /// A regular expression.
    Pattern(Arc<Pattern>),
    /// A list whose length is known.
    List(Arc<[Item]>),
    /// A name as data.
    Symbol(Arc<str>),
    /// Something to call.
    Function(Arc<Function>),
    /// Something to call that the language has.
    Builtin(&'static Builtin),
    /// What makes two values different, before it is said which.
    Difference(Difference),
    /// What makes two models different.
    Constraint(Arc<Constraint>),
    /// A field to add to an object: `(with name value)`.
    Field(Arc<str>, Box<Item>),
    /// Something that was reported.
    Poison,
}

/// A difference that waits for its subject.
#[derive(Clone, Debug)]
pub(crate) enum Difference {
    Relation(Relation),
    Regexp(Arc<Pattern>, CoverMode),
    /// Each structure that a value can have.
    Json,
    /// Each name of an Enum.
    Enum,
    /// The values about bounds.
    Boundaries,
}

/// Something to call.
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

    /// What it is, for messages.
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

    /// Does it have blanks that a model fills?
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

    /// The whole number, if it is a known one.
    pub(crate) fn known_int(&self) -> Option<i128> {
        self.expr()?
            .value()?
            .as_int()
            .filter(|_| self.expr().is_some_and(|e| *e.sort() == Sort::Int))
    }

    /// The text, if it is a known one.
    pub(crate) fn known_str(&self) -> Option<&str> {
        self.expr()?.value()?.as_str()
    }
}
