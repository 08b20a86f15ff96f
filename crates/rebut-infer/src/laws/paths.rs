//! The paths of a probe with their observations, and which claims are true on them.
//!
//! # Samples refute, the solver proves
//!
//! There are thousands of candidate claims, and nearly all are false. So no claim goes to the
//! solver before it has passed all *samples*. A sample is one case of a path: the values of its
//! inputs. It evaluates every claim to true, false or meaningless, and the results are kept as a
//! table (`truths`: claim by sample). A law is discarded if one sample satisfies its guard and not
//! its claim.
//!
//! A law that no sample contradicts is proved path by path. The query is: the conditions of the
//! path, the guard, and the negated claim. `Unsat` proves the law on this path. `Sat` refutes it,
//! and its model becomes a new sample of the path, which is evaluated for all claims at once. So
//! each solver query either proves something or makes the filter stronger, and similar false claims
//! never reach the solver. (The scheme is counterexample-guided, as in Houdini, Flanagan and Leino
//! 2001, with Daikon's templates.)
//!
//! For example, let a path have the condition `x < 10`, the sample `x = 0` and the observation `x'
//! = x + 1`. The claim `x' = 1` is true of the sample. The solver refutes it with, say, `x = 4`.
//! That second sample refutes `x' = 1` for good, and also `x = 0`, `x' < 2` and `x' = 2x + 1`, without
//! another query.
//!
//! # Extents
//!
//! Laws share guards and claims. So the answer for one claim on one path, without any guard, is
//! memoized as its [`Extent`]: always, never, or sometimes true. It takes one query,
//! unless the samples of the path disagree. Most guarded laws are decided by extents alone: the
//! claim is always true, or a guard is never true. Only "sometimes" parts go into a combined query.
//!
//! A claim that is meaningless on a path, or that the solver gives up on, has the extent `Unknown`,
//! and no law with it is accepted.
//!
//! # Slices
//!
//! A query contains only the conditions of the path that share variables with the guard or the
//! claim ([`Slices`]). The model of such a query has no values for the other inputs, so a new sample
//! copies them from the first sample of the path, which satisfies all conditions.

use std::collections::HashMap;

use rebut_choice::{Choice, Tape, Token};
use rebut_concolic::{
    Exploration, Input, Leaf, ObservedValue, Outcome, Slices, TypeName, VariableCache,
};
use rebut_smt::{Answer, Bits, Model, Op, Pool, Solver, Term, Value};

use super::claim::{Claim, Meaning, World};
use super::view::{Shape, Tags, View};
use super::{Law, PanicCase, PanickingObserver, Slot, Stage};

/// The index of a claim in the list of all claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct ClaimId(usize);

/// One path.
struct Path {
    world: World,
    conditions: Vec<Term>,
    slices: Slices,
    inputs: Vec<Input>,
    /// The message of the panic, if the call panicked.
    panic: Option<String>,
    tape: Tape,
    /// The terms of claims on this path, as far as they were needed; the inner `None` means
    /// meaningless.
    meanings: Vec<Option<Option<Term>>>,
    /// The extents of claims on this path, as far as they were needed.
    extents: Vec<Option<Extent>>,
    /// Its samples, by index.
    samples: Vec<usize>,
}

/// On which inputs of a path a claim is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    Always,
    Never,
    Sometimes,
    /// The claim is meaningless there, or the solver does not know.
    Unknown,
}

/// An input of a path.
struct Sample {
    path: usize,
    model: Model,
}

/// All paths of a probe.
pub(super) struct Paths<'a> {
    pub(super) pool: &'a mut Pool,
    pub(super) solver: &'a mut Solver,
    pub(super) slots: &'a [Slot],
    pub(super) tags: Tags,
    paths: Vec<Path>,
    samples: Vec<Sample>,
    claims: Vec<Claim>,
    ids: HashMap<Claim, ClaimId>,
    /// The truth of each claim in each sample; `None` if it is meaningless there.
    truths: Vec<Vec<Option<bool>>>,
    variables: VariableCache,
    types: Vec<Option<TypeName>>,
    /// The types without borrowing, by which slots are compared.
    normalized_types: Vec<Option<TypeName>>,
    shapes: Vec<Option<Shape>>,
    panicking_observers: Vec<PanickingObserver>,
    opaque: Vec<u32>,
}

