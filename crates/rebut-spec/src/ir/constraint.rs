//! Constraints: when two models are different.

use super::expr::{Expr, Op};
use super::pattern::Pattern;
use super::sort::VarId;
use crate::number::Real;
use std::sync::Arc;

/// A condition on two models. It must hold for each pair in both orders; only a custom relation
/// can be asymmetric.
#[derive(Clone, Debug, PartialEq)]
pub enum Constraint {
    /// True for any two models.
    Always,
    /// False for any two models: the neutral element of a disjunction. As the whole constraint of
    /// an environment, it means that models must only differ in what is printed.
    Never,
    /// All of these hold.
    All(Vec<Constraint>),
    /// At least one of these holds.
    Some(Vec<Constraint>),
    /// This does not hold.
    Not(Box<Constraint>),
    /// The values of an expression in both models are related. A value that is present in only
    /// one model is a difference; a value that is absent in both is none.
    Relate {
        /// The expression whose values are compared.
        subject: Expr,
        /// The condition under which the value is present.
        guard: Expr,
        /// How the values must differ.
        relation: Relation,
    },
    /// An expression over both models is true.
    Custom(Expr),
    /// `enumerate*` of the paper: each model belongs to one arm. Two models differ if their arms
    /// do, or if they satisfy the constraint of their common arm.
    Choice {
        /// The variable that holds the index of a model's arm.
        selector: VarId,
        /// The arms.
        arms: Vec<Arm>,
    },
    /// Two strings match a regular expression in different ways: they can be members of different
    /// structural classes (see `rebut-text`).
    Cover {
        /// The string.
        subject: Expr,
        /// The condition under which the string is present.
        guard: Expr,
        /// The regular expression.
        pattern: Arc<Pattern>,
        /// How fine its classes are.
        mode: CoverMode,
    },
    /// A covering array: each combination of classes of any `strength` parts occurs in some
    /// model.
    Combine {
        /// The number of parts that are combined; 2 is pairwise.
        strength: usize,
        /// The parts, each with its own classes of models.
        parts: Vec<Constraint>,
    },
}

/// An alternative of a [`Constraint::Choice`].
#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    /// The assertion that every model of this arm satisfies.
    pub assertion: Expr,
    /// The constraint between two models of this arm.
    pub constraint: Constraint,
}

/// How two values must differ. No value is related to itself: the language accepts only positive
/// distances, and the engine relies on it.
#[derive(Clone, Debug, PartialEq)]
pub enum Relation {
    /// They are not equal.
    NotEqual,
    /// Strings have different lengths.
    DifferentLengths,
    /// Numbers are at least this far apart.
    NumericDistance(Real),
    /// Strings are at least this many edits apart.
    EditDistance(u32),
    /// Locations are in different time zones.
    DifferentTimeZones,
}

/// How finely a regular expression divides its strings into classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CoverMode {
    /// By alternative, by range of a character class, and by few or many repetitions.
    Structure,
    /// Like `Structure`, but by the exact number of repetitions and by the combination of the
    /// repeated parts' classes.
    Unrolled,
}

impl Constraint {
    /// Creates the constraint of an expression over two models. If the expression is equivalent
    /// to a [`Relation`], the result is that relation, which every engine supports.
    #[must_use]
    pub fn custom(expr: Expr) -> Self {
        match known_relation(&expr) {
            Some((subject, relation)) => {
                Self::Relate { subject, guard: Expr::bool(true), relation }
            }
            None if expr.is_true() => Self::Always,
            None if expr.is_false() => Self::Never,
            None => Self::Custom(expr),
        }
    }

