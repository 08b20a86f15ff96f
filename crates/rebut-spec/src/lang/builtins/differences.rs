//! Constraints between models: relations and coverage.

use super::super::apply::Call;
use super::super::interpret::Interpreter;
use super::super::item::{Difference, Item};
use crate::diagnostic::Span;
use crate::ir::{Arm, Constraint, CoverMode, Expr, Op, Pattern, Relation, Sort, Value, VarId};
use crate::number::Real;
use std::collections::BTreeSet;
use std::sync::Arc;

/// `(relation x r)`, or `(relation r)` if the subject is given elsewhere.
pub(super) fn relation(it: &mut Interpreter<'_>, call: Call<'_>, mut items: Vec<Item>) -> Item {
    let difference = items.pop().unwrap_or(Item::Poison);
    let Some(subject) = items.pop() else { return difference };
    let made = match &difference {
        Item::Difference(difference) => it.difference(difference, &subject, call.at(0)),
        Item::Function(_) | Item::Builtin(_) => it.custom(&difference, &subject, call.span),
        other => it.constraint(other, call.at(1), Some(&subject)),
    };
    made.map_or(Item::Poison, Item::constraint)
}

pub(super) fn numeric_distance(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    match it.known_number(&items[0], call.at(0)) {
        Some(distance) if distance > Real::ZERO => {
            Item::Difference(Difference::Relation(Relation::NumericDistance(distance)))
        }
        Some(_) => {
            it.error(call.at(0), "a distance must be positive", "write (numeric-distance 10)")
        }
        None => Item::Poison,
    }
}

/// With one argument a relation, with two the distance of two strings.
pub(super) fn edit_distance(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    if let [left, right] = items.as_slice() {
        let left = it.text(left, call.at(0));
        let right = it.text(right, call.at(1));
        return match left.zip(right) {
            Some((left, right)) => {
                Item::Expr(Expr::apply(Op::EditDistance, vec![left, right], Sort::Int))
            }
            None => Item::Poison,
        };
    }
    match items[0].known_int().and_then(|distance| u32::try_from(distance).ok()) {
        Some(distance) if distance > 0 => {
            Item::Difference(Difference::Relation(Relation::EditDistance(distance)))
        }
        _ => it.error(
            call.at(0),
            "an edit distance must be a positive integer",
            "write (edit-distance 3)",
        ),
    }
}

fn cover(it: &mut Interpreter<'_>, call: Call<'_>, mut items: Vec<Item>, mode: CoverMode) -> Item {
    let last = items.len() - 1;
    let Some(pattern) = it.pattern(&items[last], call.at(last)) else { return Item::Poison };
    items.pop();
    match items.pop() {
        Some(subject) => it
            .cover_regexp(&subject, &pattern, mode, call.at(0))
            .map_or(Item::Poison, Item::constraint),
        None => Item::Difference(Difference::Regexp(pattern, mode)),
    }
}

pub(super) fn cover_regexp(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    cover(it, call, items, CoverMode::Structure)
}

pub(super) fn cover_unrolled(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    cover(it, call, items, CoverMode::Unrolled)
}

pub(super) fn cover_json(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    it.cover_json(&items[0], call.at(0)).map_or(Item::Poison, Item::constraint)
}

pub(super) fn cover_enum(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    it.cover_enum(&items[0], call.at(0)).map_or(Item::Poison, Item::constraint)
}

pub(super) fn cover_boundaries(it: &mut Interpreter<'_>, call: Call<'_>, items: Vec<Item>) -> Item {
    it.cover_boundaries(&items[0], call.at(0)).map_or(Item::Poison, Item::constraint)
}

