//! Explores a test with parameters, and returns its paths.

use crate::plan::{Parameter, Plan};
use crate::read::value::{LiteralValue, integer_range};
use crate::reasons::WhyKept;
use rebut_build::Module;
use rebut_choice::{Choice, ChoiceKind, Domain, Role, Tape, Token};
use rebut_concolic::{
    Budget, Description, DrawId, Exploration, LineTable, Machine, Outcome, PathSolver, Quality,
    Scout, Site, SourceLocation, UnderTest, Verdict,
};
use rebut_explore::pool;
use rebut_smt::{Answer, Bits, Model, Pool, Solver, Statistics, Term, Value};
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::sync::Arc;

/// The paths of a test.
#[derive(Debug)]
pub(crate) struct ExploredPaths {
    pub(crate) all: Vec<ExploredPath>,
    /// The path of the original values.
    pub(crate) own: usize,
    /// The choices of the original values.
    pub(crate) own_numbers: Vec<i128>,
    /// Whether these are all paths.
    pub(crate) is_complete: bool,
    /// Whether mocks answer with strings or lists, which are explored up to a length.
    pub(crate) has_bounded_answers: bool,
    /// The terms of the conditions.
    pub(crate) pool: Pool,
    /// The number of runs.
    pub(crate) runs: usize,
    pub(crate) branch_sides: BranchSides,
}

/// The number of covered branch sides of the code under test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BranchSides {
    /// With the original values.
    pub(crate) before: usize,
    /// With one input for each path.
    pub(crate) after: usize,
}

impl ExploredPaths {
    /// Groups the paths by kind. Paths of one kind take the same branch sides of the code
    /// under test, and end at the same location.
    pub(crate) fn kinds(&self) -> Vec<Vec<usize>> {
        let mut kinds: Vec<Vec<usize>> = Vec::new();
        let location = |path: &ExploredPath| match &path.outcome {
            Outcome::Failed(failure) => Some((failure.file.clone(), failure.line, failure.column)),
            _ => None,
        };
        let is_alike = |a: &ExploredPath, b: &ExploredPath| {
            a.covered == b.covered
                && std::mem::discriminant(&a.outcome) == std::mem::discriminant(&b.outcome)
                && location(a) == location(b)
        };
        for (nth, path) in self.all.iter().enumerate() {
            let known = kinds.iter_mut().find(|kind| is_alike(&self.all[kind[0]], path));
            match known {
                Some(kind) => kind.push(nth),
                None => kinds.push(vec![nth]),
            }
        }
        kinds
    }
}

/// A path, with one input that takes it.
#[derive(Debug)]
pub(crate) struct ExploredPath {
    pub(crate) outcome: Outcome,
    /// The conditions on the draws under which it is taken.
    pub(crate) conditions: Vec<Term>,
    /// The variable of each draw that a condition is about.
    pub(crate) draws: Vec<Option<Term>>,
    /// The input as code, in the order of the parameters.
    pub(crate) values: Vec<String>,
    /// The input as choices.
    pub(crate) numbers: Vec<i128>,
    /// The answers of mocks, as a tape, if there are mocks.
    pub(crate) answers: Option<String>,
    /// The input as a model of the conditions.
    pub(crate) model: Model,
    /// The branch sides of the code under test that it takes.
    pub(crate) covered: BTreeSet<(Site, bool)>,
}

impl ExploredPath {
    /// Returns the variable of a draw. `None` if no condition is about it.
    pub(crate) fn draw(&self, draw: DrawId) -> Option<Term> {
        self.draws.get(draw.position()).copied().flatten()
    }

    /// Creates a passing path by hand. Its input has these numbers.
    #[cfg(test)]
    pub(crate) fn from_conditions(
        pool: &Pool,
        conditions: Vec<Term>,
        draws: &[Term],
        numbers: &[i128],
    ) -> ExploredPath {
        let known = pool.variables(&conditions);
        let draws: Vec<Option<Term>> =
            draws.iter().map(|draw| Some(*draw).filter(|draw| known.contains(draw))).collect();
        ExploredPath {
            outcome: Outcome::Passed,
            model: Model::new(draw_values(pool, &draws, numbers)),
            conditions,
            draws,
            values: Vec::new(),
            numbers: numbers.to_vec(),
            answers: None,
            covered: BTreeSet::new(),
        }
    }

    /// Returns the values of the draws if they have these numbers.
    fn draw_values(&self, pool: &Pool, numbers: &[i128]) -> Vec<(Term, Value)> {
        draw_values(pool, &self.draws, numbers)
    }
}

