//! Finds models: as many as are wanted, each as specified, each two as different as asked.
//!
//! The planner ([`plan`]) takes an environment apart. What concerns one variable is listed by
//! a class enumerator without any search; lists are combined by products, zips and sums. What
//! couples variables is searched or solved. Whatever was found is judged by [`crate::eval`]
//! before it is handed over.

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
use list::{End, List, Values};
use plan::Node;
use problem::Decided;
pub use solve::Encoding;
use solve::Kept;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

/// How models are looked for.
#[derive(Clone, Debug)]
pub struct Options {
    /// Another seed gives other models.
    pub seed: u64,
    /// The number of models, if not the one that the file asks for.
    pub count: Option<usize>,
    /// The command of an SMT-LIB 2 solver for what couples variables, instead of the
    /// embedded one.
    pub solver: Option<String>,
    /// How long that solver may think about one question.
    pub solver_time_max: Duration,
    /// What is asked first about coupled variables.
    pub coupled: Coupled,
    /// How a solver is asked for several models; if none is given, that is chosen for each
    /// problem.
    pub encoding: Option<Encoding>,
}

/// What is asked first about variables that assertions couple.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Coupled {
    /// Whatever is thought to be quickest.
    #[default]
    Auto,
    /// A solver, wherever one can be asked; and if one was named, nobody else.
    Solver,
    /// The same, with all variables taken as coupled: nothing is listed or searched.
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
    /// What their number means.
    pub verdict: Verdict,
    /// What went wrong on the way and was survived: a solver that ended, for instance.
    pub notes: Vec<String>,
}

/// What the number of models means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// So many as were asked for.
    Complete,
    /// Fewer than were asked for, and it is proved that no set is larger.
    Largest,
    /// Fewer than were asked for, and all that was asked for is there: what that is.
    Covered(String),
    /// There is no model, and why.
    Unsatisfiable(String),
    /// Fewer than were asked for; there may be a larger set. Why that is not known.
    Unproved(String),
    /// Fewer than were asked for, because something is missing: which constraint needs what.
    Missing(String),
}

/// Something is wrong with the engine: the judge refused what it found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// What is wrong.
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
/// If the judge refuses what was found; that is an error of the engine, and nothing is
/// handed over.
///
/// # Example
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

/// Finds models of one environment after the other. If a solver is named, its process is
/// started once.
#[derive(Debug)]
pub struct Finder {
    options: Options,
    kept: Kept,
}

impl Finder {
    /// A finder with these options.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self { options, kept: Kept::default() }
    }

    /// Finds models of an environment.
    ///
    /// # Errors
    /// As [`generate`].
    pub fn find(&mut self, environment: &Environment) -> Result<Outcome, Refused> {
        let count = self.options.count.unwrap_or(environment.count);
        let node = match self.options.coupled {
            Coupled::All => plan::together(environment),
            Coupled::Auto | Coupled::Solver => plan::plan(environment),
        };
        let maker = Maker { environment, options: &self.options, kept: &self.kept, depth: 0 };
        let list = maker.list(&node, count);
        let models = distinct(environment, &list.items);
        let dropped = list.items.len() - models.len();
        eval::check(environment, &models).map_err(|violation| Refused { violation })?;
        let verdict = match list.end {
            _ if models.len() >= count => Verdict::Complete,
            _ if dropped > 0 => Verdict::Unproved("kinds that share values were left out".into()),
            End::Missing(why) => Verdict::Missing(why),
            End::Unproved(why) => Verdict::Unproved(why),
            End::Covered(what) => Verdict::Covered(what),
            _ if models.is_empty() => Verdict::Unsatisfiable(match node {
                Node::Empty(why) => why,
                _ => "the constraints contradict each other".into(),
            }),
            _ => Verdict::Largest,
        };
        Ok(Outcome { models, verdict, notes: self.kept.take_notes() })
    }
}

/// The plan in words.
#[must_use]
pub fn explain(environment: &Environment, options: &Options) -> String {
    explain::explain(environment, &plan::plan(environment), options)
}

