//! Finds the methods after which two states that looked alike do not look alike anymore.
//!
//! `laws/determinism.rs` finds such a pair of states for one probe. A probe applies observers with
//! parameters to few values only, so that their results for other values may distinguish the states
//! beforehand. Therefore only differences of observers without parameters, of the result, and of
//! panics count. And all probes of a method must agree, because one may have an observer that
//! another one lacks.

use crate::explore::ExploredProbe;
use crate::probe::ProbeSlot;
use crate::read::subject::Subject;
use rebut_concolic::ShownValue;

/// Two states that no observer distinguishes before a call.
pub(crate) struct Nondeterminism<'p> {
    pub(crate) method: &'p str,
    /// The call that distinguishes them afterward; `None` if only one of the calls panics.
    pub(crate) shown_by: Option<String>,
    /// The values of parameters that lead to the states.
    pub(crate) states: &'p [Vec<ShownValue>; 2],
}

/// Returns the methods for which the type is not observably deterministic.
pub(crate) fn nondeterministic_methods<'p>(
    subject: &Subject,
    all: &'p [ExploredProbe],
) -> Vec<Nondeterminism<'p>> {
    let mut methods: Vec<Nondeterminism<'p>> = Vec::new();
    for explored in all {
        let method = explored.probe.method.name.as_str();
        if methods.iter().any(|known| known.method == method) {
            continue;
        }
        let Some(difference) = difference(subject, explored) else { continue };
        let mut of_method = all.iter().filter(|other| other.probe.method.name == method);
        let is_agreed =
            of_method.all(|other| self::difference(subject, other).as_ref() == Some(&difference));
        if let (true, Some(states)) = (is_agreed, &explored.nondeterministic_states) {
            let shown_by = match difference {
                Difference::Observed(call) => Some(call),
                Difference::Panic => None,
            };
            methods.push(Nondeterminism { method, shown_by, states });
        }
    }
    methods
}

/// The difference between two states after a call.
#[derive(PartialEq, Eq)]
enum Difference {
    /// Only one of the calls panics.
    Panic,
    /// This call returns different results.
    Observed(String),
}

/// Returns the difference that a probe found, if it counts.
fn difference(subject: &Subject, explored: &ExploredProbe) -> Option<Difference> {
    let pair = explored.inferred.nondeterminism.as_ref()?;
    let Some(number) = pair.slot else { return Some(Difference::Panic) };
    let probe = &explored.probe;
    match probe.slot(number)? {
        ProbeSlot::After(nth) if probe.applications[nth].has_no_arguments() => {
            Some(Difference::Observed(probe.application_code(subject, nth)))
        }
        ProbeSlot::Result => Some(Difference::Observed(probe.call_code(subject))),
        _ => None,
    }
}
