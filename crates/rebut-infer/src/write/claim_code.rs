//! Writes claims as Rust code.

use crate::laws::{Claim, Expr};

/// How slots are written, in a test or in a contract.
pub(crate) trait SlotCode {
    /// Returns an expression that owns the value of a slot.
    fn code(&self, slot: u32) -> String;

    /// Returns the type of a slot as code, without references.
    fn type_of(&self, slot: u32) -> String;
}

impl Claim {
    /// Returns the claim as a condition.
    pub(crate) fn condition(&self, slots: &dyn SlotCode) -> String {
        let code = |slot: u32| slots.code(slot);
        let compared =
            |a: &Expr, by: &str, b: &Expr| format!("{} {by} {}", a.code(slots), b.code(slots));
        match self {
            Claim::Panics(_) => "false".to_owned(),
            Claim::Boolean(slot, true) => code(*slot),
            Claim::Boolean(slot, false) => format!("!{}", code(*slot)),
            Claim::Same(a, Expr::Empty) => format!("{}.is_empty()", borrowed(&a.code(slots))),
            Claim::Different(a, Expr::Empty) => format!("!{}.is_empty()", borrowed(&a.code(slots))),
            Claim::Same(a, b) => compared(a, "==", b),
            Claim::Different(a, b) => compared(a, "!=", b),
            // The known side is written second.
            Claim::Less(a, b) if b.is_later_than(a) => compared(b, ">", a),
            Claim::AtMost(a, b) if b.is_later_than(a) => compared(b, ">=", a),
            Claim::Less(a, b) => compared(a, "<", b),
            Claim::AtMost(a, b) => compared(a, "<=", b),
            Claim::Is(slot, name) => is_variant(&code(*slot), name),
            Claim::IsNot(slot, name) => match name.as_str() {
                "Some" => is_variant(&code(*slot), "None"),
                "None" => is_variant(&code(*slot), "Some"),
                "Ok" => is_variant(&code(*slot), "Err"),
                "Err" => is_variant(&code(*slot), "Ok"),
                _ => format!("{} != std::cmp::Ordering::{name}", code(*slot)),
            },
            Claim::Contains(slot, item) => {
                format!("{}.contains(&{})", borrowed(&code(*slot)), item.code(slots))
            }
            Claim::Lacks(slot, item) => {
                format!("!{}.contains(&{})", borrowed(&code(*slot)), item.code(slots))
            }
            Claim::StartsWith(whole, part) => {
                let part = code(*part);
                let part = part.strip_suffix(".to_vec()").map_or(format!("&{part}"), str::to_owned);
                format!("{}.starts_with({part})", borrowed(&code(*whole)))
            }
            Claim::SameElements(a, b) => {
                let sorted =
                    |slot: u32| format!("{{ let mut all = {}; all.sort(); all }}", code(slot));
                format!("{} == {}", sorted(*a), sorted(*b))
            }
            Claim::Iff(a, b) => {
                format!("{} == ({})", a.condition(slots), b.condition(slots))
            }
        }
    }

    /// Returns the claim as statements that fail if it is false.
    pub(crate) fn assertion(&self, slots: &dyn SlotCode) -> Vec<String> {
        let code = |slot: u32| slots.code(slot);
        match self {
            Claim::Same(a, Expr::Empty) => {
                vec![format!("assert!({}.is_empty());", borrowed(&a.code(slots)))]
            }
            Claim::Same(a, b) => match b.edited(slots) {
                Some((sequence, edit)) => vec![
                    format!("let mut expected = {sequence};"),
                    format!("expected.{edit};"),
                    format!("assert_eq!({}, expected);", a.code(slots)),
                ],
                None => vec![format!("assert_eq!({}, {});", a.code(slots), b.code(slots))],
            },
            Claim::Different(a, b) if *b != Expr::Empty => {
                vec![format!("assert_ne!({}, {});", a.code(slots), b.code(slots))]
            }
            Claim::SameElements(a, b) => vec![
                format!("let (mut all, mut expected) = ({}, {});", code(*a), code(*b)),
                "all.sort();".to_owned(),
                "expected.sort();".to_owned(),
                "assert_eq!(all, expected);".to_owned(),
            ],
            Claim::Iff(a, b) => {
                vec![format!("assert_eq!({}, {});", a.condition(slots), b.condition(slots))]
            }
            _ => vec![format!("assert!({});", self.condition(slots))],
        }
    }
}

