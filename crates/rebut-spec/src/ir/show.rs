//! Prints expressions, constraints and environments, for plans and tests.

use super::constraint::{Constraint, CoverMode, Relation};
use super::environment::{Environment, Variable};
use super::expr::{Expr, Op};
use super::shape::Shape;
use super::sort::VarId;
use crate::output::value_json;
use std::fmt::Write;

impl Environment {
    /// Prints the environment: one output, blank, assertion or constraint a line.
    #[must_use]
    pub fn show(&self) -> String {
        let names = &self.variables;
        let mut shown = format!("{} models of {}\n", self.count, self.name);
        for (name, shape) in &self.outputs {
            let _ = writeln!(shown, "output {name} = {}", shape_text(shape, names));
        }
        for variable in names.iter().filter(|variable| !variable.hidden) {
            let bounds =
                variable.bounds.map_or_else(String::new, |(min, max)| format!(" in {min}..={max}"));
            let _ = writeln!(shown, "blank {}: {}{bounds}", variable.name, variable.sort);
        }
        for (assertion, _) in &self.assertions {
            let _ = writeln!(shown, "assert {}", expr_text(assertion, names));
        }
        let _ = writeln!(shown, "differ {}", constraint_text(&self.constraint, names));
        shown
    }
}

fn name_of(id: VarId, names: &[Variable]) -> String {
    names
        .get(id.index())
        .map_or_else(|| format!("v{}", id.0), |variable| variable.name.replace(' ', "-"))
}

/// Prints an expression in the syntax of the language.
#[must_use]
pub(crate) fn expr_text(expr: &Expr, names: &[Variable]) -> String {
    let word = match expr.op() {
        Op::Const(value) => return value_json(value, expr.sort()).to_string(),
        Op::Var(id) => return name_of(*id, names),
        Op::Other(id) => return format!("(evaluate {} model)", name_of(*id, names)),
        Op::Not => "not",
        Op::And => "and",
        Op::Or => "or",
        Op::Ite => "ite",
        Op::Eq => "=",
        Op::Lt => "<",
        Op::Le => "<=",
        Op::Add => "+",
        Op::Sub => "-",
        Op::Mul => "*",
        Op::Div if *expr.sort() == super::sort::Sort::Real => "/",
        Op::Div => "div",
        Op::Mod => "mod",
        Op::Abs => "abs",
        Op::ToReal => return expr_text(&expr.args()[0], names),
        Op::Length => "length",
        Op::Concat => "string-append",
        Op::Prefix => "prefix-of",
        Op::Suffix => "suffix-of",
        Op::Contains => "contains",
        Op::EditDistance => "edit-distance",
        Op::Zone => "zone",
        Op::Matches(pattern) => {
            return format!("(matches {} #rx\"{pattern}\")", expr_text(&expr.args()[0], names));
        }
    };
    let args: Vec<String> = expr.args().iter().map(|arg| expr_text(arg, names)).collect();
    format!("({word} {})", args.join(" "))
}

fn shape_text(shape: &Shape, names: &[Variable]) -> String {
    match shape {
        Shape::Leaf(leaf) => expr_text(leaf, names),
        Shape::Object(fields) => {
            let fields: Vec<String> = fields
                .iter()
                .map(|(name, field)| format!("{name}: {}", shape_text(field, names)))
                .collect();
            format!("{{{}}}", fields.join(", "))
        }
        Shape::Option { present, inner } => {
            format!("(if {} {})", expr_text(present, names), shape_text(inner, names))
        }
        Shape::Either { which, alternatives } => {
            let each: Vec<String> = alternatives.iter().map(|one| shape_text(one, names)).collect();
            format!("(nth {} [{}])", expr_text(which, names), each.join(", "))
        }
        Shape::List { length, items } => {
            let items: Vec<String> = items.iter().map(|item| shape_text(item, names)).collect();
            format!("(first {} [{}])", expr_text(length, names), items.join(", "))
        }
    }
}

/// Prints a constraint in the syntax of the language.
#[must_use]
pub(crate) fn constraint_text(constraint: &Constraint, names: &[Variable]) -> String {
    let each = |parts: &[Constraint]| {
        let parts: Vec<String> = parts.iter().map(|part| constraint_text(part, names)).collect();
        parts.join(" ")
    };
    match constraint {
        Constraint::Always => "always".into(),
        Constraint::Never => "never".into(),
        Constraint::All(parts) => format!("(all-of {})", each(parts)),
        Constraint::Some(parts) => format!("(some-of {})", each(parts)),
        Constraint::Not(part) => format!("(not {})", constraint_text(part, names)),
        Constraint::Combine { strength, parts } => format!("(combine {strength} {})", each(parts)),
        Constraint::Custom(expr) => expr_text(expr, names),
        Constraint::Relate { subject, guard, relation } => {
            let relation = match relation {
                Relation::NotEqual => "not-equal".to_owned(),
                Relation::DifferentLengths => "different-lengths".to_owned(),
                Relation::DifferentTimeZones => "different-time-zones".to_owned(),
                Relation::NumericDistance(distance) => format!("(numeric-distance {distance})"),
                Relation::EditDistance(distance) => format!("(edit-distance {distance})"),
            };
            guarded(format!("(relation {} {relation})", expr_text(subject, names)), guard, names)
        }
        Constraint::Cover { subject, guard, pattern, mode } => {
            let word = match mode {
                CoverMode::Structure => "cover-regexp",
                CoverMode::Unrolled => "cover-regexp-unrolled",
            };
            guarded(
                format!("({word} {} #rx\"{pattern}\")", expr_text(subject, names)),
                guard,
                names,
            )
        }
        Constraint::Choice { arms, .. } => {
            let assertions: Vec<String> =
                arms.iter().map(|arm| expr_text(&arm.assertion, names)).collect();
            let constraints: Vec<String> =
                arms.iter().map(|arm| constraint_text(&arm.constraint, names)).collect();
            format!("(enumerate* (list {}) (list {}))", assertions.join(" "), constraints.join(" "))
        }
    }
}

fn guarded(text: String, guard: &Expr, names: &[Variable]) -> String {
    if guard.is_true() { text } else { format!("(where {} {text})", expr_text(guard, names)) }
}