impl<'a> Paths<'a> {
    pub(super) fn new(
        exploration: &'a mut Exploration,
        slots: &'a [Slot],
        solver: &'a mut Solver,
    ) -> Paths<'a> {
        let Exploration { leaves, tree, pool, .. } = exploration;
        let conditions = tree.paths(pool);
        let mut paths = Paths {
            pool,
            solver,
            slots,
            tags: Tags::default(),
            paths: Vec::new(),
            samples: Vec::new(),
            claims: Vec::new(),
            ids: HashMap::new(),
            truths: Vec::new(),
            variables: VariableCache::default(),
            types: vec![None; slots.len()],
            normalized_types: vec![None; slots.len()],
            shapes: vec![None; slots.len()],
            panicking_observers: Vec::new(),
            opaque: Vec::new(),
        };
        for (run, leaf) in leaves.iter().enumerate() {
            if let Some(conditions) = conditions.get(&run) {
                paths.add(leaf, conditions);
            }
        }
        paths
    }

    fn add(&mut self, leaf: &Leaf, conditions: &[Term]) {
        let mut world = World { views: vec![None; self.slots.len()], panics: None };
        for observation in &leaf.observations {
            let index = observation.slot as usize;
            let Some(value) = observation.value.as_ref().filter(|_| index < self.slots.len())
            else {
                continue;
            };
            if self.types[index].is_none() {
                let name = match value {
                    ObservedValue::Iterated(item, _) => {
                        TypeName::Iterator(Box::new(TypeName::parse(item)))
                    }
                    _ => TypeName::parse(&observation.type_name),
                };
                self.normalized_types[index] = Some(normalized_type(&name));
                self.types[index] = Some(name);
            }
            let view = View::from_observed(self.pool, &mut self.tags, value);
            if view.is_none() && !self.opaque.contains(&observation.slot) {
                self.opaque.push(observation.slot);
            }
            if let Some(view) = &view {
                let shape = view.shape(self.pool);
                let earlier = self.shapes[index].take();
                self.shapes[index] = Some(match earlier {
                    Some(earlier) => earlier.join(shape),
                    None => shape,
                });
            }
            world.views[index] = view;
        }
        let panic = match &leaf.outcome {
            Outcome::Passed => None,
            Outcome::Failed(failure) => {
                let Some(last) = leaf.observations.last() else { return };
                let stage = self.slots.get(last.slot as usize).map(|slot| slot.stage);
                if stage != Some(Stage::Call) {
                    let slot = last.slot;
                    if !self.panicking_observers.iter().any(|observer| observer.slot == slot) {
                        self.panicking_observers
                            .push(PanickingObserver { slot, message: failure.message.clone() });
                    }
                    return;
                }
                Some(failure.message.clone())
            }
            _ => return,
        };
        world.panics = Some(self.pool.bool(panic.is_some()));
        let mut slices = Slices::default();
        for condition in conditions {
            let variables = self.variables.of_term(self.pool, *condition);
            slices.add(&variables, *condition);
        }
        let values = leaf.inputs.iter().map(|input| {
            let width = self.pool.width(input.variable);
            (input.variable, Value::Bits(Bits::new(width, input.number as u128)))
        });
        self.samples.push(Sample { path: self.paths.len(), model: Model::new(values) });
        self.paths.push(Path {
            world,
            conditions: conditions.to_vec(),
            slices,
            inputs: leaf.inputs.clone(),
            panic,
            tape: leaf.tape.clone(),
            meanings: Vec::new(),
            extents: Vec::new(),
            samples: vec![self.samples.len() - 1],
        });
    }

    /// Returns the number of paths.
    pub(super) fn len(&self) -> usize {
        self.paths.len()
    }

    pub(super) fn samples(&self) -> usize {
        self.samples.len()
    }

    pub(super) fn world(&self, path: usize) -> &World {
        &self.paths[path].world
    }

    /// Returns the tape of a path with the values of a model.
    pub(super) fn tape_with(&self, path: usize, model: &Model) -> Tape {
        let Path { tape, inputs, .. } = &self.paths[path];
        let mut inputs = inputs.iter();
        let tokens =
            tape.tokens().iter().map(|token| match (token, token_input(token, &mut inputs)) {
                (Token::Choice(choice), Some(input)) => {
                    Token::Choice(Choice { number: input.number_in(model), ..*choice })
                }
                _ => *token,
            });
        Tape::new(tokens.collect())
    }

    /// Returns all conditions of a path.
    pub(super) fn all_conditions(&self, path: usize) -> Vec<Term> {
        self.paths[path].conditions.clone()
    }

    pub(super) fn is_panic(&self, path: usize) -> bool {
        self.paths[path].panic.is_some()
    }

    /// Returns the conditions of a path in the slices of these terms.
    pub(super) fn conditions(&mut self, path: usize, terms: &[Term]) -> Vec<Term> {
        let mut variables = Vec::new();
        for term in terms {
            variables.extend(self.variables.of_term(self.pool, *term).iter().copied());
        }
        self.paths[path].slices.relevant(&variables)
    }

    /// Returns at most `most` constants that path conditions compare with, those of many paths
    /// first.
    pub(super) fn constants(&self, most: usize) -> Vec<i128> {
        let mut counts: HashMap<i128, usize> = HashMap::new();
        for path in &self.paths {
            let mut here: Vec<i128> = Vec::new();
            for condition in &path.conditions {
                here.extend(compared_constants(self.pool, *condition));
            }
            here.sort_unstable();
            here.dedup();
            for number in here {
                *counts.entry(number).or_default() += 1;
            }
        }
        let mut all: Vec<(usize, i128)> =
            counts.into_iter().map(|(number, count)| (count, number)).collect();
        all.sort_by_key(|(count, number)| (std::cmp::Reverse(*count), *number));
        all.into_iter().map(|(_, number)| number).take(most).collect()
    }

    /// Returns the common shape of a slot's values on all paths.
    pub(super) fn shape(&self, slot: u32) -> Option<&Shape> {
        self.shapes.get(slot as usize)?.as_ref()
    }

    /// Returns the type of a slot, if it was observed. Types that differ only in how they are
    /// borrowed are the same.
    pub(super) fn type_of(&self, slot: u32) -> Option<&TypeName> {
        self.normalized_types.get(slot as usize)?.as_ref()
    }

    pub(super) fn types(&self) -> Vec<Option<TypeName>> {
        self.types.clone()
    }

    pub(super) fn panicking_observers(&self) -> Vec<PanickingObserver> {
        self.panicking_observers.clone()
    }

    pub(super) fn opaque(&self) -> Vec<u32> {
        self.opaque.clone()
    }

    /// Returns the slots of a stage that were observed.
    pub(super) fn slots_of(&self, stage: Stage) -> Vec<u32> {
        let all = 0..self.slots.len() as u32;
        all.filter(|slot| self.slots[*slot as usize].stage == stage && self.shape(*slot).is_some())
            .collect()
    }

    /// Returns the distinct panics, each with the number of its paths.
    pub(super) fn panics(&self) -> Vec<PanicCase> {
        let mut all: Vec<PanicCase> = Vec::new();
        for path in &self.paths {
            let Some(message) = &path.panic else { continue };
            match all.iter_mut().find(|case| case.message == *message) {
                Some(case) => case.paths += 1,
                None => all.push(PanicCase {
                    message: message.clone(),
                    tape: path.tape.clone(),
                    paths: 1,
                }),
            }
        }
        all
    }

    /// Returns the value of a slot in a sample, if it is an integer.
    pub(super) fn number(&self, sample: usize, slot: u32) -> Option<i128> {
        let Sample { path, model } = self.samples.get(sample)?;
        let View::Scalar(how, term) = self.paths[*path].world.views.get(slot as usize)?.as_ref()?
        else {
            return None;
        };
        let bits = model.evaluate(self.pool, *term).ok()?.as_bits()?;
        match how {
            super::view::Scalar::Signed => Some(bits.signed()),
            super::view::Scalar::Unsigned => i128::try_from(bits.unsigned()).ok(),
            _ => None,
        }
    }

    /// Returns the index of a claim; evaluates it in all samples if it is new.
    pub(super) fn id_of(&mut self, claim: &Claim) -> ClaimId {
        if let Some(id) = self.ids.get(claim) {
            return *id;
        }
        let id = ClaimId(self.claims.len());
        self.claims.push(claim.clone());
        self.ids.insert(claim.clone(), id);
        let mut truth = Vec::new();
        for sample in 0..self.samples.len() {
            truth.push(self.evaluate(sample, id));
        }
        self.truths.push(truth);
        id
    }

    /// Returns the term of a claim on a path; `None` if it is meaningless there.
    pub(super) fn meaning(&mut self, path: usize, id: ClaimId) -> Option<Term> {
        let this = &mut self.paths[path];
        if this.meanings.len() <= id.0 {
            this.meanings.resize(id.0 + 1, None);
        }
        if let Some(cached) = this.meanings[id.0] {
            return cached;
        }
        let world = &this.world;
        let mut meaning = Meaning { pool: self.pool, tags: &self.tags, world };
        let term = meaning.term(&self.claims[id.0]);
        this.meanings[id.0] = Some(term);
        term
    }

    fn evaluate(&mut self, sample: usize, id: ClaimId) -> Option<bool> {
        let path = self.samples[sample].path;
        let term = self.meaning(path, id)?;
        if let Some(value) = self.pool.value(term) {
            return value.as_bool();
        }
        self.samples[sample].model.evaluate(self.pool, term).ok()?.as_bool()
    }

    /// Returns the truth of a claim in all samples. Claims with equal patterns are not
    /// distinguished so far.
    pub(super) fn pattern(&self, id: ClaimId) -> &[Option<bool>] {
        &self.truths[id.0]
    }

    /// Whether a claim is meaningful on all paths, or on all that do not panic.
    pub(super) fn is_defined(&self, id: ClaimId, with_panics: bool) -> bool {
        let truths = self.truths[id.0].iter().zip(&self.samples);
        let mut relevant =
            truths.filter(|(_, sample)| with_panics || self.paths[sample.path].panic.is_none());
        relevant.all(|(truth, _)| truth.is_some())
    }

    /// Whether the guard implies the claim on all paths; for a claim that is not about panics, on
    /// all paths that do not panic. A guard that no sample satisfies implies nothing.
    pub(super) fn holds(&mut self, guard: &[ClaimId], id: ClaimId) -> bool {
        let is_of_panics = matches!(self.claims[id.0], Claim::Panics(_));
        if !self.is_consistent_with_samples(guard, id, is_of_panics) {
            return false;
        }
        for path in 0..self.paths.len() {
            if (is_of_panics || !self.is_panic(path)) && !self.holds_on(path, guard, id) {
                return false;
            }
        }
        true
    }

    /// Whether the guard implies the claim on all paths, panicking or not.
    pub(super) fn is_always(&mut self, guard: ClaimId, id: ClaimId) -> bool {
        let guard = [guard];
        self.is_consistent_with_samples(&guard, id, true)
            && (0..self.paths.len()).all(|path| self.holds_on(path, &guard, id))
    }

    /// Whether no sample contradicts the law, and at least one satisfies its guard.
    fn is_consistent_with_samples(
        &self,
        guard: &[ClaimId],
        id: ClaimId,
        with_panics: bool,
    ) -> bool {
        let mut has_instance = false;
        for (n, sample) in self.samples.iter().enumerate() {
            if !with_panics && self.paths[sample.path].panic.is_some() {
                continue;
            }
            let mut is_guarded = true;
            for part in guard {
                match self.truths[part.0][n] {
                    None => return false,
                    Some(holds) => is_guarded &= holds,
                }
            }
            if !is_guarded {
                continue;
            }
            if self.truths[id.0][n] != Some(true) {
                return false;
            }
            has_instance = true;
        }
        has_instance
    }

    fn holds_on(&mut self, path: usize, guard: &[ClaimId], id: ClaimId) -> bool {
        let claimed = self.extent(path, id);
        match claimed {
            Extent::Always => return true,
            Extent::Unknown => return false,
            Extent::Never | Extent::Sometimes => {}
        }
        let mut assumed = Vec::new();
        for part in guard {
            match self.extent(path, *part) {
                Extent::Never => return true,
                Extent::Unknown => return false,
                Extent::Always => {}
                Extent::Sometimes => assumed.extend(self.meaning(path, *part)),
            }
        }
        let is_clear = assumed.is_empty() || (assumed.len() == 1 && claimed == Extent::Never);
        match self.meaning(path, id) {
            Some(claim) if !is_clear => self.follows(path, &assumed, claim),
            _ => false,
        }
    }

    /// Returns the extent of a claim on a path. Takes one query, unless samples decide it.
    fn extent(&mut self, path: usize, id: ClaimId) -> Extent {
        let this = &mut self.paths[path];
        if this.extents.len() <= id.0 {
            this.extents.resize(id.0 + 1, None);
        }
        if let Some(cached) = this.extents[id.0] {
            return cached;
        }
        let extent = self.find_extent(path, id);
        self.paths[path].extents[id.0] = Some(extent);
        extent
    }

    fn find_extent(&mut self, path: usize, id: ClaimId) -> Extent {
        let Some(term) = self.meaning(path, id) else { return Extent::Unknown };
        match self.pool.value(term).and_then(Value::as_bool) {
            Some(true) => return Extent::Always,
            Some(false) => return Extent::Never,
            None => {}
        }
        let truths = self.paths[path].samples.iter().map(|sample| self.truths[id.0][*sample]);
        let truths: Vec<Option<bool>> = truths.collect();
        let (holds, fails) = (truths.contains(&Some(true)), truths.contains(&Some(false)));
        if holds && fails {
            return Extent::Sometimes;
        }
        let expected = if holds { term } else { self.pool.not(term) };
        match (self.query(path, &[], expected), holds) {
            (Some(true), true) => Extent::Always,
            (Some(true), false) => Extent::Never,
            (Some(false), _) => Extent::Sometimes,
            (None, _) => Extent::Unknown,
        }
    }

    /// Whether the solver proves on a path that the assumptions imply the claim.
    fn follows(&mut self, path: usize, assumed: &[Term], claim: Term) -> bool {
        self.query(path, assumed, claim) == Some(true)
    }

    /// Whether the assumptions imply the claim on a path; `None` if the solver does not know. A
    /// counterexample becomes a sample.
    fn query(&mut self, path: usize, assumed: &[Term], claim: Term) -> Option<bool> {
        let contrary = self.pool.not(claim);
        let mut question = assumed.to_vec();
        question.push(contrary);
        let mut conditions = self.conditions(path, &question);
        conditions.extend(question);
        match self.solver.check_assuming(self.pool, &conditions) {
            Answer::Unsat => Some(true),
            Answer::Unknown(_) => None,
            Answer::Sat(counterexample) => {
                self.add_sample(path, &counterexample);
                Some(false)
            }
        }
    }

    /// Adds a sample to a path: its first sample, with the values of a model.
    fn add_sample(&mut self, path: usize, counterexample: &Model) {
        let Some(first) = self.paths[path].samples.first() else { return };
        let mut model = self.samples[*first].model.clone();
        for (variable, value) in counterexample.iter() {
            model.set(variable, value.clone());
        }
        self.samples.push(Sample { path, model });
        let sample = self.samples.len() - 1;
        self.paths[path].samples.push(sample);
        let truths = self.truths_of(sample);
        for (row, truth) in self.truths.iter_mut().zip(truths) {
            row.push(truth);
        }
    }

    /// Evaluates all claims in a sample; common subterms are evaluated once.
    fn truths_of(&mut self, sample: usize) -> Vec<Option<bool>> {
        let path = self.samples[sample].path;
        let ids = (0..self.truths.len()).map(ClaimId);
        let terms: Vec<Option<Term>> = ids.map(|id| self.meaning(path, id)).collect();
        let defined: Vec<Term> = terms.iter().flatten().copied().collect();
        let Ok(values) = self.samples[sample].model.evaluate_all(self.pool, &defined) else {
            return (0..self.truths.len()).map(|id| self.evaluate(sample, ClaimId(id))).collect();
        };
        let mut values = values.into_iter();
        terms.into_iter().map(|term| term.and_then(|_| values.next())?.as_bool()).collect()
    }

    /// Whether a claim is true in all samples of a path.
    pub(super) fn holds_in_all_samples(&self, path: usize, id: ClaimId) -> bool {
        self.paths[path].samples.iter().all(|sample| self.truths[id.0][*sample] == Some(true))
    }

    /// Returns the paths with a sample that satisfies a guard.
    pub(super) fn paths_with_sample(&self, guard: &[ClaimId]) -> Vec<usize> {
        let holds =
            |sample: &usize| guard.iter().all(|part| self.truths[part.0][*sample] == Some(true));
        let paths = self.paths.iter().enumerate();
        paths.filter(|(_, path)| path.samples.iter().any(holds)).map(|(index, _)| index).collect()
    }

    /// Whether a guard can be true on a path.
    pub(super) fn can_hold(&mut self, path: usize, guard: &[ClaimId]) -> bool {
        let mut assumed = Vec::new();
        for part in guard {
            match self.extent(path, *part) {
                Extent::Never => return false,
                Extent::Always => {}
                Extent::Sometimes | Extent::Unknown => assumed.extend(self.meaning(path, *part)),
            }
        }
        let is_instance =
            |sample: &usize| guard.iter().all(|part| self.truths[part.0][*sample] == Some(true));
        if self.paths[path].samples.iter().any(is_instance) {
            return true;
        }
        let never = self.pool.bool(false);
        !self.follows(path, &assumed, never)
    }

    /// Whether for every input of a path one of these guards is true.
    pub(super) fn is_covered_by(&mut self, path: usize, guards: &[Vec<ClaimId>]) -> bool {
        let mut guard_terms = Vec::new();
        for guard in guards {
            let parts: Option<Vec<Term>> =
                guard.iter().map(|part| self.meaning(path, *part)).collect();
            if let Some(parts) = parts {
                guard_terms.push(self.pool.all(&parts));
            }
        }
        let any = self.pool.any(&guard_terms);
        if let Some(holds) = self.pool.value(any).and_then(Value::as_bool) {
            return holds;
        }
        let is_outside = |sample: &usize| {
            let holds = |part: &ClaimId| self.truths[part.0][*sample] == Some(true);
            !guards.iter().any(|guard| guard.iter().all(holds))
        };
        !self.paths[path].samples.iter().any(is_outside) && self.follows(path, &[], any)
    }

    /// Returns the message of the panic on a path.
    pub(super) fn message(&self, path: usize) -> Option<String> {
        self.paths[path].panic.clone()
    }

    /// Returns the number of groups of paths that differ in which laws apply to them.
    pub(super) fn groups(&mut self, laws: &[Law]) -> usize {
        let mut groups: Vec<Vec<bool>> = Vec::new();
        for path in 0..self.paths.len() {
            let mut applies = vec![self.is_panic(path)];
            for law in laws {
                let guard: Vec<ClaimId> = law.guard.iter().map(|part| self.id_of(part)).collect();
                applies.push(self.can_hold(path, &guard));
            }
            if !groups.contains(&applies) {
                groups.push(applies);
            }
        }
        groups.len()
    }
}

