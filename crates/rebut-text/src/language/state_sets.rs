//! Sets of states as states: lazy determinization.
//!
//! A nondeterministic automaton may accept a word on several paths. A word leads to exactly one
//! *set* of states, so walking from set to set lists and counts each word once. Sets are created
//! when a walk first reaches them. Counting needs all of them; there their number is limited,
//! because it may be exponential.

use std::collections::HashMap;
use std::sync::Arc;

use super::TooComplex;
use super::accepted_lengths::AcceptedLengths;
use super::nfa::Nfa;
use crate::symbols::{Symbol, Symbols, disjoint};

/// The number of strings of a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Exactly this number.
    Exactly(u128),
    /// Finitely many, but the number does not fit in 128 bits.
    Huge,
    /// Infinitely many.
    Infinite,
}

impl Count {
    /// Returns the number, or `None` if it is huge or infinite.
    #[must_use]
    pub fn exactly(self) -> Option<u128> {
        match self {
            Count::Exactly(count) => Some(count),
            Count::Huge | Count::Infinite => None,
        }
    }

    fn from_option(count: Option<u128>) -> Count {
        count.map_or(Count::Huge, Count::Exactly)
    }
}

/// The index of a set of states.
pub(crate) type SetId = u32;

/// The symbols from `first` to `last`, and the set that they lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SymbolRange {
    pub(crate) first: Symbol,
    pub(crate) last: Symbol,
    pub(crate) target: SetId,
}

#[derive(Clone, Debug)]
struct StateSet {
    members: Box<[u32]>,
    accepting: bool,
    /// The outgoing edges; `None` until they are computed.
    edges: Option<Arc<[Edge]>>,
    /// The outgoing edges as ranges in ascending order; `None` until they are computed.
    ranges: Option<Arc<[SymbolRange]>>,
}

/// The symbols that lead to one target.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub(crate) symbols: Symbols,
    pub(crate) target: SetId,
}

/// The sets of states reached so far.
#[derive(Clone, Debug)]
pub(crate) struct StateSets {
    nfa: Arc<Nfa>,
    reach: AcceptedLengths,
    sets: Vec<StateSet>,
    index: HashMap<Box<[u32]>, SetId>,
    states_max: usize,
}

impl StateSets {
    pub(crate) fn new(nfa: Arc<Nfa>, states_max: usize) -> StateSets {
        let reach = AcceptedLengths::new(nfa.clone());
        let starts: Box<[u32]> = nfa.starts.clone().into();
        let mut sets =
            StateSets { nfa, reach, sets: Vec::new(), index: HashMap::new(), states_max };
        sets.set(starts);
        sets
    }

    /// The set of the empty word.
    pub(crate) const START: SetId = 0;

    pub(crate) fn is_accepting(&self, id: SetId) -> bool {
        self.sets[id as usize].accepting
    }

    /// Returns the least length of a word that is at least `length`.
    pub(crate) fn next_length(&mut self, length: usize) -> Option<usize> {
        self.reach.next_length(length)
    }

    /// Returns whether a word that leads here can be completed with exactly `length` symbols.
    pub(crate) fn can_end_in(&mut self, id: SetId, length: usize) -> bool {
        self.reach.extend_to(length);
        self.reach.any_contains(&self.sets[id as usize].members, length)
    }

    /// Returns the outgoing edges. No two of them share a symbol or a target.
    pub(crate) fn edges(&mut self, id: SetId) -> Arc<[Edge]> {
        if let Some(edges) = &self.sets[id as usize].edges {
            return edges.clone();
        }
        let nfa = self.nfa.clone();
        let members = self.sets[id as usize].members.clone();
        let edges: Vec<(&Symbols, u32)> = members
            .iter()
            .flat_map(|&member| &nfa.edges[member as usize])
            .map(|(symbols, target)| (symbols, *target))
            .collect();
        let edge = |(symbols, targets): (Symbols, Vec<u32>)| {
            let target = self.set(targets.into());
            Edge { symbols, target }
        };
        let mut edges: Vec<Edge> = disjoint(&edges).into_iter().map(edge).collect();
        edges.sort_by_key(|edge| edge.symbols.first());
        let edges: Arc<[Edge]> = edges.into();
        self.sets[id as usize].edges = Some(edges.clone());
        edges
    }

