//! One solver, what it was told, and what it answers.

use super::super::curry::{differ, differs_from};
use super::super::domain::Domain;
use super::super::list::{End, List, Values};
use super::super::lower::{Dialect, Lower, ModelTerms, REAL_SCALE, Unsayable};
use super::super::problem::{Problem, is_keyed};
use super::super::{Coupled, Options, scratch};
use super::encoding::{Encoding, distinct_by};
use super::kept::Kept;
use super::texts::{PLACES_MAX, Texts};
use crate::ir::{Environment, Expr, Model, Sort, Value, VarId};
use crate::number::Real;
use rebut_smt::{Answer, Reason, Solver as Embedded, Term};
use rebut_text::Language;

/// Texts of so many lengths are told apart by the embedded solver.
const LENGTHS_MAX: usize = 400;

/// So hard the embedded solver tries to find out whether another one is wrong.
const DOUBTS_MAX: u64 = 10_000;

/// A solver that is asked about one problem.
pub(super) struct Asking<'a> {
    environment: &'a Environment,
    problem: &'a Problem,
    options: &'a Options,
    kept: &'a Kept,
    lower: Lower<'a>,
    engine: Engine,
    texts: Texts,
}

/// Models, and why there are not more if the solver is to blame.
pub(crate) struct Asked {
    pub(crate) list: List,
    /// What is wrong with the external solver.
    pub(crate) trouble: Option<Reason>,
}

/// What came of a question for several models.
pub(super) enum Together {
    Found(Vec<Values>),
    Impossible,
    Unknown(Reason),
    Unsayable,
}

enum Engine {
    Embedded(Box<Embedded>),
    External(Vec<Term>),
}

impl Engine {
    fn assert(&mut self, term: Term) {
        match self {
            Self::Embedded(solver) => solver.assert(term),
            Self::External(assertions) => assertions.push(term),
        }
    }
}

impl<'a> Asking<'a> {
    /// A solver that was told what holds for one model.
    pub(super) fn new(
        environment: &'a Environment,
        problem: &'a Problem,
        options: &'a Options,
        kept: &'a Kept,
        dialect: Dialect,
    ) -> Result<Self, Unsayable> {
        let mut asking = Self::empty(environment, problem, options, kept, dialect);
        for id in &problem.vars {
            asking.lower.declare(*id);
        }
        asking.assert_all()?;
        Ok(asking)
    }

    /// A solver that was told nothing.
    pub(super) fn empty(
        environment: &'a Environment,
        problem: &'a Problem,
        options: &'a Options,
        kept: &'a Kept,
        dialect: Dialect,
    ) -> Self {
        let engine = match dialect {
            Dialect::External => Engine::External(Vec::new()),
            Dialect::Embedded => Engine::Embedded(Box::default()),
        };
        let lower = Lower::new(environment, dialect);
        Self { environment, problem, options, kept, lower, engine, texts: Texts::default() }
    }

    /// Asks a solver that was told nothing for so many models at once.
    pub(super) fn together(mut self, count: usize, encoding: Encoding) -> Together {
        let models = match self.tell_together(count, encoding) {
            Ok(models) => models,
            Err(Unsayable(_)) => return Together::Unsayable,
        };
        let model = match self.ask(0, &models) {
            Answer::Sat(model) => model,
            Answer::Unsat => return Together::Impossible,
            Answer::Unknown(reason) => return Together::Unknown(reason),
        };
        let values = models.iter().map(|terms| {
            self.lower.resume(terms);
            self.values(&model)
        });
        values.collect::<Option<Vec<Values>>>().map_or(Together::Unsayable, Together::Found)
    }

    /// What holds for each model and for each two of them.
    fn tell_together(
        &mut self,
        count: usize,
        encoding: Encoding,
    ) -> Result<Vec<ModelTerms>, Unsayable> {
        let cannot = || Unsayable("this constraint".into());
        let mut models = Vec::new();
        for copy in 0..count {
            for id in &self.problem.vars {
                self.lower.declare_copy(*id, &format!("_{copy}"));
            }
            self.assert_all()?;
            models.push(self.lower.terms());
        }
        if encoding == Encoding::Distinct {
            let subject = distinct_by(&self.problem.constraint).ok_or_else(cannot)?;
            let mut all = Vec::new();
            for terms in &models {
                self.lower.resume(terms);
                all.push(self.lower.term(&subject)?.term);
            }
            let distinct = self.lower.pool.distinct(&all);
            self.engine.assert(distinct);
            return Ok(models);
        }
        let pair = differ(&self.problem.constraint).ok_or_else(cannot)?;
        for (at, first) in models.iter().enumerate() {
            for second in &models[at + 1..] {
                self.lower.resume(first);
                self.lower.others = second.vars.clone();
                let term = self.lower.bool(&pair)?;
                self.engine.assert(term);
            }
        }
        Ok(models)
    }

