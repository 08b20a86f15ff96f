//! How variables are put together to what is printed.

use super::expr::Expr;
use super::sort::VarId;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A value with blanks in it.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A variable, or an expression over some.
    Leaf(Expr),
    /// Named fields.
    Object(Vec<(Arc<str>, Shape)>),
    /// Something that may be absent.
    Option {
        /// Is it there? Of sort Bool.
        present: Expr,
        /// What it is then.
        inner: Box<Shape>,
    },
    /// One of several.
    Either {
        /// Which: its number. Of sort Int.
        which: Expr,
        /// What it can be.
        alternatives: Vec<Shape>,
    },
    /// Some of the items: the first so many.
    List {
        /// How many. Of sort Int.
        length: Expr,
        /// All that there can be.
        items: Vec<Shape>,
    },
}

impl Shape {
    /// Visits each leaf with the condition under which it is there.
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

    /// The condition under which one of several is meant.
    #[must_use]
    pub fn is(which: &Expr, index: usize) -> Expr {
        which.clone().eq(Expr::int(index as i128))
    }

    /// Is there one of several in it?
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

    /// All variables in it.
    #[must_use]
    pub fn vars(&self) -> BTreeSet<VarId> {
        let mut vars = BTreeSet::new();
        self.for_each_leaf(&Expr::bool(true), &mut |leaf, _| {
            leaf.collect_vars(&mut vars);
        });
        vars
    }

    /// The same with other expressions for its leaves.
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