impl Interpreter<'_> {
    /// One string of each structural class of a regular expression.
    pub(crate) fn cover_regexp(
        &mut self,
        subject: &Item,
        pattern: &Arc<Pattern>,
        mode: CoverMode,
        span: Span,
    ) -> Option<Constraint> {
        let (items, guard) = Self::unwrapped(vec![subject.clone()]);
        let subject = self.text(&items[0], span)?;
        Some(Constraint::Cover { subject, guard, pattern: pattern.clone(), mode })
    }

    /// Each value of an Enum or a Boolean.
    pub(crate) fn cover_enum(&mut self, subject: &Item, span: Span) -> Option<Constraint> {
        let (items, guard) = Self::unwrapped(vec![subject.clone()]);
        let expr = self.simple(&items[0], span)?;
        if !matches!(expr.sort(), Sort::Enum(_) | Sort::Bool) {
            self.error(
                span,
                format!("`cover-enum` cannot cover {}", expr.sort()),
                "it is for an Enum or a Boolean",
            );
            return None;
        }
        Some(Constraint::Relate { subject: expr, guard, relation: Relation::NotEqual })
    }

    /// Each structure that a value can have: which parts are present, short and long lists, each
    /// name of an Enum, each structural class of a string that must match a regular expression.
    pub(crate) fn cover_json(&mut self, subject: &Item, span: Span) -> Option<Constraint> {
        let Some(shape) = self.world.shape(subject) else {
            self.error(
                span,
                format!("`cover-json` cannot cover {}", subject.kind()),
                "it is for a value that is left blank",
            );
            return None;
        };
        let mut leaves: Vec<(Expr, Expr)> = Vec::new();
        shape.for_each_leaf(&Expr::bool(true), &mut |leaf, guard| {
            if leaf.value().is_none() {
                leaves.push((leaf.clone(), guard.clone()));
            }
        });
        let mut parts = Vec::new();
        for (leaf, guard) in leaves {
            let structural = match leaf.sort() {
                Sort::Bool | Sort::Enum(_) => Some(leaf.clone()),
                Sort::Int if self.is_called(&leaf, ".length") => Some(few_or_many(&leaf)),
                Sort::Int if self.is_called(&leaf, ".kind") => Some(leaf.clone()),
                _ => None,
            };
            if let Some(subject) = structural {
                parts.push(Constraint::Relate { subject, guard, relation: Relation::NotEqual });
            } else if let Some(pattern) = self.pattern_about(&leaf) {
                parts.push(Constraint::Cover {
                    subject: leaf,
                    guard,
                    pattern,
                    mode: CoverMode::Structure,
                });
            }
        }
        Some(Constraint::some(parts))
    }

    fn is_called(&self, leaf: &Expr, end: &str) -> bool {
        let variable = leaf.as_var().and_then(|id| self.world.variables.get(id.index()));
        variable.is_some_and(|variable| variable.name.ends_with(end))
    }

    fn pattern_about(&self, leaf: &Expr) -> Option<Arc<Pattern>> {
        self.world.assertions.iter().find_map(|(expr, _)| pattern_in(expr, leaf))
    }

    /// The values at the bounds of the specification, next to them, and around zero.
    pub(crate) fn cover_boundaries(&mut self, subject: &Item, span: Span) -> Option<Constraint> {
        let (items, guard) = Self::unwrapped(vec![subject.clone()]);
        let expr = self.simple(&items[0], span)?;
        let Some(id) = expr.as_var() else {
            self.error(span, "`cover-boundaries` is for a blank", "use it on a declared blank");
            return None;
        };
        let (measured, mut marks) = match expr.sort() {
            Sort::Int | Sort::Date | Sort::Day => (expr.clone(), self.bounds_of(id)),
            Sort::Str => {
                let length = Expr::apply(Op::Length, vec![expr.clone()], Sort::Int);
                (length, BTreeSet::from([0, 1]))
            }
            other => {
                let message = format!("{other} has no boundaries");
                self.error(span, message, "it is for an Integer, a Date, a Day or a String");
                return None;
            }
        };
        for (assertion, _) in &self.world.assertions {
            boundaries_in(assertion, &measured, &mut marks);
        }
        let beside: BTreeSet<i128> =
            marks.iter().flat_map(|mark| [mark - 1, *mark, mark + 1]).collect();
        let sort = measured.sort().clone();
        let arms = beside
            .into_iter()
            .filter(|mark| sort != Sort::Int || *expr.sort() != Sort::Str || *mark >= 0);
        let mut arms: Vec<Arm> = arms
            .map(|mark| Arm {
                assertion: Expr::and([
                    guard.clone(),
                    measured.clone().eq(Expr::constant(mark, sort.clone())),
                ]),
                constraint: Constraint::Never,
            })
            .collect();
        if !guard.is_true() {
            arms.push(Arm { assertion: guard.not(), constraint: Constraint::Never });
        }
        Some(self.choice(arms))
    }

    fn bounds_of(&self, id: VarId) -> BTreeSet<i128> {
        let Some(variable) = self.world.variables.get(id.index()) else { return BTreeSet::new() };
        let zero = (variable.sort == Sort::Int).then_some(0);
        variable.bounds.into_iter().flat_map(|(min, max)| [min, max]).chain(zero).collect()
    }
}

/// A length as 0, 1, or 2 for more.
fn few_or_many(length: &Expr) -> Expr {
    Expr::ite(length.clone().lt(Expr::int(2)), length.clone(), Expr::int(2))
}

/// Returns the regular expression that an assertion demands of a leaf.
fn pattern_in(expr: &Expr, leaf: &Expr) -> Option<Arc<Pattern>> {
    match expr.op() {
        Op::Matches(pattern) if expr.args()[0] == *leaf => Some(pattern.clone()),
        Op::And | Op::Or => expr.args().iter().find_map(|arg| pattern_in(arg, leaf)),
        _ => None,
    }
}

/// Collects the numbers that an assertion compares with an expression.
fn boundaries_in(expr: &Expr, measured: &Expr, marks: &mut BTreeSet<i128>) {
    if let (Op::Eq | Op::Lt | Op::Le, [left, right]) = (expr.op(), expr.args()) {
        let other = if left == measured { right } else { left };
        if (left == measured || right == measured)
            && let Some(mark) = other.value().and_then(Value::as_int)
        {
            marks.insert(mark);
        }
    }
    for arg in expr.args() {
        boundaries_in(arg, measured, marks);
    }
}
