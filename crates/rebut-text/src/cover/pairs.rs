//! Strings that bring parts together.
//!
//! A string for each part has the shortest of everything else, and what is shortest is seldom
//! what is usual: the empty alternative, the optional part left out. What takes two parts at
//! once is not met that way, and to list all combinations takes too long. So walks are made in
//! between on which every place takes its ways on in turn, as a rotor does: each part is soon
//! followed by each that can follow it, and what lies farther apart is mixed. To end is one of
//! the ways. (Such walks are as even as random ones, and more so: Cooper and Spencer 2006.)

use std::collections::HashMap;

use super::ways::{Found, Ways};
use crate::language::mix;

/// So many walks are made for each part.
const WALKS_PER_PART: usize = 4;

/// The walks.
#[derive(Clone, Debug)]
pub(super) struct Pairs {
    /// How often each state was left.
    turns: HashMap<u32, u64>,
    /// From each state, how many steps it takes at least to an end.
    left: Vec<Option<usize>>,
    walks_left: usize,
    seed: u64,
}

impl Pairs {
    /// Walks for a regex of so many parts.
    pub(super) fn new(ways: &Ways, parts: usize, seed: u64) -> Pairs {
        let walks_left = parts.saturating_mul(WALKS_PER_PART);
        Pairs { turns: HashMap::new(), left: ways.left(), walks_left, seed }
    }

    /// The string of another walk, unless there were enough.
    pub(super) fn next(&mut self, ways: &Ways) -> Option<Found> {
        self.walks_left = self.walks_left.checked_sub(1)?;
        let (turns, seed) = (&mut self.turns, self.seed);
        ways.walk(&self.left, seed, |state, labels, can_end| {
            let choices = labels.len() + usize::from(can_end);
            let turn = turns.entry(state).or_insert_with(|| mix(seed, u64::from(state)) >> 32);
            *turn += 1;
            let choice = (*turn % choices.max(1) as u64) as usize;
            (choice < labels.len()).then_some(choice)
        })
    }
}
