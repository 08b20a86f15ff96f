//! Strings and regular expressions.

use super::super::apply::Call;
use super::super::interpret::Interpreter;
use super::super::item::Item;
use crate::ir::{Expr, Op, Sort};

pub(super) fn length(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    match &items[0] {
        Item::List(inner) => Item::int(inner.len() as i128),
        Item::Sequence { length, .. } => Item::Expr(length.clone()),
        other => match it.text(other, call.at(0)) {
            Some(text) => Item::Expr(Expr::apply(Op::Length, vec![text], Sort::Int)),
            None => Item::Poison,
        },
    }
}

fn by_length(
    it: &mut Interpreter<'_>,
    call: Call<'_>,
    items: Vec<Item>,
    compare: fn(Expr, Expr) -> Expr,
) -> Item {
    let (items, guard) = Interpreter::unwrapped(items);
    let Some(limit) = it.number(&items[1], call.at(1)) else { return Item::Poison };
    if *limit.sort() != Sort::Int {
        return it.error(
            call.at(1),
            format!("a length is a whole number, not {}", limit.sort()),
            "write a whole number",
        );
    }
    match length(it, call, items) {
        Item::Expr(length) => Item::Expr(guard.implies(compare(length, limit))),
        other => other,
    }
}

pub(super) fn min_length(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    by_length(it, call, items, |length, limit| limit.le(length))
}

pub(super) fn max_length(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    by_length(it, call, items, Expr::le)
}

pub(super) fn has_length(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    by_length(it, call, items, Expr::eq)
}

pub(super) fn append(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    let texts: Vec<Option<Expr>> =
        items.iter().enumerate().map(|(at, item)| it.text(item, call.at(at))).collect();
    let texts: Option<Vec<Expr>> = texts.into_iter().collect();
    texts.map_or(Item::Poison, |texts| Item::Expr(Expr::apply(Op::Concat, texts, Sort::Str)))
}

fn two_texts(
    it: &mut Interpreter<'_>,
    call: Call<'_>,
    items: Vec<Item>,
    op: Op,
    swapped: bool,
) -> Item {
    let (items, guard) = Interpreter::unwrapped(items);
    let text = it.text(&items[0], call.at(0));
    let part = it.text(&items[1], call.at(1));
    match text.zip(part) {
        Some((text, part)) => {
            let args = if swapped { vec![part, text] } else { vec![text, part] };
            Item::Expr(guard.implies(Expr::apply(op, args, Sort::Bool)))
        }
        None => Item::Poison,
    }
}

pub(super) fn starts_with(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    two_texts(it, call, items, Op::Prefix, true)
}

pub(super) fn ends_with(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    two_texts(it, call, items, Op::Suffix, true)
}

pub(super) fn contains(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    if matches!(items[0], Item::Sequence { .. } | Item::List(_)) {
        let swapped = vec![items[1].clone(), items[0].clone()];
        return super::compare::member(it, call, swapped);
    }
    two_texts(it, call, items, Op::Contains, false)
}

pub(super) fn matches(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    let (items, guard) = Interpreter::unwrapped(items);
    let text = it.text(&items[0], call.at(0));
    let pattern = it.pattern(&items[1], call.at(1));
    match text.zip(pattern) {
        Some((text, pattern)) => Item::Expr(guard.implies(text.matches(pattern))),
        None => Item::Poison,
    }
}

/// The sources of regular expressions, each as a part of a larger one.
fn parts(it: &mut Interpreter<'_>, call: Call<'_>, items: &[Item]) -> Option<Vec<String>> {
    let all: Vec<Option<String>> = items
        .iter()
        .enumerate()
        .map(|(at, item)| it.pattern(item, call.at(at)).map(|pattern| pattern.as_part()))
        .collect();
    all.into_iter().collect()
}

fn joined(it: &mut Interpreter<'_>, call: Call<'_>, items: &[Item], between: &str) -> Item {
    match parts(it, call, items) {
        Some(parts) => it.pattern_of_parts(&parts.join(between), call.span),
        None => Item::Poison,
    }
}

pub(super) fn re_union(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    joined(it, call, &items, "|")
}

pub(super) fn re_concat(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    joined(it, call, &items, "")
}

/// `concat` of the paper: the first argument separates the others.
pub(super) fn re_join(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    let Some(between) = parts(it, call, &items[..1]) else { return Item::Poison };
    joined(it, call, &items[1..], &between.concat())
}

fn followed(it: &mut Interpreter<'_>, call: Call<'_>, items: &[Item], by: &str) -> Item {
    match parts(it, call, &items[..1]) {
        Some(parts) => it.pattern_of_parts(&format!("{}{by}", parts.concat()), call.span),
        None => Item::Poison,
    }
}

pub(super) fn re_optional(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    followed(it, call, &items, "?")
}

pub(super) fn re_star(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    followed(it, call, &items, "*")
}

pub(super) fn re_plus(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    followed(it, call, &items, "+")
}

pub(super) fn re_repeat(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    let counts: Option<Vec<u32>> = items[1..]
        .iter()
        .map(|item| item.known_int().and_then(|count| u32::try_from(count).ok()))
        .collect();
    let by = match counts.as_deref() {
        Some([exactly]) => format!("{{{exactly}}}"),
        Some([min, max]) if min <= max => format!("{{{min},{max}}}"),
        _ => {
            return it.error(
                call.span,
                "these are not valid repetition counts",
                "write (re-repeat r 3) or (re-repeat r 2 4)",
            );
        }
    };
    followed(it, call, &items, &by)
}

pub(super) fn re_range(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    let character = |item: &Item| {
        let text = item.known_str()?;
        let mut chars = text.chars();
        chars.next().filter(|_| chars.next().is_none())
    };
    match character(&items[0]).zip(character(&items[1])) {
        Some((first, last)) if first <= last => {
            let source = format!("[{}-{}]", escape(first), escape(last));
            it.pattern_of_parts(&source, call.span)
        }
        _ => it.error(
            call.span,
            "a range goes from one character to a later one",
            "write (re-range \"a\" \"z\")",
        ),
    }
}

fn escape(character: char) -> String {
    format!("\\x{{{:x}}}", u32::from(character))
}

pub(super) fn re_literal(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    match items[0].known_str() {
        Some(text) => it.pattern_of_parts(&regex_syntax::escape(text), call.span),
        None => it.error(call.at(0), "this string must be known", "write the string itself"),
    }
}
