//! Selects the laws that are worth a test or a clause. The laws that are left out are true, but
//! repeat what other laws state better, or are likely to be coincidence.
//!
//! `laws/reduce.rs` drops the laws of one probe that follow from others. The rules here need more:
//! other probes of the same method, and what the slots are to a reader. A law is left out if
//!
//! - its guard fixes a free value: `other == 3`, or `other == item`, the argument of the call. Such
//!   a law is an instance of a law about the argument or about any value
//!   ([`fixes_free_value`]);
//! - its guard compares two results of the same observer, `contains(a) == contains(b)`, and
//!   another law has the same claim without that ([`is_coincidence`]);
//! - another probe has the same claim with a simpler guard ([`has_simpler_duplicate`]);
//! - it describes some cases of a slot that another probe determines in all cases
//!   ([`is_determined_by_other_probe`], for tests only);
//! - it is about an observer that may depend on the order of a hash table
//!   ([`is_hash_dependent`]): all keys have the same hash during exploration, so a native run may
//!   contradict it.

use crate::explore::ExploredProbe;
use crate::laws::{Claim, Expr, Law, Proof};
use crate::probe::ProbeSlot;
use crate::read::subject::Subject;
use crate::write::panic_conditions::simplest_panic_condition;
use crate::write::test;

/// Returns the laws of a probe that are worth a test or a clause, in view of all probes.
pub(super) fn selected_laws<'p>(
    subject: &Subject,
    all: &[ExploredProbe],
    explored: &'p ExploredProbe,
) -> Vec<&'p Law> {
    let panics = simplest_panic_condition(all, &explored.probe.method.name);
    let has_other_panics = panics.is_some_and(|panics| panics.probe.name != explored.probe.name);
    let is_selected = |law: &&Law| {
        let repeats_panic = has_other_panics && matches!(law.claim, Claim::Panics(_));
        !repeats_panic
            && !has_simpler_duplicate(subject, all, explored, law)
            && !is_hash_dependent(all, explored, law)
    };
    general_laws(explored).into_iter().filter(is_selected).collect()
}

/// Returns the laws of a probe that are not about special values or coincidences.
fn general_laws(explored: &ExploredProbe) -> Vec<&Law> {
    let laws = &explored.inferred.laws;
    let has_coincidence = |law: &Law| law.guard.iter().any(|part| is_coincidence(explored, part));
    let is_general = |law: &&Law| {
        let fixes_free_value = law.guard.iter().any(|part| fixes_free_value(explored, part));
        let has_same_claim = |other: &&Law| other.claim == law.claim;
        let is_repeated = || {
            let mut others = laws.iter().filter(has_same_claim);
            others.any(|other| !has_coincidence(other))
        };
        uses_focus(explored, law) && !fixes_free_value && !(has_coincidence(law) && is_repeated())
    };
    laws.iter().filter(is_general).collect()
}

/// Whether a law is about the application for which its probe was made. Other probes have the
/// other laws, without its assumptions.
fn uses_focus(explored: &ExploredProbe, law: &Law) -> bool {
    let Some(focus) = explored.probe.focus else { return true };
    let mut slots = law.guard.iter().chain([&law.claim]).flat_map(Claim::slots);
    slots.any(|number| explored.probe.slot(number) == Some(ProbeSlot::Before(focus)))
}

/// Whether a condition fixes a free value: to a constant, to an argument of the call, or to an
/// earlier result that observers are applied to.
fn fixes_free_value(explored: &ExploredProbe, part: &Claim) -> bool {
    let Claim::Same(a, b) = part else { return false };
    let slot = |expr: &Expr| match expr {
        Expr::Slot(number) => explored.probe.slot(*number),
        _ => None,
    };
    let is_free = |expr: &Expr| matches!(slot(expr), Some(ProbeSlot::Free(_)));
    let is_fixed = |expr: &Expr| match (expr, slot(expr)) {
        (Expr::Number(_) | Expr::Least(_) | Expr::Greatest(_), _) => true,
        (_, Some(ProbeSlot::Argument(_))) => true,
        (_, Some(ProbeSlot::Before(nth))) => {
            let mut applications = 0..explored.probe.applications.len();
            applications.any(|other| explored.probe.earlier_arguments(other).contains(&nth))
        }
        _ => false,
    };
    (is_free(a) && is_fixed(b)) || (is_fixed(a) && is_free(b))
}

/// Whether a condition compares two results of one observer, which may be equal by chance.
fn is_coincidence(explored: &ExploredProbe, part: &Claim) -> bool {
    let (Claim::Same(Expr::Slot(a), Expr::Slot(b))
    | Claim::Different(Expr::Slot(a), Expr::Slot(b))) = part
    else {
        return false;
    };
    let observer = |number: u32| match explored.probe.slot(number) {
        Some(ProbeSlot::Before(nth)) => Some(&explored.probe.applications[nth].observer.name),
        _ => None,
    };
    a != b && observer(*a).is_some() && observer(*a) == observer(*b)
}

/// Whether another probe of the method has the same claim with a simpler guard.
fn has_simpler_duplicate(
    subject: &Subject,
    all: &[ExploredProbe],
    explored: &ExploredProbe,
    law: &Law,
) -> bool {
    if matches!(law.claim, Claim::Panics(_)) || !is_shared(explored, &law.claim) {
        return false;
    }
    let text = test::claim_text(subject, explored, &law.claim);
    let simplest_in = |other: &ExploredProbe| {
        let is_same = |law: &&Law| {
            is_shared(other, &law.claim) && test::claim_text(subject, other, &law.claim) == text
        };
        let same = general_laws(other).into_iter().filter(is_same);
        same.map(|law| guard_effort(other, law)).min()
    };
    let Some(own) = simplest_in(explored) else { return false };
    let name = &explored.probe.name;
    other_probes(all, explored).any(|other| {
        simplest_in(other).is_some_and(|effort| (effort, &other.probe.name) < (own, name))
    })
}

