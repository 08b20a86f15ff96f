//! One model after the other from a solver: the embedded one, or any that speaks SMT-LIB 2.

use super::curry::{differ, differs_from};
use super::domain::Domain;
use super::list::{End, List, Values};
use super::lower::{Dialect, Lower, REAL_SCALE, Unsayable};
use super::problem::{Problem, is_keyed};
use super::{Options, scratch};
use crate::ir::{Environment, Expr, Model, Sort, Value, VarId};
use crate::number::Real;
use rebut_smt::smtlib::Process;
use rebut_smt::{Answer, Solver as Embedded, Term};
use rebut_text::Language;
use std::collections::{BTreeMap, HashMap};

/// Texts of so many lengths are told apart by the embedded solver.
const LENGTHS_MAX: usize = 400;

/// So many texts of a length are told apart by the embedded solver.
const PLACES_MAX: i128 = 50;

/// Models of a problem from a solver.
pub(crate) fn list(
    environment: &Environment,
    problem: &Problem,
    options: &Options,
    count: usize,
) -> List {
    let dialect = if options.solver.is_some() { Dialect::External } else { Dialect::Embedded };
    match Loop::new(environment, problem, options, dialect) {
        Ok(asking) => asking.run(count),
        Err(Unsayable(what)) => List {
            items: Vec::new(),
            end: End::Missing(format!("{what} takes an SMT-LIB solver; name one with --solver")),
        },
    }
}

/// Larger sets than this are not asked for at once.
const AT_ONCE_MAX: usize = 12;

/// One model after the other may paint itself into a corner: with numbers at a distance, a
/// badly placed first one leaves room for fewer. So where that ends with a small set that is
/// not proved to be the largest, one model more is asked for, all at once (section 8 of the
/// paper): there is such a set, and it is the better one, or there is none, and that is the
/// proof.
pub(crate) fn improved(
    environment: &Environment,
    problem: &Problem,
    options: &Options,
    found: List,
    count: usize,
) -> List {
    // Whoever names a solver wants to hear of its answers, and of its failures.
    if options.solver.is_some() {
        return found;
    }
    let mut best = found;
    while matches!(best.end, End::Unproved(_)) && best.items.len() < count.min(AT_ONCE_MAX) {
        match at_once(environment, problem, options, best.items.len() + 1) {
            Some(Answered::Found(items)) => best.items = items,
            Some(Answered::Impossible) => best.end = End::Largest,
            None => return best,
        }
    }
    if best.items.len() == count {
        best.end = End::Asked;
    }
    best
}

enum Answered {
    Found(Vec<Values>),
    Impossible,
}

/// So many models at once from the embedded solver. None if it cannot be asked or does not
/// know.
fn at_once(
    environment: &Environment,
    problem: &Problem,
    options: &Options,
    count: usize,
) -> Option<Answered> {
    let texts_or_reals = |domain: &Domain| matches!(domain, Domain::Texts(_) | Domain::Reals(_));
    if problem.domains.values().any(texts_or_reals) {
        return None;
    }
    let pair = differ(&problem.constraint)?;
    let mut asking = Loop::empty(environment, problem, options, Dialect::Embedded);
    let mut models = Vec::new();
    for copy in 0..count {
        for id in &problem.vars {
            asking.lower.declare_copy(*id, &format!("_{copy}"));
        }
        asking.assert_all().ok()?;
        models.push(asking.lower.vars.clone());
    }
    for (at, first) in models.iter().enumerate() {
        for second in &models[at + 1..] {
            asking.lower.vars = first.clone();
            asking.lower.others = second.clone();
            let term = asking.lower.bool(&pair).ok()?;
            asking.engine.assert(term);
        }
    }
    match asking.ask(0) {
        Answer::Unsat => Some(Answered::Impossible),
        Answer::Unknown(_) => None,
        Answer::Sat(model) => {
            let items = models.into_iter().map(|vars| {
                asking.lower.vars = vars;
                asking.values(&model)
            });
            items.collect::<Option<Vec<Values>>>().map(Answered::Found)
        }
    }
}

/// Can the embedded solver be asked about it?
pub(crate) fn embedded_can(environment: &Environment, problem: &Problem) -> bool {
    let mut lower = Lower::new(environment, Dialect::Embedded);
    for id in &problem.vars {
        lower.declare(*id);
    }
    let known = scratch(environment);
    lower.probing = true;
    let difference = differs_from(&problem.constraint, &known);
    let difference = difference.is_some_and(|expr| lower.bool(&expr).is_ok());
    difference && problem.assertions.iter().all(|assertion| lower.bool(assertion).is_ok())
}

struct Loop<'a> {
    environment: &'a Environment,
    problem: &'a Problem,
    options: &'a Options,
    lower: Lower<'a>,
    engine: Engine,
    texts: Texts,
}

enum Engine {
    Embedded(Box<Embedded>),
    External { process: Box<Process>, assertions: Vec<Term> },
}

impl Engine {
    fn assert(&mut self, term: Term) {
        match self {
            Self::Embedded(solver) => solver.assert(term),
            Self::External { assertions, .. } => assertions.push(term),
        }
    }
}

impl<'a> Loop<'a> {
    fn new(
        environment: &'a Environment,
        problem: &'a Problem,
        options: &'a Options,
        dialect: Dialect,
    ) -> Result<Self, Unsayable> {
        let mut asking = Self::empty(environment, problem, options, dialect);
        for id in &problem.vars {
            asking.lower.declare(*id);
        }
        asking.assert_all()?;
        Ok(asking)
    }

