//! Explores a test with parameters: its paths, with an input and the conditions of each.

use super::plan::Plan;
use crate::words;
use rebut_build::Module;
use rebut_choice::{Choice, ChoiceKind, Domain, Role, Tape, Token};
use rebut_concolic::{
    Budget, Description, Exploration, LineTable, Machine, Outcome, PathSolver, Quality, Scout,
    Side, Site, SourceLocation, Tree, UnderTest, Verdict,
};
use rebut_explore::STACK;
use rebut_smt::{Answer, Bits, Model, Pool, Solver, Statistics, Term, Value};
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// The paths of a test.
#[derive(Debug)]
pub(super) struct Paths {
    pub(super) all: Vec<Path>,
    /// The path of the test's own values.
    pub(super) own: usize,
    /// These values as choices.
    pub(super) own_numbers: Vec<i128>,
    /// Whether there are no others.
    pub(super) is_complete: bool,
    /// Whether mocks answer with texts or lists, which are explored up to a length.
    pub(super) has_bounded_answers: bool,
    /// What the conditions are made of.
    pub(super) pool: Pool,
    /// How often the test was run.
    pub(super) runs: usize,
    /// How many sides of branches the test's own values take, and all together.
    pub(super) sides: (usize, usize),
}

impl Paths {
    /// Paths by kind: those that take the same sides of branches of the code under test, and
    /// end at the same place, are of one kind. Each has its paths in order.
    pub(super) fn kinds(&self) -> Vec<Vec<usize>> {
        let mut kinds: Vec<Vec<usize>> = Vec::new();
        let place = |path: &Path| match &path.outcome {
            Outcome::Failed(failure) => Some((failure.file.clone(), failure.line, failure.column)),
            _ => None,
        };
        let is_alike = |a: &Path, b: &Path| {
            a.covered == b.covered
                && std::mem::discriminant(&a.outcome) == std::mem::discriminant(&b.outcome)
                && place(a) == place(b)
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

/// A path.
#[derive(Debug)]
pub(super) struct Path {
    pub(super) outcome: Outcome,
    /// What leads there; over the draws `d0`, `d1` and so on.
    pub(super) conditions: Vec<Term>,
    /// An input, as code, in the order of the parameters.
    pub(super) values: Vec<String>,
    /// The same as choices.
    pub(super) numbers: Vec<i128>,
    /// What mocks answer, as a tape, if there are any.
    pub(super) answers: Option<String>,
    /// The same as values of the draws in the conditions.
    pub(super) model: Model,
    /// Which sides of which branches of the code under test it takes.
    pub(super) covered: BTreeSet<(Site, bool)>,
}

/// Explores the open plans of a module on all processors.
pub(super) fn explore_all(
    module: &Module,
    file: &std::path::Path,
    plans: &[Plan],
    budget: &Budget,
) -> Vec<Option<Result<Paths, String>>> {
    let wasm: Arc<[u8]> = match fs::read(&module.path) {
        Ok(bytes) => bytes.into(),
        Err(error) => {
            let why = words::file_failed(&module.path, "read", error);
            return plans.iter().map(|plan| plan.is_open().then(|| Err(why.clone()))).collect();
        }
    };
    let machines = machines(module, Arc::clone(&wasm), plans);
    let next = AtomicUsize::new(0);
    let found: Mutex<Vec<Option<Result<Paths, String>>>> =
        Mutex::new(plans.iter().map(|_| None).collect());
    let explorer = Explorer { module, file, wasm: &wasm, budget };
    let work = || {
        // Reading them takes long, and threads cannot share them.
        let places = explorer.places();
        loop {
            let nth = next.fetch_add(1, Ordering::Relaxed);
            let (Some(plan), Some(machine)) = (plans.get(nth), machines.get(nth)) else { break };
            let taken = machine.lock().unwrap_or_else(PoisonError::into_inner).take();
            let Some(machine) = taken else { continue };
            let paths = machine.and_then(|machine| explorer.explore(plan, machine, &places));
            found.lock().unwrap_or_else(PoisonError::into_inner)[nth] = Some(paths);
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            let _ = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        }
    });
    found.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// What runs the test of a plan, or why it cannot be run; none if it is not to be run.
type Prepared = Mutex<Option<Result<Machine, String>>>;

/// What runs the tests of the open plans: tests of a file call mostly the same functions, so the
/// code of these is made once for all of them.
fn machines(module: &Module, wasm: Arc<[u8]>, plans: &[Plan]) -> Vec<Prepared> {
    let failed = |why: String| {
        let one = |plan: &Plan| Mutex::new(plan.is_open().then(|| Err(why.clone())));
        plans.iter().map(one).collect()
    };
    let scout = match Scout::new(wasm, rebut_build::unsupported_call) {
        Ok(scout) => Arc::new(scout),
        Err(unfit) => return failed(unfit.to_string()),
    };
    let entries = entries(module, &scout, plans);
    let built: Vec<&str> = entries.iter().flatten().map(String::as_str).collect();
    let mut machines = match Machine::for_tests(&scout, &built, Quality::Draft) {
        Ok(machines) => machines.into_iter(),
        Err(unfit) => return failed(unfit.to_string()),
    };
    let prepared = |(plan, entry): (&Plan, &Option<String>)| {
        let machine = entry.as_ref().and_then(|_| machines.next());
        let prepared = machine.ok_or_else(|| words::NO_TESTS_WERE_BUILT.to_owned());
        Mutex::new(plan.is_open().then_some(prepared))
    };
    plans.iter().zip(&entries).map(prepared).collect()
}

/// The entries of the tests of open plans: those whose names are in the same lines of the file.
fn entries(module: &Module, scout: &Scout, plans: &[Plan]) -> Vec<Option<String>> {
    let describe = |entry: &String| Some((entry.clone(), scout.describe(entry).ok()?));
    let all: Vec<(String, Description)> = module.entries.iter().filter_map(describe).collect();
    let entry = |plan: &Plan| {
        let ends = plan.subject.full_path();
        let mut all = all.iter().filter(|_| plan.is_open());
        let found = all.find(|(_, description)| {
            description.path.ends_with(&ends) && description.line as usize == plan.subject.line
        });
        found.map(|(entry, _)| entry.clone())
    };
    plans.iter().map(entry).collect()
}

/// A solver that forgets: looking through all that it remembers would take longer than answering,
/// since questions about long paths are seldom alike.
struct Renewed<'m> {
    budget: &'m Budget,
    solver: Solver,
    asked: usize,
    /// Those of solvers that are forgotten.
    conflicts: u64,
}

/// What a solver remembers is of use for so many questions.
pub(super) const REMEMBERED_MAX: usize = 250;

impl PathSolver for Renewed<'_> {
    fn solve(&mut self, pool: &mut Pool, question: &[Term]) -> Answer {
        self.asked += 1;
        if self.asked.is_multiple_of(REMEMBERED_MAX) {
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
        places: &Option<LineTable<'m>>,
    ) -> Result<Paths, String> {
        let numbers = own_numbers(plan).ok_or(words::NO_TYPES)?;
        let seeds = [tape(&numbers)];
        let mut solver =
            Renewed { budget: self.budget, solver: self.budget.solver(), asked: 0, conflicts: 0 };
        // The values of the test are not cut.
        let length = self.budget.length.max(longest(plan));
        let budget = Budget { length, ..self.budget.clone() };
        let explored = rebut_concolic::explore_with(&mut machine, &budget, &seeds, &mut solver);
        let mut known: HashMap<Site, bool> = HashMap::new();
        let is_under_test = |site: Site| {
            let place = || places.as_ref().and_then(|places| places.nearest(site));
            *known.entry(site).or_insert_with(|| {
                place().is_none_or(|place| place.is_under_test && !self.is_drawing(plan, &place))
            })
        };
        let solver = self.budget.solver();
        paths(explored, plan, &numbers, solver, is_under_test)
    }

    /// The places of the module.
    fn places(&self) -> Option<LineTable<'m>> {
        let under_test = UnderTest {
            root: self.module.built_in.clone(),
            packages: self.module.packages.clone(),
            others: self.module.libraries.clone(),
        };
        LineTable::read(self.wasm, under_test)
    }

    /// Whether a place is that of code which draws parameters: the head of the test.
    fn is_drawing(&self, plan: &Plan, place: &SourceLocation) -> bool {
        std::path::Path::new(&place.file) == self.file
            && plan.subject.head.contains(&(place.line as usize))
    }
}

/// The choices of the test's own values.
fn own_numbers(plan: &Plan) -> Option<Vec<i128>> {
    let of =
        |parameter: &&super::plan::Parameter| parameter.site.value.numbers(parameter.of.as_ref()?);
    let numbers: Option<Vec<Vec<i128>>> = plan.explored().iter().map(of).collect();
    Some(numbers?.concat())
}

/// The values that parameters have with these choices, as code, and how many of these they are;
/// behind them are the answers of mocks.
fn values(plan: &Plan, drawn: &[i128]) -> Option<(Vec<String>, usize)> {
    let mut numbers = drawn.iter().copied();
    let mut named = HashMap::new();
    for parameter in plan.explored() {
        let value = super::value::Value::read(parameter.of.as_ref()?, &mut numbers)?;
        named.insert(parameter.name(), super::write::code(&value));
    }
    let all = plan.parameters.iter().map(|parameter| named.get(parameter.name()).cloned());
    Some((all.collect::<Option<_>>()?, drawn.len() - numbers.len()))
}

/// A tape without its first choices.
fn behind(tape: &Tape, count: usize) -> Tape {
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

/// How long the longest text or list of the test is.
fn longest(plan: &Plan) -> usize {
    let lengths = plan.parameters.iter().map(|parameter| match &parameter.site.value {
        super::value::Value::Text(text) => text.chars().count(),
        super::value::Value::List(list) => list.len(),
        _ => 0,
    });
    lengths.max().unwrap_or(0)
}

/// A tape of which only the numbers count.
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
) -> Result<Paths, String> {
    let has_mocks = plan.mocks().next().is_some();
    let mut has_bounded_answers = false;
    let Exploration { leaves, tree, mut pool, limits, runs, verdict, .. } = explored;
    let ends = ends(&tree);
    let (mut all, mut own): (Vec<Path>, Option<usize>) = (Vec::new(), None);
    for (nth, leaf) in leaves.into_iter().enumerate() {
        let conditions = match ends.get(&nth) {
            Some(end) => conditions(&tree, *end, &mut pool),
            // Without decisions there is one path; other leaves were found twice.
            None if tree.nodes().is_empty() && nth == 0 => Vec::new(),
            None => continue,
        };
        let drawn: Vec<i128> = leaf.tape.choices().map(|choice| choice.number).collect();
        // What a rule of a mock rejects is no input.
        let is_input = !matches!(leaf.outcome, Outcome::Exhausted | Outcome::Rejected(_));
        let Some((values, used)) = values(plan, &drawn).filter(|_| is_input) else {
            continue;
        };
        let answers = has_mocks.then(|| behind(&leaf.tape, used));
        let is_length = |choice: &Choice| choice.domain.role == Role::Length;
        has_bounded_answers |=
            answers.as_ref().is_some_and(|answers| answers.choices().any(is_length));
        let answers = answers.map(|answers| answers.to_replay_string());
        if own.is_none() && model(&pool, &conditions, numbers).satisfies(&pool, &conditions) {
            own = Some(all.len());
        }
        let mut conditions = conditions;
        let within = within(&leaf.tape, &conditions, &mut pool);
        conditions.extend(within);
        let model = model(&pool, &conditions, &drawn);
        let covered = leaf.covered.into_iter().filter(|(site, _)| is_under_test(*site)).collect();
        all.push(Path {
            outcome: leaf.outcome,
            conditions,
            values,
            answers,
            numbers: drawn,
            model,
            covered,
        });
    }
    let panics = plan.subject.panics.is_some();
    let is_as_expected = |path: &Path| match path.outcome {
        Outcome::Passed => !panics,
        Outcome::Failed(_) => panics,
        _ => false,
    };
    if has_mocks {
        // What the test's own objects answer is not known; some of it leads where it goes.
        own = with_answers(&all, &mut pool, numbers, solver, is_as_expected);
    }
    let own = own.ok_or(words::OWN_VALUES_ARE_LOST)?;
    if !is_as_expected(&all[own]) {
        return Err(words::own_values_end(&all[own].outcome));
    }
    let together: BTreeSet<&(Site, bool)> = all.iter().flat_map(|path| &path.covered).collect();
    let sides = (all[own].covered.len(), together.len());
    let is_closed = |side: &Side| matches!(side, Side::Node(_) | Side::Leaf(_) | Side::Infeasible);
    let is_complete = limits.is_empty()
        && !matches!(verdict, Verdict::Unknown(_))
        && tree
            .nodes()
            .iter()
            .all(|node| is_closed(node.side(true)) && is_closed(node.side(false)));
    let own_numbers = numbers.to_vec();
    Ok(Paths { all, own, own_numbers, is_complete, has_bounded_answers, pool, runs, sides })
}

/// The first path that ends as the test does, and that these numbers take with some answers of
/// mocks.
fn with_answers(
    all: &[Path],
    pool: &mut Pool,
    numbers: &[i128],
    mut solver: Solver,
    is_as_expected: impl Fn(&Path) -> bool,
) -> Option<usize> {
    (0..all.len()).filter(|nth| is_as_expected(&all[*nth])).find(|nth| {
        let mut question = all[*nth].conditions.clone();
        for (variable, value) in known(pool, &question.clone(), numbers) {
            let value = pool.constant(value);
            question.push(pool.eq(variable, value));
        }
        matches!(solver.check_assuming(pool, &question), Answer::Sat(_))
    })
}

/// Where each leaf hangs: the node, and its side.
fn ends(tree: &Tree) -> HashMap<usize, (usize, bool)> {
    let mut ends = HashMap::new();
    for (nth, node) in tree.nodes().iter().enumerate() {
        for holds in [true, false] {
            if let Side::Leaf(leaf) = node.side(holds) {
                ends.insert(*leaf, (nth, holds));
            }
        }
    }
    ends
}

/// The conditions on the way to a side of a node, as they have to hold.
fn conditions(tree: &Tree, end: (usize, bool), pool: &mut Pool) -> Vec<Term> {
    let mut conditions = Vec::new();
    let mut at = Some(end);
    while let Some((nth, holds)) = at {
        let node = &tree.nodes()[nth];
        conditions.push(if holds { node.condition } else { pool.not(node.condition) });
        at = node.parent.map(|(parent, holds)| (parent.index(), holds));
    }
    conditions.reverse();
    conditions
}

/// That draws are within what they are drawn from, where that is not all that fits.
fn within(tape: &Tape, conditions: &[Term], pool: &mut Pool) -> Vec<Term> {
    let known = pool.variables(conditions);
    let mut terms = Vec::new();
    for (nth, choice) in tape.choices().enumerate() {
        let name = format!("d{nth}");
        let variable = known.iter().copied().find(|term| pool.name(*term) == Some(&name));
        let Some(variable) = variable else { continue };
        let width = pool.width(variable);
        let Domain { min, max, .. } = choice.domain;
        let is_signed = min < 0;
        let range = super::atoms::range(is_signed, width);
        let mut bound = |number: i128, is_most: bool| {
            let value = pool.bits(width, number as u128 & (u128::MAX >> (128 - width)));
            let (a, b) = if is_most { (value, variable) } else { (variable, value) };
            let is_beyond = if is_signed { pool.bv_slt(a, b) } else { pool.bv_ult(a, b) };
            terms.push(pool.not(is_beyond));
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

/// The draws in conditions with these numbers.
fn model(pool: &Pool, conditions: &[Term], numbers: &[i128]) -> Model {
    Model::new(known(pool, conditions, numbers))
}

/// The draws in conditions that have these numbers.
fn known(pool: &Pool, conditions: &[Term], numbers: &[i128]) -> Vec<(Term, Value)> {
    let value = |variable: Term| {
        let nth: usize = pool.name(variable)?.strip_prefix('d')?.parse().ok()?;
        let width = pool.width(variable);
        let bits = *numbers.get(nth)? as u128 & (u128::MAX >> (128 - width));
        Some((variable, Value::Bits(Bits::new(width, bits))))
    };
    pool.variables(conditions).into_iter().filter_map(value).collect()
}
