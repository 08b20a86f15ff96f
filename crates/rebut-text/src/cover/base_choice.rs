//! Classes that are typical except for one part: base choice coverage.
//!
//! The shortest member for a part leaves everything else as short as possible: it takes the
//! empty alternative and omits the optional part. That is rarely a typical input, and a
//! validator may reject it before it reaches the part in question. Authors tend to write the
//! typical alternative first. For each part there is therefore a class that contains it and
//! takes, everywhere else, the alternative that was written first, with optional parts present.
//!
//! This is base choice coverage (Ammann and Offutt 1994): each unusual choice is tried alone,
//! among usual ones, and is not hidden behind another unusual choice.
//!
//! Labels are numbered in the order in which the regex is written, and under
//! [`super::Repeats::Few`] a class symbol is a label. So "written first" is "the least symbol".

use std::collections::{BTreeSet, HashSet, VecDeque};

use super::structure::{ClassSymbol, Label};
use crate::language::Nfa;
use crate::symbols::Symbols;

/// The maximum of symbols times edges, which is the time that [`base_choice_classes`] takes.
///
/// Arbitrary. Above it there are no base choice classes; the cover still lists every class, but
/// typical ones are not preferred.
const SIZE_MAX: usize = 20_000_000;

/// The maximum number of symbols of a base choice class.
///
/// Arbitrary. It ends the search where the regex repeats forever, since the search always
/// prefers a further symbol to the end. A part that has not been reached by then gets no base
/// choice class.
const LENGTH_MAX: usize = 500;

/// Returns the base choice classes, in the order in which their parts were written.
///
/// Each contains a character class of the regex that none before it contained. The ranges of a
/// character class do not get one each; its first range is the typical one. `class_of` maps a
/// symbol to the character class of the regex that it belongs to.
pub(super) fn base_choice_classes(
    automaton: &Nfa,
    class_of: &dyn Fn(ClassSymbol) -> Label,
) -> Vec<Vec<ClassSymbol>> {
    let edges = || automaton.edges.iter().flatten();
    let all_symbols: BTreeSet<ClassSymbol> =
        edges().flat_map(|(symbols, _)| members(symbols)).collect();
    if all_symbols.len().saturating_mul(edges().count()) > SIZE_MAX {
        return Vec::new();
    }
    let sources = sources(automaton);
    let mut covered: HashSet<Label> = HashSet::new();
    let mut classes = Vec::new();
    for symbol in all_symbols {
        if covered.contains(&class_of(symbol)) {
            continue;
        }
        if let Some(class) = base_choice_class(automaton, &sources, symbol) {
            covered.extend(class.iter().map(|symbol| class_of(*symbol)));
            classes.push(class);
        }
    }
    classes
}

/// Returns the base choice class that contains `goal`.
///
/// Takes the least symbol at each step, but only steps from which `goal` is still reachable
/// until `goal` has been read.
fn base_choice_class(
    automaton: &Nfa,
    sources: &[Vec<usize>],
    goal: ClassSymbol,
) -> Option<Vec<ClassSymbol>> {
    let leads_to_goal = states_leading_to(automaton, sources, goal);
    let mut states: Vec<u32> = automaton.starts.clone();
    let mut class = Vec::new();
    while class.len() < LENGTH_MAX {
        let has_goal = class.contains(&goal);
        let mut first: Option<ClassSymbol> = None;
        for (symbols, target) in states.iter().flat_map(|state| &automaton.edges[*state as usize]) {
            let least = match has_goal || leads_to_goal[*target as usize] {
                true => symbols.first(),
                false => symbols.contains(goal).then_some(goal),
            };
            first = first.into_iter().chain(least).min();
        }
        let Some(symbol) = first else { break };
        class.push(symbol);
        let edges = states.iter().flat_map(|state| &automaton.edges[*state as usize]);
        let targets =
            edges.filter(|(symbols, _)| symbols.contains(symbol)).map(|(_, target)| *target);
        let targets: BTreeSet<u32> = targets.collect();
        states = targets.into_iter().collect();
    }
    class.contains(&goal).then_some(class)
}

/// Returns, for each state, whether an edge with the symbol is reachable.
fn states_leading_to(automaton: &Nfa, sources: &[Vec<usize>], goal: ClassSymbol) -> Vec<bool> {
    let has_edge =
        |state: &usize| automaton.edges[*state].iter().any(|(symbols, _)| symbols.contains(goal));
    let mut queue: VecDeque<usize> = (0..automaton.len()).filter(has_edge).collect();
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

fn members(symbols: &Symbols) -> impl Iterator<Item = ClassSymbol> {
    symbols.intervals().iter().flat_map(|(first, last)| *first..=*last)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(symbol: ClassSymbol, target: u32) -> (Symbols, u32) {
        (Symbols::one(symbol), target)
    }

    #[test]
    fn each_part_is_combined_with_the_first_alternatives() {
        // (0|1)(2|3)?
        let automaton = Nfa {
            starts: vec![0],
            accepting: vec![false, true, true],
            edges: vec![vec![edge(0, 1), edge(1, 1)], vec![edge(2, 2), edge(3, 2)], vec![]],
        };
        let classes = base_choice_classes(&automaton, &|symbol| symbol);
        assert_eq!(classes, [[0, 2], [1, 2], [0, 3]]);
    }

    #[test]
    fn ranges_of_one_character_class_share_a_base_choice() {
        let automaton = Nfa {
            starts: vec![0],
            accepting: vec![false, true],
            edges: vec![vec![edge(0, 1), edge(1, 1), edge(2, 1)], vec![]],
        };
        // Symbols 0 and 1 are ranges of the same character class.
        let classes = base_choice_classes(&automaton, &|symbol| symbol.max(1));
        assert_eq!(classes, [[0], [2]]);
    }

    #[test]
    fn endless_repetitions_end_at_the_limit() {
        let automaton =
            Nfa { starts: vec![0], accepting: vec![true], edges: vec![vec![edge(0, 0)]] };
        let classes = base_choice_classes(&automaton, &|symbol| symbol);
        assert_eq!(classes, [vec![0; LENGTH_MAX]]);
    }
}
