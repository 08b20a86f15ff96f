//! Strings that are as usual but for one part.
//!
//! The shortest string by a part has the shortest of everything else, which is seldom what is
//! usual: the empty alternative, the optional part left out. Whoever writes an alternative
//! writes the usual case first. So for each part there is a string that goes by it and, in
//! everything else, takes what was written first, with what is optional in its place. This is
//! base choice coverage (Ammann and Offutt 1994): what is odd is tried alone, and not behind
//! something else that is odd.

use std::collections::{BTreeSet, HashSet, VecDeque};

use super::structure::{Kind, Label};
use crate::language::Nfa;
use crate::symbols::Symbols;

/// Where parts times steps are more, usual strings are not looked for.
const SIZE_MAX: usize = 20_000_000;

/// A class that is longer is not looked for.
const LENGTH_MAX: usize = 500;

/// The classes of usual strings, in the order in which their parts were written. Each goes by a
/// class of the regex that none before it went by; of the ranges of a class, the first is usual.
pub(super) fn classes(automaton: &Nfa, class_of: &dyn Fn(Kind) -> Label) -> Vec<Vec<Kind>> {
    let edges = || automaton.edges.iter().flatten();
    let kinds: BTreeSet<Kind> = edges().flat_map(|(kinds, _)| all_of(kinds)).collect();
    if kinds.len().saturating_mul(edges().count()) > SIZE_MAX {
        return Vec::new();
    }
    let sources = sources(automaton);
    let mut met: HashSet<Label> = HashSet::new();
    let mut all = Vec::new();
    for kind in kinds {
        if met.contains(&class_of(kind)) {
            continue;
        }
        if let Some(class) = by(automaton, &sources, kind) {
            met.extend(class.iter().map(|kind| class_of(*kind)));
            all.push(class);
        }
    }
    all
}

/// The usual class that has a kind.
fn by(automaton: &Nfa, sources: &[Vec<usize>], goal: Kind) -> Option<Vec<Kind>> {
    let leads = leading_to(automaton, sources, goal);
    let mut states: Vec<u32> = automaton.starts.clone();
    let mut class = Vec::new();
    while class.len() < LENGTH_MAX {
        let is_met = class.contains(&goal);
        let mut first: Option<Kind> = None;
        for (kinds, target) in states.iter().flat_map(|state| &automaton.edges[*state as usize]) {
            let least = match is_met || leads[*target as usize] {
                true => kinds.first(),
                false => kinds.contains(goal).then_some(goal),
            };
            first = first.into_iter().chain(least).min();
        }
        let Some(kind) = first else { break };
        class.push(kind);
        let edges = states.iter().flat_map(|state| &automaton.edges[*state as usize]);
        let targets = edges.filter(|(kinds, _)| kinds.contains(kind)).map(|(_, target)| *target);
        let targets: BTreeSet<u32> = targets.collect();
        states = targets.into_iter().collect();
    }
    class.contains(&goal).then_some(class)
}

/// From which states a step of a kind can still be taken.
fn leading_to(automaton: &Nfa, sources: &[Vec<usize>], goal: Kind) -> Vec<bool> {
    let has = |state: &usize| automaton.edges[*state].iter().any(|(kinds, _)| kinds.contains(goal));
    let mut queue: VecDeque<usize> = (0..automaton.len()).filter(has).collect();
    let mut leads = vec![false; automaton.len()];
    queue.iter().for_each(|state| leads[*state] = true);
    while let Some(state) = queue.pop_front() {
        for source in &sources[state] {
            if !std::mem::replace(&mut leads[*source], true) {
                queue.push_back(*source);
            }
        }
    }
    leads
}

fn all_of(kinds: &Symbols) -> impl Iterator<Item = Kind> {
    kinds.intervals().iter().flat_map(|(first, last)| *first..=*last)
}

fn sources(automaton: &Nfa) -> Vec<Vec<usize>> {
    let mut sources = vec![Vec::new(); automaton.edges.len()];
    for (state, edges) in automaton.edges.iter().enumerate() {
        for (_, target) in edges {
            sources[*target as usize].push(state);
        }
    }
    sources
}