/// Models of values, without those that would print the same.
fn distinct(environment: &Environment, items: &[Values]) -> Vec<Model> {
    let blank = scratch(environment);
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

/// Which of the models print the same as one before?
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
    // Numbers that stand for what is printed are sorted, and compared before the values are.
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

/// The same where one value can be of several kinds: 1 is an Integer and a Real.
fn repeated_in_print(environment: &Environment, models: &[Model]) -> Vec<bool> {
    let mut seen = HashSet::new();
    let text = |model: &Model| crate::output::json(environment, model).to_string();
    models.iter().map(|model| !seen.insert(text(model))).collect()
}

/// A model of the simplest values, to fill in.
fn scratch(environment: &Environment) -> Model {
    let simplest = |variable: &crate::ir::Variable| match (&variable.sort, variable.bounds) {
        (Sort::Bool, _) => Value::Bool(false),
        (Sort::Real, _) => Value::Real(Real::ZERO),
        (Sort::Str, _) => Value::from(""),
        (_, Some((min, max))) => Value::Int(0.clamp(min, max.max(min))),
        (_, None) => Value::Int(0),
    };
    Model(environment.variables.iter().map(simplest).collect())
}

/// Makes the lists of a plan.
#[derive(Clone, Copy)]
struct Maker<'a> {
    environment: &'a Environment,
    options: &'a Options,
    kept: &'a Kept,
    /// How many variables were tried value by value on the way here.
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
                    made = list::extended(made, &self.variety(free, count));
                }
                made
            }
            Node::Coupled(problem) => coupled::list(self, problem, count),
        }
    }

    fn lists(&self, nodes: &[Node], count: usize) -> Vec<List> {
        nodes.iter().map(|node| self.list(node, count)).collect()
    }

    /// One of each; what must not differ is the same in all.
    fn zip(&self, factors: &[Node], count: usize) -> List {
        let (same, different): (Vec<&Node>, Vec<&Node>) =
            factors.iter().partition(|node| matches!(node, Node::Same(_)));
        let lists = different.into_iter().map(|node| self.list(node, count)).collect();
        let zipped = list::zip(lists, count);
        same.into_iter().fold(zipped, |made, node| list::extended(made, &self.list(node, 1)))
    }

    /// Values that do not matter: some of them, to be taken in turn.
    fn variety(&self, node: &Node, count: usize) -> List {
        const ENOUGH: usize = 200;
        let enough = match node {
            Node::Coupled(_) => count.min(8),
            _ => count.min(ENOUGH),
        };
        self.list(node, enough.max(1))
    }

    /// One model, or so many of it to choose one from.
    fn one(&self, node: &Node, choice: usize) -> List {
        let mut made = self.list(node, choice);
        if !made.items.is_empty() {
            made.end = End::Largest;
        }
        made
    }

    fn decided(&self, decided: &[(VarId, Decided)], mut made: List) -> List {
        for item in &mut made.items {
            // Those that are equal to others come after what they are equal to.
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

    /// Items of all arms in turn, so that each arm has some before one has many. An arm that
    /// ends leaves its share to the others.
    fn sum(&self, arms: &[(Values, Node)], count: usize) -> List {
        if arms.is_empty() {
            return List::empty();
        }
        let mut share = count.div_ceil(arms.len());
        loop {
            let lists: Vec<List> = arms.iter().map(|(_, node)| self.list(node, share)).collect();
            let found: usize = lists.iter().map(|list| list.items.len()).sum();
            let more = lists.iter().any(|list| list.end == End::Asked);
            if found < count && more && share < count {
                share = (share * 2).min(count);
                continue;
            }
            return self.in_turn(arms, &lists, count);
        }
    }

    fn in_turn(&self, arms: &[(Values, Node)], lists: &[List], count: usize) -> List {
        let mut items: Vec<Values> = Vec::new();
        let mut seen: HashSet<Values> = HashSet::new();
        let longest = lists.iter().map(|list| list.items.len()).max().unwrap_or_default();
        let mut end = lists.iter().map(|list| list.end.clone()).fold(End::Largest, list::worse);
        for row in 0..longest {
            for ((chosen, node), list) in arms.iter().zip(lists) {
                if items.len() == count {
                    return List { items, end: End::Asked };
                }
                let Some(item) = list.items.get(row) else { continue };
                let is_new = |item: &Values, seen: &mut HashSet<_>| seen.insert(self.told_by(item));
                let item = if is_new(item, &mut seen) {
                    Some(item.clone())
                } else {
                    // Arms that overlap: another model of the same kind, if there is one.
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
                        end = list::worse(
                            end,
                            End::Unproved("kinds that share values were left out".into()),
                        )
                    }
                }
            }
        }
        let end = if items.len() == count { End::Asked } else { end };
        List { items, end }
    }

    fn one_of(&self, node: &Node, choice: usize) -> Vec<Values> {
        match node {
            Node::One(inner) => self.one(inner, choice).items,
            Node::Decided(decided, inner) => {
                let items = self.one_of(inner, choice);
                self.decided(decided, List { items, end: End::Largest }).items
            }
            Node::With(inner, free) => {
                let mut made = List { items: self.one_of(inner, choice), end: End::Largest };
                for free in free {
                    made = list::extended(made, &self.variety(free, choice));
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

    /// What tells an item from others, apart from the kind that it is of.
    fn told_by(&self, item: &Values) -> Vec<(VarId, Value)> {
        let shown =
            |id: VarId| self.environment.variable(id).is_some_and(|variable| !variable.hidden);
        let mut values: Values = item.iter().filter(|(id, _)| shown(*id)).cloned().collect();
        values.sort_unstable();
        values
    }
}

/// Is a node a single model that can be exchanged for another?
fn is_single(node: &Node) -> bool {
    match node {
        Node::One(_) => true,
        Node::Decided(_, inner) | Node::With(inner, _) => is_single(inner),
        Node::Sum(arms) => matches!(arms.as_slice(), [(_, only)] if is_single(only)),
        _ => false,
    }
}