/// Whether a law describes some cases of a slot that another probe determines in all cases.
pub(super) fn is_determined_by_other_probe(
    all: &[ExploredProbe],
    explored: &ExploredProbe,
    law: &Law,
) -> bool {
    let mut changed = law.claim.slots().into_iter().filter_map(|number| {
        let slot = explored.probe.slot(number)?;
        is_after(slot).then(|| (number, shared_name(explored, slot)))
    });
    let (Some((number, Some(name))), None) = (changed.next(), changed.next()) else {
        return false;
    };
    let is_determined =
        |explored: &ExploredProbe, number: u32| explored.inferred.determined.contains(&number);
    if law.guard.is_empty() || is_determined(explored, number) {
        return false;
    }
    let of_method =
        all.iter().filter(|other| other.probe.method.name == explored.probe.method.name);
    let mut proved = of_method.filter(|other| {
        other.probe.assumptions.is_empty() && !matches!(other.inferred.proof, Proof::Held(_))
    });
    proved.any(|other| {
        let mut slots = (0..).zip(&other.probe.slots);
        slots.any(|(number, slot)| {
            let is_same = shared_name(other, *slot).as_ref() == Some(&name);
            is_after(*slot) && is_same && is_determined(other, number)
        })
    })
}

fn is_after(slot: ProbeSlot) -> bool {
    matches!(slot, ProbeSlot::After(_) | ProbeSlot::Result)
}

/// Whether a law is about an observer that may depend on hashes: it distinguishes states that
/// looked alike, in a probe in which all keys had the same hash.
fn is_hash_dependent(all: &[ExploredProbe], explored: &ExploredProbe, law: &Law) -> bool {
    let observer = |explored: &ExploredProbe, number: u32| match explored.probe.slot(number) {
        Some(ProbeSlot::After(nth)) => Some(explored.probe.applications[nth].observer.name.clone()),
        _ => None,
    };
    let nondeterministic: Vec<String> = all
        .iter()
        .filter(|explored| explored.assumes_hashes)
        .filter_map(|other| observer(other, other.inferred.nondeterminism.as_ref()?.slot?))
        .collect();
    let mut observers =
        law.claim.slots().into_iter().filter_map(|number| observer(explored, number));
    observers.any(|name| nondeterministic.contains(&name))
}

fn other_probes<'p>(
    all: &'p [ExploredProbe],
    explored: &'p ExploredProbe,
) -> impl Iterator<Item = &'p ExploredProbe> {
    let of_method =
        all.iter().filter(|other| other.probe.method.name == explored.probe.method.name);
    of_method.filter(|other| other.probe.name != explored.probe.name)
}

/// Returns a name for a slot that all probes of a method have: the result, or an observer without
/// arguments.
fn shared_name(explored: &ExploredProbe, slot: ProbeSlot) -> Option<String> {
    match slot {
        ProbeSlot::Result => Some(String::new()),
        ProbeSlot::Before(nth) | ProbeSlot::After(nth) => {
            let application = &explored.probe.applications[nth];
            application.has_no_arguments().then(|| application.observer.name.clone())
        }
        ProbeSlot::Argument(_) | ProbeSlot::Free(_) => None,
    }
}

/// Whether all probes of the method have the slots of a claim.
fn is_shared(explored: &ExploredProbe, claim: &Claim) -> bool {
    claim.slots().iter().all(|number| match explored.probe.slot(*number) {
        Some(ProbeSlot::Before(nth) | ProbeSlot::After(nth)) => {
            explored.probe.applications[nth].has_no_arguments()
        }
        Some(ProbeSlot::Argument(_) | ProbeSlot::Result) => true,
        Some(ProbeSlot::Free(_)) | None => false,
    })
}

/// Returns how complicated the guard of a law is. The number of conditions counts most, then free
/// values, then observers with arguments. The weights 10, 3 and 1 are arbitrary.
fn guard_effort(explored: &ExploredProbe, law: &Law) -> usize {
    let slot_effort = |number: u32| match explored.probe.slot(number) {
        Some(ProbeSlot::Free(_)) => 3,
        Some(ProbeSlot::Before(nth)) if !explored.probe.free_arguments(nth).is_empty() => 3,
        Some(ProbeSlot::Before(nth)) if !explored.probe.applications[nth].has_no_arguments() => 1,
        _ => 0,
    };
    let slots = law.guard.iter().flat_map(Claim::slots);
    let conditions = law.guard.len() + explored.probe.assumptions.len();
    10 * conditions + slots.map(slot_effort).sum::<usize>()
}

/// Replaces "as before the call" by the value, if the guard fixes that: under `!is_empty`, the
/// claim `is_empty' == is_empty` becomes `!is_empty'`.
pub(super) fn simplified_claim(law: &Law, claim: &Claim) -> Claim {
    let Claim::Same(Expr::Slot(after), Expr::Slot(before)) = claim else { return claim.clone() };
    let fixed = law.guard.iter().find_map(|part| match part {
        Claim::Boolean(slot, holds) if slot == before => Some(Claim::Boolean(*after, *holds)),
        Claim::Is(slot, name) if slot == before && name == "None" => {
            Some(Claim::Is(*after, name.clone()))
        }
        Claim::IsNot(slot, name) if slot == before && name == "Some" => {
            Some(Claim::Is(*after, "None".to_owned()))
        }
        Claim::Same(Expr::Slot(slot), value @ Expr::Number(_)) if slot == before => {
            Some(Claim::Same(Expr::Slot(*after), value.clone()))
        }
        _ => None,
    });
    fixed.unwrap_or_else(|| claim.clone())
}
