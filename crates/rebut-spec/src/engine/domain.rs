//! The set of values of one variable, and the set that an assertion about it allows.
//!
//! Sets of numbers are intervals, sets of strings are regular languages. `and`, `or` and `not`
//! are intersection, union and complement, so any combination of assertions that are sets is a
//! set again. An assertion that is none (a remainder, a square) stays an assertion.
//!
//! Invariant: [`Domain::allowed`] is exact. A value is in the set if and only if the evaluator
//! accepts it, within the bounds of [`Intervals`].

use super::intervals::Intervals;
use super::reals::{Cut, Reals};
use crate::ir::{Expr, Op, Sort, Value, VarId, Variable};
use crate::number::Real;
use rebut_text::{Language, TooComplex};

/// A set of values of one sort.
#[derive(Clone, Debug)]
pub(crate) enum Domain {
    Bool { no: bool, yes: bool },
    Ints(Intervals),
    Reals(Reals),
    Strings(Language),
}

impl Domain {
    /// All values of a variable's sort, within its bounds.
    pub(crate) fn for_variable(variable: &Variable) -> Self {
        match (&variable.sort, variable.bounds) {
            (Sort::Bool, _) => Self::Bool { no: true, yes: true },
            (Sort::Real, _) => Self::Reals(Reals::all()),
            (Sort::Str, _) => Self::Strings(Language::all()),
            (_, Some((min, max))) => Self::Ints(Intervals::between(min, max)),
            (_, None) => Self::Ints(Intervals::all()),
        }
    }

    /// Returns the values for which an assertion about the variable `id` holds, or `None` if
    /// they are not a set that can be represented.
    pub(crate) fn allowed(assertion: &Expr, id: VarId, sort: &Sort) -> Option<Self> {
        match sort {
            Sort::Bool => bools(assertion, id).map(|(no, yes)| Self::Bool { no, yes }),
            Sort::Real => reals(assertion, id).map(Self::Reals),
            Sort::Str => strings(assertion, id).map(Self::Strings),
            _ => ints(assertion, id).map(Self::Ints),
        }
    }

    pub(crate) fn intersection(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Bool { no, yes }, Self::Bool { no: other_no, yes: other_yes }) => {
                Self::Bool { no: *no && *other_no, yes: *yes && *other_yes }
            }
            (Self::Ints(a), Self::Ints(b)) => Self::Ints(a.intersection(b)),
            (Self::Reals(a), Self::Reals(b)) => Self::Reals(a.intersection(b)),
            (Self::Strings(a), Self::Strings(b)) => Self::Strings(a.intersection(b)),
            _ => self.clone(),
        }
    }

    pub(crate) fn is_empty(&self) -> Result<bool, TooComplex> {
        Ok(match self {
            Self::Bool { no, yes } => !no && !yes,
            Self::Ints(set) => set.is_empty(),
            Self::Reals(set) => set.is_empty(),
            Self::Strings(language) => language.is_empty()?,
        })
    }

    /// The only value, if there is exactly one. Languages are not counted, because that may be
    /// expensive.
    pub(crate) fn single(&self) -> Option<Value> {
        match self {
            Self::Bool { no: true, yes: false } => Some(Value::Bool(false)),
            Self::Bool { no: false, yes: true } => Some(Value::Bool(true)),
            Self::Ints(set) if set.size() == 1 => set.nth(0).map(Value::Int),
            Self::Reals(set) => set.single().map(Value::Real),
            _ => None,
        }
    }

    /// Returns all values, or `None` if there are more than `most` or it is too expensive to
    /// count them.
    pub(crate) fn few(&self, most: usize) -> Option<Vec<Value>> {
        match self {
            Self::Bool { no, yes } => {
                let both = [(*no, false), (*yes, true)];
                Some(
                    both.iter()
                        .filter(|(can, _)| *can)
                        .map(|(_, value)| Value::Bool(*value))
                        .collect(),
                )
            }
            Self::Ints(set) if set.size() <= most as u128 => {
                Some((0..set.size()).filter_map(|at| set.nth(at)).map(Value::Int).collect())
            }
            Self::Reals(set) if set.is_finite() => Some(set.spread(0).map(Value::Real).collect()),
            Self::Strings(language) => {
                if !language.is_finite().ok()? {
                    return None;
                }
                let words: Vec<Value> = language
                    .words()
                    .ok()?
                    .take(most + 1)
                    .map(|word| Value::from(word.as_str()))
                    .collect();
                (words.len() <= most).then_some(words)
            }
            _ => None,
        }
    }

    pub(crate) fn contains(&self, value: &Value) -> bool {
        match (self, value) {
            (Self::Bool { no, yes }, Value::Bool(value)) => {
                if *value {
                    *yes
                } else {
                    *no
                }
            }
            (Self::Ints(set), Value::Int(number)) => set.contains(*number),
            (Self::Reals(set), Value::Real(number)) => {
                let point = Reals::between(Cut::Below(*number), Cut::Above(*number));
                !set.intersection(&point).is_empty()
            }
            (Self::Strings(language), Value::Str(text)) => language.contains(text),
            _ => false,
        }
    }

    /// Describes the set for plans.
    pub(crate) fn describe(&self, sort: &Sort) -> String {
        match self {
            Self::Bool { .. } => "true and false".into(),
            Self::Ints(set) => match set.parts() {
                [(min, max)] => {
                    let shown = |number: i128| {
                        crate::output::value_json(&Value::Int(number), sort).to_string()
                    };
                    format!("{} values from {} to {}", set.size(), shown(*min), shown(*max))
                }
                parts => format!("{} values in {} intervals", set.size(), parts.len()),
            },
            Self::Reals(_) => "exact numbers in intervals".into(),
            Self::Strings(_) => "strings of a regular language".into(),
        }
    }
}

