//! Arithmetic, dates and durations.

use super::super::apply::Call;
use super::super::coerce::to_real;
use super::super::interpret::Interpreter;
use super::super::item::Item;
use crate::dates;
use crate::ir::{Expr, Op, Sort, Value};

fn numbers(it: &mut Interpreter<'_>, call: Call<'_>, items: &[Item]) -> Option<Vec<Expr>> {
    let all: Vec<Option<Expr>> =
        items.iter().enumerate().map(|(at, item)| it.number(item, call.at(at))).collect();
    all.into_iter().collect()
}

/// Converts numbers to one sort: Real if one of them is.
fn unified(numbers: Vec<Expr>) -> (Vec<Expr>, Sort) {
    if numbers.iter().any(|number| *number.sort() == Sort::Real) {
        return (numbers.iter().map(to_real).collect(), Sort::Real);
    }
    let sort = numbers.first().map_or(Sort::Int, |number| number.sort().clone());
    (numbers, sort)
}

fn arithmetic(it: &mut Interpreter<'_>, call: Call<'_>, items: &[Item], op: Op) -> Item {
    let Some(all) = numbers(it, call, items) else { return Item::Poison };
    let dates = all.iter().filter(|number| matches!(number.sort(), Sort::Date | Sort::Day)).count();
    let (all, sort) = unified(all);
    let sort = match (&op, dates) {
        (_, 0) => sort,
        (Op::Add, 1) if sort != Sort::Real => {
            let date = all.iter().find(|number| matches!(number.sort(), Sort::Date | Sort::Day));
            date.map_or(sort, |date| date.sort().clone())
        }
        (Op::Sub, 1) if matches!(sort, Sort::Date | Sort::Day) => sort,
        (Op::Sub, 2) if all[0].sort() == all[1].sort() => Sort::Int,
        _ => {
            return it.error(call.span, format!("`{}` cannot be applied to these dates", call.name), "a number of seconds (of days, for a Day) can be added to a date; the difference of two dates is such a number");
        }
    };
    Item::Expr(Expr::apply(op, all, sort))
}

pub(super) fn add(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    arithmetic(it, call, &items, Op::Add)
}

pub(super) fn sub(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    match items.as_slice() {
        [only] => arithmetic(it, call, &[Item::int(0), only.clone()], Op::Sub),
        _ => arithmetic(it, call, &items, Op::Sub),
    }
}

pub(super) fn mul(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    arithmetic(it, call, &items, Op::Mul)
}

pub(super) fn divide(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    let Some(all) = numbers(it, call, &items) else { return Item::Poison };
    if all[1].value().and_then(Value::as_real) == Some(crate::number::Real::ZERO) {
        return it.error(call.span, "division by zero", "divide by another number");
    }
    Item::Expr(Expr::apply(Op::Div, all.iter().map(to_real).collect(), Sort::Real))
}

fn whole(it: &mut Interpreter<'_>, call: Call<'_>, items: &[Item], op: Op) -> Item {
    let Some(all) = numbers(it, call, items) else { return Item::Poison };
    if all.iter().any(|number| *number.sort() == Sort::Real) {
        return it.error(
            call.span,
            format!("`{}` is for whole numbers", call.name),
            "use `/` for Reals",
        );
    }
    if all[1].value().and_then(Value::as_int) == Some(0) {
        return it.error(call.span, "division by zero", "divide by another number");
    }
    Item::Expr(Expr::apply(op, all, Sort::Int))
}

pub(super) fn div(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    whole(it, call, &items, Op::Div)
}

pub(super) fn modulo(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    whole(it, call, &items, Op::Mod)
}

pub(super) fn divisible(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    let (items, guard) = Interpreter::unwrapped(items);
    match whole(it, call, &items, Op::Mod) {
        Item::Expr(remainder) => Item::Expr(guard.implies(remainder.eq(Expr::int(0)))),
        other => other,
    }
}

pub(super) fn abs(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    match it.number(&items[0], call.at(0)) {
        Some(number) => {
            let sort = number.sort().clone();
            Item::Expr(Expr::apply(Op::Abs, vec![number], sort))
        }
        None => Item::Poison,
    }
}

fn extreme(
    it: &mut Interpreter<'_>,
    call: Call<'_>,
    items: &[Item],
    first_if: fn(Expr, Expr) -> Expr,
) -> Item {
    let Some(all) = numbers(it, call, items) else { return Item::Poison };
    let (all, _) = unified(all);
    let best = all
        .into_iter()
        .reduce(|best, next| Expr::ite(first_if(best.clone(), next.clone()), best, next));
    best.map_or(Item::Poison, Item::Expr)
}

pub(super) fn min(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    extreme(it, call, &items, Expr::le)
}

pub(super) fn max(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    extreme(it, call, &items, |best, next| next.le(best))
}

fn duration(it: &mut Interpreter<'_>, call: Call<'_>, items: &[Item], seconds: i128) -> Item {
    arithmetic(it, call, &[items[0].clone(), Item::int(seconds)], Op::Mul)
}

pub(super) fn seconds(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    duration(it, call, &items, 1)
}

pub(super) fn minutes(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    duration(it, call, &items, 60)
}

pub(super) fn hours(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    duration(it, call, &items, 3600)
}

pub(super) fn days(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    duration(it, call, &items, 86_400)
}

pub(super) fn weeks(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    duration(it, call, &items, 604_800)
}

pub(super) fn date(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    match items[0].known_str().and_then(dates::parse_date) {
        Some(seconds) => Item::Expr(Expr::constant(seconds, Sort::Date)),
        None => it.error(call.at(0), "this is not a date", "write (date \"2017-10-21T10:00:00Z\")"),
    }
}

pub(super) fn day(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    match items[0].known_str().and_then(dates::parse_day) {
        Some(days) => Item::Expr(Expr::constant(days, Sort::Day)),
        None => it.error(call.at(0), "this is not a day", "write (day \"2017-10-21\")"),
    }
}