    /// Returns the outgoing edges as ranges of symbols in ascending order.
    pub(crate) fn ranges(&mut self, id: SetId) -> Arc<[SymbolRange]> {
        if let Some(ranges) = &self.sets[id as usize].ranges {
            return ranges.clone();
        }
        let mut ranges = Vec::new();
        for Edge { symbols, target } in self.edges(id).iter() {
            let range =
                |&(first, last): &(Symbol, Symbol)| SymbolRange { first, last, target: *target };
            ranges.extend(symbols.intervals().iter().map(range));
        }
        ranges.sort_unstable_by_key(|range| range.first);
        let ranges: Arc<[SymbolRange]> = ranges.into();
        self.sets[id as usize].ranges = Some(ranges.clone());
        ranges
    }

    fn set(&mut self, members: Box<[u32]>) -> SetId {
        if let Some(&id) = self.index.get(&members) {
            return id;
        }
        let id = SetId::try_from(self.sets.len()).unwrap_or(SetId::MAX);
        let accepting = members.iter().any(|&member| self.nfa.accepting[member as usize]);
        self.index.insert(members.clone(), id);
        self.sets.push(StateSet { members, accepting, edges: None, ranges: None });
        id
    }

    /// Reaches all sets.
    ///
    /// # Errors
    /// [`TooComplex`] if there are more than `states_max`.
    pub(crate) fn complete(&mut self) -> Result<(), TooComplex> {
        let mut at = 0;
        while at < self.sets.len() {
            if self.sets.len() > self.states_max {
                return Err(TooComplex::new(self.states_max));
            }
            self.edges(SetId::try_from(at).unwrap_or(SetId::MAX));
            at += 1;
        }
        Ok(())
    }

    /// Counts the words.
    pub(crate) fn count(mut self) -> Result<Count, TooComplex> {
        if !self.nfa.is_acyclic() {
            return Ok(Count::Infinite);
        }
        self.complete()?;
        let deterministic = self.deterministic();
        let Some(order) = deterministic.topological() else { return Ok(Count::Infinite) };
        let mut counts: Vec<Option<u128>> = vec![Some(0); deterministic.len()];
        for &state in order.iter().rev() {
            let mut count = Some(u128::from(deterministic.accepting[state as usize]));
            for (symbols, target) in &deterministic.edges[state as usize] {
                let behind = counts[*target as usize]
                    .and_then(|behind| behind.checked_mul(u128::from(symbols.len())));
                count = count.zip(behind).and_then(|(count, behind)| count.checked_add(behind));
            }
            counts[state as usize] = count;
        }
        let empty = deterministic.starts.is_empty();
        Ok(Count::from_option(if empty { Some(0) } else { counts[0] }))
    }

    /// Counts the words of a length.
    pub(crate) fn count_of_length(mut self, length: usize) -> Result<Count, TooComplex> {
        // For each set, the number of prefixes of the current length that lead to it.
        let mut layer: HashMap<SetId, Option<u128>> = HashMap::from([(StateSets::START, Some(1))]);
        for left in (0..length).rev() {
            let mut next: HashMap<SetId, Option<u128>> = HashMap::new();
            for (id, count) in layer {
                for Edge { symbols, target } in self.edges(id).iter() {
                    if self.can_end_in(*target, left) {
                        let more =
                            count.and_then(|count| count.checked_mul(u128::from(symbols.len())));
                        let sum = next.entry(*target).or_insert(Some(0));
                        *sum = sum.zip(more).and_then(|(sum, more)| sum.checked_add(more));
                    }
                }
            }
            if self.sets.len() > self.states_max {
                return Err(TooComplex::new(self.states_max));
            }
            layer = next;
        }
        let accepted = layer.iter().filter(|(id, _)| self.is_accepting(**id));
        let total = accepted
            .map(|(_, count)| *count)
            .try_fold(0_u128, |sum, count| count.and_then(|count| sum.checked_add(count)));
        Ok(Count::from_option(total))
    }

    /// Returns the deterministic automaton of the sets. All of them must have been reached.
    fn deterministic(&self) -> Nfa {
        let edges = |set: &StateSet| {
            let edges = set.edges.as_deref().unwrap_or_default();
            edges.iter().map(|edge| (edge.symbols.clone(), edge.target)).collect()
        };
        let nfa = Nfa {
            starts: if self.nfa.starts.is_empty() { Vec::new() } else { vec![StateSets::START] },
            accepting: self.sets.iter().map(|set| set.accepting).collect(),
            edges: self.sets.iter().map(edges).collect(),
        };
        // The states of a trimmed automaton are useful, so every set but the empty one is.
        if nfa.starts.is_empty() { Nfa::default() } else { nfa }
    }

    /// Returns the minimal deterministic automaton.
    pub(crate) fn minimal(mut self) -> Result<Nfa, TooComplex> {
        self.complete()?;
        Ok(super::minimize::minimize(&self.deterministic()))
    }
}
