//! Minimizes a deterministic automaton by partition refinement.
//!
//! All states start in one class. A class is split if its members differ in whether they accept
//! or in the classes that their edges lead to. The classes that cannot be split are the states of
//! the minimal automaton.
//!
//! After a split, only states with an edge into a class that was split off can change; they are
//! marked as dirty. The largest group stays in the old class, so few states become dirty. That
//! is Hopcroft's idea (1971). Hopcroft splits symbol by symbol, but the alphabet is all of Unicode,
//! so here states are compared by signature.

use std::collections::{BTreeMap, HashMap};

use super::nfa::Nfa;
use crate::symbols::Symbols;

/// Whether a state accepts, and for each class the symbols that lead to it.
type Signature = (bool, Vec<(usize, Symbols)>);

/// Returns the minimal automaton of a deterministic, trimmed one.
pub(super) fn minimize(nfa: &Nfa) -> Nfa {
    if nfa.len() == 0 {
        return nfa.clone();
    }
    let classes = Partition::new(nfa).refined(nfa);
    let mut edges: Vec<Option<Vec<(Symbols, u32)>>> = vec![None; nfa.len()];
    let mut accepting = vec![false; nfa.len()];
    let number = |class: usize| u32::try_from(class).unwrap_or(u32::MAX);
    for state in 0..nfa.len() {
        let class = classes[state];
        accepting[class] = nfa.accepting[state];
        edges[class].get_or_insert_with(|| {
            let (_, edges) = signature(nfa, &classes, state);
            edges.into_iter().map(|(target, symbols)| (symbols, number(target))).collect()
        });
    }
    let starts = nfa.starts.iter().map(|&start| number(classes[start as usize])).collect();
    let edges = edges.into_iter().map(Option::unwrap_or_default).collect();
    Nfa { starts, accepting, edges }.trimmed()
}

fn signature(nfa: &Nfa, classes: &[usize], state: usize) -> Signature {
    let mut targets: BTreeMap<usize, Symbols> = BTreeMap::new();
    for (symbols, target) in &nfa.edges[state] {
        let joined = targets.entry(classes[*target as usize]).or_default();
        *joined = joined.union(symbols);
    }
    (nfa.accepting[state], targets.into_iter().collect())
}

/// The classes. Invariant: the dirty states of a class are the last ones of its members.
struct Partition {
    /// The class of each state.
    classes: Vec<usize>,
    members: Vec<Vec<usize>>,
    dirty_counts: Vec<usize>,
    /// The index of each state among the members of its class.
    indices: Vec<usize>,
    /// The classes that have dirty states.
    queue: Vec<usize>,
    /// For each state, the states with an edge to it.
    sources: Vec<Vec<usize>>,
}

impl Partition {
    fn new(nfa: &Nfa) -> Partition {
        let mut sources = vec![Vec::new(); nfa.len()];
        for (state, edges) in nfa.edges.iter().enumerate() {
            for (_, target) in edges {
                sources[*target as usize].push(state);
            }
        }
        let all: Vec<usize> = (0..nfa.len()).collect();
        Partition {
            classes: vec![0; nfa.len()],
            dirty_counts: vec![nfa.len()],
            indices: all.clone(),
            members: vec![all],
            queue: vec![0],
            sources,
        }
    }

    fn refined(mut self, nfa: &Nfa) -> Vec<usize> {
        while let Some(class) = self.queue.pop() {
            self.split(nfa, class);
        }
        self.classes
    }

    /// Splits a class by the signatures of its dirty states. Its clean states have one signature.
    fn split(&mut self, nfa: &Nfa, class: usize) {
        let clean_count = self.members[class].len() - self.dirty_counts[class];
        let dirty = self.members[class].split_off(clean_count);
        self.dirty_counts[class] = 0;
        let mut groups: HashMap<Signature, Vec<usize>> = HashMap::new();
        for state in dirty {
            groups.entry(signature(nfa, &self.classes, state)).or_default().push(state);
        }
        let staying = match self.members[class].first() {
            Some(&clean) => groups.remove(&signature(nfa, &self.classes, clean)),
            None => {
                let largest = groups.iter().max_by_key(|(_, group)| group.len());
                let largest = largest.map(|(signature, _)| signature.clone());
                largest.and_then(|signature| groups.remove(&signature))
            }
        };
        for state in staying.unwrap_or_default() {
            self.indices[state] = self.members[class].len();
            self.members[class].push(state);
        }
        let new_classes: Vec<usize> =
            groups.into_values().map(|group| self.split_off(group)).collect();
        for new_class in new_classes {
            self.mark_sources(new_class);
        }
    }

    fn split_off(&mut self, group: Vec<usize>) -> usize {
        let class = self.members.len();
        for (index, &state) in group.iter().enumerate() {
            self.classes[state] = class;
            self.indices[state] = index;
        }
        self.members.push(group);
        self.dirty_counts.push(0);
        class
    }

    fn mark_sources(&mut self, class: usize) {
        for state in self.members[class].clone() {
            let sources = std::mem::take(&mut self.sources[state]);
            for &source in &sources {
                self.mark(source);
            }
            self.sources[state] = sources;
        }
    }

    fn mark(&mut self, state: usize) {
        let class = self.classes[state];
        let first_dirty = self.members[class].len() - self.dirty_counts[class];
        if self.indices[state] >= first_dirty {
            return;
        }
        let last_clean = first_dirty - 1;
        let other = self.members[class][last_clean];
        self.members[class].swap(self.indices[state], last_clean);
        self.indices[other] = self.indices[state];
        self.indices[state] = last_clean;
        self.dirty_counts[class] += 1;
        if self.dirty_counts[class] == 1 {
            self.queue.push(class);
        }
    }
}
