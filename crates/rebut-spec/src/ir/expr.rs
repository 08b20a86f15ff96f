//! Expressions over one model, or over two: [`Op::Other`] is a variable of the other model.
//!
//! Constructors fold constants and flatten nested `and` and `or`. So a computation without blanks
//! leaves only its result, and engines never see it.

use super::pattern::Pattern;
use super::sort::{Sort, Value, VarId};
use std::collections::BTreeSet;
use std::sync::Arc;

/// An expression. Cloning is cheap.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr(Arc<Node>);

#[derive(Debug, PartialEq)]
struct Node {
    op: Op,
    args: Vec<Expr>,
    sort: Sort,
}

/// The operation of an [`Expr`].
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// A constant.
    Const(Value),
    /// A variable of this model.
    Var(VarId),
    /// A variable of the other model.
    Other(VarId),
    /// Negation.
    Not,
    /// Conjunction of any number of arguments.
    And,
    /// Disjunction of any number of arguments.
    Or,
    /// If, then, else.
    Ite,
    /// Equality of two arguments of the same sort.
    Eq,
    /// The first is less than the second.
    Lt,
    /// The first is at most the second.
    Le,
    /// The sum of any number of arguments.
    Add,
    /// The difference of two arguments.
    Sub,
    /// The product of any number of arguments.
    Mul,
    /// The quotient of Reals, or the Euclidean quotient of Ints, as in SMT-LIB.
    Div,
    /// The Euclidean remainder, which is never negative.
    Mod,
    /// The absolute value.
    Abs,
    /// The conversion of an Int to a Real.
    ToReal,
    /// The number of characters of a string.
    Length,
    /// The concatenation of strings.
    Concat,
    /// The second string starts with the first.
    Prefix,
    /// The second string ends with the first.
    Suffix,
    /// The first string contains the second.
    Contains,
    /// The whole string matches.
    Matches(Arc<Pattern>),
    /// The number of characters to insert, delete or replace between two strings.
    EditDistance,
    /// The time zone of a Location, as the first Location in it.
    Zone,
}

impl Expr {
    /// Creates an expression without folding.
    #[must_use]
    pub fn raw(op: Op, args: Vec<Self>, sort: Sort) -> Self {
        Self(Arc::new(Node { op, args, sort }))
    }

    /// A constant of a sort.
    #[must_use]
    pub fn constant(value: impl Into<Value>, sort: Sort) -> Self {
        Self::raw(Op::Const(value.into()), Vec::new(), sort)
    }

    /// A Boolean constant.
    #[must_use]
    pub fn bool(value: bool) -> Self {
        Self::constant(value, Sort::Bool)
    }

    /// An integer constant.
    #[must_use]
    pub fn int(value: i128) -> Self {
        Self::constant(value, Sort::Int)
    }

    /// A string constant.
    #[must_use]
    pub fn str(value: &str) -> Self {
        Self::constant(value, Sort::Str)
    }

    /// A variable of this model.
    #[must_use]
    pub fn var(id: VarId, sort: Sort) -> Self {
        Self::raw(Op::Var(id), Vec::new(), sort)
    }

    /// The operation.
    #[must_use]
    pub fn op(&self) -> &Op {
        &self.0.op
    }

    /// The arguments.
    #[must_use]
    pub fn args(&self) -> &[Self] {
        &self.0.args
    }

    /// The sort of the result.
    #[must_use]
    pub fn sort(&self) -> &Sort {
        &self.0.sort
    }

    /// The value, if the expression is a constant.
    #[must_use]
    pub fn value(&self) -> Option<&Value> {
        match self.op() {
            Op::Const(value) => Some(value),
            _ => None,
        }
    }

    /// The variable, if the expression is a variable of this model.
    #[must_use]
    pub fn as_var(&self) -> Option<VarId> {
        match self.op() {
            Op::Var(id) => Some(*id),
            _ => None,
        }
    }

    /// Whether the expression is the constant `true`.
    #[must_use]
    pub fn is_true(&self) -> bool {
        self.value() == Some(&Value::Bool(true))
    }

    /// Whether the expression is the constant `false`.
    #[must_use]
    pub fn is_false(&self) -> bool {
        self.value() == Some(&Value::Bool(false))
    }

    /// Applies an operation to arguments of the right sorts, and folds it if all of them are
    /// constants.
    #[must_use]
    pub fn apply(op: Op, args: Vec<Self>, sort: Sort) -> Self {
        let constant = args.iter().all(|arg| arg.value().is_some());
        let whole = Self::raw(op, args, sort);
        if !constant {
            return whole;
        }
        match crate::eval::constant(&whole) {
            Some(value) => Self::constant(value, whole.sort().clone()),
            None => whole,
        }
    }

    /// The negation.
    #[must_use]
    #[expect(clippy::should_implement_trait, reason = "reads as the language does")]
    pub fn not(self) -> Self {
        match self.op() {
            Op::Const(Value::Bool(value)) => Self::bool(!value),
            Op::Not => self.args()[0].clone(),
            _ => Self::raw(Op::Not, vec![self], Sort::Bool),
        }
    }

    /// The conjunction of all parts.
    #[must_use]
    pub fn and(parts: impl IntoIterator<Item = Self>) -> Self {
        Self::join(Op::And, parts, true)
    }

