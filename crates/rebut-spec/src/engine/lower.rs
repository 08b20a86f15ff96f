//! Translates expressions to terms of a solver.
//!
//! The embedded solver has Booleans and integers only. There, a Real is a number of hundredths:
//! a term with a [`Scaled::scale`] of 100. A string is two integers, its length and its rank
//! among the strings of that length (`solve/string_codes.rs`); so its length can be used in
//! arithmetic, but its characters cannot be compared. An external solver gets Reals and Strings
//! unchanged.
//!
//! Invariant: a term means what the expression means, or there is an [`Unsupported`] error.
//! Only the range of Reals and strings is smaller for the embedded solver, so its `unsat` does not
//! prove anything about them.

use crate::ir::{Environment, Expr, Op, Pattern, Sort, Value, VarId};
use crate::number::Real;
use crate::zones;
use rebut_smt::{Pool, Rational, Sort as TermSort, Term};
use std::collections::{BTreeMap, HashMap};

/// An expression that the solver cannot express, described for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unsupported(pub(crate) String);

/// The solver that the terms are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    Embedded,
    External,
}

/// A term, and the number by which its value is divided; 1 for everything but Reals.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scaled {
    pub(crate) term: Term,
    pub(crate) scale: i128,
}

/// The terms of the variables of one of several models.
#[derive(Clone, Debug)]
pub(crate) struct ModelTerms {
    pub(crate) vars: BTreeMap<VarId, Scaled>,
    ranks: BTreeMap<VarId, Term>,
}

/// Translates expressions to terms.
#[derive(Debug)]
pub(crate) struct Lower<'a> {
    pub(crate) environment: &'a Environment,
    pub(crate) pool: Pool,
    pub(crate) dialect: Dialect,
    /// The terms of the variables. For the embedded solver, the term of a string is its length.
    pub(crate) vars: BTreeMap<VarId, Scaled>,
    /// The terms of the other model's variables, for expressions over two models.
    pub(crate) others: BTreeMap<VarId, Scaled>,
    /// The ranks of strings among the strings of their length, for the embedded solver.
    pub(crate) ranks: BTreeMap<VarId, Term>,
    /// The lengths and ranks of the strings found so far.
    pub(crate) known_strings: HashMap<(VarId, Value), (i128, i128)>,
    /// Set while the translation is only a test of what the solver can express. Then any string
    /// constant counts as known.
    pub(crate) probing: bool,
}

/// The scale of Reals for the embedded solver: hundredths, as in prices. Arbitrary. Models that
/// need more digits are not found, so the list ends as unproved.
pub(crate) const REAL_SCALE: i128 = 100;

impl<'a> Lower<'a> {
    pub(crate) fn new(environment: &'a Environment, dialect: Dialect) -> Self {
        Self {
            environment,
            pool: Pool::new(),
            dialect,
            vars: BTreeMap::new(),
            others: BTreeMap::new(),
            ranks: BTreeMap::new(),
            known_strings: HashMap::new(),
            probing: false,
        }
    }

    /// Declares a variable.
    pub(crate) fn declare(&mut self, id: VarId) {
        self.declare_copy(id, "");
    }

    /// Declares a variable of one of several models; `copy` makes its name unique.
    pub(crate) fn declare_copy(&mut self, id: VarId, copy: &str) {
        let Some(variable) = self.environment.variable(id) else { return };
        let name = format!("v{}{copy}", id.0);
        let (sort, scale) = match (&variable.sort, self.dialect) {
            (Sort::Bool, _) => (TermSort::Bool, 1),
            (Sort::Real, Dialect::External) => (TermSort::Real, 1),
            (Sort::Real, Dialect::Embedded) => (TermSort::Int, REAL_SCALE),
            (Sort::Str, Dialect::External) => (TermSort::String, 1),
            _ => (TermSort::Int, 1),
        };
        let term = self.pool.var(&name, sort);
        self.vars.insert(id, Scaled { term, scale });
        if variable.sort == Sort::Str && self.dialect == Dialect::Embedded {
            let rank = self.pool.var(&format!("{name}_place"), TermSort::Int);
            self.ranks.insert(id, rank);
        }
    }

    /// The terms of the model that was declared last.
    pub(crate) fn terms(&self) -> ModelTerms {
        ModelTerms { vars: self.vars.clone(), ranks: self.ranks.clone() }
    }

