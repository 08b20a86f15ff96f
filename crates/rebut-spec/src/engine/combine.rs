//! Covering arrays: the `combine` constraint.
//!
//! Given several lists, every combination of items from any `strength` of them occurs in some
//! row. Rows are chosen greedily (Cohen, Dalal, Fredman and Patton, "The AETG System", 1997):
//! of a few candidate rows, the one with the most combinations that no earlier row has. A
//! smallest array would be hard to find, and nothing depends on it being smallest.

use super::list::{List, ListEnd, Values, weaker};
use std::collections::HashSet;

/// The number of items of each list that are combined. Arbitrary. Items after it occur in no
/// row, and the end of the list does not mention them. Without a limit, two lists of 10,000 items
/// would have 10^8 combinations.
const LENGTH_MAX: usize = 200;

/// The number of candidates for each row. Arbitrary. More candidates cost time in proportion
/// and can save rows.
const CANDIDATES: usize = 20;

/// Returns rows in which every combination of items from any `strength` lists occurs.
pub(crate) fn combine(lists: Vec<List>, strength: usize, count: usize, seed: u64) -> List {
    let sizes: Vec<usize> = lists.iter().map(|list| list.items.len().min(LENGTH_MAX)).collect();
    if sizes.contains(&0) || strength == 0 {
        return List { items: Vec::new(), end: ListEnd::Largest };
    }
    let mut uncovered = Uncovered::new(&sizes, strength);
    let mut random = seed | 1;
    let mut rows: Vec<Vec<usize>> = Vec::new();
    while rows.len() < count {
        let Some(first) = uncovered.any() else { break };
        let candidates = (0..CANDIDATES).map(|_| uncovered.row(&first, &sizes, &mut random));
        let Some(best) = candidates.max_by_key(|row| uncovered.count_in(row)) else { break };
        uncovered.remove(&best);
        rows.push(best);
    }
    let whole = uncovered.any().is_none();
    let items = rows.iter().map(|row| tuple(&lists, row)).collect::<Vec<Values>>();
    let end = match items.len() {
        found if found == count => ListEnd::CountReached,
        _ if whole => {
            let doubt = lists.iter().map(|list| list.end.clone()).fold(ListEnd::Largest, weaker);
            let all =
                format!("all combinations of {strength} are covered, and no more were requested");
            if doubt == ListEnd::Largest || doubt == ListEnd::CountReached {
                ListEnd::Covered(all)
            } else {
                doubt
            }
        }
        _ => ListEnd::Unproved("combinations are missing".into()),
    };
    List { items, end }
}

fn tuple(lists: &[List], row: &[usize]) -> Values {
    row.iter().zip(lists).flat_map(|(at, list)| list.items[*at].iter().cloned()).collect()
}

/// Pairs of a list's index and the index of one of its items.
type Combination = Vec<(usize, usize)>;

/// The combinations that no row has yet.
struct Uncovered {
    strength: usize,
    groups: Vec<Vec<usize>>,
    left: HashSet<Combination>,
    /// The same combinations in a fixed order, so that a seed always gives the same rows.
    queue: Vec<Combination>,
}

impl Uncovered {
    fn new(sizes: &[usize], strength: usize) -> Self {
        let groups = subsets(sizes.len(), strength);
        let mut queue = Vec::new();
        for group in &groups {
            let mut combinations: Vec<Combination> = vec![Vec::new()];
            for list in group {
                let longer = combinations.iter().flat_map(|combination| {
                    (0..sizes[*list]).map(|at| {
                        let mut longer = combination.clone();
                        longer.push((*list, at));
                        longer
                    })
                });
                combinations = longer.collect();
            }
            queue.extend(combinations);
        }
        queue.reverse();
        Self { strength, groups, left: queue.iter().cloned().collect(), queue }
    }

    fn any(&mut self) -> Option<Combination> {
        while let Some(last) = self.queue.last() {
            if self.left.contains(last) {
                return Some(last.clone());
            }
            self.queue.pop();
        }
        None
    }

    /// Returns a row that has the combination. Each of the other lists, in random order,
    /// contributes the item that completes the most uncovered combinations.
    fn row(&self, combination: &Combination, sizes: &[usize], random: &mut u64) -> Vec<usize> {
        let mut row: Vec<Option<usize>> = vec![None; sizes.len()];
        for (list, at) in combination {
            row[*list] = Some(*at);
        }
        let start = xorshift(random) as usize % sizes.len();
        for step in 0..sizes.len() {
            let list = (start + step) % sizes.len();
            if row[list].is_some() {
                continue;
            }
            let turn = xorshift(random) as usize;
            let best = (0..sizes[list]).map(|at| (at + turn) % sizes[list]).max_by_key(|at| {
                let mut tried = row.clone();
                tried[list] = Some(*at);
                self.count_known(&tried, list)
            });
            row[list] = best;
        }
        row.into_iter().map(Option::unwrap_or_default).collect()
    }

    fn count_known(&self, row: &[Option<usize>], list: usize) -> usize {
        let groups = self.groups.iter().filter(|group| group.contains(&list));
        let known = groups.filter_map(|group| {
            group.iter().map(|at| Some((*at, row[*at]?))).collect::<Option<Combination>>()
        });
        known.filter(|combination| self.left.contains(combination)).count()
    }

    fn in_row<'a>(&'a self, row: &'a [usize]) -> impl Iterator<Item = Combination> + 'a {
        self.groups.iter().map(|group| group.iter().map(|at| (*at, row[*at])).collect())
    }

    fn count_in(&self, row: &[usize]) -> usize {
        self.in_row(row).filter(|combination| self.left.contains(combination)).count()
    }

    fn remove(&mut self, row: &[usize]) {
        let all: Vec<Combination> = self.in_row(row).collect();
        for combination in all {
            self.left.remove(&combination);
        }
        debug_assert!(self.strength > 0);
    }
}

fn subsets(of: usize, size: usize) -> Vec<Vec<usize>> {
    let mut subsets: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..size {
        let longer = subsets.iter().flat_map(|subset| {
            let from = subset.last().map_or(0, |last| last + 1);
            (from..of).map(|next| subset.iter().copied().chain([next]).collect())
        });
        subsets = longer.collect();
    }
    subsets
}

fn xorshift(random: &mut u64) -> u64 {
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    *random
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Value, VarId};

    fn booleans(variable: u32) -> List {
        let item = |value: bool| vec![(VarId(variable), Value::Bool(value))];
        List { items: vec![item(false), item(true)], end: ListEnd::Largest }
    }

    #[test]
    fn pairwise_rows_contain_every_pair() {
        let lists: Vec<List> = (0..6).map(booleans).collect();
        let rows = combine(lists, 2, 1000, 1);
        assert!(matches!(rows.end, ListEnd::Covered(_)), "{:?}", rows.end);
        assert!(rows.items.len() < 16, "all combinations would be 64 rows: {}", rows.items.len());
        for (left, right) in (0..6).flat_map(|left| (0..left).map(move |right| (left, right))) {
            for wanted in [(false, false), (false, true), (true, false), (true, true)] {
                let has = |row: &Values, variable: u32, value: bool| {
                    row.contains(&(VarId(variable), Value::Bool(value)))
                };
                let covers = |row: &Values| has(row, left, wanted.0) && has(row, right, wanted.1);
                assert!(rows.items.iter().any(covers), "{left} {right} {wanted:?}");
            }
        }
    }
}
