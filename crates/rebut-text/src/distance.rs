//! Strings that are so many edits apart.

use std::collections::HashMap;

use crate::language::{Language, Lengths, Nfa, Spread, TooComplex};
use crate::order;
use crate::symbols::{Symbol, Symbols};

/// How many insertions, deletions and replacements of a character make one text of the other
/// (Levenshtein 1965).
///
/// # Example
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
        for (bt, to) in right.iter().enumerate() {
            let replaced = diagonal + usize::from(from != to);
            diagonal = row[bt + 1];
            row[bt + 1] = replaced.min(diagonal + 1).min(row[bt] + 1);
        }
    }
    row[right.len()]
}

/// Whether two texts are fewer than so many edits apart. Texts whose lengths differ by as much
/// cannot be; and only a band around the diagonal matters, since what is further off it takes
/// as many insertions or deletions.
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
        for bt in first..last {
            let replaced = diagonal + usize::from(*from != right[bt]);
            diagonal = row[bt + 1];
            row[bt + 1] = replaced.min(diagonal + 1).min(row[bt] + 1);
            least = least.min(row[bt + 1]);
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

/// The automaton of the texts within a distance. A state is how much of the text was used and
/// how many edits were made.
pub(crate) fn automaton(text: &str, edits: usize) -> Nfa {
    let text = order::symbols_in(text);
    let width = text.len() + 1;
    let state = |used: usize, made: usize| u32::try_from(made * width + used).unwrap_or(u32::MAX);
    let mut nfa = Nfa { starts: vec![state(0, 0)], ..Nfa::default() };
    for made in 0..=edits {
        for used in 0..width {
            nfa.accepting.push(text.len() - used + made <= edits);
            nfa.edges.push(edges(&text, used, made, edits, state));
        }
    }
    nfa.trimmed()
}

fn edges(
    text: &[Symbol],
    used: usize,
    made: usize,
    edits: usize,
    state: impl Fn(usize, usize) -> u32,
) -> Vec<(Symbols, u32)> {
    let mut edges = Vec::new();
    if made < edits {
        edges.push((order::all(), state(used, made + 1)));
        if used < text.len() {
            edges.push((order::all(), state(used + 1, made + 1)));
        }
    }
    for deleted in 0..=edits - made {
        if let Some(&symbol) = text.get(used + deleted) {
            edges.push((Symbols::one(symbol), state(used + deleted + 1, made + deleted)));
        }
    }
    edges
}

/// Strings any two of which are far apart; see [`Language::far_apart`].
#[derive(Clone, Debug)]
pub struct FarApart {
    edits: usize,
    candidates: Spread,
    /// Where strings never end: one that is longer than all so far by the distance.
    longer: Option<Lengths>,
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

impl Iterator for FarApart {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        // Strings of ever more lengths come by themselves, but seldom; a language without an
        // end always has one that is long enough.
        let patience = 64 + 4 * self.chosen_count;
        for tried in 0.. {
            if tried > patience
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
