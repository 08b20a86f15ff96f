//! How a solver is queried for several models (section 8 of the paper).
//!
//! The paper asks for one model after the other, each different from those before. It measured
//! two other ways: all models in one question, with the constraint between each two of them,
//! and the same with `distinct` where models must only not be equal in one thing. Which one is
//! quickest depends on the constraint, on the number of models and on the solver, so it is
//! chosen for each problem. What a choice rests on is in `bench/results/solve.md`.

use super::super::Options;
use super::super::domain::Domain;
use super::super::lower::Dialect;
use super::super::problem::Problem;
use crate::ir::{Constraint, Expr, Op, Relation, Sort};

/// How a solver is asked for several models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// One model after the other, each different from those before.
    Loop,
    /// All models in one question, in which one thing is `distinct`.
    Distinct,
    /// All models in one question, each two of them different.
    AllAtOnce,
}

/// An encoding, and why it was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) encoding: Encoding,
    pub(crate) why: &'static str,
}

/// So many models are asked for with `distinct`: fewer are there sooner one by one.
const DISTINCT: std::ops::RangeInclusive<usize> = 32..=2000;

/// So few models that have to be apart are asked for at once: one by one, an early one that is
/// badly placed leaves no room for the last.
const AT_ONCE_MAX: usize = 3;

/// Chooses how to ask for so many models of a problem.
pub(crate) fn choose(
    problem: &Problem,
    options: &Options,
    dialect: Dialect,
    count: usize,
) -> Choice {
    if let Some(encoding) = options.encoding {
        return match encoding {
            Encoding::Distinct if distinct_by(&problem.constraint).is_none() => Choice {
                encoding: Encoding::Loop,
                why: "`distinct` is for models that differ in one value",
            },
            _ => Choice { encoding, why: "as requested" },
        };
    }
    if dialect == Dialect::Embedded {
        return Choice { encoding: Encoding::Loop, why: "to spread them" };
    }
    let by_distance = matches!(
        &problem.constraint,
        Constraint::Relate { relation: Relation::NumericDistance(_), .. }
    );
    if by_distance && (2..=AT_ONCE_MAX).contains(&count) {
        return Choice {
            encoding: Encoding::AllAtOnce,
            why: "there are few, and one chosen too early may leave no room for the last",
        };
    }
    if has_texts(problem) {
        return Choice { encoding: Encoding::Loop, why: "strings are queried one at a time" };
    }
    match distinct_by(&problem.constraint) {
        Some(subject) if !is_whole(&subject) || !is_linear(problem) => Choice {
            encoding: Encoding::Loop,
            why: "the constraints are more than sums of integers",
        },
        Some(_) if DISTINCT.contains(&count) => {
            Choice { encoding: Encoding::Distinct, why: "integers only have to differ" }
        }
        Some(_) => Choice { encoding: Encoding::Loop, why: "for this many, it is fastest" },
        None => Choice { encoding: Encoding::Loop, why: "models differ in more than one value" },
    }
}

/// What must be distinct in models that are different, if it is one thing.
pub(super) fn distinct_by(constraint: &Constraint) -> Option<Expr> {
    let Constraint::Relate { subject, guard, relation } = constraint else { return None };
    match relation {
        _ if !guard.is_true() => None,
        Relation::NotEqual => Some(subject.clone()),
        Relation::DifferentLengths => {
            Some(Expr::apply(Op::Length, vec![subject.clone()], Sort::Int))
        }
        _ => None,
    }
}

fn is_whole(subject: &Expr) -> bool {
    subject.sort().is_int_like()
}

fn has_texts(problem: &Problem) -> bool {
    problem.domains.values().any(|domain| matches!(domain, Domain::Texts(_)))
}

/// Nothing but sums, multiples, comparisons and what joins them.
fn is_linear(problem: &Problem) -> bool {
    fn linear(expr: &Expr) -> bool {
        let fits = match expr.op() {
            Op::Mul => expr.args().iter().filter(|arg| arg.value().is_none()).count() < 2,
            Op::Div | Op::Mod => false,
            _ => true,
        };
        fits && expr.args().iter().all(linear)
    }
    problem.assertions.iter().all(linear)
}
