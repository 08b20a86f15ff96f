//! The sides that were not tried yet, the most promising first.
//!
//! Sides of one site wait together, so that a run which reaches a site moves one
//! group and not of all that wait in it.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap};
use std::rc::Rc;

use crate::hooks::Site;
use crate::trace::Input;
use crate::tree::Frontier;

/// A side to solve for.
#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) frontier: Frontier,
    /// The draws of the run that opened it.
    pub(super) inputs: Rc<[Input]>,
}

/// A side of a decision in the code.
type SiteSide = (Site, bool);

/// The candidates: those whose site and side was reached least often first; among equals those
/// nearest to the root, then the oldest.
#[derive(Debug, Default)]
pub(super) struct CandidateQueue {
    groups: HashMap<SiteSide, Group>,
    /// The first candidate of each group, with the number of times that its side was reached.
    heads: BTreeSet<(usize, Place, SiteSide)>,
    candidates: Vec<Option<Candidate>>,
}

/// The depth of a candidate in the tree, and its number.
type Place = (u32, usize);

/// The candidates of one side of one site.
#[derive(Debug, Default)]
struct Group {
    reached: usize,
    waiting: BinaryHeap<Reverse<Place>>,
}

impl Group {
    fn head(&self, side: SiteSide) -> Option<(usize, Place, SiteSide)> {
        self.waiting.peek().map(|Reverse(place)| (self.reached, *place, side))
    }
}

impl CandidateQueue {
    /// Counts that a run took a side of a site.
    pub(super) fn reach(&mut self, side: SiteSide) {
        self.change(side, |group| group.reached += 1);
    }

    pub(super) fn push(&mut self, side: SiteSide, depth: u32, candidate: Candidate) {
        let place = (depth, self.candidates.len());
        self.candidates.push(Some(candidate));
        self.change(side, |group| group.waiting.push(Reverse(place)));
    }

    /// Takes the most promising candidate.
    pub(super) fn pop(&mut self) -> Option<Candidate> {
        let (_, (_, number), side) = *self.heads.first()?;
        self.change(side, |group| _ = group.waiting.pop());
        self.candidates.get_mut(number)?.take()
    }

    fn change(&mut self, side: SiteSide, change: impl FnOnce(&mut Group)) {
        let group = self.groups.entry(side).or_default();
        let before = group.head(side);
        change(group);
        let after = group.head(side);
        if before == after {
            return;
        }
        if let Some(before) = before {
            self.heads.remove(&before);
        }
        self.heads.extend(after);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::NodeId;

    fn candidate() -> Candidate {
        let frontier = Frontier { node: NodeId::default(), holds: false };
        Candidate { frontier, inputs: [].into() }
    }

    /// The order is that of a search through all candidates.
    #[rebut::test]
    fn the_first_candidate_was_reached_least_often(steps: Vec<(u8, bool, u8)>) {
        let mut queue = CandidateQueue::default();
        let mut reached: HashMap<SiteSide, usize> = HashMap::new();
        let mut waiting: Vec<(SiteSide, u32, usize)> = Vec::new();
        let mut pushed = 0;
        for (what, holds, number) in steps {
            let side = (Site::from(number % 4), holds);
            match what % 3 {
                0 => {
                    queue.reach(side);
                    *reached.entry(side).or_default() += 1;
                }
                1 => {
                    queue.push(side, u32::from(number / 4), candidate());
                    waiting.push((side, u32::from(number / 4), pushed));
                    pushed += 1;
                }
                _ => {
                    let key = |one: &(SiteSide, u32, usize)| {
                        (reached.get(&one.0).copied().unwrap_or(0), one.1, one.2)
                    };
                    let first = (0..waiting.len()).min_by_key(|nth| key(&waiting[*nth]));
                    let expected = first.map(|nth| waiting.remove(nth).2);
                    let next = queue.heads.first().map(|(_, (_, number), _)| *number);
                    assert_eq!(next, expected);
                    assert_eq!(queue.pop().is_some(), expected.is_some());
                }
            }
        }
    }
}
