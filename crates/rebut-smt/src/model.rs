//! Assignments of values to variables.

use std::collections::BTreeMap;

use crate::evaluate::{EvaluateError, evaluate};
use crate::{Pool, Term, Value};

/// An assignment of values to variables. A variable without a value is unconstrained; it is
/// evaluated as the simplest value of its sort.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    values: BTreeMap<Term, Value>,
}

impl Model {
    /// Creates a model from variables and their values.
    pub fn new(values: impl IntoIterator<Item = (Term, Value)>) -> Model {
        Model { values: values.into_iter().collect() }
    }

    /// Returns the value of a variable, if it has one.
    pub fn get(&self, variable: Term) -> Option<&Value> {
        self.values.get(&variable)
    }

    /// Sets the value of a variable.
    pub fn set(&mut self, variable: Term, value: Value) {
        self.values.insert(variable, value);
    }

    /// Iterates over the variables that have a value, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = (Term, &Value)> {
        self.values.iter().map(|(term, value)| (*term, value))
    }

    /// Computes the value of a term.
    ///
    /// # Errors
    /// If an intermediate number needs more than 128 bits, or the term is a regular expression.
    pub fn evaluate(&self, pool: &Pool, term: Term) -> Result<Value, EvaluateError> {
        self.evaluate_all(pool, &[term]).map(|mut values| values.remove(0))
    }

    /// Computes the values of several terms. Shared parts are computed once.
    ///
    /// # Errors
    /// See [`evaluate`](Model::evaluate).
    pub fn evaluate_all(&self, pool: &Pool, terms: &[Term]) -> Result<Vec<Value>, EvaluateError> {
        evaluate(pool, terms, |variable| self.get(variable).cloned())
    }

    /// Whether all terms are true. A term that cannot be computed counts as false.
    pub fn satisfies(&self, pool: &Pool, terms: &[Term]) -> bool {
        self.evaluate_all(pool, terms)
            .is_ok_and(|values| values.iter().all(|value| *value == Value::Bool(true)))
    }

    /// Restricts the model to the variables of these terms. A variable without a value gets the
    /// one that it is evaluated as, so that callers do not fill in another.
    pub(crate) fn restricted(&self, pool: &Pool, terms: &[Term]) -> Model {
        Model::new(pool.variables(terms).into_iter().filter_map(|variable| {
            let value = self.evaluate(pool, variable).ok()?;
            Some((variable, value))
        }))
    }

    pub(crate) fn merge(&mut self, other: Model) {
        self.values.extend(other.values);
    }
}
