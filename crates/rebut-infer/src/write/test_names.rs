//! Names tests after their guards and claims.

use crate::laws::{Claim, Expr};
use crate::probe::{Probe, ProbeSlot};
use crate::write::test::{LawTest, TestCall};
use std::collections::BTreeSet;

/// The largest length of a name. Arbitrary: the signature still fits into a line of 100 characters.
/// A longer name is cut after a word; if it is not unique then, it gets a number.
const LENGTH_MAX: usize = 64;

/// Names all tests: after the guard, or after the first claim if there is no guard.
pub(super) fn name_tests(tests: &mut [LawTest]) {
    let mut taken: BTreeSet<String> = BTreeSet::new();
    for test in tests {
        let mut words = match (test.method.is_empty(), test.name.is_empty()) {
            (true, _) => "always".to_owned(),
            (false, true) => {
                let first = test.claims.first().map(|claim| claim.name.clone());
                format!("{}_{}", test.method, first.unwrap_or_default())
            }
            (false, false) => {
                let is_panic = matches!(test.call, TestCall::Panic);
                let panics = if is_panic { "_panics" } else { "" };
                format!("{}{panics}_when_{}", test.method, test.name)
            }
        };
        if words.len() > LENGTH_MAX {
            let end = words[..LENGTH_MAX].rfind('_').unwrap_or(LENGTH_MAX);
            words.truncate(end);
        }
        let words = words.trim_end_matches('_').to_owned();
        let mut name = words.clone();
        let mut number = 2;
        while !taken.insert(name.clone()) {
            name = format!("{words}_{number}");
            number += 1;
        }
        test.name = name;
    }
}

/// Returns a claim after a call, as what the method does.
pub(super) fn claim(probe: &Probe, claim: &Claim) -> String {
    if let Claim::Same(Expr::Slot(after), to) = claim
        && let Some(change) = change(probe, *after, to)
    {
        return change;
    }
    if let Some(direction) = direction(probe, claim) {
        return direction;
    }
    match claim {
        Claim::Same(Expr::Slot(slot), to) if is_result(probe, *slot) => {
            format!("returns_{}", expression(probe, to))
        }
        other => format!("then_{}", condition(probe, other)),
    }
}

/// Returns the direction in which an observation changes, if the claim is just that.
fn direction(probe: &Probe, claim: &Claim) -> Option<String> {
    let (a, b, [up, down]) = match claim {
        Claim::Less(Expr::Slot(a), Expr::Slot(b)) => (*a, *b, ["increases", "decreases"]),
        Claim::AtMost(Expr::Slot(a), Expr::Slot(b)) => {
            (*a, *b, ["does_not_decrease", "does_not_increase"])
        }
        Claim::Different(Expr::Slot(a), Expr::Slot(b)) => (*a, *b, ["changes", "changes"]),
        _ => return None,
    };
    let verb = match (probe.slot(a)?, probe.slot(b)?) {
        (ProbeSlot::Before(old), ProbeSlot::After(new)) if old == new => up,
        (ProbeSlot::After(new), ProbeSlot::Before(old)) if old == new => down,
        _ => return None,
    };
    Some(format!("{verb}_{}", slot_name(probe, a)))
}

/// Returns how an observation changes, in terms of its old value.
fn change(probe: &Probe, after: u32, to: &Expr) -> Option<String> {
    let Some(ProbeSlot::After(nth)) = probe.slot(after) else { return None };
    let is_own = |number: u32| probe.slot(number) == Some(ProbeSlot::Before(nth));
    let name = slot_name(probe, after);
    Some(match to {
        Expr::Slot(before) if is_own(*before) => format!("keeps_{name}"),
        Expr::Linear { slot, times: 1, plus: 1 } if is_own(*slot) => format!("increments_{name}"),
        Expr::Linear { slot, times: 1, plus: -1 } if is_own(*slot) => {
            format!("decrements_{name}")
        }
        Expr::Linear { slot, times: 2, plus: 0 } if is_own(*slot) => format!("doubles_{name}"),
        Expr::Appended(slot, item) if is_own(*slot) => {
            format!("appends_{}_to_{name}", expression(probe, item))
        }
        Expr::Prepended(slot, item) if is_own(*slot) => {
            format!("prepends_{}_to_{name}", expression(probe, item))
        }
        Expr::Inserted { into, .. } if is_own(*into) => format!("inserts_into_{name}"),
        Expr::Removed { from, .. } if is_own(*from) => format!("removes_from_{name}"),
        Expr::Updated { of, .. } if is_own(*of) => format!("updates_{name}"),
        Expr::Reversed(slot) if is_own(*slot) => format!("reverses_{name}"),
        Expr::WithoutLast(slot) if is_own(*slot) => format!("removes_the_last_of_{name}"),
        Expr::WithoutFirst(slot) if is_own(*slot) => format!("removes_the_first_of_{name}"),
        Expr::Truncated(slot, _) if is_own(*slot) => format!("truncates_{name}"),
        Expr::Number(0) => format!("sets_{name}_to_zero"),
        Expr::Empty => format!("empties_{name}"),
        other => format!("sets_{name}_to_{}", expression(probe, other)),
    })
}