    /// Tells the solver what holds for the model whose variables are declared last.
    fn assert_all(&mut self) -> Result<(), Unsayable> {
        for (id, domain) in &self.problem.domains {
            self.assert_domain(*id, domain)?;
        }
        for assertion in &self.problem.assertions {
            let term = self.lower.bool(assertion)?;
            self.engine.assert(term);
        }
        Ok(())
    }

    fn assert_domain(&mut self, id: VarId, domain: &Domain) -> Result<(), Unsayable> {
        let Some(variable) = self.environment.variable(id) else { return Ok(()) };
        let var = Expr::var(id, variable.sort.clone());
        let sort = &variable.sort;
        let assertion = match domain {
            Domain::Bool { no, yes } => Expr::or([
                if *yes { var.clone() } else { Expr::bool(false) },
                if *no { var.not() } else { Expr::bool(false) },
            ]),
            Domain::Ints(set) => {
                let constant = |number: i128| Expr::constant(number, sort.clone());
                let within = |(min, max): (i128, i128)| {
                    Expr::and([constant(min).le(var.clone()), var.clone().le(constant(max))])
                };
                // The bounds of all of it stand apart: a solver sees them as bounds only so.
                let ends = set.parts().first().zip(set.parts().last());
                let all = ends.map(|(first, last)| within((first.0, last.1)));
                let parts = Expr::or(set.parts().iter().map(|part| within(*part)));
                Expr::and(all.into_iter().chain([parts]))
            }
            Domain::Reals(set) => set.as_assertion(&var),
            Domain::Texts(language) => return self.assert_texts(id, language),
        };
        let term = self.lower.bool(&assertion)?;
        self.engine.assert(term);
        Ok(())
    }

    /// For the embedded solver a text is a length and a place among the texts of that
    /// length. An external one gets the assertions as they were written.
    fn assert_texts(&mut self, id: VarId, language: &Language) -> Result<(), Unsayable> {
        if self.lower.dialect == Dialect::External {
            return self.assert_as_written(id);
        }
        let lengths = language.lengths().map_err(|error| Unsayable(error.to_string()))?;
        let lengths: Vec<usize> = lengths.take(LENGTHS_MAX).map(|witness| witness.len()).collect();
        let (length, place) = (self.lower.vars[&id].term, self.lower.places[&id]);
        let pool = &mut self.lower.pool;
        let mut each = Vec::new();
        let zero = pool.int(0);
        for known in &lengths {
            let few = language
                .count_of_length(*known)
                .ok()
                .and_then(|count| count.exactly())
                .and_then(|n| i128::try_from(n).ok());
            let is = pool.int(*known as i128);
            let is = pool.eq(length, is);
            let most = pool.int(few.unwrap_or(1).clamp(1, PLACES_MAX));
            let below = pool.lt(place, most);
            each.push(pool.and(is, below));
        }
        self.texts.cut |= lengths.len() == LENGTHS_MAX;
        let known = pool.any(&each);
        let not_negative = pool.le(zero, place);
        self.engine.assert(known);
        self.engine.assert(not_negative);
        self.texts.languages.insert(id, language.clone());
        Ok(())
    }

    fn assert_as_written(&mut self, id: VarId) -> Result<(), Unsayable> {
        let about = self.problem.texts.get(&id).cloned().unwrap_or_default();
        for assertion in about {
            let term = self.lower.bool(&assertion)?;
            self.engine.assert(term);
        }
        Ok(())
    }