/// Whether an assertion about a Boolean holds for `false` and for `true`.
fn bools(expr: &Expr, id: VarId) -> Option<(bool, bool)> {
    match (expr.op(), expr.args()) {
        (Op::Const(Value::Bool(value)), _) => Some((*value, *value)),
        (Op::Var(var), _) if *var == id => Some((false, true)),
        (Op::Not, [inner]) => bools(inner, id).map(|(no, yes)| (!no, !yes)),
        (Op::And, parts) => parts.iter().try_fold((true, true), |(no, yes), part| {
            bools(part, id).map(|(other_no, other_yes)| (no && other_no, yes && other_yes))
        }),
        (Op::Or, parts) => parts.iter().try_fold((false, false), |(no, yes), part| {
            bools(part, id).map(|(other_no, other_yes)| (no || other_no, yes || other_yes))
        }),
        (Op::Eq, [left, right]) => {
            let (left, right) = (bools(left, id)?, bools(right, id)?);
            Some((left.0 == right.0, left.1 == right.1))
        }
        _ => None,
    }
}

/// Reads an integer expression as `factor * x + offset`.
fn linear(expr: &Expr, id: VarId) -> Option<(i128, i128)> {
    match (expr.op(), expr.args()) {
        (Op::Const(Value::Int(number)), _) => Some((0, *number)),
        (Op::Var(var), _) if *var == id => Some((1, 0)),
        (Op::Add, parts) => parts.iter().try_fold((0_i128, 0_i128), |(factor, offset), part| {
            let (more, further) = linear(part, id)?;
            Some((factor.checked_add(more)?, offset.checked_add(further)?))
        }),
        (Op::Sub, [left, right]) => {
            let (left, right) = (linear(left, id)?, linear(right, id)?);
            Some((left.0.checked_sub(right.0)?, left.1.checked_sub(right.1)?))
        }
        (Op::Mul, [left, right]) => {
            let (left, right) = (linear(left, id)?, linear(right, id)?);
            match (left.0, right.0) {
                (0, _) => Some((left.1.checked_mul(right.0)?, left.1.checked_mul(right.1)?)),
                (_, 0) => Some((right.1.checked_mul(left.0)?, right.1.checked_mul(left.1)?)),
                _ => None,
            }
        }
        _ => None,
    }
}

