//! Evaluates claims on concrete values, as Rust computes them. It shares no code with `claim`, so
//! that tests can compare the two.

use rebut_concolic::ObservedValue;
use rebut_smt::Pool;

use super::claim::{Claim, Expr};

/// A concrete value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Plain {
    Number(i128),
    Boolean(bool),
    List(Vec<i128>),
    Maybe(Option<i128>),
    Unit,
}

use Plain::{Boolean, List, Maybe, Number};

/// Returns the value of an expression, as Rust would compute it; `None` where Rust would panic.
fn value(expr: &Expr, slots: &[Plain]) -> Option<Plain> {
    let number = |slot: u32| match slots[slot as usize] {
        Number(number) => number,
        _ => panic!("no number"),
    };
    let list = |slot: u32| match &slots[slot as usize] {
        List(list) => list.clone(),
        _ => panic!("no list"),
    };
    let item = |expr: &Expr| match value(expr, slots) {
        Some(Number(number)) => number,
        _ => panic!("no number"),
    };
    let index = |slot: u32| usize::try_from(number(slot)).ok();
    let edited = |slot: u32, edit: &dyn Fn(&mut Vec<i128>) -> Option<()>| {
        let mut list = list(slot);
        edit(&mut list).map(|()| List(list))
    };
    Some(match expr {
        Expr::Slot(slot) => slots[*slot as usize].clone(),
        Expr::Number(number) => Number(*number),
        Expr::Least(_) => Number(0),
        Expr::Greatest(_) => Number(255),
        Expr::Linear { slot, times, plus } => Number(number(*slot) * times + plus),
        Expr::Sum(a, b) => Number(number(*a) + number(*b)),
        Expr::Difference(a, b) => Number(number(*a) - number(*b)),
        Expr::Holding(_, held) => Maybe(Some(item(held))),
        Expr::Length(slot) => Number(list(*slot).len() as i128),
        Expr::Appended(slot, value) => edited(*slot, &|list| {
            list.push(item(value));
            Some(())
        })?,
        Expr::Prepended(slot, value) => edited(*slot, &|list| {
            list.insert(0, item(value));
            Some(())
        })?,
        Expr::WithoutLast(slot) => edited(*slot, &|list| list.pop().map(|_| ()))?,
        Expr::WithoutFirst(slot) => edited(*slot, &|list| {
            if list.is_empty() {
                return None;
            }
            list.remove(0);
            Some(())
        })?,
        Expr::Inserted { into, at, item: value } => edited(*into, &|list| {
            let at = index(*at).filter(|at| *at <= list.len())?;
            list.insert(at, item(value));
            Some(())
        })?,
        Expr::Removed { from, at } => edited(*from, &|list| {
            let at = index(*at).filter(|at| *at < list.len())?;
            list.remove(at);
            Some(())
        })?,
        Expr::Updated { of, at, item: value } => edited(*of, &|list| {
            *list.get_mut(index(*at)?)? = item(value);
            Some(())
        })?,
        Expr::Reversed(slot) => edited(*slot, &|list| {
            list.reverse();
            Some(())
        })?,
        Expr::Truncated(slot, to) => edited(*slot, &|list| {
            list.truncate(index(*to)?);
            Some(())
        })?,
        Expr::First(slot) => Maybe(list(*slot).first().copied()),
        Expr::Last(slot) => Maybe(list(*slot).last().copied()),
        Expr::Empty => List(Vec::new()),
    })
}

/// Whether a claim is true.
pub(super) fn is_true(claim: &Claim, slots: &[Plain], panics: bool) -> bool {
    let compared = |a: &Expr, b: &Expr, how: &dyn Fn(&Plain, &Plain) -> bool| match (
        value(a, slots),
        value(b, slots),
    ) {
        (Some(a), Some(b)) => how(&a, &b),
        _ => false,
    };
    let ordered = |a: &Expr, b: &Expr, how: &dyn Fn(i128, i128) -> bool| {
        compared(a, b, &|a, b| match (a, b) {
            (Number(a), Number(b)) => how(*a, *b),
            _ => panic!("no numbers"),
        })
    };
    let list = |slot: u32| match &slots[slot as usize] {
        List(list) => list.clone(),
        _ => panic!("no list"),
    };
    let contains = |slot: u32, item: &Expr| match value(item, slots) {
        Some(Number(item)) => list(slot).contains(&item),
        _ => panic!("no number"),
    };
    match claim {
        Claim::Panics(_) => panics,
        Claim::Boolean(slot, holds) => slots[*slot as usize] == Boolean(*holds),
        Claim::Same(a, b) => compared(a, b, &|a, b| a == b),
        Claim::Different(a, b) => compared(a, b, &|a, b| a != b),
        Claim::Less(a, b) => ordered(a, b, &|a, b| a < b),
        Claim::AtMost(a, b) => ordered(a, b, &|a, b| a <= b),
        Claim::Is(slot, name) => {
            matches!(&slots[*slot as usize], Maybe(held) if held.is_some() == (name == "Some"))
        }
        Claim::IsNot(slot, name) => {
            matches!(&slots[*slot as usize], Maybe(held) if held.is_some() != (name == "Some"))
        }
        Claim::Contains(slot, item) => contains(*slot, item),
        Claim::Lacks(slot, item) => !contains(*slot, item),
        Claim::StartsWith(whole, part) => list(*whole).starts_with(&list(*part)),
        Claim::SameElements(a, b) => {
            let (mut a, mut b) = (list(*a), list(*b));
            a.sort_unstable();
            b.sort_unstable();
            a == b
        }
        Claim::Iff(a, b) => is_true(a, slots, panics) == is_true(b, slots, panics),
    }
}

/// Returns the value as a probe observes it.
pub(super) fn observed(pool: &mut Pool, plain: &Plain) -> ObservedValue {
    let number = |pool: &mut Pool, number: i128| ObservedValue::Number {
        term: pool.bits(8, number as u128),
        is_signed: false,
    };
    match plain {
        Number(n) => number(pool, *n),
        Boolean(truth) => ObservedValue::Boolean(pool.bits(8, u128::from(*truth))),
        List(list) => ObservedValue::Sequence(list.iter().map(|n| number(pool, *n)).collect()),
        Maybe(None) => ObservedValue::Variant("None".into(), Vec::new()),
        Maybe(Some(n)) => ObservedValue::Variant("Some".into(), vec![number(pool, *n)]),
        Plain::Unit => ObservedValue::Tuple(Vec::new()),
    }
}
