//! Questions about regions, which the solver answers.

use crate::decide::atoms::{self, Atom, ParameterTerms, PathCondition};
use crate::decide::bindings::Binding;
use crate::decide::path_end::PathEnd;
use crate::explore::paths::{CACHED_QUERIES_MAX, ExploredPaths};
use crate::explore::sequences::{self, Sequence};
use crate::plan::Plan;
use crate::read::value::ParameterType;
use rebut_concolic::Budget;
use rebut_smt::{Answer, Model, Pool, Solver, Term};
use std::collections::{HashMap, HashSet};

/// The solver answers at most this many queries for one attempt to write a test. Later queries are
/// undecided, and conditions that need them are not found. Arbitrary.
pub(crate) const QUERIES_MAX: usize = 500;
/// At most this many regions are compared on each side, those of inputs near the original values
/// first. With more paths, nothing is proved. Arbitrary.
pub(super) const REGIONS_MAX: usize = 40;
/// Keep at most this many sample inputs per region. Without a fitting sample, the solver is
/// queried. Arbitrary.
const MODELS_MAX: usize = 12;

/// A solver that answers at most [`QUERIES_MAX`] queries.
#[derive(Debug)]
pub(super) struct BoundedSolver<'p> {
    budget: &'p Budget,
    solver: Solver,
    /// The queries since the last reset.
    queries: usize,
}

impl BoundedSolver<'_> {
    /// Returns the answer; `None` after too many queries.
    pub(super) fn query(&mut self, pool: &mut Pool, terms: &[Term]) -> Option<Answer> {
        self.queries += 1;
        if self.queries.is_multiple_of(CACHED_QUERIES_MAX) {
            self.solver = self.budget.solver();
        }
        (self.queries <= QUERIES_MAX).then(|| self.solver.check_assuming(pool, terms))
    }
}

/// The inputs for which all of these terms are true.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Region {
    terms: Vec<Term>,
}

/// Known facts about a region.
#[derive(Debug, Default)]
struct RegionFacts {
    /// Some of its inputs. They answer most queries.
    models: Vec<Model>,
    /// Terms that are false for all of its inputs.
    refuted: HashSet<Term>,
}

/// Answers questions about the paths of a test.
///
/// `bindings`, `separate` and `readable_input` add the steps of the decision as methods.
#[derive(Debug)]
pub(crate) struct PathQuestions<'p> {
    pub(super) plan: &'p Plan,
    pub(crate) paths: &'p mut ExploredPaths,
    pub(super) ends: &'p [PathEnd],
    pub(super) solver: BoundedSolver<'p>,
    /// The variable of each parameter that is one choice.
    pub(super) variables: Vec<Option<Term>>,
    /// The variables of each parameter that is a string or list.
    pub(super) sequences: Vec<Option<Sequence>>,
    conditions: Vec<PathCondition>,
    /// The parameters that are bound to a value or expression.
    pub(crate) bindings: Vec<Option<Binding>>,
    /// For each binding, the condition that the parameter is equal to it.
    pub(crate) binding_terms: Vec<Option<Term>>,
    facts: HashMap<Region, RegionFacts>,
}

impl<'p> PathQuestions<'p> {
    pub(crate) fn new(
        plan: &'p Plan,
        paths: &'p mut ExploredPaths,
        ends: &'p [PathEnd],
        budget: &'p Budget,
    ) -> Self {
        let sequences = sequences::sequence_terms(plan, paths);
        let variables = atoms::variables(plan, paths);
        let conditions = atoms::path_conditions(paths);
        let count = plan.parameters.len();
        PathQuestions {
            plan,
            paths,
            ends,
            solver: BoundedSolver { budget, solver: budget.solver(), queries: 0 },
            variables,
            sequences,
            conditions,
            bindings: vec![None; count],
            binding_terms: vec![None; count],
            facts: HashMap::new(),
        }
    }

    /// Resets the budget of queries, for the next attempt to write a test.
    pub(crate) fn reset_queries(&mut self) {
        self.solver.queries = 0;
    }

    pub(super) fn ty(&self, nth: usize) -> Option<&ParameterType> {
        self.plan.parameters[nth].ty.as_ref()
    }

