//! Combinations of a few of many: covering arrays.
//!
//! Of several lists, each combination of items of any `strength` of them occurs in some row.
//! Rows are made greedily (Cohen, Dalal, Fredman and Patton, "The AETG System", 1997): of a
//! few candidates the one that has most combinations that are still missing.

use super::list::{End, List, Values, worse};
use std::collections::HashSet;

/// Longer lists than this are cut: combinations of that many are not what is wanted.
const LENGTH_MAX: usize = 200;

/// So many candidates are made for each row.
const CANDIDATES: usize = 20;

/// Rows in which each combination of any `strength` lists occurs.
pub(crate) fn combine(lists: Vec<List>, strength: usize, count: usize, seed: u64) -> List {
    let sizes: Vec<usize> = lists.iter().map(|list| list.items.len().min(LENGTH_MAX)).collect();
    if sizes.contains(&0) || strength == 0 {
        return List { items: Vec::new(), end: End::Largest };
    }
    let mut missing = Missing::new(&sizes, strength);
    let mut random = seed | 1;
    let mut rows: Vec<Vec<usize>> = Vec::new();
    while rows.len() < count {
        let Some(first) = missing.any() else { break };
        let candidates = (0..CANDIDATES).map(|_| missing.row(&first, &sizes, &mut random));
        let Some(best) = candidates.max_by_key(|row| missing.count_in(row)) else { break };
        missing.remove(&best);
        rows.push(best);
    }
    let whole = missing.any().is_none();
    let items = rows.iter().map(|row| tuple(&lists, row)).collect::<Vec<Values>>();
    let end = match items.len() {
        found if found == count => End::Asked,
        _ if whole => {
            let doubt = lists.iter().map(|list| list.end.clone()).fold(End::Largest, worse);
            let all =
                format!("all combinations of {strength} are covered, and no more were requested");
            if doubt == End::Largest || doubt == End::Asked { End::Covered(all) } else { doubt }
        }
        _ => End::Unproved("combinations are missing".into()),
    };
    List { items, end }
}

fn tuple(lists: &[List], row: &[usize]) -> Values {
    row.iter().zip(lists).flat_map(|(at, list)| list.items[*at].iter().cloned()).collect()
}

/// A combination: which lists, and which of their items.
type Combination = Vec<(usize, usize)>;

struct Missing {
    strength: usize,
    groups: Vec<Vec<usize>>,
    left: HashSet<Combination>,
    /// In the order in which they were made, so that the same seed gives the same rows.
    queue: Vec<Combination>,
}

impl Missing {
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

    /// A row with a combination, filled up list by list with what has most missing ones.
    fn row(&self, combination: &Combination, sizes: &[usize], random: &mut u64) -> Vec<usize> {
        let mut row: Vec<Option<usize>> = vec![None; sizes.len()];
        for (list, at) in combination {
            row[*list] = Some(*at);
        }
        let start = next(random) as usize % sizes.len();
        for step in 0..sizes.len() {
            let list = (start + step) % sizes.len();
            if row[list].is_some() {
                continue;
            }
            let turn = next(random) as usize;
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

fn next(random: &mut u64) -> u64 {
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    *random
}