fn ints(expr: &Expr, id: VarId) -> Option<Intervals> {
    match (expr.op(), expr.args()) {
        (Op::Const(Value::Bool(true)), _) => Some(Intervals::all()),
        (Op::Const(Value::Bool(false)), _) => Some(Intervals::none()),
        (Op::Not, [inner]) => ints(inner, id).map(|set| set.complement()),
        (Op::And, parts) => parts
            .iter()
            .try_fold(Intervals::all(), |set, part| Some(set.intersection(&ints(part, id)?))),
        (Op::Or, parts) => {
            parts.iter().try_fold(Intervals::none(), |set, part| Some(set.union(&ints(part, id)?)))
        }
        (Op::Eq | Op::Lt | Op::Le, [left, right]) => {
            if let Some(set) = by_distance(expr.op(), left, right, id) {
                return Some(set);
            }
            let (left, right) = (linear(left, id)?, linear(right, id)?);
            // factor * x + offset, compared with zero
            let factor = left.0.checked_sub(right.0)?;
            let offset = left.1.checked_sub(right.1)?;
            Some(compared(expr.op(), factor, offset))
        }
        _ => None,
    }
}

/// The values for which `|x + offset|` compares with a constant. `swapped` means that the
/// constant is on the left.
fn by_distance(op: &Op, left: &Expr, right: &Expr, id: VarId) -> Option<Intervals> {
    let (inner, number, swapped) = match (left.op(), right.op()) {
        (Op::Abs, Op::Const(Value::Int(number))) => (&left.args()[0], *number, false),
        (Op::Const(Value::Int(number)), Op::Abs) => (&right.args()[0], *number, true),
        _ => return None,
    };
    let (1, offset) = linear(inner, id)? else { return None };
    let near = |reach: i128| {
        Intervals::between((-reach).checked_sub(offset).unwrap_or(0), reach.saturating_sub(offset))
    };
    Some(match (op, swapped) {
        (Op::Le, false) => near(number),
        (Op::Lt, false) => near(number - 1),
        (Op::Le, true) => near(number - 1).complement(),
        (Op::Lt, true) => near(number).complement(),
        _ => near(number).intersection(&near(number - 1).complement()),
    })
}

/// The values for which `factor * x + offset` is equal to, less than, or at most zero.
fn compared(op: &Op, factor: i128, offset: i128) -> Intervals {
    if factor == 0 {
        let holds = match op {
            Op::Eq => offset == 0,
            Op::Lt => offset < 0,
            _ => offset <= 0,
        };
        return if holds { Intervals::all() } else { Intervals::none() };
    }
    if *op == Op::Eq {
        let whole = offset % factor == 0;
        return if whole {
            Intervals::between(-offset / factor, -offset / factor)
        } else {
            Intervals::none()
        };
    }
    // x * factor <= limit
    let limit = if *op == Op::Lt { -offset - 1 } else { -offset };
    if factor > 0 {
        Intervals::between(i128::MIN, limit.div_euclid(factor))
    } else {
        // x >= limit / factor, rounded up
        let least = -(limit.div_euclid(-factor));
        Intervals::between(least, i128::MAX)
    }
}

/// Reads a Real expression as `factor * x + offset`.
fn real_linear(expr: &Expr, id: VarId) -> Option<(Real, Real)> {
    match (expr.op(), expr.args()) {
        (Op::Const(value), _) => Some((Real::ZERO, value.as_real()?)),
        (Op::Var(var), _) if *var == id => Some((Real::from_int(1), Real::ZERO)),
        (Op::ToReal, [inner]) => real_linear(inner, id),
        (Op::Add, parts) => {
            parts.iter().try_fold((Real::ZERO, Real::ZERO), |(factor, offset), part| {
                let (more, further) = real_linear(part, id)?;
                Some((factor.plus(more)?, offset.plus(further)?))
            })
        }
        (Op::Sub, [left, right]) => {
            let (left, right) = (real_linear(left, id)?, real_linear(right, id)?);
            Some((left.0.minus(right.0)?, left.1.minus(right.1)?))
        }
        (Op::Mul, [left, right]) => {
            let (left, right) = (real_linear(left, id)?, real_linear(right, id)?);
            let (number, other) =
                if left.0 == Real::ZERO { (left.1, right) } else { (right.1, left) };
            let constant = left.0 == Real::ZERO || right.0 == Real::ZERO;
            constant.then(|| Some((number.times(other.0)?, number.times(other.1)?)))?
        }
        (Op::Div, [left, right]) => {
            let by = right.value()?.as_real()?;
            let (factor, offset) = real_linear(left, id)?;
            Some((factor.over(by)?, offset.over(by)?))
        }
        _ => None,
    }
}