    /// Returns the atoms over these parameters.
    pub(super) fn atoms(&mut self, free: &[usize]) -> Vec<Atom> {
        let PathQuestions { plan, paths, variables, sequences, conditions, .. } = self;
        atoms::atoms(plan, paths, ParameterTerms { variables, sequences, conditions }, free)
    }

    /// Returns the paths with such an end. Paths whose inputs are most like the original values
    /// come first, because later ones may be cut off.
    pub(super) fn paths_that(&self, is_wanted: impl Fn(PathEnd) -> bool) -> Vec<usize> {
        let all = 0..self.paths.all.len();
        let mut found: Vec<usize> = all.filter(|nth| is_wanted(self.ends[*nth])).collect();
        let own = &self.paths.own_numbers;
        found.sort_by_cached_key(|nth| {
            let numbers = &self.paths.all[*nth].numbers;
            let differ = own.iter().zip(numbers).filter(|(own, number)| own != number).count();
            differ + own.len().abs_diff(numbers.len())
        });
        found
    }

    /// Returns the region of a path.
    pub(super) fn region(&mut self, path: usize) -> Region {
        let path = &self.paths.all[path];
        let region = Region { terms: path.conditions.clone() };
        let facts = self.facts.entry(region.clone()).or_default();
        if facts.models.is_empty() {
            facts.models.push(path.model.clone());
        }
        region
    }

    /// Returns the part of a region where a term is true.
    pub(super) fn narrowed(&mut self, region: &Region, term: Term) -> Region {
        let mut part = region.clone();
        part.terms.push(term);
        if let (Some(facts), false) = (self.facts.get(region), self.facts.contains_key(&part)) {
            let pool = &self.paths.pool;
            let inside = facts.models.iter().filter(|model| model.satisfies(pool, &[term]));
            let (models, refuted) = (inside.cloned().collect(), facts.refuted.clone());
            self.facts.insert(part.clone(), RegionFacts { models, refuted });
        }
        part
    }

    /// Whether a term is true for all inputs of a region.
    pub(super) fn is_implied(&mut self, region: &Region, term: Term) -> bool {
        let opposite = self.paths.pool.not(term);
        self.is_refuted(region, opposite)
    }

    /// Whether a term is false for all inputs of a region.
    pub(super) fn is_refuted(&mut self, region: &Region, term: Term) -> bool {
        if let Some(facts) = self.facts.get(region) {
            if facts.refuted.contains(&term) {
                return true;
            }
            let pool = &self.paths.pool;
            if facts.models.iter().any(|model| model.satisfies(pool, &[term])) {
                return false;
            }
        }
        self.solve_refuted(region, term)
    }

    /// Queries the solver whether a term is false for all inputs of a region, and remembers the
    /// answer.
    fn solve_refuted(&mut self, region: &Region, term: Term) -> bool {
        let mut query = region.terms.clone();
        query.push(term);
        let answer = self.solver.query(&mut self.paths.pool, &query);
        let facts = self.facts.entry(region.clone()).or_default();
        match answer {
            Some(Answer::Sat(model)) if facts.models.len() < MODELS_MAX => {
                facts.models.push(model);
                false
            }
            Some(Answer::Unsat) => {
                facts.refuted.insert(term);
                true
            }
            _ => false,
        }
    }

    /// Returns an input for which all of these terms are true, if one is found.
    pub(super) fn model(&mut self, terms: &[Term]) -> Option<Model> {
        match self.solver.query(&mut self.paths.pool, terms) {
            Some(Answer::Sat(model)) => Some(model),
            _ => None,
        }
    }

    /// Returns the condition that a parameter has its original value.
    pub(super) fn has_own_value(&mut self, nth: usize) -> Option<Term> {
        let parameter = &self.plan.parameters[nth];
        let numbers = parameter.site.value.choices(parameter.ty.as_ref()?)?;
        let pool = &mut self.paths.pool;
        if let Some(sequence) = &self.sequences[nth] {
            return Some(sequence.equals_choices(pool, &numbers));
        }
        let variable = self.variables[nth]?;
        let width = pool.width(variable);
        let own = pool.bits_of_i128(width, *numbers.first()?);
        Some(pool.eq(variable, own))
    }
}
