//! Which lengths can be accepted from which state.
//!
//! Every list of words asks at every step whether the text can still be brought to an end in
//! exactly so many symbols. The lengths are kept as intervals for each state: most are one
//! interval, such as "three or more". A strongly connected part of several states is counted
//! through up to a horizon, which moves out as longer texts are asked for, unless its lengths
//! are found to have settled before.

use std::sync::Arc;

use super::nfa::Nfa;

/// Lengths in ascending order as intervals; `usize::MAX` as an end means all from there on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct LengthSet {
    runs: Vec<(usize, usize)>,
}

const UNBOUNDED: usize = usize::MAX;

impl LengthSet {
    fn from_runs(mut runs: Vec<(usize, usize)>) -> LengthSet {
        runs.sort_unstable();
        let mut merged: Vec<(usize, usize)> = Vec::with_capacity(runs.len());
        for (first, last) in runs {
            match merged.last_mut() {
                Some(before) if first <= before.1.saturating_add(1) => {
                    before.1 = before.1.max(last);
                }
                _ => merged.push((first, last)),
            }
        }
        LengthSet { runs: merged }
    }

    fn contains(&self, length: usize) -> bool {
        let at = self.runs.partition_point(|run| run.1 < length);
        self.runs.get(at).is_some_and(|run| run.0 <= length)
    }

    fn min(&self) -> Option<usize> {
        self.runs.first().map(|run| run.0)
    }

    /// The least length that is not less than this one.
    fn next(&self, length: usize) -> Option<usize> {
        let at = self.runs.partition_point(|run| run.1 < length);
        self.runs.get(at).map(|run| run.0.max(length))
    }

    /// From here on every length is in the set, or none is.
    fn settled(&self) -> usize {
        match self.runs.last() {
            None => 0,
            Some(&(first, UNBOUNDED)) => first,
            Some(&(_, last)) => last + 1,
        }
    }

    fn add(&mut self, length: usize) {
        match self.runs.last_mut() {
            Some(run) if run.1.saturating_add(1) == length => run.1 = length,
            _ => self.runs.push((length, length)),
        }
    }
}

/// The lengths of the texts that are accepted from each state of a trimmed automaton.
#[derive(Clone, Debug)]
pub(crate) struct AcceptedLengths {
    nfa: Arc<Nfa>,
    components: Vec<Vec<u32>>,
    lengths: Vec<LengthSet>,
    /// Up to here the lengths are right.
    horizon: usize,
    /// Whether they are right everywhere.
    exact: bool,
}

impl AcceptedLengths {
    pub(crate) fn new(nfa: Arc<Nfa>) -> AcceptedLengths {
        let components = components(&nfa);
        let mut reach =
            AcceptedLengths { nfa, components, lengths: Vec::new(), horizon: 256, exact: false };
        reach.compute();
        reach
    }

    /// Whether a text of this length is accepted from a state.
    pub(crate) fn contains(&mut self, state: u32, length: usize) -> bool {
        self.extend_to(length);
        self.lengths[state as usize].contains(length)
    }

    /// Whether a text of this length is accepted from one of these states. The horizon must
    /// have been moved so far.
    pub(crate) fn any_contains(&self, states: &[u32], length: usize) -> bool {
        states.iter().any(|&state| self.lengths[state as usize].contains(length))
    }

    /// The least length of a text of the automaton that is not less than this one.
    pub(crate) fn next_length(&mut self, length: usize) -> Option<usize> {
        self.extend_to(length);
        loop {
            let starts = self.nfa.starts.iter();
            let next = starts.filter_map(|&start| self.lengths[start as usize].next(length)).min();
            // If lengths are not known to settle there is a cycle, and so a greater length.
            if next.is_some_and(|next| self.exact || next <= self.horizon) || self.exact {
                return next;
            }
            self.extend_to(self.horizon.saturating_add(1));
        }
    }

    pub(crate) fn extend_to(&mut self, length: usize) {
        if !self.exact && length > self.horizon {
            self.horizon = length.saturating_mul(2);
            self.compute();
        }
    }

    fn compute(&mut self) {
        self.lengths = vec![LengthSet::default(); self.nfa.len()];
        self.exact = true;
        let components = std::mem::take(&mut self.components);
        for component in &components {
            match &**component {
                [state] => self.compute_one(*state),
                states => self.compute_cycle(states),
            }
        }
        self.components = components;
    }

    /// A state that is on no cycle, or on none but its own loop.
    fn compute_one(&mut self, state: u32) {
        let behind = self.outside(state, |target| target == state);
        let loops = self.nfa.edges[state as usize].iter().any(|(_, target)| *target == state);
        self.lengths[state as usize] = match behind.min() {
            Some(min) if loops => LengthSet { runs: vec![(min, UNBOUNDED)] },
            _ => behind,
        };
    }