    /// One model after the other.
    pub(super) fn run(mut self, count: usize) -> Asked {
        let mut items: Vec<Values> = Vec::new();
        let blank = scratch(self.environment);
        let terms = [self.lower.terms()];
        while items.len() < count {
            let model = match self.ask(items.len() as u64, &terms) {
                Answer::Sat(model) => model,
                Answer::Unsat => return self.exhausted(items),
                Answer::Unknown(reason) => return self.unanswered(items, reason),
            };
            let Some(values) = self.values(&model) else {
                let end = End::Unproved("the solver's values could not be read".into());
                return Asked { list: List { items, end }, trouble: None };
            };
            let mut known = blank.clone();
            for (id, value) in &values {
                known.0[id.index()] = value.clone();
            }
            items.push(values);
            if let Err(Unsayable(what)) = self.block(&known) {
                let end = End::Missing(format!("{what} takes another engine"));
                return Asked { list: List { items, end }, trouble: None };
            }
        }
        Asked { list: List { items, end: End::Asked }, trouble: None }
    }

    fn unanswered(&self, items: Vec<Values>, reason: Reason) -> Asked {
        let external = self.lower.dialect == Dialect::External;
        let end = if reason.needs_external() && !external {
            End::Missing(format!("{reason}; name a solver with --solver"))
        } else {
            End::Unproved(reason.to_string())
        };
        Asked { list: List { items, end }, trouble: external.then_some(reason) }
    }