/// Explores the open plans of a module on all processors. Returns `None` for the other plans.
pub(crate) fn explore_all(
    module: &Module,
    file: &std::path::Path,
    plans: &[Plan],
    budget: &Budget,
) -> Vec<Option<Result<ExploredPaths, WhyKept>>> {
    let wasm: Arc<[u8]> = match fs::read(&module.path) {
        Ok(bytes) => bytes.into(),
        Err(error) => {
            let why = WhyKept::UnreadableModule(module.path.clone(), error.to_string());
            return plans.iter().map(|plan| plan.is_open().then(|| Err(why.clone()))).collect();
        }
    };
    let machines = machines(module, Arc::clone(&wasm), plans);
    let explorer = Explorer { module, file, wasm: &wasm, budget };
    // A line table takes long to read, and threads cannot share it.
    let line_table = || explorer.line_table();
    pool::map_with(plans.iter().zip(machines), line_table, |line_table, (plan, machine)| {
        let machine = machine?;
        Some(machine.and_then(|machine| explorer.explore(plan, machine, line_table)))
    })
}

/// The machine that runs the test of a plan, or why there is none; `None` for a closed plan.
type PreparedMachine = Option<Result<Machine, WhyKept>>;

/// Prepares the machines of the open plans. The tests of a file call mostly the same functions, so
/// one instrumented module serves all of them.
fn machines(module: &Module, wasm: Arc<[u8]>, plans: &[Plan]) -> Vec<PreparedMachine> {
    let failed = |why: WhyKept| {
        let one = |plan: &Plan| plan.is_open().then(|| Err(why.clone()));
        plans.iter().map(one).collect()
    };
    let scout = match Scout::new(wasm, rebut_build::unsupported_call) {
        Ok(scout) => Arc::new(scout),
        Err(error) => return failed(WhyKept::UnsupportedModule(error.to_string())),
    };
    let entries = entries(module, &scout, plans);
    let built: Vec<&str> = entries.iter().flatten().map(String::as_str).collect();
    let mut machines = match Machine::for_tests(&scout, &built, Quality::Draft) {
        Ok(machines) => machines.into_iter(),
        Err(error) => return failed(WhyKept::UnsupportedModule(error.to_string())),
    };
    let prepared = |(plan, entry): (&Plan, &Option<String>)| {
        let machine = entry.as_ref().and_then(|_| machines.next());
        let prepared = machine.ok_or(WhyKept::NoModule(None));
        plan.is_open().then_some(prepared)
    };
    plans.iter().zip(&entries).map(prepared).collect()
}

/// Returns the entry points of the open plans: those with the same path and line.
fn entries(module: &Module, scout: &Scout, plans: &[Plan]) -> Vec<Option<String>> {
    let describe = |entry: &String| Some((entry.clone(), scout.describe(entry).ok()?));
    let all: Vec<(String, Description)> = module.entries.iter().filter_map(describe).collect();
    let entry = |plan: &Plan| {
        let ends = plan.unit_test.full_path();
        let mut all = all.iter().filter(|_| plan.is_open());
        let found = all.find(|(_, description)| {
            description.path.ends_with(&ends) && description.line as usize == plan.unit_test.line
        });
        found.map(|(entry, _)| entry.clone())
    };
    plans.iter().map(entry).collect()
}

/// A solver with a bounded cache. Queries about long paths are rarely alike, so searching a large
/// cache costs more than it saves.
struct ForgetfulSolver<'m> {
    budget: &'m Budget,
    solver: Solver,
    queries: usize,
    /// The conflicts of the solvers that were replaced.
    conflicts: u64,
}

/// Start a fresh solver after this many queries; searching its cache then costs more than it saves.
/// The value is arbitrary.
pub(crate) const CACHED_QUERIES_MAX: usize = 250;

impl PathSolver for ForgetfulSolver<'_> {
    fn solve(&mut self, pool: &mut Pool, question: &[Term]) -> Answer {
        self.queries += 1;
        if self.queries.is_multiple_of(CACHED_QUERIES_MAX) {
            self.conflicts += self.solver.statistics().conflicts;
            self.solver = self.budget.solver();
        }
        self.solver.check_assuming(pool, question)
    }

    fn statistics(&self) -> Statistics {
        let mut statistics = self.solver.statistics();
        statistics.conflicts += self.conflicts;
        statistics
    }
}

struct Explorer<'m> {
    module: &'m Module,
    file: &'m std::path::Path,
    wasm: &'m [u8],
    budget: &'m Budget,
}