    /// The lengths of a state by way of edges that leave its component.
    fn outside(&self, state: u32, is_inside: impl Fn(u32) -> bool) -> LengthSet {
        let mut runs = Vec::new();
        if self.nfa.accepting[state as usize] {
            runs.push((0, 0));
        }
        for (_, target) in &self.nfa.edges[state as usize] {
            if !is_inside(*target) {
                let behind = &self.lengths[*target as usize].runs;
                let shifted =
                    behind.iter().map(|&(first, last)| (first + 1, last.saturating_add(1)));
                runs.extend(shifted);
            }
        }
        LengthSet::from_runs(runs)
    }

    /// Counts through the lengths of states that reach each other.
    fn compute_cycle(&mut self, states: &[u32]) {
        let mut local = vec![usize::MAX; self.nfa.len()];
        for (at, &state) in states.iter().enumerate() {
            local[state as usize] = at;
        }
        let is_inside = |target: u32| local[target as usize] != usize::MAX;
        let outside: Vec<LengthSet> =
            states.iter().map(|&state| self.outside(state, is_inside)).collect();
        let inside: Vec<Vec<usize>> = states
            .iter()
            .map(|&state| {
                let targets = self.nfa.edges[state as usize].iter().map(|(_, target)| *target);
                targets.filter(|&target| is_inside(target)).map(|at| local[at as usize]).collect()
            })
            .collect();
        let settled = outside.iter().map(LengthSet::settled).max().unwrap_or(0);
        let mut sets = vec![LengthSet::default(); states.len()];
        let mut current = vec![false; states.len()];
        let mut has_settled = false;
        for length in 0..=self.horizon {
            let next: Vec<bool> = (0..states.len())
                .map(|at| outside[at].contains(length) || inside[at].iter().any(|&to| current[to]))
                .collect();
            has_settled = length > settled && next == current;
            if has_settled {
                break;
            }
            for (at, is) in next.iter().enumerate() {
                if *is {
                    sets[at].add(length);
                }
            }
            current = next;
        }
        self.exact &= has_settled;
        for (at, mut set) in sets.into_iter().enumerate() {
            if has_settled
                && current[at]
                && let Some(run) = set.runs.last_mut()
            {
                run.1 = UNBOUNDED;
            }
            self.lengths[states[at] as usize] = set;
        }
    }
}

/// The strongly connected components, each behind those that can be reached from it (Tarjan
/// 1972, with a stack of its own instead of recursion).
fn components(nfa: &Nfa) -> Vec<Vec<u32>> {
    let mut tarjan = Tarjan {
        nfa,
        index: vec![None; nfa.len()],
        low: vec![0; nfa.len()],
        is_open: vec![false; nfa.len()],
        open: Vec::new(),
        count: 0,
        components: Vec::new(),
    };
    for state in 0..nfa.len() {
        if tarjan.index[state].is_none() {
            tarjan.visit(state);
        }
    }
    tarjan.components
}

struct Tarjan<'a> {
    nfa: &'a Nfa,
    index: Vec<Option<usize>>,
    low: Vec<usize>,
    is_open: Vec<bool>,
    open: Vec<usize>,
    count: usize,
    components: Vec<Vec<u32>>,
}

impl Tarjan<'_> {
    fn visit(&mut self, root: usize) {
        let mut calls = vec![(root, 0)];
        self.enter(root);
        while let Some((state, edge)) = calls.last_mut() {
            let state = *state;
            if let Some((_, target)) = self.nfa.edges[state].get(*edge) {
                *edge += 1;
                let target = *target as usize;
                match self.index[target] {
                    None => {
                        self.enter(target);
                        calls.push((target, 0));
                    }
                    Some(index) if self.is_open[target] => {
                        self.low[state] = self.low[state].min(index);
                    }
                    Some(_) => {}
                }
                continue;
            }
            calls.pop();
            if let Some(&(caller, _)) = calls.last() {
                self.low[caller] = self.low[caller].min(self.low[state]);
            }
            if self.index[state] == Some(self.low[state]) {
                self.close(state);
            }
        }
    }

    fn enter(&mut self, state: usize) {
        self.index[state] = Some(self.count);
        self.low[state] = self.count;
        self.count += 1;
        self.open.push(state);
        self.is_open[state] = true;
    }

    fn close(&mut self, state: usize) {
        let mut component = Vec::new();
        while let Some(member) = self.open.pop() {
            self.is_open[member] = false;
            component.push(u32::try_from(member).unwrap_or(u32::MAX));
            if member == state {
                break;
            }
        }
        self.components.push(component);
    }
}