/// Constants of conditions from here on are not tried as borders: they are usually masks and bounds
/// of types. Arbitrary. A law with a larger border is not found.
const CODE_CONSTANT_LIMIT: u128 = 1 << 20;

/// Returns the constants that a condition compares with, read as signed and as unsigned. Leaves out
/// 0 and 1, which templates contain anyway, and large ones.
fn compared_constants(pool: &Pool, condition: Term) -> Vec<i128> {
    let condition = match (pool.op(condition), pool.args(condition)) {
        (Op::Not, [inner]) => *inner,
        _ => condition,
    };
    if !matches!(pool.op(condition), Op::Eq | Op::BvUlt | Op::BvSlt) {
        return Vec::new();
    }
    let parts = pool.args(condition).iter();
    let bits = parts.filter_map(|part| pool.value(*part)?.as_bits());
    let numbers = bits.flat_map(|bits| [bits.signed(), bits.unsigned() as i128]);
    numbers.filter(|number| (2..CODE_CONSTANT_LIMIT).contains(&number.unsigned_abs())).collect()
}

/// Returns the next input if the token is a choice.
fn token_input<'i>(
    token: &Token,
    inputs: &mut impl Iterator<Item = &'i Input>,
) -> Option<&'i Input> {
    matches!(token, Token::Choice(_)).then(|| inputs.next()).flatten()
}

