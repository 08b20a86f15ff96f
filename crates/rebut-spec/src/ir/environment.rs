//! The environment of one `generate`, and its models.

use super::constraint::Constraint;
use super::expr::Expr;
use super::shape::Shape;
use super::sort::{Sort, Value, VarId};
use crate::diagnostic::Span;
use std::sync::Arc;

/// The variables, assertions and constraint of one `generate`.
#[derive(Clone, Debug)]
pub struct Environment {
    /// The name of the outline.
    pub name: Arc<str>,
    /// The number of models to generate.
    pub count: usize,
    /// The variables, indexed by [`VarId`].
    pub variables: Vec<Variable>,
    /// The output of a model: names, and values with variables in them.
    pub outputs: Vec<(Arc<str>, Shape)>,
    /// The assertions about each model, with their locations in the file.
    pub assertions: Vec<(Expr, Span)>,
    /// The constraint between any two models.
    pub constraint: Constraint,
}

/// A variable whose value a model supplies.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// The name in reports, such as `event.eventName.name`.
    pub name: Arc<str>,
    /// The sort of its values.
    pub sort: Sort,
    /// The least and the greatest value, for sorts that are integers.
    pub bounds: Option<(i128, i128)>,
    /// Whether the file does not name it: the selector of a choice.
    pub hidden: bool,
}

/// A value for each variable of an environment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Model(pub Vec<Value>);

impl Model {
    /// The value of a variable.
    #[must_use]
    pub fn get(&self, id: VarId) -> Option<&Value> {
        self.0.get(id.index())
    }
}

impl Environment {
    /// Returns a variable.
    #[must_use]
    pub fn variable(&self, id: VarId) -> Option<&Variable> {
        self.variables.get(id.index())
    }

    /// The constraint that holds in addition to that of the file: two models differ in what is
    /// printed.
    #[must_use]
    pub fn default_constraint(&self) -> Constraint {
        Constraint::some(self.outputs.iter().map(|(_, shape)| not_equal(shape)))
    }
}

/// The constraint that the values of a shape differ in two models.
#[must_use]
pub(crate) fn not_equal(shape: &Shape) -> Constraint {
    let mut parts = Vec::new();
    shape.for_each_leaf(&Expr::bool(true), &mut |leaf, guard| {
        if leaf.value().is_none() {
            parts.push(Constraint::Relate {
                subject: leaf.clone(),
                guard: guard.clone(),
                relation: super::constraint::Relation::NotEqual,
            });
        }
    });
    Constraint::some(parts)
}

/// The assertion that two shapes are equal in one model, or `None` if their structures differ.
#[must_use]
pub(crate) fn equal_shapes(left: &Shape, right: &Shape) -> Option<Expr> {
    match (left, right) {
        (Shape::Leaf(left), Shape::Leaf(right)) => {
            (left.sort() == right.sort()).then(|| left.clone().eq(right.clone()))
        }
        (Shape::Object(left), Shape::Object(right)) => {
            if left.len() != right.len() {
                return None;
            }
            let mut parts = Vec::new();
            for ((left_name, left), (right_name, right)) in left.iter().zip(right) {
                parts.push(equal_shapes(left, right).filter(|_| left_name == right_name)?);
            }
            Some(Expr::and(parts))
        }
        (
            Shape::Option { present: left_there, inner: left },
            Shape::Option { present: right_there, inner: right },
        ) => {
            let inner = equal_shapes(left, right)?;
            Some(Expr::and([
                left_there.clone().eq(right_there.clone()),
                left_there.clone().implies(inner),
            ]))
        }
        (
            Shape::Either { which: left_which, alternatives: left },
            Shape::Either { which: right_which, alternatives: right },
        ) if left.len() == right.len() => {
            let mut parts = vec![left_which.clone().eq(right_which.clone())];
            for (at, (left, right)) in left.iter().zip(right).enumerate() {
                parts.push(Shape::is(left_which, at).implies(equal_shapes(left, right)?));
            }
            Some(Expr::and(parts))
        }
        (
            Shape::List { length: left_length, items: left },
            Shape::List { length: right_length, items: right },
        ) => {
            let mut parts = vec![left_length.clone().eq(right_length.clone())];
            for (at, (left, right)) in left.iter().zip(right).enumerate() {
                parts.push(Shape::has(left_length, at).implies(equal_shapes(left, right)?));
            }
            Some(Expr::and(parts))
        }
        _ => None,
    }
}