fn reals(expr: &Expr, id: VarId) -> Option<Reals> {
    match (expr.op(), expr.args()) {
        (Op::Const(Value::Bool(true)), _) => Some(Reals::all()),
        (Op::Const(Value::Bool(false)), _) => Some(Reals::all().complement()),
        (Op::Not, [inner]) => reals(inner, id).map(|set| set.complement()),
        (Op::And, parts) => parts
            .iter()
            .try_fold(Reals::all(), |set, part| Some(set.intersection(&reals(part, id)?))),
        (Op::Or, parts) => parts
            .iter()
            .try_fold(Reals::all().complement(), |set, part| Some(set.union(&reals(part, id)?))),
        (Op::Eq | Op::Lt | Op::Le, [left, right]) => {
            let (left, right) = (real_linear(left, id)?, real_linear(right, id)?);
            let factor = left.0.minus(right.0)?;
            let offset = left.1.minus(right.1)?;
            if factor == Real::ZERO {
                let holds = match expr.op() {
                    Op::Eq => offset == Real::ZERO,
                    Op::Lt => offset < Real::ZERO,
                    _ => offset <= Real::ZERO,
                };
                return Some(if holds { Reals::all() } else { Reals::all().complement() });
            }
            let at = Real::ZERO.minus(offset)?.over(factor)?;
            let (low, high) = (Cut::Below(at), Cut::Above(at));
            Some(match (expr.op(), factor > Real::ZERO) {
                (Op::Eq, _) => Reals::between(low, high),
                (Op::Lt, true) => Reals::between(Cut::Least, low),
                (Op::Lt, false) => Reals::between(high, Cut::Most),
                (_, true) => Reals::between(Cut::Least, high),
                (_, false) => Reals::between(low, Cut::Most),
            })
        }
        _ => None,
    }
}

fn strings(expr: &Expr, id: VarId) -> Option<Language> {
    let is_var = |expr: &Expr| expr.as_var() == Some(id);
    let known = |expr: &Expr| expr.value().and_then(Value::as_str).map(str::to_owned);
    match (expr.op(), expr.args()) {
        (Op::Const(Value::Bool(true)), _) => Some(Language::all()),
        (Op::Const(Value::Bool(false)), _) => Some(Language::none()),
        (Op::Not, [inner]) => strings(inner, id).map(|language| language.complement()),
        (Op::And, parts) => parts
            .iter()
            .try_fold(Language::all(), |all, part| Some(all.intersection(&strings(part, id)?))),
        (Op::Or, parts) => parts
            .iter()
            .try_fold(Language::none(), |all, part| Some(all.union(&strings(part, id)?))),
        (Op::Matches(pattern), [text]) if is_var(text) => Some(pattern.language().clone()),
        (Op::Eq, [left, right]) if is_var(left) => {
            known(right).map(|text| Language::literal(&text))
        }
        (Op::Eq, [left, right]) if is_var(right) => {
            known(left).map(|text| Language::literal(&text))
        }
        (Op::Prefix, [part, text]) if is_var(text) => {
            known(part).map(|part| Language::starting_with(&part))
        }
        (Op::Suffix, [part, text]) if is_var(text) => {
            known(part).map(|part| Language::ending_with(&part))
        }
        (Op::Contains, [text, part]) if is_var(text) => {
            known(part).map(|part| Language::containing(&part))
        }
        (Op::Prefix, [text, whole]) if is_var(text) => {
            known(whole).map(|whole| Language::one_of(prefixes(&whole)))
        }
        (Op::Eq | Op::Lt | Op::Le, _) => by_length(expr, id),
        _ => None,
    }
}

/// All prefixes of a string, itself included.
fn prefixes(text: &str) -> Vec<&str> {
    let ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    ends.map(|end| &text[..end]).collect()
}

/// The strings for which an assertion about their length holds.
fn by_length(expr: &Expr, id: VarId) -> Option<Language> {
    let length_as_var = expr.substitute(&|_, _| None);
    let replaced = replace_length(&length_as_var, id)?;
    let lengths = ints(&replaced, id)?.intersection(&Intervals::between(0, i128::MAX));
    let parts = lengths.parts().iter().map(|(min, max)| {
        let min = usize::try_from(*min).unwrap_or(usize::MAX);
        match usize::try_from(*max) {
            // No string in memory is this long, so the length is not bounded.
            Ok(max) if max < 1 << 40 => Language::length(min..=max),
            _ => Language::length(min..),
        }
    });
    Some(parts.fold(Language::none(), |all, part| all.union(&part)))
}

