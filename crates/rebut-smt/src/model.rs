//! Values of variables.

use std::collections::BTreeMap;

use crate::evaluate::{EvaluateError, evaluate};
use crate::{Pool, Term, Value};

/// Values of variables. A variable that is not named can be anything; it is read as the
/// simplest value of its sort.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    values: BTreeMap<Term, Value>,
}

impl Model {
    /// A model of these values of variables.
    pub fn new(values: impl IntoIterator<Item = (Term, Value)>) -> Model {
        Model { values: values.into_iter().collect() }
    }

    /// The value of a variable, if it was constrained.
    pub fn get(&self, variable: Term) -> Option<&Value> {
        self.values.get(&variable)
    }

    /// Sets the value of a variable.
    pub fn set(&mut self, variable: Term, value: Value) {
        self.values.insert(variable, value);
    }

    /// The variables that have a value, oldest first, and their values.
    pub fn iter(&self) -> impl Iterator<Item = (Term, &Value)> {
        self.values.iter().map(|(term, value)| (*term, value))
    }

    /// The value of a term.
    ///
    /// # Errors
    /// If a number on the way needs more than 128 bits, or the term is a regular expression.
    pub fn evaluate(&self, pool: &Pool, term: Term) -> Result<Value, EvaluateError> {
        self.evaluate_all(pool, &[term]).map(|mut values| values.remove(0))
    }

    /// The values of several terms. Shared parts are computed once.
    ///
    /// # Errors
    /// As [`evaluate`](Model::evaluate).
    pub fn evaluate_all(&self, pool: &Pool, terms: &[Term]) -> Result<Vec<Value>, EvaluateError> {
        evaluate(pool, terms, |variable| self.get(variable).cloned())
    }

    /// Whether all of these are true. What cannot be computed is not.
    pub fn satisfies(&self, pool: &Pool, terms: &[Term]) -> bool {
        self.evaluate_all(pool, terms)
            .is_ok_and(|values| values.iter().all(|value| *value == Value::Bool(true)))
    }

    /// Only the variables of these terms, with a value for each: that of a variable which was
    /// read as the simplest one is named too, so that nobody takes another for it.
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
