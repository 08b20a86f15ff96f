//! Comparisons.

use super::super::apply::Call;
use super::super::interpret::Interpreter;
use super::super::item::Item;
use super::super::matching;
use crate::ir::{Expr, Sort};

/// Unwraps Options and compares their values. An assertion about an absent value holds.
fn lifted(items: Vec<Item>, run: impl FnOnce(Vec<Item>) -> Item) -> Item {
    let (items, guard) = Interpreter::unwrapped(items);
    match run(items) {
        Item::Expr(expr) if *expr.sort() == Sort::Bool => Item::Expr(guard.implies(expr)),
        other => other,
    }
}

/// Compares neighboring arguments: `(< a b c)` is `a < b` and `b < c`.
fn chain(
    it: &mut Interpreter<'_>,
    call: Call<'_>,
    items: Vec<Item>,
    ordered: bool,
    compare: fn(Expr, Expr) -> Expr,
) -> Item {
    lifted(items, |items| {
        let mut parts = Vec::new();
        for (at, pair) in items.windows(2).enumerate() {
            let Some((left, right)) = operands(it, call, &pair[0], &pair[1], at) else {
                return Item::Poison;
            };
            if ordered && !left.sort().is_numeric() {
                let message = format!(
                    "`{}` cannot order {}s",
                    call.name,
                    left.sort().to_string().trim_start_matches("a ").trim_start_matches("an ")
                );
                return it.error(call.span, message, "numbers, Dates and Days have an order");
            }
            parts.push(compare(left, right));
        }
        Item::Expr(Expr::and(parts))
    })
}

fn operands(
    it: &mut Interpreter<'_>,
    call: Call<'_>,
    left: &Item,
    right: &Item,
    at: usize,
) -> Option<(Expr, Expr)> {
    let left = it.simple(left, call.at(at))?;
    let right = it.simple(right, call.at(at + 1))?;
    it.same_sort(&left, &right, call.span)
}

pub(super) fn eq(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    if items.iter().all(|item| matches!(item, Item::List(_) | Item::Symbol(_) | Item::Pattern(_))) {
        return Item::bool(items.windows(2).all(|pair| matching::equal(&pair[0], &pair[1])));
    }
    if items.iter().any(|item| matches!(item, Item::Object(_) | Item::Sequence { .. })) {
        return structural(it, call, &items);
    }
    chain(it, call, items, false, Expr::eq)
}

/// Compares objects by their fields and lists by their items.
fn structural(it: &mut Interpreter<'_>, call: Call<'_>, items: &[Item]) -> Item {
    let mut parts = Vec::new();
    for pair in items.windows(2) {
        let shapes = it.world.shape(&pair[0]).zip(it.world.shape(&pair[1]));
        let equal = shapes.and_then(|(left, right)| crate::ir::equal_shapes(&left, &right));
        match equal {
            Some(expr) => parts.push(expr),
            None => {
                return it.error(
                    call.span,
                    "these cannot be equal: they are built differently",
                    "compare values of the same type",
                );
            }
        }
    }
    Item::Expr(Expr::and(parts))
}

pub(super) fn ne(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    let (items, guard) = Interpreter::unwrapped(items);
    match eq(it, call, items) {
        Item::Expr(expr) => Item::Expr(guard.implies(expr.not())),
        other => other,
    }
}

pub(super) fn lt(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    chain(it, call, items, true, Expr::lt)
}

pub(super) fn le(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    chain(it, call, items, true, Expr::le)
}

pub(super) fn gt(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    chain(it, call, items, true, |left, right| right.lt(left))
}

pub(super) fn ge(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    chain(it, call, items, true, |left, right| right.le(left))
}

pub(super) fn between(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    let [x, min, max] =
        <[Item; 3]>::try_from(items).unwrap_or([Item::Poison, Item::Poison, Item::Poison]);
    chain(it, call, vec![min, x, max], true, Expr::le)
}

pub(super) fn one_of(it: &mut Interpreter<'_>, call: Call<'_>, mut items: Vec<Item>) -> Item {
    let subject = items.remove(0);
    let items = match items.as_slice() {
        [Item::List(inner)] => inner.to_vec(),
        _ => items,
    };
    among(it, call, subject, items)
}

pub(super) fn member(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    match &items[1] {
        Item::Sequence { length, items: all } => {
            let mut parts = Vec::new();
            for (at, item) in all.iter().enumerate() {
                let Item::Expr(equal) = eq(it, call, vec![items[0].clone(), item.clone()]) else {
                    return Item::Poison;
                };
                parts.push(Expr::and([crate::ir::Shape::has(length, at), equal]));
            }
            Item::Expr(Expr::or(parts))
        }
        list => match it.items(list, call.at(1)) {
            Some(all) => among(it, call, items[0].clone(), all),
            None => Item::Poison,
        },
    }
}

fn among(it: &mut Interpreter<'_>, call: Call<'_>, subject: Item, items: Vec<Item>) -> Item {
    lifted(vec![subject], |subject| {
        let mut parts = Vec::new();
        for item in items {
            let Some((left, right)) = operands(it, call, &subject[0], &item, 0) else {
                return Item::Poison;
            };
            parts.push(left.eq(right));
        }
        Item::Expr(Expr::or(parts))
    })
}

pub(super) fn distinct(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    let (items, guards): (Vec<Item>, Vec<Expr>) = match items.as_slice() {
        [Item::Sequence { length, items }] => {
            let guards = (0..items.len()).map(|at| crate::ir::Shape::has(length, at)).collect();
            (items.to_vec(), guards)
        }
        [Item::List(inner)] => (inner.to_vec(), vec![Expr::bool(true); inner.len()]),
        all => (all.to_vec(), vec![Expr::bool(true); all.len()]),
    };
    let mut parts = Vec::new();
    for right in 0..items.len() {
        for left in 0..right {
            let Item::Expr(equal) = eq(it, call, vec![items[left].clone(), items[right].clone()])
            else {
                return Item::Poison;
            };
            let both = Expr::and([guards[left].clone(), guards[right].clone()]);
            parts.push(both.implies(equal.not()));
        }
    }
    Item::Expr(Expr::and(parts))
}

pub(super) fn is_some(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    match &items[0] {
        Item::Option { present, .. } => Item::Expr(present.clone()),
        other => {
            let message = format!("this is {}, which is always present", other.kind());
            it.error(call.at(0), message, "only an Option can be absent")
        }
    }
}

pub(super) fn is_none(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    match is_some(it, call, items) {
        Item::Expr(expr) => Item::Expr(expr.not()),
        other => other,
    }
}

pub(super) fn value(_: &mut Interpreter<'_>, _: Call<'_>, mut items: Vec<Item>) -> Item {
    match items.remove(0) {
        Item::Option { inner, .. } => *inner,
        other => other,
    }
}
