//! Expressions as terms of the solver.
//!
//! The embedded solver knows truth values and whole numbers. An exact number with a point is
//! a whole number of parts there (`scale` of them make one), and of a text only its length
//! and its place among the texts of that length are asked for. An external solver gets Reals
//! and Strings as they are.

use crate::ir::{Environment, Expr, Op, Pattern, Sort, Value, VarId};
use crate::number::Real;
use crate::zones;
use rebut_smt::{Pool, Rational, Sort as TermSort, Term};
use std::collections::{BTreeMap, HashMap};

/// What cannot be said to a solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unsayable(pub(crate) String);

/// Which solver the terms are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    Embedded,
    External,
}

/// A term, and how many of its units make one; 1 for everything but Reals.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scaled {
    pub(crate) term: Term,
    pub(crate) scale: i128,
}

/// The variables of one of several models.
#[derive(Clone, Debug)]
pub(crate) struct ModelTerms {
    pub(crate) vars: BTreeMap<VarId, Scaled>,
    places: BTreeMap<VarId, Term>,
}

/// Turns expressions into terms.
#[derive(Debug)]
pub(crate) struct Lower<'a> {
    pub(crate) environment: &'a Environment,
    pub(crate) pool: Pool,
    pub(crate) dialect: Dialect,
    /// The variables; of a text for the embedded solver, its length.
    pub(crate) vars: BTreeMap<VarId, Scaled>,
    /// The variables of the other model, where two are asked for at once.
    pub(crate) others: BTreeMap<VarId, Scaled>,
    /// Of a text for the embedded solver: which of the texts of its length it is.
    pub(crate) places: BTreeMap<VarId, Term>,
    /// The lengths and places of known texts.
    pub(crate) pins: HashMap<(VarId, Value), (i128, i128)>,
    /// Only asks whether something can be said, before any text is known.
    pub(crate) probing: bool,
}

/// Reals have two digits after the point where the embedded solver finds them.
pub(crate) const REAL_SCALE: i128 = 100;

impl<'a> Lower<'a> {
    pub(crate) fn new(environment: &'a Environment, dialect: Dialect) -> Self {
        Self {
            environment,
            pool: Pool::new(),
            dialect,
            vars: BTreeMap::new(),
            others: BTreeMap::new(),
            places: BTreeMap::new(),
            pins: HashMap::new(),
            probing: false,
        }
    }

    /// Declares a variable.
    pub(crate) fn declare(&mut self, id: VarId) {
        self.declare_copy(id, "");
    }

