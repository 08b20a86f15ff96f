//! Builds an automaton from an expression, by symbolic derivatives.
//!
//! The derivative of a language by a symbol is the language of what may follow that symbol
//! (Brzozowski 1964). The derivative of an expression is again an expression, and up to the laws
//! that the constructors below apply there are finitely many of them: these are the states.
//! Symbols with the same derivative are handled together as a set, so the alphabet can be all of
//! Unicode. A union is not one state but several (Antimirov 1996); only below a complement must
//! the parts of a union stay together. With intersections of such states this is the scheme of
//! Stanford, Veanes and Bjørner (2021).
//!
//! Example: `(ab)*` is a term; it steps over `a` to `b(ab)*`, which steps over `b` back to
//! `(ab)*`. These are all the states, and `(ab)*` accepts because it matches the empty string.
//!
//! Terms are interned, so equal terms have equal ids and comparing states is comparing numbers.
//! Determinism is left out on purpose: the textbook construction makes each union one state,
//! which is exponential for `(a|b)*a(a|b){16}`.

use std::collections::{HashMap, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use super::TooComplex;
use super::expr::Expr;
use super::nfa::Nfa;
use crate::order;
use crate::symbols::{Symbol, Symbols, disjoint};

/// Builds the trimmed automaton of an expression.
pub(super) fn automaton(expr: &Expr, states_max: usize) -> Result<Nfa, TooComplex> {
    let mut terms = Terms::new(states_max);
    let start = terms.term(expr);
    let mut walk = StateQueue::default();
    let starts: Vec<u32> = terms.parts(start).iter().map(|&part| walk.state(part)).collect();
    let mut accepting = Vec::new();
    let mut edges = Vec::new();
    while let Some(term) = walk.next() {
        accepting.push(terms.nullable(term));
        let steps = terms.steps(term)?;
        let targets = steps.iter().map(|(symbols, target)| (symbols.clone(), walk.state(*target)));
        edges.push(targets.collect());
        terms.check(walk.terms.len())?;
    }
    Ok(Nfa { starts, accepting, edges }.trimmed())
}

/// Finds a shortest string of an expression. Explores states breadth first and stops at the
/// first accepting one.
pub(super) fn shortest(expr: &Expr, states_max: usize) -> Result<Option<Vec<Symbol>>, TooComplex> {
    let mut terms = Terms::new(states_max);
    let start = terms.term(expr);
    let mut walk = StateQueue::default();
    let mut reached_by: Vec<Option<(u32, Symbol)>> = Vec::new();
    for part in terms.parts(start) {
        walk.state(part);
    }
    reached_by.resize(walk.terms.len(), None);
    let mut state = 0;
    while let Some(term) = walk.next() {
        if terms.nullable(term) {
            return Ok(Some(path(&reached_by, state)));
        }
        let steps = terms.steps(term)?;
        let mut targets: Vec<(Symbol, Id)> = steps
            .iter()
            .filter_map(|(symbols, target)| Some((symbols.first()?, *target)))
            .collect();
        targets.sort_unstable();
        for (symbol, target) in targets {
            walk.state(target);
            if reached_by.len() < walk.terms.len() {
                reached_by.push(Some((state, symbol)));
            }
        }
        terms.check(walk.terms.len())?;
        state += 1;
    }
    Ok(None)
}

fn path(reached_by: &[Option<(u32, Symbol)>], state: u32) -> Vec<Symbol> {
    let (mut symbols, mut state) = (Vec::new(), state);
    while let Some((before, symbol)) = reached_by[state as usize] {
        symbols.push(symbol);
        state = before;
    }
    symbols.reverse();
    symbols
}

/// Numbers terms in the order in which they are discovered, and queues them.
#[derive(Default)]
struct StateQueue {
    numbers: HashMap<Id, u32>,
    terms: Vec<Id>,
    queue: VecDeque<Id>,
}

impl StateQueue {
    fn state(&mut self, term: Id) -> u32 {
        let next = u32::try_from(self.terms.len()).unwrap_or(u32::MAX);
        *self.numbers.entry(term).or_insert_with(|| {
            self.terms.push(term);
            self.queue.push_back(term);
            next
        })
    }

    fn next(&mut self) -> Option<Id> {
        self.queue.pop_front()
    }
}

/// The index of a term. Equal terms have equal indices.
type Id = u32;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Term {
    Empty,
    Set(Symbols),
    Concat(Id, Id),
    Union(Box<[Id]>),
    And(Box<[Id]>),
    Not(Id),
    /// The inner term, the minimum number of repetitions, and the maximum if any.
    Repeat(Id, u32, Option<u32>),
    /// A state of an automaton: the index of the automaton and of the state.
    State(u32, u32),
}

/// The outgoing edges of a term.
type Steps = Rc<[(Symbols, Id)]>;

// The first terms that `Terms::new` interns: no string, the empty string, any one symbol, and all
// strings.
const NONE: Id = 0;
const EMPTY: Id = 1;
const ANY: Id = 2;
const ALL: Id = 3;

/// The terms created so far.
struct Terms {
    terms: Vec<Term>,
    nullable: Vec<bool>,
    steps: Vec<Option<Steps>>,
    index: HashMap<Term, Id>,
    machines: Vec<Arc<Nfa>>,
    states_max: usize,
}

impl Terms {
    fn new(states_max: usize) -> Terms {
        let mut terms = Terms {
            terms: Vec::new(),
            nullable: Vec::new(),
            steps: Vec::new(),
            index: HashMap::new(),
            machines: Vec::new(),
            states_max,
        };
        terms.intern(Term::Set(Symbols::none()));
        terms.intern(Term::Empty);
        terms.intern(Term::Set(order::all()));
        terms.intern(Term::Repeat(ANY, 0, None));
        terms
    }

    /// Fails if there are too many states or terms.
    ///
    /// Each state is a term that is made of subterms, so there are more terms than states. The
    /// factor 8 and the 64 for small limits are arbitrary; they bound the memory of expressions
    /// whose states have many subterms.
    fn check(&self, states: usize) -> Result<(), TooComplex> {
        let terms_max = self.states_max.saturating_mul(8).saturating_add(64);
        if states > self.states_max || self.terms.len() > terms_max {
            return Err(TooComplex::new(self.states_max));
        }
        Ok(())
    }

    fn intern(&mut self, term: Term) -> Id {
        if let Some(&id) = self.index.get(&term) {
            return id;
        }
        let nullable = match &term {
            Term::Empty => true,
            Term::Set(_) => false,
            Term::Concat(left, right) => self.nullable(*left) && self.nullable(*right),
            Term::Union(parts) => parts.iter().any(|&part| self.nullable(part)),
            Term::And(parts) => parts.iter().all(|&part| self.nullable(part)),
            Term::Not(inner) => !self.nullable(*inner),
            Term::Repeat(inner, min, _) => *min == 0 || self.nullable(*inner),
            Term::State(machine, state) => {
                self.machines[*machine as usize].accepting[*state as usize]
            }
        };
        let id = Id::try_from(self.terms.len()).unwrap_or(Id::MAX);
        self.index.insert(term.clone(), id);
        self.terms.push(term);
        self.nullable.push(nullable);
        self.steps.push(None);
        id
    }

    fn nullable(&self, id: Id) -> bool {
        self.nullable[id as usize]
    }

    fn term(&mut self, expr: &Expr) -> Id {
        match expr {
            Expr::Set(symbols) => self.intern(Term::Set(symbols.clone())),
            Expr::Concat(parts) => {
                let parts: Vec<Id> = parts.iter().map(|part| self.term(part)).collect();
                parts.into_iter().rev().fold(EMPTY, |tail, part| self.concat(part, tail))
            }
            Expr::Union(parts) => {
                let parts = parts.iter().map(|part| self.term(part)).collect();
                self.union(parts)
            }
            Expr::And(parts) => {
                let parts = parts.iter().map(|part| self.term(part)).collect();
                self.and(parts)
            }
            Expr::Not(inner) => {
                let inner = self.term(inner);
                self.not(inner)
            }
            Expr::Repeat(inner, min, max) => {
                let inner = self.term(inner);
                self.repeat(inner, *min, *max)
            }
            Expr::Machine(nfa) => self.machine(nfa),
        }
    }

    fn machine(&mut self, nfa: &Arc<Nfa>) -> Id {
        let known = self.machines.iter().position(|machine| Arc::ptr_eq(machine, nfa));
        let machine = known.unwrap_or_else(|| {
            self.machines.push(nfa.clone());
            self.machines.len() - 1
        });
        let machine = u32::try_from(machine).unwrap_or(u32::MAX);
        let states =
            nfa.starts.iter().map(|&state| self.intern(Term::State(machine, state))).collect();
        self.union(states)
    }

    fn concat(&mut self, left: Id, right: Id) -> Id {
        match (left, right) {
            (NONE, _) | (_, NONE) => return NONE,
            (EMPTY, other) | (other, EMPTY) => return other,
            (ALL, ALL) => return ALL,
            _ => {}
        }
        if left == ALL && matches!(self.terms[right as usize], Term::Concat(ALL, _)) {
            return right;
        }
        // Concatenations are nested to the right. A long string is a deep term, so this is a
        // loop and not a recursion.
        let (mut firsts, mut last) = (Vec::new(), left);
        while let Term::Concat(first, second) = self.terms[last as usize] {
            firsts.push(first);
            last = second;
        }
        if firsts.is_empty() {
            return self.intern(Term::Concat(left, right));
        }
        let tail = self.concat(last, right);
        firsts.into_iter().rev().fold(tail, |tail, first| self.concat(first, tail))
    }

    fn union(&mut self, parts: Vec<Id>) -> Id {
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            match &self.terms[part as usize] {
                Term::Union(inner) => flat.extend_from_slice(inner),
                _ => flat.push(part),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        flat.retain(|&part| part != NONE);
        match &*flat {
            [] => NONE,
            [one] => *one,
            _ if flat.contains(&ALL) => ALL,
            _ => self.intern(Term::Union(flat.into())),
        }
    }

    fn and(&mut self, parts: Vec<Id>) -> Id {
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            match &self.terms[part as usize] {
                Term::And(inner) => flat.extend_from_slice(inner),
                _ => flat.push(part),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        flat.retain(|&part| part != ALL);
        let contradicts = |part: &Id| match self.terms[*part as usize] {
            Term::Not(inner) => flat.binary_search(&inner).is_ok(),
            _ => *part == NONE,
        };
        match &*flat {
            [] => ALL,
            [one] => *one,
            _ if flat.iter().any(contradicts) => NONE,
            _ if flat.contains(&EMPTY) => {
                let all_can = flat.iter().all(|&part| self.nullable(part));
                if all_can { EMPTY } else { NONE }
            }
            _ => self.intern(Term::And(flat.into())),
        }
    }

    fn not(&mut self, inner: Id) -> Id {
        match (inner, &self.terms[inner as usize]) {
            (NONE, _) => ALL,
            (ALL, _) => NONE,
            (_, Term::Not(inside)) => *inside,
            _ => self.intern(Term::Not(inner)),
        }
    }

    fn repeat(&mut self, inner: Id, min: u32, max: Option<u32>) -> Id {
        if max.is_some_and(|max| max < min) {
            return NONE;
        }
        let min = if self.nullable(inner) { 0 } else { min };
        match (inner, min, max) {
            (_, _, Some(0)) | (EMPTY, ..) | (NONE, 0, _) => return EMPTY,
            (NONE, ..) => return NONE,
            (ALL, ..) => return ALL,
            (_, 1, Some(1)) => return inner,
            _ => {}
        }
        match self.terms[inner as usize] {
            Term::Repeat(_, 0, None) => inner,
            _ => self.intern(Term::Repeat(inner, min, max)),
        }
    }

    /// Returns the states that a term consists of: the parts of a union, or the term itself.
    fn parts(&self, id: Id) -> Vec<Id> {
        match &self.terms[id as usize] {
            _ if id == NONE => Vec::new(),
            Term::Union(parts) => parts.to_vec(),
            _ => vec![id],
        }
    }

    /// Returns the outgoing edges of a term. Their symbols may overlap; no target is a union.
    fn steps(&mut self, id: Id) -> Result<Steps, TooComplex> {
        if let Some(steps) = &self.steps[id as usize] {
            return Ok(steps.clone());
        }
        self.check(0)?;
        let mut steps = match self.terms[id as usize].clone() {
            Term::Empty => Vec::new(),
            Term::Set(symbols) if symbols.is_empty() => Vec::new(),
            Term::Set(symbols) => vec![(symbols, EMPTY)],
            Term::Concat(left, right) => self.concat_steps(left, right)?,
            Term::Union(parts) => {
                let mut steps = Vec::new();
                for part in parts {
                    steps.extend_from_slice(&self.steps(part)?);
                }
                steps
            }
            Term::And(parts) => self.and_steps(&parts)?,
            Term::Not(inner) => self.not_steps(inner)?,
            Term::Repeat(inner, min, max) => self.repeat_steps(inner, min, max)?,
            Term::State(machine, state) => {
                let edges = self.machines[machine as usize].edges[state as usize].clone();
                let step = |(symbols, target)| (symbols, self.intern(Term::State(machine, target)));
                edges.into_iter().map(step).collect()
            }
        };
        merge_by_target(&mut steps);
        let steps: Steps = steps.into();
        self.steps[id as usize] = Some(steps.clone());
        Ok(steps)
    }

    fn concat_steps(&mut self, left: Id, right: Id) -> Result<Vec<(Symbols, Id)>, TooComplex> {
        let mut steps = Vec::new();
        for (symbols, target) in self.steps(left)?.iter() {
            let target = self.concat(*target, right);
            self.push(&mut steps, symbols, target);
        }
        if self.nullable(left) {
            steps.extend_from_slice(&self.steps(right)?);
        }
        Ok(steps)
    }

    fn repeat_steps(
        &mut self,
        inner: Id,
        min: u32,
        max: Option<u32>,
    ) -> Result<Vec<(Symbols, Id)>, TooComplex> {
        let rest = self.repeat(inner, min.saturating_sub(1), max.map(|max| max - 1));
        let mut steps = Vec::new();
        for (symbols, target) in self.steps(inner)?.iter() {
            let target = self.concat(*target, rest);
            self.push(&mut steps, symbols, target);
        }
        Ok(steps)
    }

    fn and_steps(&mut self, parts: &[Id]) -> Result<Vec<(Symbols, Id)>, TooComplex> {
        let mut products: Vec<(Symbols, Vec<Id>)> = vec![(order::all(), Vec::new())];
        for &part in parts {
            let steps = self.steps(part)?;
            let mut next = Vec::new();
            for (symbols, targets) in &products {
                for (others, target) in steps.iter() {
                    let both = symbols.intersection(others);
                    if !both.is_empty() {
                        let mut targets = targets.clone();
                        targets.push(*target);
                        next.push((both, targets));
                    }
                }
            }
            products = next;
            self.check(products.len())?;
        }
        let mut steps = Vec::new();
        for (symbols, targets) in products {
            let target = self.and(targets);
            self.push(&mut steps, &symbols, target);
        }
        Ok(steps)
    }

    fn not_steps(&mut self, inner: Id) -> Result<Vec<(Symbols, Id)>, TooComplex> {
        let inner_steps = self.steps(inner)?;
        let edges: Vec<(&Symbols, u32)> =
            inner_steps.iter().map(|(symbols, target)| (symbols, *target)).collect();
        // The complement must know all that a symbol can lead to, so here the parts of a union
        // come together again.
        let (mut steps, mut taken) = (Vec::new(), Vec::new());
        for (symbols, targets) in disjoint(&edges) {
            taken.extend_from_slice(symbols.intervals());
            let together = self.union(targets);
            let target = self.not(together);
            self.push(&mut steps, &symbols, target);
        }
        let rest = Symbols::new(taken).complement(Symbol::MAX).intersection(&order::all());
        if !rest.is_empty() {
            steps.push((rest, ALL));
        }
        Ok(steps)
    }

    /// Adds a step to each part of the target.
    fn push(&self, steps: &mut Vec<(Symbols, Id)>, symbols: &Symbols, target: Id) {
        for part in self.parts(target) {
            steps.push((symbols.clone(), part));
        }
    }
}

/// Merges steps to the same target.
fn merge_by_target(steps: &mut Vec<(Symbols, Id)>) {
    steps.sort_by_key(|(_, target)| *target);
    steps.dedup_by(|(symbols, target), (before, target_before)| {
        let alike = target == target_before;
        if alike {
            *before = before.union(symbols);
        }
        alike
    });
}
