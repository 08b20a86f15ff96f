//! Members that combine parts of the regex, found by rotor walks.
//!
//! The shortest member for a part leaves everything else as short as possible, so a bug that
//! needs two parts at once stays hidden. Listing all combinations takes too long. The cover
//! therefore mixes in walks through the class automaton on which every state takes its outgoing
//! edges in turn, like a rotor: the first visit takes one edge, the next visit the next one.
//! Ending the string counts as one more edge. Every part is soon followed by every part that can
//! follow it, and parts that are further apart are mixed.
//!
//! Random walks would do the same on average. A rotor walk visits each edge as often as a random
//! walk does, up to a constant (Cooper and Spencer 2006), and is deterministic.

use std::collections::HashMap;

use super::class_automaton::{ClassAutomaton, ClassMember};
use crate::language::mix;

/// The number of walks for each label of the regex.
///
/// Arbitrary. Afterwards the cover lists the combinations that are left by size, so nothing is
/// lost, but combinations of distant parts come later.
const WALKS_PER_LABEL: usize = 4;

/// The walks that are left, and the state of the rotors.
#[derive(Clone, Debug)]
pub(super) struct RotorWalks {
    /// The number of visits of each state. The first value depends on the seed.
    rotors: HashMap<u32, u64>,
    /// For each state, the number of edges to the nearest accepting state.
    distances: Vec<Option<usize>>,
    walks_left: usize,
    seed: u64,
}

impl RotorWalks {
    pub(super) fn new(automaton: &ClassAutomaton, labels: usize, seed: u64) -> RotorWalks {
        let walks_left = labels.saturating_mul(WALKS_PER_LABEL);
        let distances = automaton.distances_to_end();
        RotorWalks { rotors: HashMap::new(), distances, walks_left, seed }
    }

    /// Returns the string of the next walk, or `None` after the last one.
    pub(super) fn next(&mut self, automaton: &ClassAutomaton) -> Option<ClassMember> {
        self.walks_left = self.walks_left.checked_sub(1)?;
        let (rotors, seed) = (&mut self.rotors, self.seed);
        automaton.walk(&self.distances, seed, |state, labels, can_end| {
            let choices = labels.len() + usize::from(can_end);
            let rotor = rotors.entry(state).or_insert_with(|| mix(seed, u64::from(state)) >> 32);
            *rotor += 1;
            let choice = (*rotor % choices.max(1) as u64) as usize;
            (choice < labels.len()).then_some(choice)
        })
    }
}