/// Returns a type without references, with one name for lists and one for strings.
fn normalized_type(name: &TypeName) -> TypeName {
    match unborrowed_type(name) {
        TypeName::Iterator(item) => TypeName::Slice(item),
        TypeName::Path { path, mut arguments }
            if path == "alloc::vec::Vec" && arguments.len() == 1 =>
        {
            TypeName::Slice(Box::new(arguments.remove(0)))
        }
        other => other,
    }
}

fn unborrowed_type(name: &TypeName) -> TypeName {
    let boxed = |name: &TypeName| Box::new(unborrowed_type(name));
    let all = |names: &[TypeName]| names.iter().map(unborrowed_type).collect();
    match name {
        TypeName::Reference { target, .. } => unborrowed_type(target),
        TypeName::Slice(item) => TypeName::Slice(boxed(item)),
        TypeName::Array(item, length) => TypeName::Array(boxed(item), length.clone()),
        TypeName::Tuple(parts) => TypeName::Tuple(all(parts)),
        TypeName::Iterator(item) => TypeName::Iterator(boxed(item)),
        name if name.is("alloc::string::String") => TypeName::parse("str"),
        TypeName::Path { path, arguments } => {
            TypeName::Path { path: path.clone(), arguments: all(arguments) }
        }
        TypeName::Other(text) => TypeName::Other(text.clone()),
    }
}

