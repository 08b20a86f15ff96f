//! Sets of symbols, as intervals.
//!
//! A symbol is a number. For languages of strings it is the rank of a character in the order of
//! [`crate::order`]; for the cover of a regex it is a class symbol. The same automata serve both.

use std::collections::HashMap;

/// A symbol of an automaton.
pub(crate) type Symbol = u32;

/// An interval of symbols. Both ends are included.
pub(crate) type Interval = (Symbol, Symbol);

/// A set of symbols: intervals in ascending order that neither overlap nor touch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Symbols {
    intervals: Vec<Interval>,
}

impl Symbols {
    pub(crate) fn none() -> Symbols {
        Symbols::default()
    }

    pub(crate) fn one(symbol: Symbol) -> Symbols {
        Symbols { intervals: vec![(symbol, symbol)] }
    }

    pub(crate) fn interval(first: Symbol, last: Symbol) -> Symbols {
        Symbols::new(vec![(first, last)])
    }

    /// Creates the union of intervals in any order. An interval whose end is less than its start
    /// is empty.
    pub(crate) fn new(mut intervals: Vec<Interval>) -> Symbols {
        intervals.retain(|(first, last)| first <= last);
        intervals.sort_unstable();
        let mut merged: Vec<Interval> = Vec::with_capacity(intervals.len());
        for (first, last) in intervals {
            match merged.last_mut() {
                Some(before) if first <= before.1.saturating_add(1) => {
                    before.1 = before.1.max(last);
                }
                _ => merged.push((first, last)),
            }
        }
        Symbols { intervals: merged }
    }

    pub(crate) fn intervals(&self) -> &[Interval] {
        &self.intervals
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.intervals.is_empty()
    }

    /// Returns the number of symbols.
    pub(crate) fn len(&self) -> u64 {
        self.intervals.iter().map(|&(first, last)| u64::from(last - first) + 1).sum()
    }

    pub(crate) fn first(&self) -> Option<Symbol> {
        self.intervals.first().map(|interval| interval.0)
    }

    pub(crate) fn contains(&self, symbol: Symbol) -> bool {
        let at = self.intervals.partition_point(|interval| interval.1 < symbol);
        self.intervals.get(at).is_some_and(|interval| interval.0 <= symbol)
    }

    /// Returns the symbol at an index, in ascending order.
    pub(crate) fn nth(&self, index: u64) -> Option<Symbol> {
        let mut left = index;
        for &(first, last) in &self.intervals {
            let len = u64::from(last - first) + 1;
            if left < len {
                return u32::try_from(left).ok().map(|left| first + left);
            }
            left -= len;
        }
        None
    }

    pub(crate) fn union(&self, other: &Symbols) -> Symbols {
        Symbols::new([self.intervals(), other.intervals()].concat())
    }

    pub(crate) fn intersection(&self, other: &Symbols) -> Symbols {
        let (mut left, mut right) = (self.intervals.iter(), other.intervals.iter());
        let (mut a, mut b) = (left.next(), right.next());
        let mut intervals = Vec::new();
        while let (Some(x), Some(y)) = (a, b) {
            let both = (x.0.max(y.0), x.1.min(y.1));
            if both.0 <= both.1 {
                intervals.push(both);
            }
            if x.1 < y.1 {
                a = left.next();
            } else {
                b = right.next();
            }
        }
        Symbols { intervals }
    }

    /// Returns the symbols up to `last` that are not in the set.
    pub(crate) fn complement(&self, last: Symbol) -> Symbols {
        let mut intervals = Vec::with_capacity(self.intervals.len() + 1);
        let mut next = 0;
        for &(start, end) in &self.intervals {
            if next < start {
                intervals.push((next, start - 1));
            }
            next = end.saturating_add(1);
        }
        if next <= last {
            intervals.push((next, last));
        }
        Symbols { intervals }
    }

    pub(crate) fn difference(&self, other: &Symbols) -> Symbols {
        self.intersection(&other.complement(Symbol::MAX))
    }
}

