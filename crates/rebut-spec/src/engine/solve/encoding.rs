//! How a solver is queried for several models (section 8 of the paper).
//!
//! The paper queries for one model after the other, each different from those before. It
//! measured two alternatives: all models in one query, with the constraint between each two of
//! them, and the same with `distinct` for models that must differ in one value. Which one is
//! fastest depends on the constraint, on the number of models and on the solver, so it is chosen
//! for each problem. `bench/results/solve.md` has the measurements: for 600 different integers,
//! z3 takes 39 ms with `distinct` and 499 ms with the loop, and does not answer all at once.

use super::super::Options;
use super::super::domain::Domain;
use super::super::lower::Dialect;
use super::super::problem::Problem;
use crate::ir::{Constraint, Expr, Op, Relation, Sort};

/// How a solver is queried for several models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// One query per model, each different from those before.
    Loop,
    /// One query for all models, in which one expression is `distinct`.
    Distinct,
    /// One query for all models, with the constraint for each pair.
    AllAtOnce,
}

/// An encoding, and the reason for plans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) encoding: Encoding,
    pub(crate) why: &'static str,
}

/// The numbers of models for which `distinct` is used: fewer are found sooner one by one.
/// The bench compares the encodings at 600 models only, so both bounds are arbitrary. Outside,
/// the loop is used.
const DISTINCT: std::ops::RangeInclusive<usize> = 32..=2000;

/// The number of models at a distance up to which all are queried at once: one by one, a badly
/// placed early model can leave no room for the last. Arbitrary; the paper (section 8) and the
/// bench agree that large joint queries time out. Above, the loop is used.
const AT_ONCE_MAX: usize = 3;

/// Chooses how to query for `count` models of a problem.
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
    if has_strings(problem) {
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

/// The expression whose values must be distinct, if the constraint is about just one.
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

fn has_strings(problem: &Problem) -> bool {
    problem.domains.values().any(|domain| matches!(domain, Domain::Strings(_)))
}

/// Whether the assertions have no products of variables, quotients or remainders.
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