impl<'m> Explorer<'m> {
    fn explore(
        &self,
        plan: &Plan,
        mut machine: Machine,
        line_table: &Option<LineTable<'m>>,
    ) -> Result<ExploredPaths, WhyKept> {
        let numbers = own_numbers(plan).ok_or(WhyKept::NoTypes)?;
        let seeds = [tape(&numbers)];
        let (budget, solver) = (self.budget, self.budget.solver());
        let mut solver = ForgetfulSolver { budget, solver, queries: 0, conflicts: 0 };
        // The original values must not be cut.
        let length = self.budget.length.max(length_of_longest(plan));
        let budget = Budget { length, ..self.budget.clone() };
        let explored = rebut_concolic::explore_with(&mut machine, &budget, &seeds, &mut solver);
        let mut known: HashMap<Site, bool> = HashMap::new();
        let is_under_test = |site: Site| {
            let location = || line_table.as_ref().and_then(|table| table.nearest(site));
            *known.entry(site).or_insert_with(|| {
                location().is_none_or(|location| {
                    location.is_under_test && !self.is_in_head(plan, &location)
                })
            })
        };
        let solver = self.budget.solver();
        paths(explored, plan, &numbers, solver, is_under_test)
    }

    fn line_table(&self) -> Option<LineTable<'m>> {
        let under_test = UnderTest {
            root: self.module.built_in.clone(),
            packages: self.module.packages.clone(),
            others: self.module.libraries.clone(),
        };
        LineTable::read(self.wasm, under_test)
    }

    /// Whether a location is in the head of the test, whose code draws the parameters.
    fn is_in_head(&self, plan: &Plan, location: &SourceLocation) -> bool {
        std::path::Path::new(&location.file) == self.file
            && plan.unit_test.head.contains(&(location.line as usize))
    }
}

/// Returns the choices of the original values.
fn own_numbers(plan: &Plan) -> Option<Vec<i128>> {
    let choices = |parameter: &&Parameter| parameter.site.value.choices(parameter.ty.as_ref()?);
    let numbers: Option<Vec<Vec<i128>>> = plan.explored().iter().map(choices).collect();
    Some(numbers?.concat())
}

/// Returns the values of the parameters as code, and the number of their choices. The answers of
/// mocks follow after these.
fn values(plan: &Plan, drawn: &[i128]) -> Option<(Vec<String>, usize)> {
    let mut numbers = drawn.iter().copied();
    let mut named = HashMap::new();
    for parameter in plan.explored() {
        let value = LiteralValue::from_choices(parameter.ty.as_ref()?, &mut numbers)?;
        named.insert(parameter.name(), value.code());
    }
    let all = plan.parameters.iter().map(|parameter| named.get(parameter.name()).cloned());
    Some((all.collect::<Option<_>>()?, drawn.len() - numbers.len()))
}

/// Returns a tape without its first choices.
fn without_first_choices(tape: &Tape, count: usize) -> Tape {
    let mut left = count;
    let is_before = |token: &&Token| {
        let is_choice = matches!(token, Token::Choice(_));
        let is_before = left > 0;
        left -= usize::from(is_before && is_choice);
        is_before
    };
    let before = tape.tokens().iter().take_while(is_before).count();
    Tape::new(tape.tokens()[before..].to_vec())
}

/// Returns the length of the longest text or list of the test.
fn length_of_longest(plan: &Plan) -> usize {
    let lengths = plan.parameters.iter().map(|parameter| parameter.site.value.length());
    lengths.max().unwrap_or(0)
}

/// Returns a tape with these numbers. Its domains are unused.
fn tape(numbers: &[i128]) -> Tape {
    let choice = |number: &i128| {
        let domain = Domain {
            min: *number,
            max: *number,
            origin: *number,
            kind: ChoiceKind::Integer,
            role: Role::Value,
        };
        Token::Choice(Choice { domain, number: *number })
    };
    Tape::new(numbers.iter().map(choice).collect())
}