/// Splits the overlapping edges of a state into disjoint ones.
///
/// Returns, for each part of the alphabet whose symbols lead to the same targets, these targets,
/// sorted and without duplicates. For example, `0..=5` to state 1 and `3..=9` to state 2 become
/// `0..=2` to 1, `3..=5` to 1 and 2, and `6..=9` to 2. The sweep takes time proportional to the
/// number of intervals times their overlap, not to the size of the alphabet.
pub(crate) fn disjoint(edges: &[(&Symbols, u32)]) -> Vec<(Symbols, Vec<u32>)> {
    if let [(symbols, target)] = edges {
        return vec![((*symbols).clone(), vec![*target])];
    }
    let mut cuts: Vec<(u64, bool, u32)> = Vec::new();
    for (symbols, target) in edges {
        for &(first, last) in symbols.intervals() {
            cuts.push((u64::from(first), true, *target));
            cuts.push((u64::from(last) + 1, false, *target));
        }
    }
    cuts.sort_unstable();
    let mut parts = Parts::default();
    let mut open = Open::default();
    let mut start = 0;
    for (at, opens, target) in cuts {
        if at > start && !open.targets.is_empty() {
            parts.add((symbol(start), symbol(at - 1)), &open.targets);
        }
        start = at;
        if opens { open.add(target) } else { open.remove(target) }
    }
    let part = |(intervals, targets)| (Symbols::new(intervals), targets);
    parts.parts.into_iter().map(part).collect()
}

/// The targets of the edges that are open at the current cut, sorted, with the number of edges to
/// each.
#[derive(Default)]
struct Open {
    targets: Vec<u32>,
    counts: Vec<usize>,
}

impl Open {
    fn add(&mut self, target: u32) {
        match self.targets.binary_search(&target) {
            Ok(at) => self.counts[at] += 1,
            Err(at) => {
                self.targets.insert(at, target);
                self.counts.insert(at, 1);
            }
        }
    }

    fn remove(&mut self, target: u32) {
        if let Ok(at) = self.targets.binary_search(&target) {
            self.counts[at] -= 1;
            if self.counts[at] == 0 {
                self.targets.remove(at);
                self.counts.remove(at);
            }
        }
    }
}

/// Intervals grouped by their targets, in the order of their first interval.
#[derive(Default)]
struct Parts {
    parts: Vec<(Vec<Interval>, Vec<u32>)>,
    index: HashMap<Vec<u32>, usize>,
}

impl Parts {
    fn add(&mut self, interval: Interval, targets: &[u32]) {
        match self.index.get(targets) {
            Some(&at) => self.parts[at].0.push(interval),
            None => {
                self.index.insert(targets.to_vec(), self.parts.len());
                self.parts.push((vec![interval], targets.to_vec()));
            }
        }
    }
}

/// Converts a cut to a symbol. Cuts may lie one past the last symbol; intervals between them do
/// not.
fn symbol(at: u64) -> Symbol {
    Symbol::try_from(at).unwrap_or(Symbol::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_edges_are_cut_where_their_targets_change() {
        let (low, high) = (Symbols::interval(0, 5), Symbols::interval(3, 9));
        let parts = disjoint(&[(&low, 1), (&high, 2)]);
        let expected = [
            (Symbols::interval(0, 2), vec![1]),
            (Symbols::interval(3, 5), vec![1, 2]),
            (Symbols::interval(6, 9), vec![2]),
        ];
        assert_eq!(parts, expected);
    }

    #[test]
    fn complement_is_disjoint_and_completes_the_alphabet() {
        let set = Symbols::new(vec![(4, 6), (0, 1), (7, 7)]);
        assert_eq!(set.intervals(), [(0, 1), (4, 7)]);
        let rest = set.complement(9);
        assert_eq!(rest.intervals(), [(2, 3), (8, 9)]);
        assert!(set.intersection(&rest).is_empty());
        assert_eq!(set.union(&rest), Symbols::interval(0, 9));
        assert_eq!(rest.nth(2), Some(8));
        assert_eq!(rest.nth(4), None);
    }
}
