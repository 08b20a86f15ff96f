//! Models from a solver: the embedded one, or an external one that reads SMT-LIB 2.
//!
//! [`encoding`] chooses how to query for several models. A [`session`] makes the queries.
//! Invariant: whatever a solver does, the result is a list. If an external solver does not
//! answer, ends or is wrong, Rebut notes it and uses the embedded solver where that can express
//! the problem.

mod encoding;
mod external;
mod session;
mod string_codes;

use super::curry::differs_from;
use super::list::{List, ListEnd};
use super::lower::{Dialect, Lower, Unsupported};
use super::problem::Problem;
use super::{Coupled, Maker, Options, simplest_model};
use crate::ir::Environment;
pub use encoding::Encoding;
pub(crate) use encoding::{Choice, choose};
pub(crate) use external::ExternalSolver;
pub(crate) use session::SolverModels;
use session::{JointAnswer, SolverSession};

/// The solver that the options choose.
pub(crate) fn dialect(options: &Options) -> Dialect {
    if options.solver.is_some() { Dialect::External } else { Dialect::Embedded }
}

/// Lists models of a problem.
pub(crate) fn list(maker: &Maker<'_>, problem: &Problem, count: usize) -> SolverModels {
    let dialect = dialect(maker.options);
    let models = ask(maker, problem, dialect, count);
    let Some(reason) = &models.trouble else { return models };
    let may_ask =
        maker.options.coupled == Coupled::Auto && embedded_can(maker.environment, problem);
    if !may_ask {
        return models;
    }
    maker.external.note(format!("{reason}; Rebut used the embedded solver instead"));
    let again = ask(maker, problem, Dialect::Embedded, count);
    if again.list.items.len() >= models.list.items.len() { again } else { models }
}

/// Queries one solver, for all models at once if the encoding requires it.
fn ask(maker: &Maker<'_>, problem: &Problem, dialect: Dialect, count: usize) -> SolverModels {
    let Maker { environment, options, external, .. } = *maker;
    let Choice { encoding, .. } = choose(problem, options, dialect, count);
    if encoding != Encoding::Loop && count > 1 {
        let session = SolverSession::empty(environment, problem, options, external, dialect);
        match session.together(count, encoding) {
            JointAnswer::Found(items) => {
                return SolverModels {
                    list: List { items, end: ListEnd::CountReached },
                    trouble: None,
                };
            }
            JointAnswer::Unknown(reason) if reason.is_external_failure() => {
                let end = ListEnd::Unproved(reason.to_string());
                return SolverModels {
                    list: List { items: Vec::new(), end },
                    trouble: Some(reason),
                };
            }
            // Not that many exist, or it is unknown; query one by one to see how many do.
            JointAnswer::Impossible | JointAnswer::Unknown(_) | JointAnswer::Unsupported => {}
        }
    }
    match SolverSession::new(environment, problem, options, external, dialect) {
        Ok(session) => session.run(count),
        Err(Unsupported(what)) => {
            let end =
                ListEnd::Missing(format!("{what} takes an SMT-LIB solver; name one with --solver"));
            SolverModels { list: List { items: Vec::new(), end }, trouble: None }
        }
    }
}

/// The size up to which a greedy set is improved by a joint query. Arbitrary; the query has a
/// constraint for each pair. Larger sets stay unproved.
const AT_ONCE_MAX: usize = 12;

/// Makes a set of models larger, or proves that it is the largest.
///
/// Models that are chosen one after the other can leave no room: with numbers at a distance, a
/// badly placed first one does. So for a small set without a proof, one query asks for one model
/// more, all at once (section 8 of the paper). Its answer is either the larger set, or the proof
/// that none exists.
pub(crate) fn improved(maker: &Maker<'_>, problem: &Problem, found: List, count: usize) -> List {
    let Maker { environment, options, external, .. } = *maker;
    let texts_or_reals = |domain: &super::domain::Domain| {
        matches!(domain, super::domain::Domain::Strings(_) | super::domain::Domain::Reals(_))
    };
    let mut best = found;
    if problem.domains.values().any(texts_or_reals) {
        return best;
    }
    while matches!(best.end, ListEnd::Unproved(_)) && best.items.len() < count.min(AT_ONCE_MAX) {
        let session =
            SolverSession::empty(environment, problem, options, external, dialect(options));
        match session.together(best.items.len() + 1, Encoding::AllAtOnce) {
            JointAnswer::Found(items) => best.items = items,
            JointAnswer::Impossible => best.end = ListEnd::Largest,
            JointAnswer::Unknown(_) | JointAnswer::Unsupported => return best,
        }
    }
    if best.items.len() == count {
        best.end = ListEnd::CountReached;
    }
    best
}

/// Whether the embedded solver can express the problem and its constraint.
pub(crate) fn embedded_can(environment: &Environment, problem: &Problem) -> bool {
    let mut lower = Lower::new(environment, Dialect::Embedded);
    for id in &problem.vars {
        lower.declare(*id);
    }
    let known = simplest_model(environment);
    lower.probing = true;
    let difference = differs_from(&problem.constraint, &known);
    let difference = difference.is_some_and(|expr| lower.bool(&expr).is_ok());
    difference && problem.assertions.iter().all(|assertion| lower.bool(assertion).is_ok())
}