    /// Makes the following expressions refer to this model again.
    pub(crate) fn resume(&mut self, terms: &ModelTerms) {
        self.vars.clone_from(&terms.vars);
        self.ranks.clone_from(&terms.ranks);
    }

    /// Translates an assertion.
    pub(crate) fn bool(&mut self, expr: &Expr) -> Result<Term, Unsupported> {
        Ok(self.term(expr)?.term)
    }

    fn plain(&mut self, term: Term) -> Result<Scaled, Unsupported> {
        Ok(Scaled { term, scale: 1 })
    }

    fn args(&mut self, expr: &Expr) -> Result<Vec<Scaled>, Unsupported> {
        expr.args().iter().map(|arg| self.term(arg)).collect()
    }

    /// Translates an expression.
    pub(crate) fn term(&mut self, expr: &Expr) -> Result<Scaled, Unsupported> {
        match expr.op() {
            Op::Const(value) => self.constant(value),
            Op::Other(id) => match self.others.get(id) {
                Some(var) => Ok(*var),
                None => Err(self.unsupported(expr, "a variable of another model")),
            },
            Op::Var(id) => match self.vars.get(id) {
                Some(var) if *expr.sort() != Sort::Str || self.dialect == Dialect::External => {
                    Ok(*var)
                }
                Some(_) => Err(self.unsupported(expr, "a string")),
                None => Err(self.unsupported(expr, "a variable of another part")),
            },
            Op::Eq => self.equal(expr),
            Op::Lt | Op::Le => {
                let [left, right] = self.same_scale(expr)?;
                let term = if *expr.op() == Op::Lt {
                    self.pool.lt(left, right)
                } else {
                    self.pool.le(left, right)
                };
                self.plain(term)
            }
            Op::Length if self.dialect == Dialect::Embedded => match expr.args()[0].as_var() {
                Some(id) if self.vars.contains_key(&id) => Ok(self.vars[&id]),
                _ => Err(self.unsupported(expr, "the length of a concatenated string")),
            },
            Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod | Op::Abs | Op::ToReal | Op::Ite => {
                self.arithmetic(expr)
            }
            Op::Not | Op::And | Op::Or => {
                let args: Vec<Term> = self.args(expr)?.into_iter().map(|arg| arg.term).collect();
                let term = match expr.op() {
                    Op::Not => self.pool.not(args[0]),
                    Op::And => self.pool.all(&args),
                    _ => self.pool.any(&args),
                };
                self.plain(term)
            }
            Op::Zone => Err(self.unsupported(expr, "a time zone")),
            _ => self.string_operation(expr),
        }
    }

    fn constant(&mut self, value: &Value) -> Result<Scaled, Unsupported> {
        let term = match value {
            Value::Bool(value) => self.pool.bool(*value),
            Value::Int(number) => self.pool.int(*number),
            Value::Str(text) => self.pool.string(text),
            Value::Real(real) => {
                let (numerator, denominator) = real.parts();
                if self.dialect == Dialect::Embedded {
                    return Ok(Scaled { term: self.pool.int(numerator), scale: denominator });
                }
                let rational = Rational::new(numerator, denominator);
                let rational =
                    rational.ok_or_else(|| Unsupported("a number that is too large".into()))?;
                self.pool.real(rational)
            }
        };
        self.plain(term)
    }

    /// The two arguments, brought to the same scale.
    fn same_scale(&mut self, expr: &Expr) -> Result<[Term; 2], Unsupported> {
        let args = self.args(expr)?;
        let [left, right] = args[..] else { return Err(self.unsupported(expr, "this comparison")) };
        let (left, right, _) = self.in_common(left, right)?;
        Ok([left, right])
    }

    fn in_common(
        &mut self,
        left: Scaled,
        right: Scaled,
    ) -> Result<(Term, Term, i128), Unsupported> {
        if left.scale == right.scale {
            return Ok((left.term, right.term, left.scale));
        }
        let common = lcm(left.scale, right.scale)
            .ok_or_else(|| Unsupported("a number with too many digits".into()))?;
        let left = self.times(left.term, common / left.scale);
        let right = self.times(right.term, common / right.scale);
        Ok((left, right, common))
    }

