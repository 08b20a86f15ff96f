//! What the parameters of passing paths have in common that those of others do not.
//!
//! Paths are conditions on draws. A parameter may have one value on all passing paths: then it
//! stays a value. One that says what is expected may follow from others: then it becomes an
//! expression. Of the rest, a small condition is sought that every passing path implies and every
//! other refutes; the solver decides both, so no condition is taken that is wrong for the paths
//! that are known.

use super::atoms::{self, Asks, Atom, widened};
use super::kinds::End;
use super::paths::{Paths, REMEMBERED_MAX};
use super::plan::{Parameter, Plan};
use super::sequences::{self, Element, Sequence};
use super::value::Type;
use rebut_concolic::Budget;
use rebut_smt::{Answer, Model, Pool, Solver, Term};
use std::collections::{HashMap, HashSet};

/// What a parameter is on all passing paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fix {
    /// The value that it has in the test.
    Own,
    /// This expression.
    As(String),
}

/// When something is so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Assumption {
    /// The condition; none if it is always so.
    pub(super) text: Option<String>,
    /// Whether that is proved for all inputs, and not for the known paths only.
    pub(super) is_proved: bool,
}

/// Asks the solver, but not without end.
#[derive(Debug)]
struct Asker<'p> {
    budget: &'p Budget,
    solver: Solver,
    /// How many questions were asked since there are new ones.
    asked: usize,
}

/// At most so many questions are asked for one way to write a test.
const QUESTIONS_MAX: usize = 500;
/// At most so many paths are told apart by a condition.
const REGIONS_MAX: usize = 40;

impl Asker<'_> {
    /// The answer; none if there were too many questions.
    fn ask(&mut self, pool: &mut Pool, terms: &[Term]) -> Option<Answer> {
        self.asked += 1;
        if self.asked.is_multiple_of(REMEMBERED_MAX) {
            self.solver = self.budget.solver();
        }
        (self.asked <= QUESTIONS_MAX).then(|| self.solver.check_assuming(pool, terms))
    }
}

/// An input of a path.
#[derive(Clone, Debug)]
pub(super) struct Simple {
    pub(super) path: usize,
    /// Which parameters have the value of the test.
    pub(super) kept: Vec<bool>,
    /// The number of each other that is one choice.
    pub(super) numbers: Vec<Option<i128>>,
}

/// At most so many comparisons are in a condition.
const ATOMS_MAX: usize = 4;
/// So many paths of a kind are looked at for one that reads well.
const PATHS_MAX: usize = 8;
/// Splits of a condition into two cases that are tried.
const SPLITS_MAX: usize = 40;

/// The paths of a test, and what can be asked of them.
#[derive(Debug)]
pub(super) struct Logic<'p> {
    plan: &'p Plan,
    pub(super) paths: &'p mut Paths,
    ends: &'p [End],
    asker: Asker<'p>,
    variables: Vec<Option<Term>>,
    sequences: Vec<Option<Sequence>>,
    asks: Vec<Asks>,
    /// What each parameter is on passing paths.
    pub(super) fixes: Vec<Option<Fix>>,
    /// The same as terms.
    pub(super) equal: Vec<Option<Term>>,
    /// What is known of regions.
    known: HashMap<Region, Facts>,
}

/// So many inputs of a region are kept.
const MODELS_MAX: usize = 12;

/// What is known of a region.
#[derive(Debug, Default)]
struct Facts {
    /// Some of its inputs: most questions are answered by one of them.
    models: Vec<Model>,
    /// What is true for none of them.
    refuted: HashSet<Term>,
}

/// Inputs that take a path: those on which all of these terms are true.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Region {
    terms: Vec<Term>,
}

impl<'p> Logic<'p> {
    pub(super) fn new(
        plan: &'p Plan,
        paths: &'p mut Paths,
        ends: &'p [End],
        budget: &'p Budget,
    ) -> Self {
        let sequences = sequences::of(plan, paths);
        let variables = atoms::variables(plan, paths);
        let asks = atoms::asks(paths);
        let count = plan.parameters.len();
        Logic {
            plan,
            paths,
            ends,
            asker: Asker { budget, solver: budget.solver(), asked: 0 },
            variables,
            sequences,
            asks,
            fixes: vec![None; count],
            equal: vec![None; count],
            known: HashMap::new(),
        }
    }

