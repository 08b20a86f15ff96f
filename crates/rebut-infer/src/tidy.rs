//! Which laws are worth a test, and how their claims are put best. What is left out here is true
//! and says nothing that others do not say.

use super::emit;
use super::explored::Found;
use super::probe::Slot;
use super::subject::Subject;
use rebut_concolic::infer::{Claim, Expr, Law, Proof};

/// The laws of a probe that are worth a test.
pub(crate) fn laws(found: &Found) -> Vec<&Law> {
    let all = &found.inferred.laws;
    let is_worth = |law: &&Law| {
        let is_by_chance = |law: &Law| law.guard.iter().any(|part| is_coincidence(found, part));
        let is_told = || {
            let mut others = all.iter().filter(|other| other.claim == law.claim);
            others.any(|other| !is_by_chance(other))
        };
        let is_special = |part: &Claim| is_one_of_many(found, part) || is_another_name(found, part);
        let is_special = law.guard.iter().any(is_special);
        let is_repeated = is_by_chance(law) && is_told();
        is_new(found, law) && !is_special && !is_repeated
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

/// Whether a value of which nothing is known is taken to be a certain one.
fn is_one_of_many(found: &Found, part: &Claim) -> bool {
    let Claim::Same(a, b) = part else { return false };
    let is_free = |expr: &Expr| match expr {
        Expr::Slot(slot) => matches!(slot_of(found, *slot), Some(Slot::Free(_))),
        _ => false,
    };
    let is_constant =
        |expr: &Expr| matches!(expr, Expr::Number(_) | Expr::Least(_) | Expr::Greatest(_));
    (is_free(a) && is_constant(b)) || (is_constant(a) && is_free(b))
}

/// Whether another probe of the function says the same of what all of them see, under guards that
/// are simpler.
pub(crate) fn is_said_better(subject: &Subject, all: &[Found], found: &Found, law: &Law) -> bool {
    if matches!(law.claim, Claim::Panics(_)) || !is_seen_by_all(found, &law.claim) {
        return false;
    }
    let text = emit::text_of(subject, found, &law.claim);
    // The effort of the simplest guard under which a probe says it.
    let effort_in = |other: &Found| {
        let same = laws(other).into_iter().filter(|law| {
            is_seen_by_all(other, &law.claim) && emit::text_of(subject, other, &law.claim) == text
        });
        same.map(|law| effort(other, law)).min()
    };
    let Some(own) = effort_in(found) else { return false };
    let others = all.iter().filter(|other| other.probe.method.name == found.probe.method.name);
    let mut others = others.filter(|other| other.probe.name != found.probe.name);
    others.any(|other| {
        effort_in(other).is_some_and(|other_effort| {
            (other_effort, &other.probe.name) < (own, &found.probe.name)
        })
    })
}

/// Whether a law says of some cases what another probe of the function says of all: what becomes
/// of something that both of them see.
pub(crate) fn is_told_in_full(all: &[Found], found: &Found, law: &Law) -> bool {
    let mut seen = law.claim.slots().into_iter().filter_map(|slot| {
        let own = slot_of(found, slot)?;
        let is_changed = matches!(own, Slot::After(_) | Slot::Result);
        is_changed.then(|| (slot, name_of(found, own)))
    });
    let (Some((slot, Some(name))), None) = (seen.next(), seen.next()) else { return false };
    let is_full = |found: &Found, slot: u32| found.inferred.determined.contains(&slot);
    if law.guard.is_empty() || is_full(found, slot) {
        return false;
    }
    let others = all.iter().filter(|other| other.probe.method.name == found.probe.method.name);
    let mut others = others.filter(|other| {
        other.probe.assumed.is_empty() && !matches!(other.inferred.proof, Proof::Held(_))
    });
    others.any(|other| {
        let mut slots = (0..).zip(&other.probe.slots);
        slots.any(|(slot, own)| {
            let is_same = name_of(other, *own).as_ref() == Some(&name);
            matches!(own, Slot::After(_) | Slot::Result) && is_same && is_full(other, slot)
        })
    })
}

/// Whether a law says what an observer shows that may depend on hashes: it told states apart that
/// looked alike, and the hashes were not those of a run.
pub(crate) fn is_left_to_hashes(all: &[Found], found: &Found, law: &Law) -> bool {
    let shown = |found: &Found, slot: u32| match slot_of(found, slot) {
        Some(Slot::After(nth)) => Some(found.probe.applications[nth].observer.name.clone()),
        _ => None,
    };
    let unsteady: Vec<String> = all
        .iter()
        .filter(|found| found.assumes_hashes)
        .filter_map(|found| shown(found, found.inferred.nondeterminism.as_ref()?.slot?))
        .collect();
    let claimed = law.claim.slots().into_iter();
    claimed.filter_map(|slot| shown(found, slot)).any(|name| unsteady.contains(&name))
}

/// A name for what all probes of a function see: an observer that takes nothing, or the result.
fn name_of(found: &Found, slot: Slot) -> Option<String> {
    match slot {
        Slot::Result => Some(String::new()),
        Slot::Before(nth) | Slot::After(nth) => {
            let application = &found.probe.applications[nth];
            application.takes_nothing().then(|| application.observer.name.clone())
        }
        Slot::Given(_) | Slot::Free(_) => None,
    }
}

/// Whether a claim is about observers that take nothing.
fn is_seen_by_all(found: &Found, claim: &Claim) -> bool {
    claim.slots().iter().all(|slot| match slot_of(found, *slot) {
        Some(Slot::Before(nth) | Slot::After(nth)) => found.probe.applications[nth].takes_nothing(),
        Some(Slot::Given(_) | Slot::Result) => true,
        Some(Slot::Free(_)) | None => false,
    })
}

/// How much there is to a guard: few conditions, on arguments and what takes nothing, are best.
fn effort(found: &Found, law: &Law) -> usize {
    let of_slot = |slot: u32| match slot_of(found, slot) {
        Some(Slot::Free(_)) => 3,
        Some(Slot::Before(nth)) if !found.probe.free_in(nth).is_empty() => 3,
        Some(Slot::Before(nth)) if !found.probe.applications[nth].takes_nothing() => 1,
        _ => 0,
    };
    let slots = law.guard.iter().flat_map(Claim::slots);
    10 * (law.guard.len() + found.probe.assumed.len()) + slots.map(of_slot).sum::<usize>()
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
        Claim::Boolean(slot, holds) if is_same(*slot) => Some(Claim::Boolean(after, *holds)),
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
