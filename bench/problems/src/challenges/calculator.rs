//! A calculator that believes a division is safe when its divisor is not the
//! literal zero.

use crate::Outcome;

/// An arithmetic expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// A literal.
    Int(i64),
    /// A sum.
    Add(Box<Expr>, Box<Expr>),
    /// An integer division.
    Div(Box<Expr>, Box<Expr>),
}

impl Expr {
    /// The sum of two expressions.
    pub fn sum(left: Self, right: Self) -> Self {
        Self::Add(Box::new(left), Box::new(right))
    }

    /// The quotient of two expressions.
    pub fn quotient(left: Self, right: Self) -> Self {
        Self::Div(Box::new(left), Box::new(right))
    }
}

/// An expression without a literal zero divisor evaluates. Input: a tree of
/// any integers, sums and quotients.
pub fn evaluates(expr: &Expr) -> Outcome {
    if divides_by_literal_zero(expr) {
        return Outcome::Skipped;
    }
    Outcome::held_if(evaluate(expr).is_some())
}

/// `0 / (0 + 0)`.
pub fn normal_form() -> Expr {
    let zero = || Expr::Int(0);
    Expr::quotient(zero(), Expr::sum(zero(), zero()))
}

/// Whether an expression is the [`normal_form`].
pub fn is_normal(expr: &Expr) -> bool {
    *expr == normal_form()
}

fn divides_by_literal_zero(expr: &Expr) -> bool {
    match expr {
        Expr::Int(_) => false,
        Expr::Div(_, divisor) if **divisor == Expr::Int(0) => true,
        Expr::Add(left, right) | Expr::Div(left, right) => {
            divides_by_literal_zero(left) || divides_by_literal_zero(right)
        }
    }
}

/// The value, or `None` where evaluation divides by zero.
fn evaluate(expr: &Expr) -> Option<i64> {
    match expr {
        Expr::Int(value) => Some(*value),
        Expr::Add(left, right) => Some(evaluate(left)?.wrapping_add(evaluate(right)?)),
        Expr::Div(left, right) => {
            let (dividend, divisor) = (evaluate(left)?, evaluate(right)?);
            (divisor != 0).then(|| dividend.wrapping_div(divisor))
        }
    }
}