    /// A solver that was told nothing.
    fn empty(
        environment: &'a Environment,
        problem: &'a Problem,
        options: &'a Options,
        dialect: Dialect,
    ) -> Self {
        let engine = match (&options.solver, dialect) {
            (Some(command), Dialect::External) => {
                let process = Process::new(command).time_max(options.solver_time_max);
                Engine::External { process: Box::new(process), assertions: Vec::new() }
            }
            _ => Engine::Embedded(Box::default()),
        };
        let lower = Lower::new(environment, dialect);
        Self { environment, problem, options, lower, engine, texts: Texts::default() }
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
            return self.assert_original(id);
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

    fn assert_original(&mut self, id: VarId) -> Result<(), Unsayable> {
        let about: Vec<Expr> = self
            .environment
            .assertions
            .iter()
            .map(|(expr, _)| expr.clone())
            .filter(|expr| expr.vars().len() == 1 && expr.vars().contains(&id))
            .collect();
        for assertion in about {
            let term = self.lower.bool(&assertion)?;
            self.engine.assert(term);
        }
        Ok(())
    }

    fn run(mut self, count: usize) -> List {
        let mut items: Vec<Values> = Vec::new();
        let blank = scratch(self.environment);
        while items.len() < count {
            let answer = self.ask(items.len() as u64);
            let model = match answer {
                Answer::Sat(model) => model,
                Answer::Unsat => return self.exhausted(items),
                Answer::Unknown(reason) => {
                    let end = if reason.needs_external() && self.options.solver.is_none() {
                        End::Missing(format!("{reason}; name a solver with --solver"))
                    } else {
                        End::Unproved(reason.to_string())
                    };
                    return List { items, end };
                }
            };
            let Some(values) = self.values(&model) else {
                return List {
                    items,
                    end: End::Unproved("the solver's values could not be read".into()),
                };
            };
            let mut known = blank.clone();
            for (id, value) in &values {
                known.0[id.index()] = value.clone();
            }
            items.push(values);
            if let Err(Unsayable(what)) = self.block(&known) {
                return List { items, end: End::Missing(format!("{what} takes another engine")) };
            }
        }
        List { items, end: End::Asked }
    }

    fn ask(&mut self, round: u64) -> Answer {
        let seed = self.options.seed.wrapping_add(round.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        match &mut self.engine {
            Engine::Embedded(solver) => {
                solver.set_options(rebut_smt::Options {
                    seed: Some(seed),
                    ..rebut_smt::Options::default()
                });
                solver.check(&mut self.lower.pool)
            }
            Engine::External { .. } => self.ask_external(seed),
        }
    }

    /// An external solver is left to itself only if it finds nothing where it is told to
    /// look: it would give the nearest value each time, and fractions that cannot be written
    /// with a point.
    fn ask_external(&mut self, seed: u64) -> Answer {
        let decimals = self.decimals();
        let mut hints = decimals.clone();
        hints.extend(self.somewhere(seed));
        let Engine::External { process, assertions } = &mut self.engine else {
            return Answer::Unsat;
        };
        let mut tries = vec![hints, decimals, Vec::new()];
        tries.dedup();
        let mut answer = Answer::Unsat;
        for hints in tries {
            let all: Vec<Term> = assertions.iter().copied().chain(hints).collect();
            answer = process.check(&self.lower.pool, &all);
            if matches!(answer, Answer::Sat(_)) {
                break;
            }
        }
        answer
    }

    /// Each Real is a whole number of hundredths.
    fn decimals(&mut self) -> Vec<Term> {
        let is_real = |id: &&VarId| {
            self.environment.variable(**id).is_some_and(|variable| variable.sort == Sort::Real)
        };
        let reals: Vec<VarId> = self.problem.vars.iter().filter(is_real).copied().collect();
        let lower = &mut self.lower;
        let hundredths = |id: VarId| {
            let parts = lower.pool.var(&format!("v{}_parts", id.0), rebut_smt::Sort::Int);
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

    fn exhausted(&self, items: Vec<Values>) -> List {
        let reals = self.problem.domains.values().any(|domain| matches!(domain, Domain::Reals(_)));
        let embedded = self.lower.dialect == Dialect::Embedded;
        let cut = embedded && (self.texts.cut || !self.texts.languages.is_empty());
        let end = if embedded && reals {
            End::Unproved("only numbers with two digits after the point were tried".into())
        } else if cut {
            End::Unproved(format!("at most {PLACES_MAX} texts of each length were tried"))
        } else if is_keyed(&self.problem.constraint) || items.is_empty() {
            End::Largest
        } else {
            End::Unproved(
                "models were taken as they came; another choice may leave room for more".into(),
            )
        };
        List { items, end }
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

/// The texts behind lengths and places.
#[derive(Default)]
struct Texts {
    languages: BTreeMap<VarId, Language>,
    known: HashMap<(VarId, i128), Vec<Value>>,
    /// Were there more lengths than are told apart?
    cut: bool,
}

impl Texts {
    fn text(&mut self, id: VarId, length: i128, place: i128, seed: u64) -> Option<Value> {
        let language = self.languages.get(&id)?;
        let texts = self.known.entry((id, length)).or_insert_with(|| {
            let length = usize::try_from(length).unwrap_or_default();
            let words = language.of_length(length..=length).spread(seed);
            words.map_or_else(
                |_| Vec::new(),
                |words| {
                    words.take(PLACES_MAX as usize).map(|word| Value::from(word.as_str())).collect()
                },
            )
        });
        texts.get(usize::try_from(place).ok()?).cloned()
    }
}
