//! Which laws are worth a test, and how their claims are put best. What is left out here is true
//! and says nothing that others do not say.

use super::explored::Found;
use super::probe::Slot;
use rebut_concolic::infer::{Claim, Expr, Law};

/// The laws of a probe that are worth a test.
pub(crate) fn laws(found: &Found) -> Vec<&Law> {
    let all = &found.inferred.laws;
    let is_worth = |law: &&Law| {
        let is_by_chance = |law: &Law| law.guard.iter().any(|part| is_coincidence(found, part));
        let is_told = || {
            let mut others = all.iter().filter(|other| other.claim == law.claim);
            others.any(|other| !is_by_chance(other))
        };
        is_new(found, law)
            && !law.guard.iter().any(|part| is_another_name(found, part))
            && !(is_by_chance(law) && is_told())
    };
    all.iter().filter(is_worth).collect()
}

/// Whether a law speaks of what its probe is made for.
fn is_new(found: &Found, law: &Law) -> bool {
    let Some(focus) = found.probe.focus else { return true };
    let mut slots = law.guard.iter().chain([&law.claim]).flat_map(Claim::slots);
    slots.any(|slot| slot_of(found, slot) == Some(Slot::Before(focus)))
}

/// Whether a value is just another name for what observers are applied to themselves: an argument,
/// or what was observed before the call.
fn is_another_name(found: &Found, part: &Claim) -> bool {
    let Some((a, b)) = compared(part, true) else { return false };
    let is_free = |slot: u32| matches!(slot_of(found, slot), Some(Slot::Free(_)));
    let is_applied_to = |slot: u32| match slot_of(found, slot) {
        Some(Slot::Given(_)) => true,
        Some(Slot::Before(nth)) => {
            let applications = 0..found.probe.applications.len();
            applications.into_iter().any(|other| found.probe.needed_by(other).contains(&nth))
        }
        _ => false,
    };
    (is_free(a) && is_applied_to(b)) || (is_applied_to(a) && is_free(b))
}

/// Whether what one observer shows of two things is compared: they may be alike by chance.
fn is_coincidence(found: &Found, part: &Claim) -> bool {
    let observer = |slot: u32| match slot_of(found, slot) {
        Some(Slot::Before(nth)) => Some(&found.probe.applications[nth].observer.name),
        _ => None,
    };
    let pair = compared(part, true).or_else(|| compared(part, false));
    pair.is_some_and(|(a, b)| a != b && observer(a).is_some() && observer(a) == observer(b))
}

/// The two slots that are said to be the same, or not to be.
fn compared(claim: &Claim, holds: bool) -> Option<(u32, u32)> {
    match claim {
        Claim::Same(Expr::Slot(a), Expr::Slot(b)) if holds => Some((*a, *b)),
        Claim::Different(Expr::Slot(a), Expr::Slot(b)) if !holds => Some((*a, *b)),
        _ => None,
    }
}

fn slot_of(found: &Found, slot: u32) -> Option<Slot> {
    found.probe.slots.get(slot as usize).copied()
}

/// A claim that something is as it was, where the guard says what it was, as what it is.
pub(crate) fn claim(found: &Found, law: &Law, claim: &Claim) -> Claim {
    let Some((after, before)) = compared(claim, true) else { return claim.clone() };
    let is_same = |slot: u32| slot == before && slot_of(found, before).is_some();
    let known = law.guard.iter().find_map(|part| match part {
        Claim::Truth(slot, holds) if is_same(*slot) => Some(Claim::Truth(after, *holds)),
        Claim::Is(slot, name) if is_same(*slot) && name == "None" => {
            Some(Claim::Is(after, name.clone()))
        }
        Claim::IsNot(slot, name) if is_same(*slot) && name == "Some" => {
            Some(Claim::Is(after, "None".to_owned()))
        }
        Claim::Same(Expr::Slot(slot), value @ Expr::Number(_)) if is_same(*slot) => {
            Some(Claim::Same(Expr::Slot(after), value.clone()))
        }
        _ => None,
    });
    known.unwrap_or_else(|| claim.clone())
}