    /// Declares a variable of one of several models.
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
            let place = self.pool.var(&format!("{name}_place"), TermSort::Int);
            self.places.insert(id, place);
        }
    }

    /// The variables of the model that was declared last.
    pub(crate) fn terms(&self) -> ModelTerms {
        ModelTerms { vars: self.vars.clone(), places: self.places.clone() }
    }

    /// What follows is about this model again.
    pub(crate) fn resume(&mut self, terms: &ModelTerms) {
        self.vars.clone_from(&terms.vars);
        self.places.clone_from(&terms.places);
    }

    /// An assertion as a term.
    pub(crate) fn bool(&mut self, expr: &Expr) -> Result<Term, Unsayable> {
        Ok(self.term(expr)?.term)
    }

    fn plain(&mut self, term: Term) -> Result<Scaled, Unsayable> {
        Ok(Scaled { term, scale: 1 })
    }

    fn args(&mut self, expr: &Expr) -> Result<Vec<Scaled>, Unsayable> {
        expr.args().iter().map(|arg| self.term(arg)).collect()
    }

    /// An expression as a term.
    pub(crate) fn term(&mut self, expr: &Expr) -> Result<Scaled, Unsayable> {
        match expr.op() {
            Op::Const(value) => self.constant(value),
            Op::Other(id) => match self.others.get(id) {
                Some(var) => Ok(*var),
                None => Err(self.unsayable(expr, "a variable of another model")),
            },
            Op::Var(id) => match self.vars.get(id) {
                Some(var) if *expr.sort() != Sort::Str || self.dialect == Dialect::External => {
                    Ok(*var)
                }
                Some(_) => Err(self.unsayable(expr, "a string")),
                None => Err(self.unsayable(expr, "a variable of another part")),
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
                _ => Err(self.unsayable(expr, "the length of a concatenated string")),
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
            Op::Zone => Err(self.unsayable(expr, "a time zone")),
            _ => self.text(expr),
        }
    }

    fn constant(&mut self, value: &Value) -> Result<Scaled, Unsayable> {
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
                    rational.ok_or_else(|| Unsayable("a number that is too large".into()))?;
                self.pool.real(rational)
            }
        };
        self.plain(term)
    }

    /// Two numbers in units of the same size.
    fn same_scale(&mut self, expr: &Expr) -> Result<[Term; 2], Unsayable> {
        let args = self.args(expr)?;
        let [left, right] = args[..] else { return Err(self.unsayable(expr, "this comparison")) };
        let (left, right, _) = self.in_common(left, right)?;
        Ok([left, right])
    }

    fn in_common(&mut self, left: Scaled, right: Scaled) -> Result<(Term, Term, i128), Unsayable> {
        if left.scale == right.scale {
            return Ok((left.term, right.term, left.scale));
        }
        let common = lcm(left.scale, right.scale)
            .ok_or_else(|| Unsayable("a number with too many digits".into()))?;
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

    fn equal(&mut self, expr: &Expr) -> Result<Scaled, Unsayable> {
        let [left, _] = expr.args() else { return Err(self.unsayable(expr, "this comparison")) };
        if *left.sort() == Sort::Str && self.dialect == Dialect::Embedded {
            return self.same_text(expr);
        }
        let [left, right] = self.same_scale(expr)?;
        let term = self.pool.eq(left, right);
        self.plain(term)
    }

    /// A text is one that is known if its length and its place are.
    fn same_text(&mut self, expr: &Expr) -> Result<Scaled, Unsayable> {
        let known = expr.args()[0].as_var().zip(expr.args()[1].value());
        let known = known.filter(|(id, _)| self.places.contains_key(id));
        let Some((id, text)) = known else {
            return Err(self.unsayable(expr, "the comparison of strings"));
        };
        let Some((length, place)) =
            self.pins.get(&(id, text.clone())).copied().or(self.probing.then_some((0, 0)))
        else {
            return Err(self.unsayable(expr, "the comparison with a string"));
        };
        let (length, place) = (self.pool.int(length), self.pool.int(place));
        let (own_length, own_place) = (self.vars[&id].term, self.places[&id]);
        let same_length = self.pool.eq(own_length, length);
        let same_place = self.pool.eq(own_place, place);
        let both = self.pool.and(same_length, same_place);
        self.plain(both)
    }

    fn arithmetic(&mut self, expr: &Expr) -> Result<Scaled, Unsayable> {
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
                    scale.ok_or_else(|| Unsayable("a number with too many digits".into()))?;
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
            _ => Err(self.unsayable(expr, "this operation")),
        }
    }

    /// A quotient: by a known number for the embedded solver, where it only changes units.
    fn quotient(&mut self, expr: &Expr, left: Scaled, right: Scaled) -> Result<Scaled, Unsayable> {
        if self.dialect == Dialect::External {
            let term = self.pool.real_div(left.term, right.term);
            return self.plain(term);
        }
        let by = expr.args()[1].value().and_then(Value::as_real).filter(|by| *by != Real::ZERO);
        let Some((numerator, denominator)) = by.map(Real::parts) else {
            return Err(self.unsayable(expr, "a quotient of two unknowns"));
        };
        let factor = if numerator < 0 { -denominator } else { denominator };
        let scale = left.scale.checked_mul(numerator.abs());
        let scale = scale.ok_or_else(|| Unsayable("a number with too many digits".into()))?;
        Ok(Scaled { term: self.times(left.term, factor), scale })
    }

    fn text(&mut self, expr: &Expr) -> Result<Scaled, Unsayable> {
        if self.dialect == Dialect::Embedded || *expr.op() == Op::EditDistance {
            let what = crate::ir::expr_text(expr, &self.environment.variables);
            return Err(Unsayable(what));
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
            _ => return Err(self.unsayable(expr, "this operation")),
        };
        self.plain(term)
    }

    /// A regular expression as a term.
    fn regex(&mut self, pattern: &Pattern) -> Result<Term, Unsayable> {
        // As `rebut-text` shows it, a class is a list of ranges.
        let shown = pattern.regex().to_string();
        let hir = regex_syntax::Parser::new().parse(&shown);
        let hir =
            hir.map_err(|error| Unsayable(format!("the regular expression {pattern}: {error}")))?;
        self.hir(&hir).ok_or_else(|| Unsayable(format!("the regular expression {pattern}")))
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

    fn unsayable(&self, expr: &Expr, what: &str) -> Unsayable {
        Unsayable(format!("{what} in {}", crate::ir::expr_text(expr, &self.environment.variables)))
    }
}

fn lcm(a: i128, b: i128) -> Option<i128> {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    (a / x).checked_mul(b)
}

/// The places in the same time zone as one.
pub(crate) fn places_in_zone(place: i128) -> Vec<i128> {
    let zone = zones::class(place);
    (0..zones::places().len() as i128).filter(|other| zones::class(*other) == zone).collect()
}
