//! Models from a solver: the embedded one, or any that speaks SMT-LIB 2.
//!
//! How several models are asked for is chosen by [`encoding`]. Whatever a solver does, the
//! outcome is a list: if one that was named does not answer, ends, or is wrong, that is noted,
//! and the embedded one is asked instead where it can be.

mod asking;
mod encoding;
mod kept;
mod texts;

use super::curry::differs_from;
use super::list::{End, List};
use super::lower::{Dialect, Lower, Unsayable};
use super::problem::Problem;
use super::{Coupled, Maker, Options, scratch};
use crate::ir::Environment;
pub(crate) use asking::Asked;
use asking::{Asking, Together};
pub use encoding::Encoding;
pub(crate) use encoding::{Choice, choose};
pub(crate) use kept::Kept;

/// Which solver is asked.
pub(crate) fn dialect(options: &Options) -> Dialect {
    if options.solver.is_some() { Dialect::External } else { Dialect::Embedded }
}

/// Models of a problem from a solver.
pub(crate) fn list(maker: &Maker<'_>, problem: &Problem, count: usize) -> Asked {
    let dialect = dialect(maker.options);
    let asked = ask(maker, problem, dialect, count);
    let Some(reason) = &asked.trouble else { return asked };
    let may_ask =
        maker.options.coupled == Coupled::Auto && embedded_can(maker.environment, problem);
    if !may_ask {
        return asked;
    }
    maker.kept.note(format!("{reason}; Rebut used the embedded solver instead"));
    let again = ask(maker, problem, Dialect::Embedded, count);
    if again.list.items.len() >= asked.list.items.len() { again } else { asked }
}

fn ask(maker: &Maker<'_>, problem: &Problem, dialect: Dialect, count: usize) -> Asked {
    let Maker { environment, options, kept, .. } = *maker;
    let Choice { encoding, .. } = choose(problem, options, dialect, count);
    if encoding != Encoding::Loop && count > 1 {
        let asking = Asking::empty(environment, problem, options, kept, dialect);
        match asking.together(count, encoding) {
            Together::Found(items) => {
                return Asked { list: List { items, end: End::Asked }, trouble: None };
            }
            Together::Unknown(reason) if reason.is_external_failure() => {
                let end = End::Unproved(reason.to_string());
                return Asked { list: List { items: Vec::new(), end }, trouble: Some(reason) };
            }
            // One by one it turns out how many there are.
            Together::Impossible | Together::Unknown(_) | Together::Unsayable => {}
        }
    }
    match Asking::new(environment, problem, options, kept, dialect) {
        Ok(asking) => asking.run(count),
        Err(Unsayable(what)) => {
            let end =
                End::Missing(format!("{what} takes an SMT-LIB solver; name one with --solver"));
            Asked { list: List { items: Vec::new(), end }, trouble: None }
        }
    }
}

/// Larger sets than this are not asked for at once to improve on what was found one by one.
const AT_ONCE_MAX: usize = 12;

/// One model after the other may paint itself into a corner: with numbers at a distance, a
/// badly placed first one leaves room for fewer. So where that ends with a small set that is
/// not proved to be the largest, one model more is asked for, all at once (section 8 of the
/// paper): there is such a set, and it is the better one, or there is none, and that is the
/// proof.
pub(crate) fn improved(maker: &Maker<'_>, problem: &Problem, found: List, count: usize) -> List {
    let Maker { environment, options, kept, .. } = *maker;
    let texts_or_reals = |domain: &super::domain::Domain| {
        matches!(domain, super::domain::Domain::Texts(_) | super::domain::Domain::Reals(_))
    };
    let mut best = found;
    if problem.domains.values().any(texts_or_reals) {
        return best;
    }
    while matches!(best.end, End::Unproved(_)) && best.items.len() < count.min(AT_ONCE_MAX) {
        let asking = Asking::empty(environment, problem, options, kept, dialect(options));
        match asking.together(best.items.len() + 1, Encoding::AllAtOnce) {
            Together::Found(items) => best.items = items,
            Together::Impossible => best.end = End::Largest,
            Together::Unknown(_) | Together::Unsayable => return best,
        }
    }
    if best.items.len() == count {
        best.end = End::Asked;
    }
    best
}

/// Can the embedded solver be asked about it?
pub(crate) fn embedded_can(environment: &Environment, problem: &Problem) -> bool {
    let mut lower = Lower::new(environment, Dialect::Embedded);
    for id in &problem.vars {
        lower.declare(*id);
    }
    let known = scratch(environment);
    lower.probing = true;
    let difference = differs_from(&problem.constraint, &known);
    let difference = difference.is_some_and(|expr| lower.bool(&expr).is_ok());
    difference && problem.assertions.iter().all(|assertion| lower.bool(assertion).is_ok())
}