    /// The disjunction of all parts.
    #[must_use]
    pub fn or(parts: impl IntoIterator<Item = Self>) -> Self {
        Self::join(Op::Or, parts, false)
    }

    fn join(op: Op, parts: impl IntoIterator<Item = Self>, neutral: bool) -> Self {
        let mut flat: Vec<Self> = Vec::new();
        for part in parts {
            match part.value().and_then(Value::as_bool) {
                Some(value) if value == neutral => {}
                Some(value) => return Self::bool(value),
                None if *part.op() == op => flat.extend(part.args().iter().cloned()),
                None => flat.push(part),
            }
        }
        match flat.len() {
            0 => Self::bool(neutral),
            1 => flat.swap_remove(0),
            _ => Self::raw(op, flat, Sort::Bool),
        }
    }

    /// The implication from this to `then`.
    #[must_use]
    pub fn implies(self, then: Self) -> Self {
        Self::or([self.not(), then])
    }

    /// One of two expressions, chosen by a condition.
    #[must_use]
    pub fn ite(condition: Self, then: Self, otherwise: Self) -> Self {
        match condition.value().and_then(Value::as_bool) {
            Some(true) => then,
            Some(false) => otherwise,
            None if *then.sort() == Sort::Bool => {
                Self::and([condition.clone().implies(then), Self::or([condition, otherwise])])
            }
            None => {
                let sort = then.sort().clone();
                Self::raw(Op::Ite, vec![condition, then, otherwise], sort)
            }
        }
    }

    /// A sum whose constants are added up.
    fn sum(args: Vec<Self>, sort: &Sort) -> Self {
        let (known, mut unknown): (Vec<Self>, Vec<Self>) =
            args.into_iter().partition(|arg| arg.value().is_some() && arg.sort() == sort);
        let known = Self::apply(Op::Add, known, sort.clone());
        let is_zero = known.value().and_then(Value::as_real) == Some(crate::number::Real::ZERO);
        if unknown.is_empty() {
            return known;
        }
        if !is_zero {
            unknown.push(known);
        }
        if unknown.len() == 1 && unknown[0].sort() == sort {
            return unknown.swap_remove(0);
        }
        Self::raw(Op::Add, unknown, sort.clone())
    }

    /// The equality with an expression of the same sort.
    #[must_use]
    pub fn eq(self, other: Self) -> Self {
        if self == other {
            return Self::bool(true);
        }
        Self::apply(Op::Eq, vec![self, other], Sort::Bool)
    }

    /// Whether this is less than another number.
    #[must_use]
    pub fn lt(self, other: Self) -> Self {
        Self::apply(Op::Lt, vec![self, other], Sort::Bool)
    }

    /// Whether this is at most another number.
    #[must_use]
    pub fn le(self, other: Self) -> Self {
        Self::apply(Op::Le, vec![self, other], Sort::Bool)
    }

    /// Whether the whole string matches.
    #[must_use]
    pub fn matches(self, pattern: Arc<Pattern>) -> Self {
        Self::apply(Op::Matches(pattern), vec![self], Sort::Bool)
    }

    /// Collects the variables of both models, and returns whether one of the other model occurs.
    pub fn collect_vars(&self, vars: &mut BTreeSet<VarId>) -> bool {
        let mut other = false;
        match self.op() {
            Op::Var(id) => {
                vars.insert(*id);
            }
            Op::Other(id) => {
                vars.insert(*id);
                other = true;
            }
            _ => {}
        }
        for arg in self.args() {
            other |= arg.collect_vars(vars);
        }
        other
    }

    /// Whether the expression has variables, all of this model.
    #[must_use]
    pub fn only_this(&self) -> bool {
        let mut vars = BTreeSet::new();
        !self.collect_vars(&mut vars) && !vars.is_empty()
    }

    /// The variables of both models that occur in the expression.
    #[must_use]
    pub fn vars(&self) -> BTreeSet<VarId> {
        let mut vars = BTreeSet::new();
        self.collect_vars(&mut vars);
        vars
    }

    /// Replaces each subexpression for which the function returns another one.
    #[must_use]
    pub fn substitute(&self, by: &dyn Fn(&Op, &Sort) -> Option<Self>) -> Self {
        if let Some(replaced) = by(self.op(), self.sort()) {
            return replaced;
        }
        if self.args().is_empty() {
            return self.clone();
        }
        let args: Vec<Self> = self.args().iter().map(|arg| arg.substitute(by)).collect();
        match self.op() {
            Op::And => Self::and(args),
            Op::Or => Self::or(args),
            Op::Not => args.into_iter().next().map_or_else(|| self.clone(), Self::not),
            Op::Ite => match <[Self; 3]>::try_from(args) {
                Ok([condition, then, otherwise]) => Self::ite(condition, then, otherwise),
                Err(_) => self.clone(),
            },
            Op::Add => Self::sum(args, self.sort()),
            op => Self::apply(op.clone(), args, self.sort().clone()),
        }
    }

    /// The same expression over the other model.
    #[must_use]
    pub fn of_other(&self) -> Self {
        self.substitute(&|op, sort| match op {
            Op::Var(id) => Some(Self::raw(Op::Other(*id), Vec::new(), sort.clone())),
            _ => None,
        })
    }
}
