//! Finds models: each satisfies the assertions, and any two satisfy the constraint.
//!
//! The planner ([`plan`]) divides an environment into independent parts. A part with one
//! variable is listed by a class enumerator ([`classes`]) without any search. Lists are combined
//! by products, zips and sums ([`list`]). Only variables that an assertion couples are searched
//! or solved ([`coupled`]). For example, in
//!
//! ```text
//! (declare hour ?(Integer 0 23)) (declare name ?String)
//! (declare a ?Integer) (declare b ?Integer)
//! (assert (< a b))
//! (generate g 10 (output hour name a b)
//!   (constrain-solutions hour (all-of (numeric-distance 5) (relation name not-equal))))
//! ```
//!
//! `hour` and `name` are two lists, zipped because both must differ. The pair of `a` and `b` is
//! coupled, and the constraint ignores it, so a few of its models are used in turn.
//!
//! Asking a solver for everything, as the paper does, is the road not taken: listing is at least
//! a hundred times as fast on the paper's queries (`bench/results/solve.md`), and it
//! proves that there are no more models.
//!
//! Invariant: the evaluator ([`crate::eval`]) checks every model and every pair before it is
//! returned.

mod classes;
mod combine;
mod coupled;
mod curry;
mod domain;
mod explain;
mod intervals;
mod list;
mod lower;
mod order;
mod plan;
mod problem;
mod reals;
mod solve;

use crate::eval::{self, Violation};
use crate::ir::{Environment, Expr, Model, Sort, Value, VarId};
use crate::number::Real;
use list::{List, ListEnd, Values};
use plan::Node;
use problem::Decided;
pub use solve::Encoding;
use solve::ExternalSolver;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

/// How to find models.
#[derive(Clone, Debug)]
pub struct Options {
    /// The seed. Another seed finds other models, if there are more than requested.
    pub seed: u64,
    /// The number of models, overriding that of the file.
    pub count: Option<usize>,
    /// The command of an SMT-LIB 2 solver for coupled variables. It replaces the embedded
    /// solver.
    pub solver: Option<String>,
    /// The time limit of the external solver for one query.
    pub solver_time_max: Duration,
    /// Which engine finds the values of coupled variables.
    pub coupled: Coupled,
    /// How a solver is queried for several models. By default, Rebut chooses for each
    /// problem.
    pub encoding: Option<Encoding>,
}

/// Which engine finds the values of variables that an assertion couples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Coupled {
    /// The one that Rebut expects to be fastest.
    #[default]
    Auto,
    /// A solver, wherever it can express the problem. An external solver has no fallback.
    Solver,
    /// Like `Solver`, but for all variables, coupled or not. Nothing is listed or searched.
    All,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            seed: 1,
            count: None,
            solver: None,
            solver_time_max: Duration::from_secs(30),
            coupled: Coupled::Auto,
            encoding: None,
        }
    }
}

/// Models, and what their number means.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The models.
    pub models: Vec<Model>,
    /// How their number compares with the request.
    pub verdict: Verdict,
    /// Problems that did not stop the search, such as a solver process that ended.
    pub notes: Vec<String>,
}

/// How the number of models compares with the request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// As many as were requested.
    Complete,
    /// Fewer than were requested, and it is proved that no larger set exists.
    Largest,
    /// Fewer than were requested, but they cover everything that the string names.
    Covered(String),
    /// There is no model, for the reason in the string.
    Unsatisfiable(String),
    /// Fewer than were requested, and a larger set may exist. The string is the reason why
    /// this is unknown.
    Unproved(String),
    /// Fewer than were requested, because an engine is missing. The string names the constraint
    /// and the engine.
    Missing(String),
}

/// A bug in the engine: the evaluator rejected a model that it found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The assertion or constraint that does not hold.
    pub violation: Violation,
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.violation {
            Violation::Model { index, reason } => {
                write!(f, "model {} is not valid: {reason}", index + 1)
            }
            Violation::Pair { left, right } => {
                write!(f, "models {} and {} do not differ as required", left + 1, right + 1)
            }
        }
    }
}

impl std::error::Error for Refused {}

