//! Words for claims, as parts of the names of tests.

use super::probe::{Probe, Slot};
use rebut_concolic::infer::{Claim, Expr};

/// What is claimed after a call, as what the function does.
pub(crate) fn claim(probe: &Probe, claim: &Claim) -> String {
    if let Claim::Same(Expr::Slot(after), to) = claim
        && let Some(done) = done(probe, *after, to)
    {
        return done;
    }
    if let Some(moved) = moved(probe, claim) {
        return moved;
    }
    match claim {
        Claim::Same(Expr::Slot(slot), to) if is_result(probe, *slot) => {
            format!("returns_{}", expression(probe, to))
        }
        other => format!("then_{}", condition(probe, other)),
    }
}

/// In which direction an observation went, if that is all that is said of it.
fn moved(probe: &Probe, claim: &Claim) -> Option<String> {
    let (a, b, [up, down]) = match claim {
        Claim::Less(Expr::Slot(a), Expr::Slot(b)) => (*a, *b, ["increases", "decreases"]),
        Claim::AtMost(Expr::Slot(a), Expr::Slot(b)) => {
            (*a, *b, ["does_not_decrease", "does_not_increase"])
        }
        Claim::Different(Expr::Slot(a), Expr::Slot(b)) => (*a, *b, ["changes", "changes"]),
        _ => return None,
    };
    let verb = match (probe.slots.get(a as usize)?, probe.slots.get(b as usize)?) {
        (Slot::Before(old), Slot::After(new)) if old == new => up,
        (Slot::After(new), Slot::Before(old)) if old == new => down,
        _ => return None,
    };
    Some(format!("{verb}_{}", slot(probe, a)))
}

/// What became of an observation, in terms of what it was.
fn done(probe: &Probe, after: u32, to: &Expr) -> Option<String> {
    let Some(Slot::After(nth)) = probe.slots.get(after as usize) else { return None };
    let is_own = |slot: u32| probe.slots.get(slot as usize) == Some(&Slot::Before(*nth));
    let name = slot(probe, after);
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

fn is_result(probe: &Probe, slot: u32) -> bool {
    probe.slots.get(slot as usize) == Some(&Slot::Result)
}

/// What is so, as what is assumed.
pub(crate) fn condition(probe: &Probe, claim: &Claim) -> String {
    let two = |a: &Expr, between: &str, b: &Expr| {
        format!("{}_{between}_{}", expression(probe, a), expression(probe, b))
    };
    match claim {
        Claim::Panics(_) => "it_panics".to_owned(),
        Claim::Boolean(slot_, true) => slot(probe, *slot_),
        Claim::Boolean(slot_, false) => format!("not_{}", slot(probe, *slot_)),
        Claim::Same(a, Expr::Empty) => format!("{}_is_empty", expression(probe, a)),
        Claim::Different(a, Expr::Empty) => format!("{}_is_not_empty", expression(probe, a)),
        Claim::Same(a, b) => two(a, "is", b),
        Claim::Different(a, b) => two(a, "is_not", b),
        Claim::Less(a, b) => two(a, "is_below", b),
        Claim::AtMost(a, b) => two(a, "is_at_most", b),
        Claim::Is(slot_, name) => format!("{}_is_{}", slot(probe, *slot_), name.to_lowercase()),
        Claim::IsNot(slot_, name) => {
            format!("{}_is_not_{}", slot(probe, *slot_), name.to_lowercase())
        }
        Claim::Contains(slot_, item) => {
            format!("{}_contains_{}", slot(probe, *slot_), expression(probe, item))
        }
        Claim::Lacks(slot_, item) => {
            format!("{}_lacks_{}", slot(probe, *slot_), expression(probe, item))
        }
        Claim::StartsWith(a, b) => format!("{}_starts_with_{}", slot(probe, *a), slot(probe, *b)),
        Claim::SameElements(a, b) => {
            format!("{}_has_the_elements_of_{}", slot(probe, *a), slot(probe, *b))
        }
        Claim::Iff(a, b) => format!("{}_where_{}", condition(probe, a), condition(probe, b)),
    }
}

fn expression(probe: &Probe, of: &Expr) -> String {
    match of {
        Expr::Slot(one) => slot(probe, *one),
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
            format!("{times}{}{plus}", slot(probe, *one))
        }
        Expr::Sum(a, b) => format!("{}_plus_{}", slot(probe, *a), slot(probe, *b)),
        Expr::Difference(a, b) => format!("{}_minus_{}", slot(probe, *a), slot(probe, *b)),
        Expr::Holding(name, held) => {
            format!("{}_{}", name.to_lowercase(), expression(probe, held))
        }
        Expr::Length(one) => format!("length_of_{}", slot(probe, *one)),
        Expr::First(one) => format!("first_of_{}", slot(probe, *one)),
        Expr::Last(one) => format!("last_of_{}", slot(probe, *one)),
        Expr::Empty => "nothing".to_owned(),
        Expr::Appended(one, _)
        | Expr::Prepended(one, _)
        | Expr::WithoutLast(one)
        | Expr::WithoutFirst(one)
        | Expr::Reversed(one)
        | Expr::Truncated(one, _) => format!("edited_{}", slot(probe, *one)),
        Expr::Inserted { into: one, .. }
        | Expr::Removed { from: one, .. }
        | Expr::Updated { of: one, .. } => format!("edited_{}", slot(probe, *one)),
    }
}

/// A slot in a name.
fn slot(probe: &Probe, slot: u32) -> String {
    match probe.slots.get(slot as usize) {
        Some(Slot::Given(nth)) => {
            let name = &probe.method.parameters[*nth].name;
            let mut observers = probe.applications.iter().map(|one| &one.observer.name);
            if observers.any(|observer| observer == name) {
                format!("given_{name}")
            } else {
                name.clone()
            }
        }
        Some(Slot::Free(nth)) => probe.free[*nth].name.clone(),
        Some(Slot::Before(nth) | Slot::After(nth)) => {
            probe.old_name(*nth).trim_start_matches("old_").to_owned()
        }
        Some(Slot::Result) => "result".to_owned(),
        None => String::new(),
    }
}
