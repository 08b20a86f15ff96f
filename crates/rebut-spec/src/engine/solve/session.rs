//! A session with a solver about one problem: assert it, query, read the values.
//!
//! The embedded solver keeps its assertions and what it has learned from them. An external
//! solver gets all assertions again with each query, plus hints: where to look, and that Reals
//! have two decimal digits. Without hints it would return neighboring values each time. A query
//! that fails with hints is repeated without them, so hints never hide a model.

use super::super::curry::{differ, differs_from};
use super::super::domain::Domain;
use super::super::list::{List, ListEnd, Values};
use super::super::lower::{Dialect, Lower, ModelTerms, REAL_SCALE, Unsupported};
use super::super::problem::{Problem, is_keyed};
use super::super::{Coupled, Options, simplest_model};
use super::encoding::{Encoding, distinct_by};
use super::external::ExternalSolver;
use super::string_codes::{PLACES_MAX, StringCodes};
use crate::ir::{Environment, Expr, Model, Sort, Value, VarId};
use crate::number::Real;
use rebut_smt::{Answer, Reason, Solver as Embedded, Term};
use rebut_text::Language;

/// The number of lengths of a string that the embedded solver may choose from. Arbitrary.
/// Longer strings are not found, so the list ends as unproved.
const LENGTHS_MAX: usize = 400;

/// The conflict budget for double-checking another solver's `unsat`. Arbitrary. At the limit the
/// other solver is believed.
const DOUBTS_MAX: u64 = 10_000;

/// A solver and what was asserted so far.
pub(super) struct SolverSession<'a> {
    environment: &'a Environment,
    problem: &'a Problem,
    options: &'a Options,
    external: &'a ExternalSolver,
    lower: Lower<'a>,
    backend: Backend,
    strings: StringCodes,
}

/// Models, and what went wrong with the solver if there are too few.
pub(crate) struct SolverModels {
    pub(crate) list: List,
    /// Why the external solver could not be used any further.
    pub(crate) trouble: Option<Reason>,
}

/// The answer to one query for several models.
pub(super) enum JointAnswer {
    Found(Vec<Values>),
    Impossible,
    Unknown(Reason),
    Unsupported,
}

/// The assertions: already in the embedded solver, or stored for an external one.
enum Backend {
    Embedded(Box<Embedded>),
    External(Vec<Term>),
}

impl Backend {
    fn assert(&mut self, term: Term) {
        match self {
            Self::Embedded(solver) => solver.assert(term),
            Self::External(assertions) => assertions.push(term),
        }
    }
}

impl<'a> SolverSession<'a> {
    /// Starts a session about one model and asserts the problem.
    pub(super) fn new(
        environment: &'a Environment,
        problem: &'a Problem,
        options: &'a Options,
        external: &'a ExternalSolver,
        dialect: Dialect,
    ) -> Result<Self, Unsupported> {
        let mut session = Self::empty(environment, problem, options, external, dialect);
        for id in &problem.vars {
            session.lower.declare(*id);
        }
        session.assert_all()?;
        Ok(session)
    }

    /// Starts a session without assertions.
    pub(super) fn empty(
        environment: &'a Environment,
        problem: &'a Problem,
        options: &'a Options,
        external: &'a ExternalSolver,
        dialect: Dialect,
    ) -> Self {
        let backend = match dialect {
            Dialect::External => Backend::External(Vec::new()),
            Dialect::Embedded => Backend::Embedded(Box::default()),
        };
        let lower = Lower::new(environment, dialect);
        Self {
            environment,
            problem,
            options,
            external,
            lower,
            backend,
            strings: StringCodes::default(),
        }
    }

    /// Queries for `count` models at once. The session must be empty.
    pub(super) fn together(mut self, count: usize, encoding: Encoding) -> JointAnswer {
        let models = match self.assert_jointly(count, encoding) {
            Ok(models) => models,
            Err(Unsupported(_)) => return JointAnswer::Unsupported,
        };
        let model = match self.ask(0, &models) {
            Answer::Sat(model) => model,
            Answer::Unsat => return JointAnswer::Impossible,
            Answer::Unknown(reason) => return JointAnswer::Unknown(reason),
        };
        let values = models.iter().map(|terms| {
            self.lower.resume(terms);
            self.values(&model)
        });
        values.collect::<Option<Vec<Values>>>().map_or(JointAnswer::Unsupported, JointAnswer::Found)
    }