/// Replaces the length of the variable by the variable itself. Returns `None` if the variable
/// occurs in another way.
fn replace_length(expr: &Expr, id: VarId) -> Option<Expr> {
    match expr.op() {
        Op::Length if expr.args()[0].as_var() == Some(id) => Some(Expr::var(id, Sort::Int)),
        Op::Var(_) | Op::Other(_) => None,
        Op::Const(_) => Some(expr.clone()),
        op => {
            let args: Option<Vec<Expr>> =
                expr.args().iter().map(|arg| replace_length(arg, id)).collect();
            Some(Expr::raw(op.clone(), args?, expr.sort().clone()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Model;
    use crate::{Program, eval};

    /// Compares the sets of assertions about a variable with the evaluator.
    fn assert_exact(declaration: &str, assertions: &[&str], values: &[Value]) {
        for assertion in assertions {
            let text = format!("(declare x {declaration}) (assert {assertion})");
            let program = Program::parse("test.rebut", &text);
            assert_eq!(program.diagnostics, [], "{assertion}");
            let environment = &program.environments[0];
            let expr = &environment.assertions[0].0;
            let set = Domain::allowed(expr, VarId(0), &environment.variables[0].sort);
            let Some(set) = set else { panic!("{assertion} is not a set") };
            for value in values {
                let holds = eval::truth(expr, &Model(vec![value.clone()]), None);
                assert_eq!(Some(set.contains(value)), holds, "{assertion} for {value:?}");
            }
        }
    }

    #[test]
    fn sets_of_integers_are_exact() {
        let assertions = [
            "(< (* 3 x) 7)",
            "(<= 7 (* 3 x))",
            "(< (* -3 x) 7)",
            "(<= (- 1 (* 2 x)) (+ x 5))",
            "(= (* 2 x) 8)",
            "(= (* 2 x) 7)",
            "(< (abs (- x 2)) 3)",
            "(<= 3 (abs (+ x 2)))",
            "(= (abs (- x 1)) 4)",
            "(or (< x -5) (and (> x 2) (not (= x 4))))",
            "(one-of x 1 3 5)",
        ];
        let values: Vec<Value> = (-12..=12).map(Value::Int).collect();
        assert_exact("?Integer", &assertions, &values);
    }

    #[test]
    fn sets_of_reals_are_exact() {
        let assertions =
            ["(< (* -2 x) 1)", "(<= (/ x 4) 0.5)", "(= (+ x x) 3)", "(not (< x 0.25))"];
        let values: Vec<Value> =
            (-20..=20).filter_map(|n| Real::new(n, 8)).map(Value::Real).collect();
        assert_exact("?Real", &assertions, &values);
    }

    #[test]
    fn sets_of_strings_are_exact() {
        let assertions = [
            "(starts-with x \"ab\")",
            "(ends-with x \"b\")",
            "(contains x \"ba\")",
            "(starts-with \"abb\" x)",
            "(matches x \"a*b?\")",
            "(< (length x) 3)",
            "(= (* 2 (length x)) 4)",
            "(not (or (= x \"\") (= \"ab\" x)))",
        ];
        let letters = ["", "a", "b"];
        let strings = letters.iter().flat_map(|a| letters.iter().map(move |b| (a, b)));
        let strings = strings.flat_map(|(a, b)| letters.map(|c| format!("{a}{b}{c}")));
        let values: Vec<Value> = strings.map(|string| Value::from(string.as_str())).collect();
        assert_exact("?String", &assertions, &values);
    }

    #[test]
    fn remainders_and_products_are_not_sets() {
        for assertion in ["(= (mod x 3) 1)", "(< (* x x) 9)"] {
            let text = format!("(declare x ?Integer) (assert {assertion})");
            let program = Program::parse("test.rebut", &text);
            let expr = &program.environments[0].assertions[0].0;
            assert!(Domain::allowed(expr, VarId(0), &Sort::Int).is_none(), "{assertion}");
        }
    }
}