    fn of(&self, nth: usize) -> Option<&Type> {
        self.plan.parameters[nth].of.as_ref()
    }

    /// Asks whether no input of a region makes a term true. An input that does is kept.
    fn is_impossible(&mut self, region: &Region, term: Term) -> bool {
        let mut question = region.terms.clone();
        question.push(term);
        let answer = self.asker.ask(&mut self.paths.pool, &question);
        let facts = self.known.entry(region.clone()).or_default();
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

    /// Whether a term is true on all of a path.
    fn is_implied(&mut self, region: &Region, term: Term) -> bool {
        let opposite = self.paths.pool.not(term);
        self.is_refuted(region, opposite)
    }

    /// Whether a term is true nowhere on a path.
    fn is_refuted(&mut self, region: &Region, term: Term) -> bool {
        if let Some(facts) = self.known.get(region) {
            if facts.refuted.contains(&term) {
                return true;
            }
            let pool = &self.paths.pool;
            if facts.models.iter().any(|model| model.satisfies(pool, &[term])) {
                return false;
            }
        }
        self.is_impossible(region, term)
    }

    /// The paths that end so, those first whose inputs are most like the test's own values: not
    /// all of very many are looked at.
    fn paths_that(&self, is_meant: impl Fn(End) -> bool) -> Vec<usize> {
        let all = 0..self.paths.all.len();
        let mut found: Vec<usize> = all.filter(|nth| is_meant(self.ends[*nth])).collect();
        let own = &self.paths.own_numbers;
        found.sort_by_cached_key(|nth| {
            let numbers = &self.paths.all[*nth].numbers;
            let differ = own.iter().zip(numbers).filter(|(own, number)| own != number).count();
            differ + own.len().abs_diff(numbers.len())
        });
        found
    }

    fn region(&mut self, path: usize) -> Region {
        let path = &self.paths.all[path];
        let region = Region { terms: path.conditions.clone() };
        let facts = self.known.entry(region.clone()).or_default();
        if facts.models.is_empty() {
            facts.models.push(path.model.clone());
        }
        region
    }

    /// The part of a region where a term is true.
    fn part(&mut self, region: &Region, term: Term) -> Region {
        let mut part = region.clone();
        part.terms.push(term);
        if let (Some(facts), false) = (self.known.get(region), self.known.contains_key(&part)) {
            let pool = &self.paths.pool;
            let inside = facts.models.iter().filter(|model| model.satisfies(pool, &[term]));
            let (models, refuted) = (inside.cloned().collect(), facts.refuted.clone());
            self.known.insert(part.clone(), Facts { models, refuted });
        }
        part
    }

    /// Begins to count questions anew.
    pub(super) fn renew(&mut self) {
        self.asker.asked = 0;
    }

    /// Finds out what parameters are on all passing paths.
    pub(super) fn fix(&mut self) {
        let passing = self.paths_that(|end| end == End::Passes);
        self.fix_on(&passing);
    }

    /// Finds out what parameters are on the path of the test's own values alone. Less is claimed
    /// then than all passing paths allow.
    pub(super) fn fix_on_own(&mut self) {
        self.fix_on(&[self.paths.own]);
    }

    fn fix_on(&mut self, passing: &[usize]) {
        let count = self.plan.parameters.len();
        (self.fixes, self.equal) = (vec![None; count], vec![None; count]);
        let some = passing.iter().take(REGIONS_MAX);
        let regions: Vec<Region> = some.map(|path| self.region(*path)).collect();
        for nth in 0..count {
            let Some(is_own) = self.is_own(nth) else { continue };
            if regions.iter().all(|region| self.is_implied(region, is_own)) {
                self.fixes[nth] = Some(Fix::Own);
                self.equal[nth] = Some(is_own);
            }
        }
        for nth in 0..count {
            if self.fixes[nth].is_none() && self.plan.parameters[nth].is_expected() {
                self.express(nth, &regions);
            }
        }
    }

    /// Has all parameters the values of the test, but those with which it passes with others too:
    /// these are found one by one. Whether there are any.
    pub(super) fn fix_all_but_some(&mut self) -> bool {
        let count = self.plan.parameters.len();
        for nth in (0..count).filter(|nth| !self.plan.parameters[*nth].is_mock()) {
            self.fixes[nth] = Some(Fix::Own);
            self.equal[nth] = self.is_own(nth);
        }
        let mut passing = self.paths_that(|end| end == End::Passes);
        passing.truncate(REGIONS_MAX);
        let mut is_any = self.plan.mocks().next().is_some();
        for nth in 0..count {
            let Some(is_own) = self.equal[nth] else { continue };
            (self.fixes[nth], self.equal[nth]) = (None, None);
            let inside: Vec<Region> =
                passing.iter().filter_map(|path| self.restricted(*path, |_| true)).collect();
            let is_fixed = inside.iter().all(|region| self.is_implied(region, is_own));
            if is_fixed || self.passing().is_none() {
                (self.fixes[nth], self.equal[nth]) = (Some(Fix::Own), Some(is_own));
            } else {
                is_any = true;
            }
        }
        is_any
    }

    /// That a parameter has the value of the test.
    fn is_own(&mut self, nth: usize) -> Option<Term> {
        let parameter = &self.plan.parameters[nth];
        let numbers = parameter.site.value.numbers(parameter.of.as_ref()?)?;
        let pool = &mut self.paths.pool;
        if let Some(sequence) = &self.sequences[nth] {
            return Some(sequence.is(pool, &numbers));
        }
        let variable = self.variables[nth]?;
        let width = pool.width(variable);
        let own = pool.bits(width, *numbers.first()? as u128 & (u128::MAX >> (128 - width)));
        Some(pool.eq(variable, own))
    }

    /// Finds an expression of other parameters that an expected value is equal to.
    fn express(&mut self, nth: usize, regions: &[Region]) {
        let others: Vec<usize> = (0..self.plan.parameters.len())
            .filter(|other| *other != nth && self.fixes[*other].is_none())
            .filter(|other| !self.plan.parameters[*other].is_expected())
            .collect();
        for (text, is_it) in self.expressions(nth, &others) {
            if regions.iter().all(|region| self.is_implied(region, is_it)) {
                self.fixes[nth] = Some(Fix::As(text));
                self.equal[nth] = Some(is_it);
                return;
            }
        }
        for Element { text, is_it, needs } in self.elements(nth, &others) {
            let mut both = regions.iter().flat_map(|region| [(region, needs), (region, is_it)]);
            if both.all(|(region, term)| self.is_implied(region, term)) {
                self.fixes[nth] = Some(Fix::As(text));
                self.equal[nth] = Some(is_it);
                return;
            }
        }
    }

    /// Other texts that a text may be equal to.
    fn same_texts(&mut self, nth: usize, others: &[usize]) -> Vec<(String, Term)> {
        let Some(own) = self.sequences[nth].clone() else { return Vec::new() };
        let mut found = Vec::new();
        for other in others {
            let Some(sequence) = self.sequences[*other].clone() else { continue };
            if self.of(*other) != self.of(nth) {
                continue;
            }
            let is_same = own.is_same(&mut self.paths.pool, &sequence);
            found.push((self.plan.parameters[*other].name().to_owned(), is_same));
        }
        found
    }

    /// Expressions of the type of a parameter, with what it means to be equal to each.
    fn expressions(&mut self, nth: usize, others: &[usize]) -> Vec<(String, Term)> {
        let Some(variable) = self.variables[nth] else { return self.same_texts(nth, others) };
        match self.of(nth).cloned() {
            Some(Type::Bool) => {
                let atoms = self.atoms(others);
                let pool = &mut self.paths.pool;
                let one = pool.bits(1, 1);
                let is_set = pool.eq(variable, one);
                let mut found = Vec::new();
                for Atom { text, negated, term, .. } in atoms {
                    let differs = pool.xor(is_set, term);
                    found.push((text, pool.not(differs)));
                    found.push((negated, differs));
                }
                found
            }
            Some(of) => self.sums(variable, &of, others),
            None => Vec::new(),
        }
    }

    /// A parameter of one choice as a value of a type: itself, or a number of a narrower type.
    fn as_type(&mut self, nth: usize, of: &Type) -> Option<(String, Term)> {
        let term = self.variables[nth]?;
        let name = self.plan.parameters[nth].name();
        match (self.of(nth)?, of) {
            (own, of) if own == of => Some((name.to_owned(), term)),
            (
                Type::Int { is_signed, bits, name: from },
                Type::Int { is_signed: to_signed, bits: to, name: type_name },
            ) if bits < to
                && (!is_signed || *to_signed)
                && !from.ends_with("size")
                && !type_name.ends_with("size") =>
            {
                let (is_signed, by) = (*is_signed, to - bits);
                let text = format!("{type_name}::from({name})");
                Some((text, widened(&mut self.paths.pool, is_signed, by, term)))
            }
            _ => None,
        }
    }

    /// Other numbers, their sums, differences and products.
    fn sums(&mut self, variable: Term, of: &Type, others: &[usize]) -> Vec<(String, Term)> {
        let mut parts: Vec<(String, Term)> = Vec::new();
        for other in others {
            parts.extend(self.as_type(*other, of));
            parts.extend(self.length_as(*other, of));
        }
        let pool = &mut self.paths.pool;
        let mut found: Vec<(String, Term)> = parts.clone();
        if of.is_int() {
            for (place, (a, x)) in parts.iter().enumerate() {
                for (b, y) in &parts[place + 1..] {
                    found.push((format!("{a} + {b}"), pool.bv_add(*x, *y)));
                    found.push((format!("{a} * {b}"), pool.bv_mul(*x, *y)));
                    found.push((format!("{a} - {b}"), pool.bv_sub(*x, *y)));
                    found.push((format!("{b} - {a}"), pool.bv_sub(*y, *x)));
                }
                let width = pool.width(*x);
                for number in 1..=3u128 {
                    let constant = pool.bits(width, number);
                    found.push((format!("{a} + {number}"), pool.bv_add(*x, constant)));
                    found.push((format!("{a} - {number}"), pool.bv_sub(*x, constant)));
                    if number > 1 {
                        found.push((format!("{a} * {number}"), pool.bv_mul(*x, constant)));
                    }
                }
                if matches!(of, Type::Int { is_signed: true, .. }) {
                    found.push((format!("-{a}"), pool.bv_neg(*x)));
                }
            }
        }
        let width = pool.width(variable);
        found.retain(|(_, term)| pool.width(*term) == width);
        found.into_iter().map(|(text, term)| (text, pool.eq(variable, term))).collect()
    }

    /// The length of a text or a list that is lent, as a value of a type: what is given away
    /// cannot be named any more.
    fn length_as(&self, nth: usize, of: &Type) -> Option<(String, Term)> {
        let is_lent = matches!(self.of(nth), Some(Type::Text | Type::Slice(_)));
        let sequence = self.sequences[nth].as_ref().filter(|_| is_lent)?;
        sequence.length_as(self.plan.parameters[nth].name(), of)
    }

    /// The first and last elements of lists of numbers that are lent.
    fn elements(&mut self, nth: usize, others: &[usize]) -> Vec<Element> {
        let of = self.of(nth).filter(|of| of.is_int()).cloned();
        let (Some(value), Some(of)) = (self.variables[nth], of) else { return Vec::new() };
        let mut found = Vec::new();
        for other in others {
            let is_fitting =
                matches!(self.of(*other), Some(Type::Slice(element)) if **element == of);
            let sequence = self.sequences[*other].as_ref().filter(|_| is_fitting);
            let Some(sequence) = sequence else { continue };
            let name = self.plan.parameters[*other].name();
            found.extend(sequence.elements(&mut self.paths.pool, name, value));
        }
        found
    }

    /// The parameters that are left.
    pub(super) fn free(&self) -> Vec<usize> {
        (0..self.fixes.len()).filter(|nth| self.fixes[*nth].is_none()).collect()
    }

    /// The parameters that say what goes in.
    pub(super) fn inputs(&self) -> Vec<usize> {
        let is_input = |nth: &usize| !self.plan.parameters[*nth].is_expected();
        (0..self.fixes.len()).filter(is_input).collect()
    }

    /// A path where parameters are what they are on passing ones; none if there is no such
    /// input. `is_meant` says which of them.
    fn restricted(&mut self, path: usize, is_meant: impl Fn(usize) -> bool) -> Option<Region> {
        let mut region = self.region(path);
        for nth in (0..self.fixes.len()).filter(|nth| is_meant(*nth)) {
            if self.fixes[nth].is_none() {
                continue;
            }
            let equal = self.equal[nth]?;
            region = self.part(&region, equal);
        }
        let always = self.paths.pool.bool(true);
        (!self.is_refuted(&region, always)).then_some(region)
    }

    /// The condition on the free parameters under which the test passes; none if there is no
    /// simple one.
    pub(super) fn passing(&mut self) -> Option<Assumption> {
        let passing = self.paths_that(|end| end == End::Passes);
        let others =
            self.paths_that(|end| matches!(end, End::Assertion | End::Refuses | End::Mistake));
        let own = self.paths.own;
        let passing = [own].into_iter().chain(passing.into_iter().filter(|path| *path != own));
        let inside: Vec<Region> =
            passing.take(REGIONS_MAX).filter_map(|path| self.restricted(path, |_| true)).collect();
        let others = others.iter().take(REGIONS_MAX);
        let outside: Vec<Region> =
            others.filter_map(|path| self.restricted(*path, |_| true)).collect();
        if inside.is_empty() {
            return None;
        }
        self.separate(&inside, &outside, &self.free())
    }

    /// Takes what is expected for an input that has the same value in the test; whether there is
    /// one. That is a guess: less is claimed then than all passing paths allow.
    pub(super) fn guess(&mut self) -> bool {
        let mut is_any = false;
        for nth in 0..self.plan.parameters.len() {
            let parameter = &self.plan.parameters[nth];
            let Some(variable) = self.variables[nth] else { continue };
            if self.fixes[nth].is_some() || !parameter.is_expected() {
                continue;
            }
            let Some(of) = parameter.of.clone() else { continue };
            let own = parameter.site.value.clone();
            let same = (0..self.plan.parameters.len()).find_map(|other| {
                let known = &self.plan.parameters[other];
                let is_same =
                    self.fixes[other].is_none() && !known.is_expected() && known.site.value == own;
                if is_same { self.as_type(other, &of) } else { None }
            });
            let Some((text, known)) = same else { continue };
            self.fixes[nth] = Some(Fix::As(text));
            self.equal[nth] = Some(self.paths.pool.eq(variable, known));
            is_any = true;
        }
        is_any
    }

    /// Whether a path has an input on which parameters are what they are said to be.
    pub(super) fn is_meant(&mut self, path: usize) -> bool {
        self.restricted(path, |_| true).is_some()
    }

    /// The paths that end like this whatever is expected, and the condition on what goes in
    /// under which they are taken.
    pub(super) fn ending(&mut self, paths: &[usize]) -> (Vec<usize>, Option<Assumption>) {
        let inputs = self.inputs();
        let is_expected = |nth: usize| !inputs.contains(&nth);
        let mut kept = Vec::new();
        let mut inside = Vec::new();
        for path in paths.iter().take(REGIONS_MAX) {
            if let Some(region) = self.restricted(*path, is_expected) {
                kept.push(*path);
                inside.push(region);
            }
        }
        let others = self.paths_that(|end| end != End::Unknown);
        let others = others.into_iter().filter(|path| !paths.contains(path));
        let others: Vec<usize> = others.take(REGIONS_MAX).collect();
        let outside: Vec<Region> =
            others.iter().filter_map(|path| self.restricted(*path, is_expected)).collect();
        if kept.is_empty() {
            return (kept, None);
        }
        let condition = self.separate(&inside, &outside, &inputs);
        (kept, condition)
    }

    /// A condition on parameters that holds inside and nowhere outside.
    fn separate(
        &mut self,
        inside: &[Region],
        outside: &[Region],
        free: &[usize],
    ) -> Option<Assumption> {
        let is_proved = self.is_all_known(free);
        if outside.is_empty() {
            return Some(Assumption { text: None, is_proved });
        }
        let atoms = self.atoms(free);
        // Both sides of each.
        let atoms: Vec<Atom> = atoms
            .into_iter()
            .flat_map(|atom| {
                let opposite = self.paths.pool.not(atom.term);
                let other = Atom {
                    text: atom.negated.clone(),
                    negated: atom.text.clone(),
                    term: opposite,
                    cost: atom.cost,
                };
                [atom, other]
            })
            .collect();
        let text = self
            .all_of(inside, outside, &atoms)
            .map(|all| joined(&all, " && "))
            .or_else(|| {
                let all = self.all_of(outside, inside, &atoms)?;
                let negated: Vec<String> = all.iter().map(|atom| atom.negated.clone()).collect();
                Some(negated.join(" || "))
            })
            .or_else(|| self.split(inside, outside, &atoms))?;
        Some(Assumption { text: Some(text), is_proved })
    }

    /// Whether the known paths are all there are: texts and lists are explored up to a length,
    /// texts with some characters only, and numbers of `u128` up to half of them.
    fn is_all_known(&self, free: &[usize]) -> bool {
        let has_unknown = self.ends.contains(&End::Unknown);
        let is_known = self.paths.all.len() <= REGIONS_MAX;
        let is_halved = |parameter: &Parameter| parameter.of.as_ref().is_some_and(Type::is_halved);
        let has_bounds = free.iter().any(|nth| match &self.plan.parameters[*nth] {
            mock if mock.is_mock() => self.paths.has_bounded_answers,
            other => !other.is_scalar() || is_halved(other),
        });
        self.paths.is_complete && is_known && !has_unknown && !has_bounds
    }

    fn atoms(&mut self, free: &[usize]) -> Vec<Atom> {
        let Logic { plan, paths, variables, sequences, asks, .. } = self;
        atoms::atoms(plan, paths, atoms::Known { variables, sequences, asks }, free)
    }

    /// A few conditions that all hold inside, and of which one does not on each path outside.
    fn all_of(
        &mut self,
        inside: &[Region],
        outside: &[Region],
        atoms: &[Atom],
    ) -> Option<Vec<Atom>> {
        let mut open: Vec<&Region> = outside.iter().collect();
        let mut chosen: Vec<Atom> = Vec::new();
        let valid: Vec<&Atom> = atoms
            .iter()
            .filter(|atom| inside.iter().all(|region| self.is_implied(region, atom.term)))
            .collect();
        while !open.is_empty() {
            if chosen.len() >= ATOMS_MAX {
                return None;
            }
            let mut best: Option<(usize, &Atom, Vec<bool>)> = None;
            for atom in &valid {
                let refuted: Vec<bool> =
                    open.iter().map(|region| self.is_refuted(region, atom.term)).collect();
                let count = refuted.iter().filter(|refuted| **refuted).count();
                let is_better = best.as_ref().is_none_or(|(most, known, _)| {
                    (count, std::cmp::Reverse(atom.cost)) > (*most, std::cmp::Reverse(known.cost))
                });
                if count > 0 && is_better {
                    best = Some((count, atom, refuted));
                }
            }
            let Some((_, atom, refuted)) = best else {
                let open: Vec<Region> = open.into_iter().cloned().collect();
                chosen.extend(self.together(&open, &valid, ATOMS_MAX - chosen.len())?);
                break;
            };
            chosen.push(atom.clone());
            let mut nth = 0;
            open.retain(|_| {
                nth += 1;
                !refuted[nth - 1]
            });
        }
        chosen.sort_by_key(|atom| self.first_named(&atom.text));
        Some(chosen)
    }

    /// A few conditions that are never all true on one of these paths, where none alone never is.
    fn together(&mut self, open: &[Region], valid: &[&Atom], most: usize) -> Option<Vec<Atom>> {
        let is_refuted = |logic: &mut Self, atoms: &[&Atom]| {
            let terms: Vec<Term> = atoms.iter().map(|atom| atom.term).collect();
            let all = logic.paths.pool.all(&terms);
            open.iter().all(|region| logic.is_refuted(region, all))
        };
        let mut kept = valid.to_vec();
        if !is_refuted(self, &kept) {
            return None;
        }
        // Those that read worst are dropped first; they come last.
        for nth in (0..valid.len()).rev() {
            let fewer = [&kept[..nth], &kept[nth + 1..]].concat();
            if is_refuted(self, &fewer) {
                kept = fewer;
            }
        }
        (kept.len() <= most).then(|| kept.into_iter().cloned().collect())
    }

    /// The first parameter that a condition names.
    fn first_named(&self, text: &str) -> usize {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let words: Vec<&str> = text.split(|c| !is_word(c)).collect();
        let mut all = self.plan.parameters.iter();
        all.position(|parameter| words.contains(&parameter.name())).unwrap_or(usize::MAX)
    }

    /// Two cases, each with conditions of its own.
    fn split(&mut self, inside: &[Region], outside: &[Region], atoms: &[Atom]) -> Option<String> {
        for atom in atoms.iter().take(SPLITS_MAX) {
            let opposite = self.paths.pool.not(atom.term);
            let (mut yes, mut no) = (Vec::new(), Vec::new());
            for region in inside {
                if self.is_implied(region, atom.term) {
                    yes.push(region.clone());
                } else if self.is_implied(region, opposite) {
                    no.push(region.clone());
                }
            }
            if yes.is_empty() || no.is_empty() || yes.len() + no.len() < inside.len() {
                continue;
            }
            let [beside_yes, beside_no] =
                [atom.term, opposite].map(|term| self.narrowed(outside, term));
            let Some(first) = self.all_of(&yes, &beside_yes, atoms) else { continue };
            let Some(second) = self.all_of(&no, &beside_no, atoms) else { continue };
            if first.len() + second.len() > ATOMS_MAX {
                continue;
            }
            let (one, other) = (joined(&first, " && "), joined(&second, " && "));
            return Some(match (first.is_empty(), second.is_empty()) {
                (true, true) => continue,
                (true, false) => format!("{} || ({other})", atom.text),
                (false, true) => format!("{} || ({one})", atom.negated),
                (false, false) => {
                    format!("({} && {one}) || ({} && {other})", atom.text, atom.negated)
                }
            });
        }
        None
    }

    /// Those paths on which a term can be true, with it.
    fn narrowed(&mut self, regions: &[Region], term: Term) -> Vec<Region> {
        let mut kept = Vec::new();
        for region in regions {
            if !self.is_refuted(region, term) {
                kept.push(self.part(region, term));
            }
        }
        kept
    }

    /// A simple input of one of these paths, on which parameters are what these fixes say; none
    /// if there is no such input.
    pub(super) fn simplest(&mut self, paths: &[usize], fixes: &[Option<Fix>]) -> Option<Simple> {
        let scalars = self.plan.explored().iter().filter(|one| one.is_scalar()).count();
        let mut best: Option<Simple> = None;
        for path in paths.iter().take(PATHS_MAX) {
            let Some(found) = self.simple(*path, scalars, fixes) else { continue };
            let count = |simple: &Simple| simple.kept.iter().filter(|kept| **kept).count();
            if best.as_ref().is_none_or(|best| count(&found) > count(best)) {
                best = Some(found);
            }
        }
        best
    }

    fn simple(&mut self, path: usize, scalars: usize, fixes: &[Option<Fix>]) -> Option<Simple> {
        let count = self.plan.parameters.len();
        if path == self.paths.own {
            return Some(Simple { path, kept: vec![true; count], numbers: vec![None; count] });
        }
        let mut terms = self.paths.all[path].conditions.clone();
        let is_fixed = |nth: &usize| fixes.get(*nth).is_some_and(Option::is_some);
        terms.extend((0..count).filter(is_fixed).filter_map(|nth| self.equal[nth]));
        let has_own_texts = self.can_have_own_texts(path, scalars, &terms);
        let chosen = if has_own_texts {
            self.paths.own_numbers.clone()
        } else {
            self.paths.all[path].numbers.clone()
        };
        terms.extend(self.drawn(path, scalars, &chosen));
        let mut kept = vec![has_own_texts; count];
        let mut numbers = vec![None; count];
        let mut known = self.model(&terms)?;
        for nth in 0..count {
            let Some(variable) = self.variables[nth] else { continue };
            let (own, others) = self.candidates(nth);
            let found = [own].into_iter().chain(others).flatten().find(|number| {
                let pool = &mut self.paths.pool;
                let width = pool.width(variable);
                let value = pool.bits(width, *number as u128 & (u128::MAX >> (128 - width)));
                let is_it = pool.eq(variable, value);
                terms.push(is_it);
                let is_known = known.satisfies(pool, &[is_it]);
                let model = if is_known { Some(known.clone()) } else { self.model(&terms) };
                match model {
                    Some(model) => known = model,
                    None => drop(terms.pop()),
                }
                known.satisfies(&self.paths.pool, &[is_it])
            });
            kept[nth] = found.is_some() && found == own;
            numbers[nth] = found;
            if found.is_none()
                && let Ok(value) = known.evaluate(&self.paths.pool, variable)
            {
                // Any that goes there with those that are chosen; later ones have to fit it.
                let is_signed = matches!(self.of(nth), Some(Type::Int { is_signed: true, .. }));
                let number = |bits: rebut_smt::Bits| match is_signed {
                    true => bits.signed(),
                    false => bits.unsigned() as i128,
                };
                numbers[nth] = value.as_bits().map(number);
                let pool = &mut self.paths.pool;
                let value = pool.constant(value);
                terms.push(pool.eq(variable, value));
            }
        }
        Some(Simple { path, kept, numbers })
    }

    /// An input for which all of these are true, if one is found.
    fn model(&mut self, terms: &[Term]) -> Option<Model> {
        match self.asker.ask(&mut self.paths.pool, terms) {
            Some(Answer::Sat(model)) => Some(model),
            _ => None,
        }
    }

    /// The number of a parameter in the test, and others that read well.
    fn candidates(&self, nth: usize) -> (Option<i128>, Vec<Option<i128>>) {
        let parameter = &self.plan.parameters[nth];
        let Some(of) = &parameter.of else { return (None, Vec::new()) };
        let own = parameter.site.value.numbers(of).and_then(|numbers| numbers.first().copied());
        let others = match of {
            Type::Int { is_signed, bits, .. } => {
                let near = own.unwrap_or(0);
                let range = atoms::range(*is_signed, *bits);
                let (next, before) = (near.saturating_add(1), near.saturating_sub(1));
                let all = [0, 1, -1, 2, next, before, 3, 5, 10, 100, *range.end()];
                all.into_iter().filter(|number| range.contains(number)).map(Some).collect()
            }
            Type::Bool => vec![Some(0), Some(1)],
            _ => Vec::new(),
        };
        (own, others)
    }

    /// Whether an input of a path can have the texts and lists of the test.
    fn can_have_own_texts(&mut self, path: usize, scalars: usize, terms: &[Term]) -> bool {
        let numbers = self.paths.own_numbers.clone();
        let mut terms = terms.to_vec();
        let fixed = self.drawn(path, scalars, &numbers);
        // Draws that the values of the test do not have are other texts.
        let asked = self.paths.pool.variables(&terms);
        let is_beyond = |variable: &Term| {
            let name = self.paths.pool.name(*variable).and_then(|name| name.strip_prefix('d'));
            name.and_then(|nth| nth.parse::<usize>().ok()).is_some_and(|nth| nth >= numbers.len())
        };
        if asked.iter().any(is_beyond) {
            return false;
        }
        terms.extend(fixed);
        self.model(&terms).is_some()
    }

    /// That the draws behind those of one choice are these.
    fn drawn(&mut self, path: usize, scalars: usize, numbers: &[i128]) -> Vec<Term> {
        let conditions = self.paths.all[path].conditions.clone();
        let mut terms = Vec::new();
        for variable in self.paths.pool.variables(&conditions) {
            let pool = &mut self.paths.pool;
            let nth = pool.name(variable).and_then(|name| name.strip_prefix('d')?.parse().ok());
            let Some(nth) = nth.filter(|nth: &usize| *nth >= scalars) else { continue };
            let Some(number) = numbers.get(nth) else { continue };
            let width = pool.width(variable);
            let value = pool.bits(width, *number as u128 & (u128::MAX >> (128 - width)));
            terms.push(pool.eq(variable, value));
        }
        terms
    }
}

fn joined(atoms: &[Atom], sign: &str) -> String {
    let texts: Vec<&str> = atoms.iter().map(|atom| atom.text.as_str()).collect();
    texts.join(sign)
}