fn paths(
    explored: Exploration,
    plan: &Plan,
    numbers: &[i128],
    solver: Solver,
    mut is_under_test: impl FnMut(Site) -> bool,
) -> Result<ExploredPaths, WhyKept> {
    let has_mocks = plan.mocks().next().is_some();
    let mut has_bounded_answers = false;
    let Exploration { leaves, tree, mut pool, limits, runs, verdict, .. } = explored;
    let mut conditions_of = tree.paths_with_implied(&mut pool);
    let (mut all, mut own): (Vec<ExploredPath>, Option<usize>) = (Vec::new(), None);
    for (nth, leaf) in leaves.into_iter().enumerate() {
        // A failing run without conditions of its own took the path of another run.
        let Some(mut conditions) = conditions_of.remove(&nth) else { continue };
        if conditions.is_empty() && !tree.nodes().is_empty() {
            continue;
        }
        let drawn: Vec<i128> = leaf.tape.choices().map(|choice| choice.number).collect();
        // A case that a rule of a mock rejects has no input of the test.
        let is_input = !matches!(leaf.outcome, Outcome::Exhausted | Outcome::Rejected(_));
        let Some((values, used)) = values(plan, &drawn).filter(|_| is_input) else {
            continue;
        };
        let answers = has_mocks.then(|| without_first_choices(&leaf.tape, used));
        let is_length = |choice: &Choice| choice.domain.role == Role::Length;
        has_bounded_answers |=
            answers.as_ref().is_some_and(|answers| answers.choices().any(is_length));
        let answers = answers.map(|answers| answers.to_replay_string());
        let known = pool.variables(&conditions);
        let variable = |position: usize| leaf.variable(DrawId::new(position));
        let draws: Vec<Option<Term>> = (0..leaf.inputs.len())
            .map(|position| variable(position).filter(|variable| known.contains(variable)))
            .collect();
        let own_model = Model::new(draw_values(&pool, &draws, numbers));
        if own.is_none() && own_model.satisfies(&pool, &conditions) {
            own = Some(all.len());
        }
        conditions.extend(domain_conditions(&leaf.tape, &draws, &mut pool));
        let model = Model::new(draw_values(&pool, &draws, &drawn));
        let covered = leaf.covered.into_iter().filter(|(site, _)| is_under_test(*site)).collect();
        all.push(ExploredPath {
            outcome: leaf.outcome,
            conditions,
            draws,
            values,
            answers,
            numbers: drawn,
            model,
            covered,
        });
    }
    let panics = plan.unit_test.panics.is_some();
    let is_as_expected = |path: &ExploredPath| match path.outcome {
        Outcome::Passed => !panics,
        Outcome::Failed(_) => panics,
        _ => false,
    };
    if has_mocks {
        // The answers of the original objects are not known. Some answers lead to the same end.
        own = first_path_with_answers(&all, &mut pool, numbers, solver, is_as_expected);
    }
    let own = own.ok_or(WhyKept::OwnPathLost)?;
    if !is_as_expected(&all[own]) {
        return Err(WhyKept::OwnPathEnds(all[own].outcome.clone()));
    }
    let covered: BTreeSet<&(Site, bool)> = all.iter().flat_map(|path| &path.covered).collect();
    let branch_sides = BranchSides { before: all[own].covered.len(), after: covered.len() };
    let is_complete =
        limits.is_empty() && !matches!(verdict, Verdict::Unknown(_)) && tree.is_complete();
    let own_numbers = numbers.to_vec();
    Ok(ExploredPaths {
        all,
        own,
        own_numbers,
        is_complete,
        has_bounded_answers,
        pool,
        runs,
        branch_sides,
    })
}

/// Returns the first path that ends like the original test, and that these numbers take with some
/// answers of mocks.
fn first_path_with_answers(
    all: &[ExploredPath],
    pool: &mut Pool,
    numbers: &[i128],
    mut solver: Solver,
    is_as_expected: impl Fn(&ExploredPath) -> bool,
) -> Option<usize> {
    (0..all.len()).filter(|nth| is_as_expected(&all[*nth])).find(|nth| {
        let mut question = all[*nth].conditions.clone();
        for (variable, value) in all[*nth].draw_values(pool, numbers) {
            let value = pool.constant(value);
            question.push(pool.eq(variable, value));
        }
        matches!(solver.check_assuming(pool, &question), Answer::Sat(_))
    })
}

/// Returns the conditions that draws are within their domains, unless their widths imply it.
fn domain_conditions(tape: &Tape, draws: &[Option<Term>], pool: &mut Pool) -> Vec<Term> {
    let mut terms = Vec::new();
    for (choice, variable) in tape.choices().zip(draws) {
        let Some(variable) = *variable else { continue };
        let width = pool.width(variable);
        let Domain { min, max, .. } = choice.domain;
        let is_signed = min < 0;
        let range = integer_range(is_signed, width);
        let mut bound = |number: i128, is_most: bool| {
            let value = pool.bits_of_i128(width, number);
            let (a, b) = if is_most { (value, variable) } else { (variable, value) };
            let is_outside = if is_signed { pool.bv_slt(a, b) } else { pool.bv_ult(a, b) };
            terms.push(pool.not(is_outside));
        };
        if min > *range.start() {
            bound(min, false);
        }
        if max < *range.end() || (!is_signed && width == 128) {
            bound(max, true);
        }
    }
    terms
}

/// Returns the values of draws that have these numbers.
fn draw_values(pool: &Pool, draws: &[Option<Term>], numbers: &[i128]) -> Vec<(Term, Value)> {
    let value = |(variable, number): (&Option<Term>, &i128)| {
        let variable = (*variable)?;
        let bits = Bits::of_i128(pool.width(variable), *number);
        Some((variable, Value::Bits(bits)))
    };
    draws.iter().zip(numbers).filter_map(value).collect()
}