    /// The conjunction, flattened and without `Always`.
    #[must_use]
    pub fn all(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut flat = Vec::new();
        for part in parts {
            match part {
                Self::Always => {}
                Self::All(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        match flat.len() {
            0 => Self::Always,
            1 => flat.swap_remove(0),
            _ => Self::All(flat),
        }
    }

    /// The disjunction, flattened and without `Never`.
    #[must_use]
    pub fn some(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut flat = Vec::new();
        for part in parts {
            match part {
                Self::Never => {}
                Self::Some(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        match flat.len() {
            0 => Self::Never,
            1 => flat.swap_remove(0),
            _ => Self::Some(flat),
        }
    }
}

impl Constraint {
    /// Visits each expression of the constraint.
    pub fn for_each_expr(&self, visit: &mut dyn FnMut(&Expr)) {
        match self {
            Self::Always | Self::Never => {}
            Self::All(parts) | Self::Some(parts) | Self::Combine { parts, .. } => {
                for part in parts {
                    part.for_each_expr(visit);
                }
            }
            Self::Not(part) => part.for_each_expr(visit),
            Self::Relate { subject, guard, .. } | Self::Cover { subject, guard, .. } => {
                visit(subject);
                visit(guard);
            }
            Self::Custom(expr) => visit(expr),
            Self::Choice { arms, .. } => {
                for arm in arms {
                    visit(&arm.assertion);
                    arm.constraint.for_each_expr(visit);
                }
            }
        }
    }

    /// Collects the selectors of choices.
    pub fn selectors(&self, found: &mut std::collections::BTreeSet<VarId>) {
        match self {
            Self::All(parts) | Self::Some(parts) | Self::Combine { parts, .. } => {
                for part in parts {
                    part.selectors(found);
                }
            }
            Self::Not(part) => part.selectors(found),
            Self::Choice { selector, arms } => {
                found.insert(*selector);
                for arm in arms {
                    arm.constraint.selectors(found);
                }
            }
            Self::Always
            | Self::Never
            | Self::Relate { .. }
            | Self::Cover { .. }
            | Self::Custom(_) => {}
        }
    }

    /// All variables of the constraint, selectors included.
    #[must_use]
    pub fn vars(&self) -> std::collections::BTreeSet<VarId> {
        let mut vars = std::collections::BTreeSet::new();
        self.for_each_expr(&mut |expr| {
            expr.collect_vars(&mut vars);
        });
        self.selectors(&mut vars);
        vars
    }

    /// Replaces each expression and each selector.
    #[must_use]
    pub fn map(&self, change: &dyn Fn(&Expr) -> Expr, id: &dyn Fn(VarId) -> VarId) -> Self {
        let each = |parts: &[Self]| parts.iter().map(|part| part.map(change, id)).collect();
        match self {
            Self::Always => Self::Always,
            Self::Never => Self::Never,
            Self::All(parts) => Self::All(each(parts)),
            Self::Some(parts) => Self::Some(each(parts)),
            Self::Not(part) => Self::Not(Box::new(part.map(change, id))),
            Self::Combine { strength, parts } => {
                Self::Combine { strength: *strength, parts: each(parts) }
            }
            Self::Custom(expr) => Self::Custom(change(expr)),
            Self::Relate { subject, guard, relation } => Self::Relate {
                subject: change(subject),
                guard: change(guard),
                relation: relation.clone(),
            },
            Self::Cover { subject, guard, pattern, mode } => Self::Cover {
                subject: change(subject),
                guard: change(guard),
                pattern: pattern.clone(),
                mode: *mode,
            },
            Self::Choice { selector, arms } => Self::Choice {
                selector: id(*selector),
                arms: arms
                    .iter()
                    .map(|arm| Arm {
                        assertion: change(&arm.assertion),
                        constraint: arm.constraint.map(change, id),
                    })
                    .collect(),
            },
        }
    }
}

/// Returns the subject and the relation that an expression over two models is equivalent to.
fn known_relation(expr: &Expr) -> Option<(Expr, Relation)> {
    match (expr.op(), expr.args()) {
        (Op::Not, [inner]) => match (inner.op(), inner.args()) {
            (Op::Eq, [left, right]) => {
                same_in_both(left, right).map(|subject| (subject, Relation::NotEqual))
            }
            _ => None,
        },
        (Op::Le | Op::Lt, [least, distance]) => {
            let strict = *expr.op() == Op::Lt;
            let least = least.value()?.as_real()?;
            match (distance.op(), distance.args()) {
                (Op::Abs, [difference]) if *difference.op() == Op::Sub => {
                    let [left, right] = difference.args() else { return None };
                    // Integers more than `least` apart are at least one more apart.
                    let whole = distance.sort().is_int_like();
                    let more =
                        if strict && whole { Real::from_int(least.floor() + 1) } else { least };
                    let fits = (!strict || whole) && more > Real::ZERO;
                    let subject = same_in_both(left, right).filter(|_| fits)?;
                    Some((subject, Relation::NumericDistance(more)))
                }
                (Op::EditDistance, [left, right]) => {
                    let more = if strict { least.floor() + 1 } else { least.ceil() };
                    let edits = u32::try_from(more).ok().filter(|edits| *edits > 0)?;
                    Some((same_in_both(left, right)?, Relation::EditDistance(edits)))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// Returns the expression that `left` and `right` apply to one model each, if it is the same.
fn same_in_both(left: &Expr, right: &Expr) -> Option<Expr> {
    let (this, other) = if left.only_this() { (left, right) } else { (right, left) };
    (this.only_this() && this.of_other() == *other).then(|| this.clone())
}
