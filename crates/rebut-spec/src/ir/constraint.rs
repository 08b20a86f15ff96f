//! What makes two models different.

use super::expr::{Expr, Op};
use super::pattern::Pattern;
use super::sort::VarId;
use crate::number::Real;
use std::sync::Arc;

/// A condition on two models. It is symmetric unless a program makes it otherwise; either
/// way it is asked of both orders of each pair.
#[derive(Clone, Debug, PartialEq)]
pub enum Constraint {
    /// Any two models will do.
    Always,
    /// No two models will do. In a disjunction it changes nothing, and where nothing else is
    /// asked for, models must only not be equal.
    Never,
    /// All of them hold.
    All(Vec<Constraint>),
    /// One of them holds.
    Some(Vec<Constraint>),
    /// It does not hold.
    Not(Box<Constraint>),
    /// The values of an expression in both models stand in a relation. If it is there in
    /// one of them only, that is a difference; if in neither, there is none.
    Relate {
        /// What is compared.
        subject: Expr,
        /// When it is there.
        guard: Expr,
        /// How it must differ.
        relation: Relation,
    },
    /// An expression over both models is true.
    Custom(Expr),
    /// Models are of one kind each, and two of them are of different kinds, or different as
    /// two of that kind must be: `enumerate*` of the paper.
    Choice {
        /// Which arm is taken; only looked at where `guard` holds.
        selector: VarId,
        /// The arms.
        arms: Vec<Arm>,
    },
    /// The texts are of different kinds, as a regular expression has them: they can be
    /// taken for members of different structural classes.
    Cover {
        /// The text.
        subject: Expr,
        /// When it is there.
        guard: Expr,
        /// Whose kinds are meant.
        pattern: Arc<Pattern>,
        /// Which kinds it has.
        mode: CoverMode,
    },
    /// Instead of all combinations of kinds, so many models that each combination of any
    /// `strength` of them occurs.
    Combine {
        /// How many of them are combined.
        strength: usize,
        /// What is combined.
        parts: Vec<Constraint>,
    },
}

/// A kind of models.
#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    /// What holds for models of this kind.
    pub assertion: Expr,
    /// What makes two of this kind different.
    pub constraint: Constraint,
}

/// How two values must differ.
#[derive(Clone, Debug, PartialEq)]
pub enum Relation {
    /// They are not equal.
    NotEqual,
    /// Texts of different lengths.
    DifferentLengths,
    /// Numbers at least so far apart.
    NumericDistance(Real),
    /// Texts at least so many edits apart.
    EditDistance(u32),
    /// Locations in different time zones.
    DifferentTimeZones,
}

/// Which kinds of texts a regular expression has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CoverMode {
    /// Each alternative, each range of a class, few and many repetitions.
    Structure,
    /// As that, but each number of repetitions is a kind of its own, and so is each
    /// combination of kinds of the repeated parts.
    Unrolled,
}

impl Constraint {
    /// A relation of the file. Those that say what a relation of the language says are that
    /// relation, so that every engine knows them.
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

    /// All of them, without what changes nothing.
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

    /// One of them, without what changes nothing.
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
    /// Visits each expression in it.
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

    /// Collects the variables that say of which kind a model is.
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

    /// All variables in it.
    #[must_use]
    pub fn vars(&self) -> std::collections::BTreeSet<VarId> {
        let mut vars = std::collections::BTreeSet::new();
        self.for_each_expr(&mut |expr| {
            expr.collect_vars(&mut vars);
        });
        self.selectors(&mut vars);
        vars
    }

    /// The same with other expressions and selectors.
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

/// The relation that an expression over two models says, if it is a known one.
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
                    // Whole numbers that are more than so far apart are at least one further.
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

/// What two expressions say about their models, if both say the same of one model each.
fn same_in_both(left: &Expr, right: &Expr) -> Option<Expr> {
    let (this, other) = if left.only_this() { (left, right) } else { (right, left) };
    (this.only_this() && this.of_other() == *other).then(|| this.clone())
}