/// Returns the type of the elements of a list, or of the value in an option.
pub(super) fn element_type(name: &TypeName) -> Option<&TypeName> {
    match name {
        TypeName::Slice(item) => Some(item),
        option => option.arguments("core::option::Option")?.first(),
    }
}

#[cfg(test)]
mod tests {
    use rebut_concolic::Budget;
    use rebut_smt::Sort;

    use super::super::claim::Expr;
    use super::super::oracle::counter;
    use super::*;

    #[test]
    fn a_refuted_claim_leaves_a_sample_that_refutes_similar_claims() {
        let (mut exploration, slots) = counter();
        let mut solver = Budget::default().solver();
        let mut paths = Paths::new(&mut exploration, &slots, &mut solver);
        assert_eq!((paths.len(), paths.samples()), (3, 3), "below, panicking, above");
        let [before, after] = [1, 3].map(Expr::Slot);
        let guard = paths.id_of(&Claim::Less(before, Expr::Number(10)));
        let mut holds = |claim: &Claim| {
            let id = paths.id_of(claim);
            let is_consistent = paths.is_consistent_with_samples(&[guard], id, false);
            (is_consistent, paths.holds(&[guard], id), paths.samples())
        };
        let is_one = Claim::Same(after.clone(), Expr::Number(1));
        assert_eq!(holds(&is_one), (true, false, 4), "the solver finds a fourth sample");
        let is_below_two = Claim::Less(after.clone(), Expr::Number(2));
        assert_eq!(holds(&is_below_two), (false, false, 4), "the sample refutes it");
        let grown = Expr::Linear { slot: 1, times: 1, plus: 1 };
        assert_eq!(holds(&Claim::Same(after, grown)), (true, true, 4), "the solver proves it");
    }

