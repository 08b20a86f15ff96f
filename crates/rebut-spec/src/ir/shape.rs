//! Shapes: how variables are assembled to a printed value.

use super::expr::Expr;
use super::sort::VarId;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A value with blanks in it.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// An expression.
    Leaf(Expr),
    /// Named fields.
    Object(Vec<(Arc<str>, Shape)>),
    /// A value that may be absent.
    Option {
        /// Whether the value is present. Of sort Bool.
        present: Expr,
        /// The value, if it is present.
        inner: Box<Shape>,
    },
    /// One of several alternatives.
    Either {
        /// The index of the alternative. Of sort Int.
        which: Expr,
        /// The alternatives.
        alternatives: Vec<Shape>,
    },
    /// A list: the first `length` of the items.
    List {
        /// The number of items that are present. Of sort Int.
        length: Expr,
        /// As many items as the list can have.
        items: Vec<Shape>,
    },
}

impl Shape {
    /// Visits each expression with the condition under which it is present.
    pub fn for_each_leaf(&self, guard: &Expr, visit: &mut dyn FnMut(&Expr, &Expr)) {
        match self {
            Self::Leaf(leaf) => visit(leaf, guard),
            Self::Object(fields) => {
                for (_, field) in fields {
                    field.for_each_leaf(guard, visit);
                }
            }
            Self::Option { present, inner } => {
                visit(present, guard);
                inner.for_each_leaf(&Expr::and([guard.clone(), present.clone()]), visit);
            }
            Self::Either { which, alternatives } => {
                visit(which, guard);
                for (at, alternative) in alternatives.iter().enumerate() {
                    let guard = Expr::and([guard.clone(), Self::is(which, at)]);
                    alternative.for_each_leaf(&guard, visit);
                }
            }
            Self::List { length, items } => {
                visit(length, guard);
                for (at, item) in items.iter().enumerate() {
                    item.for_each_leaf(&Expr::and([guard.clone(), Self::has(length, at)]), visit);
                }
            }
        }
    }

    /// The condition under which a list has an item at an index.
    #[must_use]
    pub fn has(length: &Expr, index: usize) -> Expr {
        Expr::int(index as i128).lt(length.clone())
    }

    /// The condition under which the alternative at an index is chosen.
    #[must_use]
    pub fn is(which: &Expr, index: usize) -> Expr {
        which.clone().eq(Expr::int(index as i128))
    }

    /// Whether the shape contains alternatives.
    #[must_use]
    pub fn has_either(&self) -> bool {
        match self {
            Self::Leaf(_) => false,
            Self::Either { .. } => true,
            Self::Object(fields) => fields.iter().any(|(_, field)| field.has_either()),
            Self::Option { inner, .. } => inner.has_either(),
            Self::List { items, .. } => items.iter().any(Self::has_either),
        }
    }

    /// All variables of the shape.
    #[must_use]
    pub fn vars(&self) -> BTreeSet<VarId> {
        let mut vars = BTreeSet::new();
        self.for_each_leaf(&Expr::bool(true), &mut |leaf, _| {
            leaf.collect_vars(&mut vars);
        });
        vars
    }

    /// Replaces each expression.
    #[must_use]
    pub fn map(&self, change: &dyn Fn(&Expr) -> Expr) -> Self {
        match self {
            Self::Leaf(leaf) => Self::Leaf(change(leaf)),
            Self::Object(fields) => Self::Object(
                fields.iter().map(|(name, field)| (name.clone(), field.map(change))).collect(),
            ),
            Self::Option { present, inner } => {
                Self::Option { present: change(present), inner: Box::new(inner.map(change)) }
            }
            Self::Either { which, alternatives } => Self::Either {
                which: change(which),
                alternatives: alternatives.iter().map(|one| one.map(change)).collect(),
            },
            Self::List { length, items } => Self::List {
                length: change(length),
                items: items.iter().map(|item| item.map(change)).collect(),
            },
        }
    }
}