/// Finds models of an environment.
///
/// # Errors
/// If the evaluator rejects what was found. That is a bug in the engine.
///
/// # Examples
/// ```
/// use rebut_spec::{Program, generate, Options, Verdict};
/// let program = Program::parse("hours.rebut", "
///     (declare hours ?Integer)
///     (specify hours (between 0 23))
///     (generate test 10 (constrain-solutions hours (numeric-distance 5)))
/// ");
/// let outcome = generate(&program.environments[0], &Options::default())?;
/// assert_eq!(outcome.models.len(), 5); // 0, 5, 10, 15, 20: there are no more
/// assert_eq!(outcome.verdict, Verdict::Largest);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn generate(environment: &Environment, options: &Options) -> Result<Outcome, Refused> {
    Finder::new(options.clone()).find(environment)
}

/// Finds models of one environment after the other. The process of an external solver is
/// started once.
#[derive(Debug)]
pub struct Finder {
    options: Options,
    external: ExternalSolver,
}

impl Finder {
    /// Creates a finder.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self { options, external: ExternalSolver::default() }
    }

    /// Finds models of an environment.
    ///
    /// # Errors
    /// See [`generate`].
    pub fn find(&mut self, environment: &Environment) -> Result<Outcome, Refused> {
        let count = self.options.count.unwrap_or(environment.count);
        let node = match self.options.coupled {
            Coupled::All => plan::plan_as_one(environment),
            Coupled::Auto | Coupled::Solver => plan::plan(environment),
        };
        let maker =
            Maker { environment, options: &self.options, external: &self.external, depth: 0 };
        let list = maker.list(&node, count);
        let models = distinct(environment, &list.items);
        let dropped = list.items.len() - models.len();
        eval::check(environment, &models).map_err(|violation| Refused { violation })?;
        let verdict = match list.end {
            _ if models.len() >= count => Verdict::Complete,
            _ if dropped > 0 => Verdict::Unproved("kinds that share values were left out".into()),
            ListEnd::Missing(why) => Verdict::Missing(why),
            ListEnd::Unproved(why) => Verdict::Unproved(why),
            ListEnd::Covered(what) => Verdict::Covered(what),
            _ if models.is_empty() => Verdict::Unsatisfiable(match node {
                Node::Empty(why) => why,
                _ => "the constraints contradict each other".into(),
            }),
            _ => Verdict::Largest,
        };
        Ok(Outcome { models, verdict, notes: self.external.take_notes() })
    }
}

/// Describes how the models of an environment would be found, one step a line.
#[must_use]
pub fn explain(environment: &Environment, options: &Options) -> String {
    explain::explain(environment, &plan::plan(environment), options)
}

/// Completes partial models, and drops those that would print the same as an earlier one.
fn distinct(environment: &Environment, items: &[Values]) -> Vec<Model> {
    let blank = simplest_model(environment);
    let mut models: Vec<Model> = Vec::with_capacity(items.len());
    for values in items {
        let mut model = blank.clone();
        for (id, value) in values {
            model.0[id.index()] = value.clone();
        }
        models.push(model);
    }
    let mut is_repeated = repeated(environment, &models).into_iter();
    models.retain(|_| is_repeated.next() != Some(true));
    models
}

/// For each model, whether it prints the same as an earlier one.
fn repeated(environment: &Environment, models: &[Model]) -> Vec<bool> {
    if environment.outputs.iter().any(|(_, shape)| shape.has_either()) {
        return repeated_in_print(environment, models);
    }
    let mut leaves: Vec<(Expr, Expr)> = Vec::new();
    for (_, shape) in &environment.outputs {
        shape.for_each_leaf(&Expr::bool(true), &mut |leaf, guard| {
            leaves.push((leaf.clone(), guard.clone()));
        });
    }
    let printed = |model: &Model, visit: &mut dyn FnMut(Option<Value>)| {
        for (leaf, guard) in &leaves {
            let there = guard.is_true() || eval::truth(guard, model, None) == Some(true);
            visit(if there { eval::value(leaf, model, None) } else { None });
        }
    };
    let all = |at: usize| {
        let mut values = Vec::new();
        printed(&models[at], &mut |value| values.push(value));
        values
    };
    // Hashes are sorted first; values are compared only where hashes are equal.
    let mut sorted: Vec<(u64, usize)> = Vec::with_capacity(models.len());
    for (at, model) in models.iter().enumerate() {
        let mut hasher = DefaultHasher::new();
        printed(model, &mut |value| value.hash(&mut hasher));
        sorted.push((hasher.finish(), at));
    }
    sorted.sort_unstable();
    let mut is_repeated = vec![false; models.len()];
    for run in sorted.chunk_by(|left, right| left.0 == right.0).filter(|run| run.len() > 1) {
        let mut seen = HashSet::new();
        for (_, at) in run {
            is_repeated[*at] = !seen.insert(all(*at));
        }
    }
    is_repeated
}