    #[test]
    fn a_guard_that_no_sample_satisfies_implies_nothing() {
        let (mut exploration, slots) = counter();
        let mut solver = Budget::default().solver();
        let mut paths = Paths::new(&mut exploration, &slots, &mut solver);
        let never = paths.id_of(&Claim::Less(Expr::Slot(1), Expr::Number(0)));
        let id = paths.id_of(&Claim::Same(Expr::Slot(3), Expr::Slot(1)));
        assert!(!paths.holds(&[never], id));
    }

    #[test]
    fn small_constants_of_conditions_are_found() {
        let mut pool = Pool::new();
        let x = pool.var("d0", Sort::BitVec(32));
        let mut constants = |number: u128| {
            let number = pool.bits(32, number);
            let is_less = pool.bv_ult(x, number);
            let is_not_less = pool.not(is_less);
            let mut found = compared_constants(&pool, is_not_less);
            found.dedup();
            found
        };
        assert_eq!(constants(100), [100]);
        assert_eq!(constants(1 << 20), []);
    }

    #[test]
    fn types_that_differ_in_borrowing_are_one() {
        let normalized = |name: &str| normalized_type(&TypeName::parse(name));
        for list in ["alloc::vec::Vec<u8>", "&[u8]", "impl Iterator<Item = &u8>"] {
            assert_eq!(normalized(list), TypeName::parse("[u8]"));
            assert_eq!(element_type(&normalized(list)), Some(&TypeName::parse("u8")));
        }
        assert_eq!(normalized("&alloc::string::String"), TypeName::parse("str"));
        let option = TypeName::parse("core::option::Option<u8>");
        assert_eq!(element_type(&option), Some(&TypeName::parse("u8")));
        assert_eq!(element_type(&TypeName::parse("u8")), None);
    }
}
