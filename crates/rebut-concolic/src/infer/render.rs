//! Writes claims as Rust code.

use super::claim::{Claim, Expr};

/// How slots are written.
pub trait Names {
    /// Returns the value of a slot, as an expression that owns it.
    fn code(&self, slot: u32) -> String;

    /// Returns the type of a slot, as it is written in code.
    fn type_of(&self, slot: u32) -> String;
}

impl Claim {
    /// Returns the claim as a condition.
    #[must_use]
    pub fn condition(&self, names: &dyn Names) -> String {
        let code = |slot: u32| names.code(slot);
        let compared =
            |a: &Expr, by: &str, b: &Expr| format!("{} {by} {}", a.code(names), b.code(names));
        match self {
            Claim::Panics(_) => "false".to_owned(),
            Claim::Boolean(slot, true) => code(*slot),
            Claim::Boolean(slot, false) => format!("!{}", code(*slot)),
            Claim::Same(a, Expr::Empty) => format!("{}.is_empty()", lent(&a.code(names))),
            Claim::Different(a, Expr::Empty) => format!("!{}.is_empty()", lent(&a.code(names))),
            Claim::Same(a, b) => compared(a, "==", b),
            Claim::Different(a, b) => compared(a, "!=", b),
            // The known side is written second.
            Claim::Less(a, b) if b.is_later_than(a) => compared(b, ">", a),
            Claim::AtMost(a, b) if b.is_later_than(a) => compared(b, ">=", a),
            Claim::Less(a, b) => compared(a, "<", b),
            Claim::AtMost(a, b) => compared(a, "<=", b),
            Claim::Is(slot, name) => is(&code(*slot), name),
            Claim::IsNot(slot, name) => match name.as_str() {
                "Some" => is(&code(*slot), "None"),
                "None" => is(&code(*slot), "Some"),
                "Ok" => is(&code(*slot), "Err"),
                "Err" => is(&code(*slot), "Ok"),
                _ => format!("{} != std::cmp::Ordering::{name}", code(*slot)),
            },
            Claim::Contains(slot, item) => {
                format!("{}.contains(&{})", lent(&code(*slot)), item.code(names))
            }
            Claim::Lacks(slot, item) => {
                format!("!{}.contains(&{})", lent(&code(*slot)), item.code(names))
            }
            Claim::StartsWith(whole, part) => {
                let part = code(*part);
                let part = part.strip_suffix(".to_vec()").map_or(format!("&{part}"), str::to_owned);
                format!("{}.starts_with({part})", lent(&code(*whole)))
            }
            Claim::SameElements(a, b) => {
                let sorted =
                    |slot: u32| format!("{{ let mut all = {}; all.sort(); all }}", code(slot));
                format!("{} == {}", sorted(*a), sorted(*b))
            }
            Claim::Iff(a, b) => {
                format!("{} == ({})", a.condition(names), b.condition(names))
            }
        }
    }

    /// Returns the claim as statements that fail if it is false.
    #[must_use]
    pub fn assertion(&self, names: &dyn Names) -> Vec<String> {
        let code = |slot: u32| names.code(slot);
        match self {
            Claim::Same(a, Expr::Empty) => {
                vec![format!("assert!({}.is_empty());", lent(&a.code(names)))]
            }
            Claim::Same(a, b) => match b.edited(names) {
                Some((of, edit)) => vec![
                    format!("let mut expected = {of};"),
                    format!("expected.{edit};"),
                    format!("assert_eq!({}, expected);", a.code(names)),
                ],
                None => vec![format!("assert_eq!({}, {});", a.code(names), b.code(names))],
            },
            Claim::Different(a, b) if *b != Expr::Empty => {
                vec![format!("assert_ne!({}, {});", a.code(names), b.code(names))]
            }
            Claim::SameElements(a, b) => vec![
                format!("let (mut all, mut expected) = ({}, {});", code(*a), code(*b)),
                "all.sort();".to_owned(),
                "expected.sort();".to_owned(),
                "assert_eq!(all, expected);".to_owned(),
            ],
            Claim::Iff(a, b) => {
                vec![format!("assert_eq!({}, {});", a.condition(names), b.condition(names))]
            }
            _ => vec![format!("assert!({});", self.condition(names))],
        }
    }
}

/// Returns a value without the call that clones it, for uses that only borrow it.
fn lent(owned: &str) -> &str {
    let ends = [".to_vec()", ".to_owned()", ".copied()", ".cloned()", ".clone()"];
    ends.iter().find_map(|end| owned.strip_suffix(end)).unwrap_or(owned)
}

fn is(value: &str, name: &str) -> String {
    match name {
        "Some" | "None" | "Ok" | "Err" => format!("{}.is_{}()", lent(value), name.to_lowercase()),
        _ => format!("{value} == std::cmp::Ordering::{name}"),
    }
}

impl Expr {
    /// Returns the expression as Rust code.
    #[must_use]
    pub fn code(&self, names: &dyn Names) -> String {
        let code = |slot: u32| names.code(slot);
        if let Some((of, edit)) = self.edited(names) {
            return format!("{{ let mut expected = {of}; expected.{edit}; expected }}");
        }
        match self {
            Expr::Slot(slot) => code(*slot),
            Expr::Number(number) => number.to_string(),
            Expr::Least(slot) => format!("{}::MIN", names.type_of(*slot)),
            Expr::Greatest(slot) => format!("{}::MAX", names.type_of(*slot)),
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
            Expr::Holding(name, held) => format!("{name}({})", held.code(names)),
            Expr::Length(slot) => format!("{}.len()", lent(&code(*slot))),
            Expr::First(slot) => format!("{}.first().cloned()", lent(&code(*slot))),
            Expr::Last(slot) => format!("{}.last().cloned()", lent(&code(*slot))),
            Expr::Empty => "[]".to_owned(),
            _ => String::new(),
        }
    }

    /// Returns a sequence and the method call that edits it, for expressions that are written that
    /// way.
    fn edited(&self, names: &dyn Names) -> Option<(String, String)> {
        let code = |slot: u32| names.code(slot);
        let place = |slot: u32| match names.type_of(slot).trim_start_matches('&') {
            "usize" => code(slot),
            _ => format!("{} as usize", code(slot)),
        };
        Some(match self {
            Expr::Appended(slot, item) => (code(*slot), format!("push({})", item.code(names))),
            Expr::Prepended(slot, item) => {
                (code(*slot), format!("insert(0, {})", item.code(names)))
            }
            Expr::WithoutLast(slot) => (code(*slot), "pop()".to_owned()),
            Expr::WithoutFirst(slot) => (code(*slot), "remove(0)".to_owned()),
            Expr::Inserted { into, at, item } => {
                (code(*into), format!("insert({}, {})", place(*at), item.code(names)))
            }
            Expr::Removed { from, at } => (code(*from), format!("remove({})", place(*at))),
            Expr::Updated { of, at, item } => {
                // Assignment through an index is not a method call; `splice` is.
                (code(*of), format!("splice({0}..={0}, [{1}])", place(*at), item.code(names)))
            }
            Expr::Reversed(slot) => (code(*slot), "reverse()".to_owned()),
            Expr::Truncated(slot, to) => (code(*slot), format!("truncate({})", place(*to))),
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