/// The same for shapes with alternatives, where different values can print the same: 1 is an
/// Integer and a Real.
fn repeated_in_print(environment: &Environment, models: &[Model]) -> Vec<bool> {
    let mut seen = HashSet::new();
    let text = |model: &Model| crate::output::json(environment, model).to_string();
    models.iter().map(|model| !seen.insert(text(model))).collect()
}

/// A model of the simplest values within the bounds, to be filled in.
fn simplest_model(environment: &Environment) -> Model {
    let simplest = |variable: &crate::ir::Variable| match (&variable.sort, variable.bounds) {
        (Sort::Bool, _) => Value::Bool(false),
        (Sort::Real, _) => Value::Real(Real::ZERO),
        (Sort::Str, _) => Value::from(""),
        (_, Some((min, max))) => Value::Int(0.clamp(min, max.max(min))),
        (_, None) => Value::Int(0),
    };
    Model(environment.variables.iter().map(simplest).collect())
}

/// Turns the nodes of a plan into lists.
#[derive(Clone, Copy)]
struct Maker<'a> {
    environment: &'a Environment,
    options: &'a Options,
    external: &'a ExternalSolver,
    /// The number of variables that were tried or sampled on the way to this node.
    depth: usize,
}

impl Maker<'_> {
    fn list(&self, node: &Node, count: usize) -> List {
        match node {
            Node::Empty(_) => List::empty(),
            Node::Unit => List::unit(),
            Node::Decided(decided, inner) => self.decided(decided, self.list(inner, count)),
            Node::Classes(classes) => classes.list(self.environment, self.options, count),
            Node::One(inner) | Node::Same(inner) => self.one(inner, 1),
            Node::Sum(arms) => self.sum(arms, count),
            Node::Product(factors) => list::product(self.lists(factors, count), count),
            Node::Zip(factors) => self.zip(factors, count),
            Node::Combine(strength, parts) => {
                combine::combine(self.lists(parts, count), *strength, count, self.options.seed)
            }
            Node::With(inner, free) => {
                let mut made = self.list(inner, count);
                for free in free {
                    made = list::extend_in_turn(made, &self.variety(free, count));
                }
                made
            }
            Node::Coupled(problem) => coupled::list(self, problem, count),
        }
    }

    fn lists(&self, nodes: &[Node], count: usize) -> Vec<List> {
        nodes.iter().map(|node| self.list(node, count)).collect()
    }

    /// Zips the factors, and adds the same value to all items for those that must not differ.
    fn zip(&self, factors: &[Node], count: usize) -> List {
        let (same, different): (Vec<&Node>, Vec<&Node>) =
            factors.iter().partition(|node| matches!(node, Node::Same(_)));
        let lists = different.into_iter().map(|node| self.list(node, count)).collect();
        let zipped = list::zip(lists, count);
        same.into_iter().fold(zipped, |made, node| list::extend_in_turn(made, &self.list(node, 1)))
    }

    /// Lists a few values of a node that the constraint ignores, to be used in turn.
    fn variety(&self, node: &Node, count: usize) -> List {
        // Arbitrary. Later items repeat these values.
        const LISTED_MAX: usize = 200;
        // Arbitrary; smaller because each of these may cost a query.
        const COUPLED_MAX: usize = 8;
        let enough = match node {
            Node::Coupled(_) => count.min(COUPLED_MAX),
            _ => count.min(LISTED_MAX),
        };
        self.list(node, enough.max(1))
    }

    /// Lists `choice` models of a node of which only one is used, so that this one can be
    /// exchanged.
    fn one(&self, node: &Node, choice: usize) -> List {
        let mut made = self.list(node, choice);
        if !made.items.is_empty() {
            made.end = ListEnd::Largest;
        }
        made
    }

    /// Adds the decided variables to each item. A variable that equals another one is added after
    /// it.
    fn decided(&self, decided: &[(VarId, Decided)], mut made: List) -> List {
        for item in &mut made.items {
            let known = decided.iter().filter_map(|(id, decided)| match decided {
                Decided::Value(value) => Some((*id, value.clone())),
                Decided::SameAs(_) => None,
            });
            item.extend(known);
            let mut left: Vec<_> = decided
                .iter()
                .filter(|(_, decided)| matches!(decided, Decided::SameAs(_)))
                .collect();
            while !left.is_empty() {
                let before = left.len();
                left.retain(|(id, decided)| {
                    let Decided::SameAs(other) = decided else { return false };
                    match item
                        .iter()
                        .find(|(known, _)| known == other)
                        .map(|(_, value)| value.clone())
                    {
                        Some(value) => {
                            item.push((*id, value));
                            false
                        }
                        None => true,
                    }
                });
                if left.len() == before {
                    break;
                }
            }
        }
        made
    }

    /// Lists items of all arms in turn, so that each arm has some before one has many. The share
    /// of an arm that ends early goes to the others.
    fn sum(&self, arms: &[(Values, Node)], count: usize) -> List {
        if arms.is_empty() {
            return List::empty();
        }
        let mut share = count.div_ceil(arms.len());
        loop {
            let lists: Vec<List> = arms.iter().map(|(_, node)| self.list(node, share)).collect();
            let found: usize = lists.iter().map(|list| list.items.len()).sum();
            let more = lists.iter().any(|list| list.end == ListEnd::CountReached);
            if found < count && more && share < count {
                share = (share * 2).min(count);
                continue;
            }
            return self.in_turn(arms, &lists, count);
        }
    }

    /// Merges the lists of arms, dropping items that an earlier arm already has.
    fn in_turn(&self, arms: &[(Values, Node)], lists: &[List], count: usize) -> List {
        let mut items: Vec<Values> = Vec::new();
        let mut seen: HashSet<Values> = HashSet::new();
        let longest = lists.iter().map(|list| list.items.len()).max().unwrap_or_default();
        let mut end =
            lists.iter().map(|list| list.end.clone()).fold(ListEnd::Largest, list::weaker);
        for row in 0..longest {
            for ((chosen, node), list) in arms.iter().zip(lists) {
                if items.len() == count {
                    return List { items, end: ListEnd::CountReached };
                }
                let Some(item) = list.items.get(row) else { continue };
                let is_new =
                    |item: &Values, seen: &mut HashSet<_>| seen.insert(self.visible_values(item));
                let item = if is_new(item, &mut seen) {
                    Some(item.clone())
                } else {
                    // The arms overlap; use another model of this arm, if there is one.
                    let others = if is_single(node) {
                        self.one_of(node, seen.len() + 1)
                    } else {
                        Vec::new()
                    };
                    others.into_iter().find(|other| is_new(other, &mut seen))
                };
                match item {
                    Some(mut item) => {
                        item.extend(chosen.iter().cloned());
                        items.push(item);
                    }
                    None => {
                        end = list::weaker(
                            end,
                            ListEnd::Unproved("kinds that share values were left out".into()),
                        )
                    }
                }
            }
        }
        let end = if items.len() == count { ListEnd::CountReached } else { end };
        List { items, end }
    }

    /// Lists `choice` models of a node for which [`is_single`] is true.
    fn one_of(&self, node: &Node, choice: usize) -> Vec<Values> {
        match node {
            Node::One(inner) => self.one(inner, choice).items,
            Node::Decided(decided, inner) => {
                let items = self.one_of(inner, choice);
                self.decided(decided, List { items, end: ListEnd::Largest }).items
            }
            Node::With(inner, free) => {
                let mut made = List { items: self.one_of(inner, choice), end: ListEnd::Largest };
                for free in free {
                    made = list::extend_in_turn(made, &self.variety(free, choice));
                }
                made.items
            }
            Node::Sum(arms) => match arms.as_slice() {
                [(chosen, only)] => {
                    let mut items = self.one_of(only, choice);
                    items.iter_mut().for_each(|item| item.extend(chosen.iter().cloned()));
                    items
                }
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    /// The values that the file names, without the selectors of arms.
    fn visible_values(&self, item: &Values) -> Vec<(VarId, Value)> {
        let shown =
            |id: VarId| self.environment.variable(id).is_some_and(|variable| !variable.hidden);
        let mut values: Values = item.iter().filter(|(id, _)| shown(*id)).cloned().collect();
        values.sort_unstable();
        values
    }
}

/// Whether a node stands for a single model that can be exchanged for another one.
fn is_single(node: &Node) -> bool {
    match node {
        Node::One(_) => true,
        Node::Decided(_, inner) | Node::With(inner, _) => is_single(inner),
        Node::Sum(arms) => matches!(arms.as_slice(), [(_, only)] if is_single(only)),
        _ => false,
    }
}