/// Returns a value without the call that clones it, for uses that only borrow it.
fn borrowed(owned: &str) -> &str {
    let ends = [".to_vec()", ".to_owned()", ".copied()", ".cloned()", ".clone()"];
    ends.iter().find_map(|end| owned.strip_suffix(end)).unwrap_or(owned)
}

fn is_variant(value: &str, name: &str) -> String {
    match name {
        "Some" | "None" | "Ok" | "Err" => {
            format!("{}.is_{}()", borrowed(value), name.to_lowercase())
        }
        _ => format!("{value} == std::cmp::Ordering::{name}"),
    }
}

impl Expr {
    /// Returns the expression as Rust code.
    pub(crate) fn code(&self, slots: &dyn SlotCode) -> String {
        let code = |slot: u32| slots.code(slot);
        if let Some((sequence, edit)) = self.edited(slots) {
            return format!("{{ let mut expected = {sequence}; expected.{edit}; expected }}");
        }
        match self {
            Expr::Slot(slot) => code(*slot),
            Expr::Number(number) => number.to_string(),
            Expr::Least(slot) => format!("{}::MIN", slots.type_of(*slot)),
            Expr::Greatest(slot) => format!("{}::MAX", slots.type_of(*slot)),
            Expr::Linear { slot, times, plus } => {
                let product = match times {
                    1 => code(*slot),
                    times => format!("{} * {times}", code(*slot)),
                };
                match plus {
                    0 => product,
                    1.. => format!("{product} + {plus}"),
                    _ => format!("{product} - {}", plus.unsigned_abs()),
                }
            }
            Expr::Sum(a, b) => format!("{} + {}", code(*a), code(*b)),
            Expr::Difference(a, b) => format!("{} - {}", code(*a), code(*b)),
            Expr::Holding(name, held) => format!("{name}({})", held.code(slots)),
            Expr::Length(slot) => format!("{}.len()", borrowed(&code(*slot))),
            Expr::First(slot) => format!("{}.first().cloned()", borrowed(&code(*slot))),
            Expr::Last(slot) => format!("{}.last().cloned()", borrowed(&code(*slot))),
            Expr::Empty => "[]".to_owned(),
            _ => String::new(),
        }
    }

    /// Returns the sequence and the method call that edits it, for expressions that Rust writes as
    /// an edit.
    fn edited(&self, slots: &dyn SlotCode) -> Option<(String, String)> {
        let code = |slot: u32| slots.code(slot);
        let index = |slot: u32| match slots.type_of(slot).trim_start_matches('&') {
            "usize" => code(slot),
            _ => format!("{} as usize", code(slot)),
        };
        Some(match self {
            Expr::Appended(slot, item) => (code(*slot), format!("push({})", item.code(slots))),
            Expr::Prepended(slot, item) => {
                (code(*slot), format!("insert(0, {})", item.code(slots)))
            }
            Expr::WithoutLast(slot) => (code(*slot), "pop()".to_owned()),
            Expr::WithoutFirst(slot) => (code(*slot), "remove(0)".to_owned()),
            Expr::Inserted { into, at, item } => {
                (code(*into), format!("insert({}, {})", index(*at), item.code(slots)))
            }
            Expr::Removed { from, at } => (code(*from), format!("remove({})", index(*at))),
            Expr::Updated { of, at, item } => {
                // Assignment through an index is not a method call; `splice` is.
                (code(*of), format!("splice({0}..={0}, [{1}])", index(*at), item.code(slots)))
            }
            Expr::Reversed(slot) => (code(*slot), "reverse()".to_owned()),
            Expr::Truncated(slot, to) => (code(*slot), format!("truncate({})", index(*to))),
            _ => return None,
        })
    }

    /// Whether this side reads better first: the later slot, before a computed value.
    fn is_later_than(&self, other: &Expr) -> bool {
        match (self, other) {
            (Expr::Slot(mine), Expr::Slot(theirs)) => mine > theirs,
            (Expr::Slot(_), _) => true,
            _ => false,
        }
    }
}
