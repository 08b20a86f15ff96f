//! Edit distance: of two strings, of a string and a language, and of a list of strings.
//!
//! The strings within a distance of a string form a regular language, whose automaton counts the
//! edits ([`automaton`]). Strings that are pairwise far apart do not, so [`FarApart`] filters
//! candidates instead.

use std::collections::HashMap;

use crate::language::{Language, Lengths, Nfa, Spread, TooComplex};
use crate::order;
use crate::symbols::{Symbol, Symbols};

/// Returns the least number of insertions, deletions and replacements of a character that turn
/// one string into the other (Levenshtein 1965). The checker of `rebut-spec` has its own
/// implementation, as an independent judge of this one.
///
/// # Examples
/// ```
/// assert_eq!(rebut_text::edit_distance("kitten", "sitting"), 3);
/// ```
#[must_use]
pub fn edit_distance(left: &str, right: &str) -> usize {
    let (left, right): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
    distance(&left, &right)
}

fn distance(left: &[char], right: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (at, from) in left.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], at + 1);
        for (column, to) in right.iter().enumerate() {
            let replaced = diagonal + usize::from(from != to);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[right.len()]
}

/// Returns whether two strings are fewer than `edits` edits apart.
///
/// Computes only a band around the diagonal of the table: a path that leaves the band by `edits`
/// rows or columns has that many insertions or deletions. Strings whose lengths differ by `edits`
/// are not compared at all.
fn is_near(left: &[char], right: &[char], edits: usize) -> bool {
    if left.len().abs_diff(right.len()) >= edits {
        return false;
    }
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (at, from) in left.iter().enumerate() {
        let first = (at + 1).saturating_sub(edits);
        let last = right.len().min(at + 1 + edits);
        let mut diagonal = row[first];
        row[first] = if first == 0 { at + 1 } else { usize::MAX / 2 };
        let mut least = row[first];
        for column in first..last {
            let replaced = diagonal + usize::from(*from != right[column]);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
            least = least.min(row[column + 1]);
        }
        if let Some(beyond) = row.get_mut(last + 1) {
            *beyond = usize::MAX / 2;
        }
        if least >= edits {
            return false;
        }
    }
    row[right.len()] < edits
}

/// Builds the automaton of the strings within a distance of `text`. A state is the number of
/// characters of `text` that are used up and the number of edits made.
pub(crate) fn automaton(text: &str, edits: usize) -> Nfa {
    let text = order::symbols_in(text);
    let width = text.len() + 1;
    let state = |used: usize, edits_made: usize| {
        u32::try_from(edits_made * width + used).unwrap_or(u32::MAX)
    };
    let mut nfa = Nfa { starts: vec![state(0, 0)], ..Nfa::default() };
    for edits_made in 0..=edits {
        for used in 0..width {
            nfa.accepting.push(text.len() - used + edits_made <= edits);
            nfa.edges.push(edges(&text, used, edits_made, edits, state));
        }
    }
    nfa.trimmed()
}

fn edges(
    text: &[Symbol],
    used: usize,
    edits_made: usize,
    edits: usize,
    state: impl Fn(usize, usize) -> u32,
) -> Vec<(Symbols, u32)> {
    let mut edges = Vec::new();
    if edits_made < edits {
        edges.push((order::all(), state(used, edits_made + 1)));
        if used < text.len() {
            edges.push((order::all(), state(used + 1, edits_made + 1)));
        }
    }
    for deleted in 0..=edits - edits_made {
        if let Some(&symbol) = text.get(used + deleted) {
            edges.push((Symbols::one(symbol), state(used + deleted + 1, edits_made + deleted)));
        }
    }
    edges
}

/// Strings that are pairwise far apart; see [`Language::far_apart`].
#[derive(Clone, Debug)]
pub struct FarApart {
    edits: usize,
    candidates: Spread,
    /// For an infinite language, a source of ever longer strings. A string that is longer than
    /// all chosen ones by `edits` is far from each of them.
    longer: Option<Lengths>,
    /// The chosen strings, by length.
    chosen: HashMap<usize, Vec<Vec<char>>>,
    chosen_count: usize,
    longest: usize,
}

impl FarApart {
    pub(crate) fn new(
        language: &Language,
        edits: usize,
        seed: u64,
    ) -> Result<FarApart, TooComplex> {
        let longer = if language.is_finite()? { None } else { Some(language.lengths()?) };
        let candidates = language.spread(seed)?;
        let (chosen, chosen_count, longest) = (HashMap::new(), 0, 0);
        Ok(FarApart { edits, candidates, longer, chosen, chosen_count, longest })
    }

    fn is_far(&self, candidate: &[char]) -> bool {
        let shortest = (candidate.len() + 1).saturating_sub(self.edits);
        let longest = candidate.len() + self.edits;
        let rivals = (shortest..longest).filter_map(|len| self.chosen.get(&len)).flatten();
        rivals.into_iter().all(|rival| !is_near(rival, candidate, self.edits))
    }

    fn choose(&mut self, text: String) -> String {
        let chars: Vec<char> = text.chars().collect();
        self.longest = self.longest.max(chars.len());
        self.chosen_count += 1;
        self.chosen.entry(chars.len()).or_default().push(chars);
        text
    }
}

// The number of candidates that `FarApart` rejects before it takes a longer string: `TRIES_MIN`
// plus `TRIES_PER_STRING` for each string chosen so far. Arbitrary. With fewer, the strings become
// long before the short ones are used up; with more, each string takes longer to find.
const TRIES_MIN: usize = 64;
const TRIES_PER_STRING: usize = 4;

impl Iterator for FarApart {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        // The candidates also become longer, but slowly.
        let tries_max = TRIES_MIN + TRIES_PER_STRING * self.chosen_count;
        for tried in 0.. {
            if tried > tries_max
                && let Some(longer) = &mut self.longer
            {
                let wanted = self.longest + self.edits;
                let witness = longer.find(|witness| witness.len() >= wanted)?;
                return Some(self.choose(witness.into()));
            }
            let candidate = self.candidates.next()?;
            let chars: Vec<char> = candidate.chars().collect();
            if self.is_far(&chars) {
                return Some(self.choose(candidate));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn band_agrees_with_the_full_table() {
        let mut texts: Vec<Vec<char>> = vec![Vec::new()];
        for at in 0..15 {
            for char in ['a', 'b'] {
                texts.push([&*texts[at], &[char]].concat());
            }
        }
        for (left, right) in texts.iter().flat_map(|left| texts.iter().map(move |r| (left, r))) {
            for edits in 0..6 {
                let expected = distance(left, right) < edits;
                assert_eq!(is_near(left, right, edits), expected, "{left:?} {right:?} {edits}");
            }
        }
    }
}
