//! Lists all words, shortest first.
//!
//! For each length that occurs, a depth-first walk visits the sets of states. It takes no step
//! after which the length cannot be met, so every step leads to a word and the cost of a word does
//! not depend on the number of words. This is the algorithm of Ackerman and Shallit (2009), with
//! sets of states instead of states, so that no word comes twice.

use std::sync::Arc;

use super::nfa::Nfa;
use super::state_sets::{SetId, StateSets, SymbolRange};
use crate::order;
use crate::symbols::Symbol;

/// All strings of a language, shortest first; see [`crate::Language::words`].
#[derive(Clone, Debug)]
pub struct Words {
    walk: WordWalk,
}

impl Words {
    pub(crate) fn new(nfa: Arc<Nfa>) -> Words {
        Words { walk: WordWalk::new(StateSets::new(nfa, usize::MAX)) }
    }
}

impl Iterator for Words {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        let symbols = self.walk.next()?;
        Some(symbols.iter().map(|&symbol| order::char_of(symbol)).collect())
    }
}

/// The walk over all words of an automaton, by length and then in ascending order.
#[derive(Clone, Debug)]
pub(crate) struct WordWalk {
    sets: StateSets,
    /// The length of the current words; `None` before the first word.
    length: Option<usize>,
    steps: Vec<Step>,
    word: Vec<Symbol>,
}

/// The symbols that are left to try at one position of the word.
#[derive(Clone, Debug)]
struct Step {
    ranges: Arc<[SymbolRange]>,
    at: usize,
    next: Symbol,
}

impl WordWalk {
    pub(crate) fn new(sets: StateSets) -> WordWalk {
        WordWalk { sets, length: None, steps: Vec::new(), word: Vec::new() }
    }

    /// Returns the next word.
    pub(crate) fn next(&mut self) -> Option<&[Symbol]> {
        loop {
            if let Some(length) = self.length.filter(|_| !self.steps.is_empty()) {
                if self.advance(length) {
                    return Some(&self.word);
                }
            } else {
                let from = self.length.map_or(0, |length| length + 1);
                let length = self.sets.next_length(from)?;
                self.length = Some(length);
                self.word.clear();
                if length == 0 {
                    return Some(&self.word);
                }
                self.push(StateSets::START);
            }
        }
    }

    fn push(&mut self, set: SetId) {
        let ranges = self.sets.ranges(set);
        let next = ranges.first().map_or(0, |range| range.first);
        self.steps.push(Step { ranges, at: 0, next });
    }

    /// Advances the last step. Returns whether the word is complete.
    fn advance(&mut self, length: usize) -> bool {
        let depth = self.steps.len();
        self.word.truncate(depth - 1);
        let Some(step) = self.steps.last_mut() else { return false };
        let left = length - depth;
        while let Some(range) = step.ranges.get(step.at) {
            let is_live = step.next > range.first || self.sets.can_end_in(range.target, left);
            if !is_live || step.next > range.last {
                step.at += 1;
                step.next = step.ranges.get(step.at).map_or(0, |range| range.first);
                continue;
            }
            self.word.push(step.next);
            step.next += 1;
            let target = range.target;
            if left > 0 {
                self.push(target);
            }
            return left == 0;
        }
        self.steps.pop();
        false
    }
}
