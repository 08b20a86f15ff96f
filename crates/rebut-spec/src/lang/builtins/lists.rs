//! Lists and functions.

use super::super::apply::Call;
use super::super::interpret::Interpreter;
use super::super::item::{Function, Item};
use crate::ir::{Expr, Op, Shape, Sort};
use std::sync::Arc;

/// The length of the longest `range`. Arbitrary. A longer one is an error.
const SIZE_MAX: i128 = 100_000;

fn call_with(it: &mut Interpreter<'_>, call: Call<'_>, function: &Item, items: Vec<Item>) -> Item {
    let spans = vec![call.span; items.len()];
    it.apply(function, items, &spans, call.span, None)
}

pub(super) fn map(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    if let Item::Sequence { length, items: inner } = &items[1] {
        let mapped =
            inner.iter().map(|item| call_with(it, call, &items[0], vec![item.clone()])).collect();
        return Item::Sequence { length: length.clone(), items: mapped };
    }
    let Some(first) = it.items(&items[1], call.at(1)) else { return Item::Poison };
    let second = match items.get(2) {
        Some(list) => match it.items(list, call.at(2)) {
            Some(second) if second.len() == first.len() => Some(second),
            Some(_) => {
                return it.error(
                    call.span,
                    "these lists differ in length",
                    "`map` takes lists of the same length",
                );
            }
            None => return Item::Poison,
        },
        None => None,
    };
    let mapped = first.into_iter().enumerate().map(|(at, item)| {
        let mut arguments = vec![item];
        arguments.extend(second.as_ref().map(|second| second[at].clone()));
        call_with(it, call, &items[0], arguments)
    });
    Item::List(mapped.collect())
}

pub(super) fn filter(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    let Some(all) = it.items(&items[1], call.at(1)) else { return Item::Poison };
    let mut kept = Vec::new();
    for item in all {
        let holds = call_with(it, call, &items[0], vec![item.clone()]);
        match it.assertion(&holds, call.at(0), None) {
            Some(holds) if holds.is_true() => kept.push(item),
            Some(holds) if holds.is_false() => {}
            Some(_) => {
                return it.error(
                    call.span,
                    "the condition must not depend on a blank",
                    "filter only by known values",
                );
            }
            None => return Item::Poison,
        }
    }
    Item::list(kept)
}

pub(super) fn fold(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    let Some(all) = it.items(&items[2], call.at(2)) else { return Item::Poison };
    all.into_iter()
        .fold(items[1].clone(), |folded, item| call_with(it, call, &items[0], vec![item, folded]))
}

pub(super) fn append(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    let mut all = Vec::new();
    for (at, item) in items.iter().enumerate() {
        match it.items(item, call.at(at)) {
            Some(inner) => all.extend(inner),
            None => return Item::Poison,
        }
    }
    Item::list(all)
}

pub(super) fn cons(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    let Some(mut all) = it.items(&items[1], call.at(1)) else { return Item::Poison };
    all.insert(0, items[0].clone());
    Item::list(all)
}

pub(super) fn first(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    item_at(it, call, &items[0], 0)
}

pub(super) fn nth(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    match items[1].known_int().and_then(|at| usize::try_from(at).ok()) {
        Some(at) => item_at(it, call, &items[0], at),
        None => it.error(call.at(1), "this is not a list index", "indices are 0, 1, 2, .."),
    }
}

fn item_at(it: &mut Interpreter<'_>, call: Call<'_>, list: &Item, at: usize) -> Item {
    if let Item::Sequence { length, items } = list
        && let Some(item) = items.get(at)
    {
        let present = Shape::has(length, at);
        return if present.is_true() {
            item.clone()
        } else {
            Item::Option { present, inner: Box::new(item.clone()) }
        };
    }
    let Some(all) = it.items(list, call.at(0)) else { return Item::Poison };
    match all.get(at) {
        Some(item) => item.clone(),
        None => it.error(
            call.span,
            format!("this list has only {} items", all.len()),
            "indices are 0, 1, 2, ..",
        ),
    }
}

pub(super) fn rest(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    let Some(all) = it.items(&items[0], call.at(0)) else { return Item::Poison };
    match all.split_first() {
        Some((_, rest)) => Item::List(rest.into()),
        None => it.error(call.span, "this list is empty", "check (empty? items) first"),
    }
}

pub(super) fn range(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    let bounds: Option<Vec<i128>> = items.iter().map(Item::known_int).collect();
    let (from, to) = match bounds.as_deref() {
        Some([to]) => (0, *to),
        Some([from, to]) => (*from, *to),
        _ => {
            return it.error(
                call.span,
                "the bounds of a range must be known",
                "write (range 10) or (range 1 11)",
            );
        }
    };
    if to.saturating_sub(from) > SIZE_MAX {
        return it.error(
            call.span,
            "this list would be too long",
            &format!("a list has at most {SIZE_MAX} items"),
        );
    }
    Item::List((from..to).map(Item::int).collect())
}

pub(super) fn is_empty(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    if let Item::Sequence { length, .. } = &items[0] {
        return Item::Expr(length.clone().eq(Expr::int(0)));
    }
    it.items(&items[0], call.at(0)).map_or(Item::Poison, |all| Item::bool(all.is_empty()))
}

pub(super) fn curry(_: &mut Interpreter<'_>, _: Call<'_>, mut items: Vec<Item>) -> Item {
    let function = items.remove(0);
    Item::Function(Arc::new(Function::Partial { function, arguments: items }))
}

/// Returns each item with the condition under which it is present.
fn guarded(it: &mut Interpreter<'_>, call: Call<'_>, list: &Item) -> Option<Vec<(Item, Expr)>> {
    if let Item::Sequence { length, items } = list {
        return Some(
            items
                .iter()
                .enumerate()
                .map(|(at, item)| (item.clone(), Shape::has(length, at)))
                .collect(),
        );
    }
    Some(it.items(list, call.at(1))?.into_iter().map(|item| (item, Expr::bool(true))).collect())
}

/// Applies a predicate to each item. Returns the condition under which it is present, and the
/// result.
fn quantified(
    it: &mut Interpreter<'_>,
    call: Call<'_>,
    items: &[Item],
) -> Option<Vec<(Expr, Expr)>> {
    let mut parts = Vec::new();
    for (item, guard) in guarded(it, call, &items[1])? {
        let result = call_with(it, call, &items[0], vec![item]);
        parts.push((guard, it.assertion(&result, call.at(0), None)?));
    }
    Some(parts)
}

pub(super) fn every(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    let parts = quantified(it, call, &items);
    parts.map_or(Item::Poison, |parts| {
        Item::Expr(Expr::and(parts.into_iter().map(|(guard, holds)| guard.implies(holds))))
    })
}

pub(super) fn any(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    let parts = quantified(it, call, &items);
    parts.map_or(Item::Poison, |parts| {
        Item::Expr(Expr::or(parts.into_iter().map(|(guard, holds)| Expr::and([guard, holds]))))
    })
}

pub(super) fn sum(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    let Some(all) = guarded(it, call, &items[0]) else { return Item::Poison };
    let mut parts = Vec::new();
    for (item, guard) in all {
        let Some(number) = it.number(&item, call.at(0)) else { return Item::Poison };
        let zero = Expr::constant(
            if *number.sort() == Sort::Real {
                crate::number::Real::ZERO.into()
            } else {
                crate::ir::Value::Int(0)
            },
            number.sort().clone(),
        );
        parts.push(Expr::ite(guard, number, zero));
    }
    let sort = parts.first().map_or(Sort::Int, |part| part.sort().clone());
    Item::Expr(Expr::apply(Op::Add, parts, sort))
}
