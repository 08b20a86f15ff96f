//! Computes which lengths are accepted from each state.
//!
//! Every list of words asks at every step whether the string can still be completed with exactly
//! n more symbols. The lengths are stored as intervals for each state; most are one interval,
//! such as "three or more".
//!
//! The strongly connected components are processed in an order in which all successors come
//! first. A state on no cycle accepts the lengths of its successors plus one; a state with a loop
//! of its own accepts everything from the least of these on. A larger component is simulated
//! length by length, up to a horizon. If two consecutive lengths beyond those of the successors
//! are accepted from the same states, this stays so and the result is exact. Otherwise, as for
//! `(ab)*`, whose lengths alternate, the horizon moves out whenever a longer length is queried.

use std::sync::Arc;

use super::nfa::Nfa;

/// A set of lengths: intervals in ascending order. The end [`UNBOUNDED`] means that all greater
/// lengths belong to it.
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

    /// Returns the least length in the set that is at least `length`.
    fn next(&self, length: usize) -> Option<usize> {
        let at = self.runs.partition_point(|run| run.1 < length);
        self.runs.get(at).map(|run| run.0.max(length))
    }

    /// Returns a length from which on either every length is in the set or none is.
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

/// The lengths of the strings that are accepted from each state of a trimmed automaton.
#[derive(Clone, Debug)]
pub(crate) struct AcceptedLengths {
    nfa: Arc<Nfa>,
    /// The strongly connected components, each after those reachable from it.
    components: Vec<Vec<u32>>,
    lengths: Vec<LengthSet>,
    /// The lengths are correct up to this one.
    horizon: usize,
    /// Whether the lengths are correct beyond the horizon too.
    exact: bool,
}

/// The first horizon.
///
/// Arbitrary. A query beyond the horizon moves it to twice the queried length and computes the
/// lengths again.
const HORIZON_MIN: usize = 256;

impl AcceptedLengths {
    pub(crate) fn new(nfa: Arc<Nfa>) -> AcceptedLengths {
        let components = components(&nfa);
        let (lengths, horizon, exact) = (Vec::new(), HORIZON_MIN, false);
        let mut accepted = AcceptedLengths { nfa, components, lengths, horizon, exact };
        accepted.compute();
        accepted
    }

    /// Returns whether a string of this length is accepted from a state.
    pub(crate) fn contains(&mut self, state: u32, length: usize) -> bool {
        self.extend_to(length);
        self.lengths[state as usize].contains(length)
    }

    /// Returns whether a string of this length is accepted from one of the states. Call
    /// [`AcceptedLengths::extend_to`] first.
    pub(crate) fn any_contains(&self, states: &[u32], length: usize) -> bool {
        states.iter().any(|&state| self.lengths[state as usize].contains(length))
    }

    /// Returns the least length of a string of the automaton that is at least `length`.
    pub(crate) fn next_length(&mut self, length: usize) -> Option<usize> {
        self.extend_to(length);
        loop {
            let starts = self.nfa.starts.iter();
            let next = starts.filter_map(|&start| self.lengths[start as usize].next(length)).min();
            // If the lengths are not exact, there is a cycle, and therefore a greater length.
            if next.is_some_and(|next| self.exact || next <= self.horizon) || self.exact {
                return next;
            }
            self.extend_to(self.horizon.saturating_add(1));
        }
    }

    /// Moves the horizon to at least `length`.
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

    /// Computes the lengths of a state that is on no cycle, or only on a loop of its own.
    fn compute_one(&mut self, state: u32) {
        let outside = self.outside(state, |target| target == state);
        let loops = self.nfa.edges[state as usize].iter().any(|(_, target)| *target == state);
        self.lengths[state as usize] = match outside.min() {
            Some(min) if loops => LengthSet { runs: vec![(min, UNBOUNDED)] },
            _ => outside,
        };
    }

    /// Returns the lengths of a state over edges that leave its component.
    fn outside(&self, state: u32, is_inside: impl Fn(u32) -> bool) -> LengthSet {
        let mut runs = Vec::new();
        if self.nfa.accepting[state as usize] {
            runs.push((0, 0));
        }
        for (_, target) in &self.nfa.edges[state as usize] {
            if !is_inside(*target) {
                let outside = &self.lengths[*target as usize].runs;
                let shifted =
                    outside.iter().map(|&(first, last)| (first + 1, last.saturating_add(1)));
                runs.extend(shifted);
            }
        }
        LengthSet::from_runs(runs)
    }

    /// Computes the lengths of states that reach each other, one length after the other.
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

/// Returns the strongly connected components, each after those reachable from it (Tarjan 1972,
/// with an explicit stack instead of recursion, which would overflow on long automata).
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Regex;

    fn accepted(pattern: &str) -> AcceptedLengths {
        let language = Regex::parse(pattern).expect("a pattern").language();
        AcceptedLengths::new(language.automaton().expect("small"))
    }

    #[test]
    fn lengths_of_a_cycle_become_exact_once_they_settle() {
        let mut accepted = accepted("(aaa|aaaaa)*");
        let lengths: Vec<usize> = (0..12).filter(|&n| accepted.contains(0, n)).collect();
        assert_eq!(lengths, [0, 3, 5, 6, 8, 9, 10, 11]);
        assert!(accepted.exact);
        assert_eq!(accepted.next_length(1_000_000), Some(1_000_000));
    }

    #[test]
    fn horizon_moves_out_for_lengths_that_alternate() {
        let mut accepted = accepted("(ab)*");
        assert!(!accepted.exact);
        assert_eq!(accepted.next_length(HORIZON_MIN * 4 + 1), Some(HORIZON_MIN * 4 + 2));
        assert!(accepted.horizon > HORIZON_MIN);
    }
}