fn is_result(probe: &Probe, number: u32) -> bool {
    probe.slot(number) == Some(ProbeSlot::Result)
}

/// Returns a condition.
pub(super) fn condition(probe: &Probe, claim: &Claim) -> String {
    let two = |a: &Expr, between: &str, b: &Expr| {
        format!("{}_{between}_{}", expression(probe, a), expression(probe, b))
    };
    match claim {
        Claim::Panics(_) => "it_panics".to_owned(),
        Claim::Boolean(number, true) => slot_name(probe, *number),
        Claim::Boolean(number, false) => format!("not_{}", slot_name(probe, *number)),
        Claim::Same(a, Expr::Empty) => format!("{}_is_empty", expression(probe, a)),
        Claim::Different(a, Expr::Empty) => format!("{}_is_not_empty", expression(probe, a)),
        Claim::Same(a, b) => two(a, "is", b),
        Claim::Different(a, b) => two(a, "is_not", b),
        Claim::Less(a, b) => two(a, "is_below", b),
        Claim::AtMost(a, b) => two(a, "is_at_most", b),
        Claim::Is(number, name) => {
            format!("{}_is_{}", slot_name(probe, *number), name.to_lowercase())
        }
        Claim::IsNot(number, name) => {
            format!("{}_is_not_{}", slot_name(probe, *number), name.to_lowercase())
        }
        Claim::Contains(number, item) => {
            format!("{}_contains_{}", slot_name(probe, *number), expression(probe, item))
        }
        Claim::Lacks(number, item) => {
            format!("{}_lacks_{}", slot_name(probe, *number), expression(probe, item))
        }
        Claim::StartsWith(a, b) => {
            format!("{}_starts_with_{}", slot_name(probe, *a), slot_name(probe, *b))
        }
        Claim::SameElements(a, b) => {
            format!("{}_has_the_elements_of_{}", slot_name(probe, *a), slot_name(probe, *b))
        }
        Claim::Iff(a, b) => format!("{}_where_{}", condition(probe, a), condition(probe, b)),
    }
}

fn expression(probe: &Probe, of: &Expr) -> String {
    match of {
        Expr::Slot(one) => slot_name(probe, *one),
        Expr::Number(number) if *number < 0 => format!("minus_{}", number.unsigned_abs()),
        Expr::Number(0) => "zero".to_owned(),
        Expr::Number(number) => number.to_string(),
        Expr::Least(_) => "min".to_owned(),
        Expr::Greatest(_) => "max".to_owned(),
        Expr::Linear { slot: one, times, plus } => {
            let times = if *times == 1 { String::new() } else { format!("{times}_times_") };
            let plus = match plus {
                0 => String::new(),
                1.. => format!("_plus_{plus}"),
                _ => format!("_minus_{}", plus.unsigned_abs()),
            };
            format!("{times}{}{plus}", slot_name(probe, *one))
        }
        Expr::Sum(a, b) => format!("{}_plus_{}", slot_name(probe, *a), slot_name(probe, *b)),
        Expr::Difference(a, b) => {
            format!("{}_minus_{}", slot_name(probe, *a), slot_name(probe, *b))
        }
        Expr::Holding(name, held) => {
            format!("{}_{}", name.to_lowercase(), expression(probe, held))
        }
        Expr::Length(one) => format!("length_of_{}", slot_name(probe, *one)),
        Expr::First(one) => format!("first_of_{}", slot_name(probe, *one)),
        Expr::Last(one) => format!("last_of_{}", slot_name(probe, *one)),
        Expr::Empty => "nothing".to_owned(),
        Expr::Appended(one, _)
        | Expr::Prepended(one, _)
        | Expr::WithoutLast(one)
        | Expr::WithoutFirst(one)
        | Expr::Reversed(one)
        | Expr::Truncated(one, _) => format!("edited_{}", slot_name(probe, *one)),
        Expr::Inserted { into: one, .. }
        | Expr::Removed { from: one, .. }
        | Expr::Updated { of: one, .. } => format!("edited_{}", slot_name(probe, *one)),
    }
}

/// Returns a slot as part of a name.
fn slot_name(probe: &Probe, number: u32) -> String {
    match probe.slot(number) {
        Some(ProbeSlot::Argument(nth)) => {
            let name = &probe.method.parameters[nth].name;
            let mut observers = probe.applications.iter().map(|one| &one.observer.name);
            if observers.any(|observer| observer == name) {
                format!("given_{name}")
            } else {
                name.clone()
            }
        }
        Some(ProbeSlot::Free(nth)) => probe.free[nth].name.clone(),
        Some(ProbeSlot::Before(nth) | ProbeSlot::After(nth)) => {
            probe.old_name(nth).trim_start_matches("old_").to_owned()
        }
        Some(ProbeSlot::Result) => "result".to_owned(),
        None => String::new(),
    }
}
