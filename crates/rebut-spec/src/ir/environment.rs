//! The environment of one `generate`, and the models that are wanted of it.

use super::constraint::Constraint;
use super::expr::Expr;
use super::shape::Shape;
use super::sort::{Sort, Value, VarId};
use crate::diagnostic::Span;
use std::sync::Arc;

/// Everything that is asked of the models of one `generate`.
#[derive(Clone, Debug)]
pub struct Environment {
    /// The name of the outline.
    pub name: Arc<str>,
    /// How many models are wanted.
    pub count: usize,
    /// The variables; a [`VarId`] is an index.
    pub variables: Vec<Variable>,
    /// What is printed: named values with variables in them.
    pub outputs: Vec<(Arc<str>, Shape)>,
    /// What holds for each model, and where the file says so.
    pub assertions: Vec<(Expr, Span)>,
    /// What holds for each two models.
    pub constraint: Constraint,
}

/// An input that is to be found.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// How reports call it: `event.eventName.name`.
    pub name: Arc<str>,
    /// The sort of its values.
    pub sort: Sort,
    /// The least and the largest value, for sorts that are whole numbers.
    pub bounds: Option<(i128, i128)>,
    /// A variable that the file does not name: which arm is taken, which kind of text.
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
    /// A variable by its number.
    #[must_use]
    pub fn variable(&self, id: VarId) -> Option<&Variable> {
        self.variables.get(id.index())
    }

    /// What two models must differ in, with what is meant where nothing is said.
    ///
    /// Models are never equal in what is printed, whatever the constraint.
    #[must_use]
    pub fn default_constraint(&self) -> Constraint {
        Constraint::some(self.outputs.iter().map(|(_, shape)| not_equal(shape)))
    }
}

/// Two values of a shape are not equal.
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

/// Two shapes are equal; none if they are built differently.
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