    fn ask(&mut self, round: u64, models: &[ModelTerms]) -> Answer {
        let seed = self.options.seed.wrapping_add(round.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        match &mut self.engine {
            Engine::Embedded(solver) => {
                solver.set_options(rebut_smt::Options {
                    seed: Some(seed),
                    ..rebut_smt::Options::default()
                });
                solver.check(&mut self.lower.pool)
            }
            Engine::External(_) => self.ask_external(seed, models),
        }
    }

    /// An external solver is left to itself only if it finds nothing where it is told to
    /// look: it would give the nearest value each time, and fractions that cannot be written
    /// with a point.
    fn ask_external(&mut self, seed: u64, models: &[ModelTerms]) -> Answer {
        let mut decimals = Vec::new();
        let mut places = Vec::new();
        for (at, terms) in (0_u64..).zip(models) {
            self.lower.resume(terms);
            decimals.extend(self.decimals(at));
            let seed = seed.wrapping_add(at.wrapping_mul(0xd134_2543_de82_ef95));
            places.extend(self.somewhere(seed));
        }
        let hints = [&decimals[..], &places].concat();
        let Engine::External(assertions) = &self.engine else { return Answer::Unsat };
        let mut tries = vec![hints, decimals, Vec::new()];
        tries.dedup();
        let mut answer = Answer::Unsat;
        for hints in tries {
            let all = [&assertions[..], &hints].concat();
            // What is only a wish has less time.
            let share = if hints.is_empty() { 1 } else { 4 };
            let time_max = self.options.solver_time_max / share;
            answer = self.kept.check(self.options, time_max, &self.lower.pool, &all);
            match &answer {
                Answer::Sat(_) => break,
                Answer::Unknown(reason) if reason.is_external_failure() => break,
                _ => {}
            }
        }
        answer
    }

    /// Each Real is a whole number of hundredths.
    fn decimals(&mut self, copy: u64) -> Vec<Term> {
        let is_real = |id: &&VarId| {
            self.environment.variable(**id).is_some_and(|variable| variable.sort == Sort::Real)
        };
        let reals: Vec<VarId> = self.problem.vars.iter().filter(is_real).copied().collect();
        let lower = &mut self.lower;
        let hundredths = |id: VarId| {
            let parts = lower.pool.var(&format!("v{}_{copy}_parts", id.0), rebut_smt::Sort::Int);
            let hundred = lower.pool.int(REAL_SCALE);
            let (parts, hundred) = (lower.pool.to_real(parts), lower.pool.to_real(hundred));
            let number = lower.vars.get(&id)?.term;
            let scaled = lower.pool.mul(number, hundred);
            Some(lower.pool.eq(scaled, parts))
        };
        reals.into_iter().filter_map(hundredths).collect()
    }

    /// One of the variables is beyond a place that changes from model to model, or is a text
    /// that people can read.
    fn somewhere(&mut self, seed: u64) -> Option<Term> {
        let vars: Vec<VarId> = self.problem.vars.iter().copied().collect();
        let id = *vars.get(usize::try_from(seed >> 33).ok()? % vars.len().max(1))?;
        let term = self.lower.vars.get(&id)?.term;
        let pool = &mut self.lower.pool;
        match self.problem.domains.get(&id)? {
            Domain::Ints(set) => {
                let place =
                    u128::from(seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) % set.size().max(1);
                let place = pool.int(set.nth(place)?);
                Some(if (seed >> 11) & 1 == 0 {
                    pool.le(place, term)
                } else {
                    pool.le(term, place)
                })
            }
            Domain::Texts(language) => {
                let word = language.spread(seed).ok()?.next()?;
                let word = pool.string(&word);
                Some(pool.eq(term, word))
            }
            _ => None,
        }
    }

    /// The next model is different from a known one.
    fn block(&mut self, known: &Model) -> Result<(), Unsayable> {
        let cannot = || Unsayable("this constraint".into());
        let expr = differs_from(&self.problem.constraint, known).ok_or_else(cannot)?;
        let term = self.lower.bool(&expr)?;
        self.engine.assert(term);
        Ok(())
    }

    /// The solver says that there are no more.
    fn exhausted(&self, items: Vec<Values>) -> Asked {
        if self.lower.dialect == Dialect::External && self.is_contradicted(&items) {
            let reason = Reason::external_failure(format!(
                "`{}` reports that no further model exists, but there is one",
                self.options.solver.as_deref().unwrap_or_default()
            ));
            return self.unanswered(items, reason);
        }
        let reals = self.problem.domains.values().any(|domain| matches!(domain, Domain::Reals(_)));
        let embedded = self.lower.dialect == Dialect::Embedded;
        let cut = embedded && (self.texts.cut || !self.texts.languages.is_empty());
        let end = if embedded && reals {
            End::Unproved("only numbers with two digits after the point were tried".into())
        } else if cut {
            End::Unproved(format!("at most {PLACES_MAX} strings of each length were tried"))
        } else if is_keyed(&self.problem.constraint) || items.is_empty() {
            End::Largest
        } else {
            End::Unproved("models were chosen greedily; a different choice may allow more".into())
        };
        Asked { list: List { items, end }, trouble: None }
    }

    /// Does the embedded solver find a model where another one says that there is none? A
    /// proof cannot be checked as values can, so this is what can be done against a solver
    /// that is wrong.
    fn is_contradicted(&self, items: &[Values]) -> bool {
        let texts = |domain: &Domain| matches!(domain, Domain::Texts(_));
        let may_ask = self.options.coupled == Coupled::Auto
            && !self.problem.domains.values().any(texts)
            && super::embedded_can(self.environment, self.problem);
        let (environment, problem) = (self.environment, self.problem);
        let asking = may_ask.then(|| {
            Asking::new(environment, problem, self.options, self.kept, Dialect::Embedded).ok()
        });
        let Some(mut asking) = asking.flatten() else { return false };
        let blank = scratch(self.environment);
        for values in items {
            let mut known = blank.clone();
            for (id, value) in values {
                known.0[id.index()] = value.clone();
            }
            if asking.block(&known).is_err() {
                return false;
            }
        }
        let Engine::Embedded(solver) = &mut asking.engine else { return false };
        solver.set_options(rebut_smt::Options {
            conflicts_max: DOUBTS_MAX,
            ..rebut_smt::Options::default()
        });
        matches!(solver.check(&mut asking.lower.pool), Answer::Sat(_))
    }

    fn values(&mut self, model: &rebut_smt::Model) -> Option<Values> {
        let mut values = Vec::new();
        let pool = &self.lower.pool;
        for id in &self.problem.vars {
            let var = self.lower.vars.get(id)?;
            let value = model.evaluate(pool, var.term).ok()?;
            let sort = &self.environment.variable(*id)?.sort;
            let value = match (sort, self.lower.dialect) {
                (Sort::Bool, _) => Value::Bool(value.as_bool()?),
                (Sort::Real, Dialect::Embedded) => {
                    Value::Real(Real::new(value.as_int()?, var.scale)?)
                }
                (Sort::Real, Dialect::External) => {
                    let rational = value.as_real()?;
                    Value::Real(Real::new(rational.numerator(), rational.denominator())?)
                }
                (Sort::Str, Dialect::External) => Value::from(value.as_str()?),
                (Sort::Str, Dialect::Embedded) => {
                    let place = model.evaluate(pool, *self.lower.places.get(id)?).ok()?.as_int()?;
                    let length = value.as_int()?;
                    let text = self.texts.text(*id, length, place, self.options.seed)?;
                    self.lower.pins.insert((*id, text.clone()), (length, place));
                    text
                }
                _ => Value::Int(value.as_int()?),
            };
            values.push((*id, value));
        }
        Some(values)
    }
}