    /// Asserts the problem for each model, and the constraint for each pair.
    fn assert_jointly(
        &mut self,
        count: usize,
        encoding: Encoding,
    ) -> Result<Vec<ModelTerms>, Unsupported> {
        let cannot = || Unsupported("this constraint".into());
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
            self.backend.assert(distinct);
            return Ok(models);
        }
        let pair = differ(&self.problem.constraint).ok_or_else(cannot)?;
        for (at, first) in models.iter().enumerate() {
            for second in &models[at + 1..] {
                self.lower.resume(first);
                self.lower.others = second.vars.clone();
                let term = self.lower.bool(&pair)?;
                self.backend.assert(term);
            }
        }
        Ok(models)
    }

    /// Asserts the problem for the model that was declared last.
    fn assert_all(&mut self) -> Result<(), Unsupported> {
        for (id, domain) in &self.problem.domains {
            self.assert_domain(*id, domain)?;
        }
        for assertion in &self.problem.assertions {
            let term = self.lower.bool(assertion)?;
            self.backend.assert(term);
        }
        Ok(())
    }

    fn assert_domain(&mut self, id: VarId, domain: &Domain) -> Result<(), Unsupported> {
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
                // The outer bounds are asserted separately, so that a solver sees them as bounds.
                let ends = set.parts().first().zip(set.parts().last());
                let all = ends.map(|(first, last)| within((first.0, last.1)));
                let parts = Expr::or(set.parts().iter().map(|part| within(*part)));
                Expr::and(all.into_iter().chain([parts]))
            }
            Domain::Reals(set) => set.as_assertion(&var),
            Domain::Strings(language) => return self.assert_string_domain(id, language),
        };
        let term = self.lower.bool(&assertion)?;
        self.backend.assert(term);
        Ok(())
    }

    /// Asserts the domain of a string: for the embedded solver, which lengths and ranks exist;
    /// for an external one, the assertions of the file.
    fn assert_string_domain(&mut self, id: VarId, language: &Language) -> Result<(), Unsupported> {
        if self.lower.dialect == Dialect::External {
            return self.assert_as_written(id);
        }
        let lengths = language.lengths().map_err(|error| Unsupported(error.to_string()))?;
        let lengths: Vec<usize> = lengths.take(LENGTHS_MAX).map(|witness| witness.len()).collect();
        let (length, rank) = (self.lower.vars[&id].term, self.lower.ranks[&id]);
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
            let below = pool.lt(rank, most);
            each.push(pool.and(is, below));
        }
        self.strings.cut |= lengths.len() == LENGTHS_MAX;
        let known = pool.any(&each);
        let not_negative = pool.le(zero, rank);
        self.backend.assert(known);
        self.backend.assert(not_negative);
        self.strings.languages.insert(id, language.clone());
        Ok(())
    }

    fn assert_as_written(&mut self, id: VarId) -> Result<(), Unsupported> {
        let about = self.problem.string_assertions.get(&id).cloned().unwrap_or_default();
        for assertion in about {
            let term = self.lower.bool(&assertion)?;
            self.backend.assert(term);
        }
        Ok(())
    }

    /// Queries for one model after the other, each different from those before.
    pub(super) fn run(mut self, count: usize) -> SolverModels {
        let mut items: Vec<Values> = Vec::new();
        let blank = simplest_model(self.environment);
        let terms = [self.lower.terms()];
        while items.len() < count {
            let model = match self.ask(items.len() as u64, &terms) {
                Answer::Sat(model) => model,
                Answer::Unsat => return self.exhausted(items),
                Answer::Unknown(reason) => return self.unanswered(items, reason),
            };
            let Some(values) = self.values(&model) else {
                let end = ListEnd::Unproved("the solver's values could not be read".into());
                return SolverModels { list: List { items, end }, trouble: None };
            };
            let mut known = blank.clone();
            for (id, value) in &values {
                known.0[id.index()] = value.clone();
            }
            items.push(values);
            if let Err(Unsupported(what)) = self.block(&known) {
                let end = ListEnd::Missing(format!("{what} takes another engine"));
                return SolverModels { list: List { items, end }, trouble: None };
            }
        }
        SolverModels { list: List { items, end: ListEnd::CountReached }, trouble: None }
    }

    /// Ends the list after a query without an answer.
    fn unanswered(&self, items: Vec<Values>, reason: Reason) -> SolverModels {
        let external = self.lower.dialect == Dialect::External;
        let end = if reason.needs_external() && !external {
            ListEnd::Missing(format!("{reason}; name a solver with --solver"))
        } else {
            ListEnd::Unproved(reason.to_string())
        };
        SolverModels { list: List { items, end }, trouble: external.then_some(reason) }
    }

    /// Makes one query; the seed differs from round to round.
    fn ask(&mut self, round: u64, models: &[ModelTerms]) -> Answer {
        let seed = self.options.seed.wrapping_add(round.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        match &mut self.backend {
            Backend::Embedded(solver) => {
                solver.set_options(rebut_smt::Options {
                    seed: Some(seed),
                    ..rebut_smt::Options::default()
                });
                solver.check(&mut self.lower.pool)
            }
            Backend::External(_) => self.ask_external(seed, models),
        }
    }

    /// Queries an external solver: with all hints, then with decimals only, then without hints.
    fn ask_external(&mut self, seed: u64, models: &[ModelTerms]) -> Answer {
        let mut decimals = Vec::new();
        let mut locations = Vec::new();
        for (at, terms) in (0_u64..).zip(models) {
            self.lower.resume(terms);
            decimals.extend(self.decimals(at));
            let seed = seed.wrapping_add(at.wrapping_mul(0xd134_2543_de82_ef95));
            locations.extend(self.location_hint(seed));
        }
        let hints = [&decimals[..], &locations].concat();
        let Backend::External(assertions) = &self.backend else { return Answer::Unsat };
        let mut tries = vec![hints, decimals, Vec::new()];
        tries.dedup();
        let mut answer = Answer::Unsat;
        for hints in tries {
            let all = [&assertions[..], &hints].concat();
            // A query with hints may fail, so it gets less time. The share is arbitrary.
            let share = if hints.is_empty() { 1 } else { 4 };
            let time_max = self.options.solver_time_max / share;
            answer = self.external.check(self.options, time_max, &self.lower.pool, &all);
            match &answer {
                Answer::Sat(_) => break,
                Answer::Unknown(reason) if reason.is_external_failure() => break,
                _ => {}
            }
        }
        answer
    }

    /// The hint that each Real is a number of hundredths. Otherwise a solver may return fractions
    /// without a decimal form.
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

    /// The hint where to look: one of the variables is on one side of a random value, or is a
    /// readable string.
    fn location_hint(&mut self, seed: u64) -> Option<Term> {
        let vars: Vec<VarId> = self.problem.vars.iter().copied().collect();
        let id = *vars.get(usize::try_from(seed >> 33).ok()? % vars.len().max(1))?;
        let term = self.lower.vars.get(&id)?.term;
        let pool = &mut self.lower.pool;
        match self.problem.domains.get(&id)? {
            Domain::Ints(set) => {
                let bound =
                    u128::from(seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) % set.size().max(1);
                let bound = pool.int(set.nth(bound)?);
                Some(if (seed >> 11) & 1 == 0 {
                    pool.le(bound, term)
                } else {
                    pool.le(term, bound)
                })
            }
            Domain::Strings(language) => {
                let word = language.spread(seed).ok()?.next()?;
                let word = pool.string(&word);
                Some(pool.eq(term, word))
            }
            _ => None,
        }
    }

    /// Asserts that the next model differs from a known one.
    fn block(&mut self, known: &Model) -> Result<(), Unsupported> {
        let cannot = || Unsupported("this constraint".into());
        let expr = differs_from(&self.problem.constraint, known).ok_or_else(cannot)?;
        let term = self.lower.bool(&expr)?;
        self.backend.assert(term);
        Ok(())
    }

    /// Ends the list after the solver reported that no further model exists.
    fn exhausted(&self, items: Vec<Values>) -> SolverModels {
        if self.lower.dialect == Dialect::External && self.is_contradicted(&items) {
            let reason = Reason::external_failure(format!(
                "`{}` reports that no further model exists, but there is one",
                self.options.solver.as_deref().unwrap_or_default()
            ));
            return self.unanswered(items, reason);
        }
        let reals = self.problem.domains.values().any(|domain| matches!(domain, Domain::Reals(_)));
        let embedded = self.lower.dialect == Dialect::Embedded;
        let cut = embedded && (self.strings.cut || !self.strings.languages.is_empty());
        let end = if embedded && reals {
            ListEnd::Unproved("only numbers with two digits after the point were tried".into())
        } else if cut {
            ListEnd::Unproved(format!("at most {PLACES_MAX} strings of each length were tried"))
        } else if is_keyed(&self.problem.constraint) || items.is_empty() {
            ListEnd::Largest
        } else {
            ListEnd::Unproved(
                "models were chosen greedily; a different choice may allow more".into(),
            )
        };
        SolverModels { list: List { items, end }, trouble: None }
    }

    /// Whether the embedded solver finds a model where the external one reports that none exists.
    /// Unlike a model, an `unsat` cannot be evaluated, so this is the only protection against a
    /// wrong solver.
    fn is_contradicted(&self, items: &[Values]) -> bool {
        let is_string = |domain: &Domain| matches!(domain, Domain::Strings(_));
        let may_ask = self.options.coupled == Coupled::Auto
            && !self.problem.domains.values().any(is_string)
            && super::embedded_can(self.environment, self.problem);
        let (environment, problem) = (self.environment, self.problem);
        let session = may_ask.then(|| {
            SolverSession::new(environment, problem, self.options, self.external, Dialect::Embedded)
                .ok()
        });
        let Some(mut session) = session.flatten() else { return false };
        let blank = simplest_model(self.environment);
        for values in items {
            let mut known = blank.clone();
            for (id, value) in values {
                known.0[id.index()] = value.clone();
            }
            if session.block(&known).is_err() {
                return false;
            }
        }
        let Backend::Embedded(solver) = &mut session.backend else { return false };
        solver.set_options(rebut_smt::Options {
            conflicts_max: DOUBTS_MAX,
            ..rebut_smt::Options::default()
        });
        matches!(solver.check(&mut session.lower.pool), Answer::Sat(_))
    }

    /// Reads the values of the model that was declared or resumed last.
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
                    let rank = model.evaluate(pool, *self.lower.ranks.get(id)?).ok()?.as_int()?;
                    let length = value.as_int()?;
                    let string = self.strings.string(*id, length, rank, self.options.seed)?;
                    self.lower.known_strings.insert((*id, string.clone()), (length, rank));
                    string
                }
                _ => Value::Int(value.as_int()?),
            };
            values.push((*id, value));
        }
        Some(values)
    }
}