    fn times(&mut self, term: Term, factor: i128) -> Term {
        if factor == 1 {
            return term;
        }
        let factor = self.pool.int(factor);
        self.pool.mul(term, factor)
    }

    fn equal(&mut self, expr: &Expr) -> Result<Scaled, Unsupported> {
        let [left, _] = expr.args() else { return Err(self.unsupported(expr, "this comparison")) };
        if *left.sort() == Sort::Str && self.dialect == Dialect::Embedded {
            return self.equals_known_string(expr);
        }
        let [left, right] = self.same_scale(expr)?;
        let term = self.pool.eq(left, right);
        self.plain(term)
    }

    /// Equality with a string that was found before: length and rank are equal.
    fn equals_known_string(&mut self, expr: &Expr) -> Result<Scaled, Unsupported> {
        let known = expr.args()[0].as_var().zip(expr.args()[1].value());
        let known = known.filter(|(id, _)| self.ranks.contains_key(id));
        let Some((id, text)) = known else {
            return Err(self.unsupported(expr, "the comparison of strings"));
        };
        let Some((length, rank)) =
            self.known_strings.get(&(id, text.clone())).copied().or(self.probing.then_some((0, 0)))
        else {
            return Err(self.unsupported(expr, "the comparison with a string"));
        };
        let (length, rank) = (self.pool.int(length), self.pool.int(rank));
        let (own_length, own_rank) = (self.vars[&id].term, self.ranks[&id]);
        let same_length = self.pool.eq(own_length, length);
        let same_rank = self.pool.eq(own_rank, rank);
        let both = self.pool.and(same_length, same_rank);
        self.plain(both)
    }

    fn arithmetic(&mut self, expr: &Expr) -> Result<Scaled, Unsupported> {
        let args = self.args(expr)?;
        match (expr.op(), args.as_slice()) {
            (Op::Add, [first, rest @ ..]) => rest.iter().try_fold(*first, |sum, next| {
                let (left, right, scale) = self.in_common(sum, *next)?;
                Ok(Scaled { term: self.pool.add(left, right), scale })
            }),
            (Op::Sub, [left, right]) => {
                let (left, right, scale) = self.in_common(*left, *right)?;
                Ok(Scaled { term: self.pool.sub(left, right), scale })
            }
            (Op::Mul, [first, rest @ ..]) => rest.iter().try_fold(*first, |product, next| {
                let scale = product.scale.checked_mul(next.scale);
                let scale =
                    scale.ok_or_else(|| Unsupported("a number with too many digits".into()))?;
                Ok(Scaled { term: self.pool.mul(product.term, next.term), scale })
            }),
            (Op::Div, [left, right]) if *expr.sort() == Sort::Real => {
                self.quotient(expr, *left, *right)
            }
            (Op::Div, [left, right]) => {
                let term = self.pool.int_div(left.term, right.term);
                self.plain(term)
            }
            (Op::Mod, [left, right]) => {
                let term = self.pool.int_mod(left.term, right.term);
                self.plain(term)
            }
            (Op::Abs, [only]) => Ok(Scaled { term: self.pool.abs(only.term), scale: only.scale }),
            (Op::ToReal, [only]) => match self.dialect {
                Dialect::Embedded => Ok(*only),
                Dialect::External => {
                    let term = self.pool.to_real(only.term);
                    self.plain(term)
                }
            },
            (Op::Ite, [condition, then, otherwise]) => {
                let (then, otherwise, scale) = self.in_common(*then, *otherwise)?;
                Ok(Scaled { term: self.pool.ite(condition.term, then, otherwise), scale })
            }
            _ => Err(self.unsupported(expr, "this operation")),
        }
    }

    /// A quotient of Reals. For the embedded solver the divisor must be a constant, which only
    /// changes the scale.
    fn quotient(
        &mut self,
        expr: &Expr,
        left: Scaled,
        right: Scaled,
    ) -> Result<Scaled, Unsupported> {
        if self.dialect == Dialect::External {
            let term = self.pool.real_div(left.term, right.term);
            return self.plain(term);
        }
        let by = expr.args()[1].value().and_then(Value::as_real).filter(|by| *by != Real::ZERO);
        let Some((numerator, denominator)) = by.map(Real::parts) else {
            return Err(self.unsupported(expr, "a quotient of two unknowns"));
        };
        let factor = if numerator < 0 { -denominator } else { denominator };
        let scale = left.scale.checked_mul(numerator.abs());
        let scale = scale.ok_or_else(|| Unsupported("a number with too many digits".into()))?;
        Ok(Scaled { term: self.times(left.term, factor), scale })
    }

    fn string_operation(&mut self, expr: &Expr) -> Result<Scaled, Unsupported> {
        if self.dialect == Dialect::Embedded || *expr.op() == Op::EditDistance {
            let what = crate::ir::expr_text(expr, &self.environment.variables);
            return Err(Unsupported(what));
        }
        let args: Vec<Term> = self.args(expr)?.into_iter().map(|arg| arg.term).collect();
        let term = match (expr.op(), args.as_slice()) {
            (Op::Length, [a]) => self.pool.str_len(*a),
            (Op::Concat, all) => self.pool.str_concat(all),
            (Op::Prefix, [a, b]) => self.pool.str_prefix_of(*a, *b),
            (Op::Suffix, [a, b]) => self.pool.str_suffix_of(*a, *b),
            (Op::Contains, [a, b]) => self.pool.str_contains(*a, *b),
            (Op::Matches(pattern), [a]) => {
                let regex = self.regex(pattern)?;
                self.pool.in_re(*a, regex)
            }
            _ => return Err(self.unsupported(expr, "this operation")),
        };
        self.plain(term)
    }

    /// Translates a regular expression.
    fn regex(&mut self, pattern: &Pattern) -> Result<Term, Unsupported> {
        // `rebut-text` prints classes as ranges, so `\d` stays ASCII when it is parsed again.
        let shown = pattern.regex().to_string();
        let hir = regex_syntax::Parser::new().parse(&shown);
        let hir =
            hir.map_err(|error| Unsupported(format!("the regular expression {pattern}: {error}")))?;
        self.hir(&hir).ok_or_else(|| Unsupported(format!("the regular expression {pattern}")))
    }

    fn hir(&mut self, hir: &regex_syntax::hir::Hir) -> Option<Term> {
        use regex_syntax::hir::{Class, HirKind};
        Some(match hir.kind() {
            HirKind::Empty => {
                let empty = self.pool.string("");
                self.pool.re_literal(empty)
            }
            HirKind::Literal(literal) => {
                let text = self.pool.string(std::str::from_utf8(&literal.0).ok()?);
                self.pool.re_literal(text)
            }
            HirKind::Class(Class::Unicode(class)) => {
                let ranges: Vec<Term> = class
                    .ranges()
                    .iter()
                    .map(|range| self.pool.re_range(range.start(), range.end()))
                    .collect();
                self.pool.re_union(&ranges)
            }
            HirKind::Class(Class::Bytes(_)) | HirKind::Look(_) => return None,
            HirKind::Capture(capture) => self.hir(&capture.sub)?,
            HirKind::Concat(parts) => {
                let parts: Option<Vec<Term>> = parts.iter().map(|part| self.hir(part)).collect();
                self.pool.re_concat(&parts?)
            }
            HirKind::Alternation(parts) => {
                let parts: Option<Vec<Term>> = parts.iter().map(|part| self.hir(part)).collect();
                self.pool.re_union(&parts?)
            }
            HirKind::Repetition(repetition) => {
                let inner = self.hir(&repetition.sub)?;
                match (repetition.min, repetition.max) {
                    (0, None) => self.pool.re_star(inner),
                    (min, None) => {
                        let first = self.pool.re_loop(min, min, inner);
                        let rest = self.pool.re_star(inner);
                        self.pool.re_concat(&[first, rest])
                    }
                    (min, Some(max)) => self.pool.re_loop(min, max, inner),
                }
            }
        })
    }

    fn unsupported(&self, expr: &Expr, what: &str) -> Unsupported {
        Unsupported(format!(
            "{what} in {}",
            crate::ir::expr_text(expr, &self.environment.variables)
        ))
    }
}

fn lcm(a: i128, b: i128) -> Option<i128> {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    (a / x).checked_mul(b)
}

/// The locations in the same time zone as a given one.
pub(crate) fn locations_in_zone(location: i128) -> Vec<i128> {
    let zone = zones::class(location);
    (0..zones::locations().len() as i128).filter(|other| zones::class(*other) == zone).collect()
}
