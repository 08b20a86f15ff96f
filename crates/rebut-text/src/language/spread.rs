//! Readable strings that look different from each other.
//!
//! The language is split into five parts: pronounceable words, pronounceable strings with
//! capitals, digits and punctuation, other printable ASCII, letters of other scripts, and the
//! rest. Each part is split by length, and each length is visited in strides
//! (`language/ranks.rs`). The list alternates between the parts and between the lengths, and
//! adds a length each time the number of rounds has doubled.
//!
//! Invariant: the parts and lengths are disjoint and cover the language, so the list contains
//! every string once. It stores only how far each length has come, not the strings. Random
//! sampling would need to remember them, or repeat some, and could not detect the end.

use std::collections::VecDeque;
use std::sync::Arc;

use super::expr::Expr;
use super::ranks::{Ranks, Stratum};
use super::readable;
use super::state_sets::StateSets;
use super::{Language, TooComplex};
use crate::order;
use crate::symbols::{Symbol, Symbols};

/// Strings that look different; see [`crate::Language::spread`].
#[derive(Clone, Debug)]
pub struct Spread {
    parts: Vec<SpreadPart>,
    turn: usize,
}

/// The order in which the parts take turns, by their index in [`in_parts`].
///
/// Of 16 strings, 8 are words, 4 are pronounceable, 2 printable, 1 has letters of other scripts,
/// and 1 is anything else. Arbitrary: most strings should be readable, and the odd ones must not
/// come too late to be tried. A part that has ended passes its turn on.
const TURNS: [usize; 16] = [0, 0, 1, 0, 0, 1, 0, 2, 0, 1, 0, 3, 0, 2, 1, 4];

impl Spread {
    pub(crate) fn new(language: &Language, seed: u64) -> Result<Spread, TooComplex> {
        let parts = language.parts()?.into_iter().map(|ranks| SpreadPart::new(ranks, seed));
        Ok(Spread { parts: parts.collect(), turn: 0 })
    }
}

/// Splits a language into parts, which do not depend on the seed. Keeps it whole if the parts
/// would be too complex.
pub(super) fn parts(language: &Language) -> Result<Vec<Ranks>, TooComplex> {
    // The parts need a few times as many states as the whole.
    in_parts(language).or_else(|_| Ok(vec![ranks(language)?]))
}

fn in_parts(language: &Language) -> Result<Vec<Ranks>, TooComplex> {
    let filters = [words(), pronounceable(), printable(), letters_of_all_scripts()];
    let (mut parts, mut rest) = (Vec::new(), language.clone());
    for filter in filters {
        let filter = Language::from_expr(filter, language.states_max());
        parts.push(ranks(&rest.intersection(&filter))?);
        rest = rest.difference(&filter);
    }
    parts.push(ranks(&rest)?);
    Ok(parts)
}

fn ranks(language: &Language) -> Result<Ranks, TooComplex> {
    Ranks::new(StateSets::new(language.automaton()?, language.states_max()))
}

impl Spread {
    /// Returns a readable string of the given length, or `None` if there is no string of this
    /// length. Always returns the same string, however far the list has come.
    pub fn of_length(&mut self, length: usize) -> Option<String> {
        self.parts.iter_mut().find_map(|part| {
            let word = part.ranks.next(&mut Ranks::stratum(length, part.seed))?;
            Some(word.into_iter().map(order::char_of).collect())
        })
    }
}

impl Iterator for Spread {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        while self.parts.iter().any(|part| !part.has_ended()) {
            let turn = TURNS[self.turn % TURNS.len()] % self.parts.len();
            self.turn += 1;
            if let Some(word) = self.parts[turn].next() {
                return Some(word.into_iter().map(order::char_of).collect());
            }
        }
        None
    }
}

/// The number of lengths that take turns from the start.
///
/// Arbitrary. Another length is added after 12, 24, 48, .. turns of the part, and whenever all
/// strings of a length have been listed.
const LENGTHS_MIN: usize = 12;

/// A part of the language, with the lengths that take turns.
#[derive(Clone, Debug)]
struct SpreadPart {
    ranks: Ranks,
    seed: u64,
    /// The lengths that take turns, the next one first.
    strata: VecDeque<Stratum>,
    /// The least length that takes no turns yet; `None` if there is no other length.
    next_length: Option<usize>,
    turns: usize,
    /// Another length is added after this many turns, times [`LENGTHS_MIN`].
    turns_in_round: usize,
}

impl SpreadPart {
    fn new(mut ranks: Ranks, seed: u64) -> SpreadPart {
        let next_length = ranks.next_length(0);
        let (strata, turns) = (VecDeque::new(), 0);
        let mut part = SpreadPart { ranks, seed, strata, next_length, turns, turns_in_round: 1 };
        while part.strata.len() < LENGTHS_MIN && part.open() {}
        part.shuffle();
        part
    }

    fn has_ended(&self) -> bool {
        self.strata.is_empty() && self.next_length.is_none()
    }

    /// Adds a length. Returns whether there was another one.
    fn open(&mut self) -> bool {
        let Some(length) = self.next_length else { return false };
        self.strata.push_front(Ranks::stratum(length, self.seed));
        self.next_length = self.ranks.next_length(length + 1);
        true
    }

    /// Reorders the lengths so that consecutive ones differ much: 4, 9, 2, 7 and so on.
    fn shuffle(&mut self) {
        let count = self.strata.len();
        self.strata.make_contiguous().reverse();
        let start = 3 + (self.seed % 5) as usize;
        let stride =
            [5, 7, 3, 1].into_iter().find(|stride| !count.is_multiple_of(*stride)).unwrap_or(1);
        let order = (0..count).map(|at| (start + at * stride) % count);
        self.strata = order.map(|at| self.strata[at].clone()).collect();
    }

    fn next(&mut self) -> Option<Vec<Symbol>> {
        loop {
            self.turns += 1;
            if self.turns > self.turns_in_round * LENGTHS_MIN {
                self.turns_in_round = self.turns_in_round.saturating_mul(2);
                self.open();
            }
            if self.strata.is_empty() && !self.open() {
                return None;
            }
            let mut stratum = self.strata.pop_front()?;
            if let Some(word) = self.ranks.next(&mut stratum) {
                self.strata.push_back(stratum);
                return Some(word);
            }
            self.open();
        }
    }
}

fn printable() -> Arc<Expr> {
    Expr::repeat(&Expr::set(Symbols::interval(0, order::PRINTABLE - 1)), 0, None)
}

fn letters_of_all_scripts() -> Arc<Expr> {
    Expr::repeat(&Expr::set(Symbols::interval(0, order::WRITTEN - 1)), 0, None)
}

/// The groups of printable ASCII characters.
struct CharGroups {
    small: Symbols,
    large: Symbols,
    digits: Symbols,
    signs: Symbols,
    vowels: Symbols,
    consonants: Symbols,
}

impl CharGroups {
    fn new() -> CharGroups {
        let between = order::symbols_between;
        let (small, large, digits) = (between('a', 'z'), between('A', 'Z'), between('0', '9'));
        let letters = small.union(&large);
        let printable = Symbols::interval(0, order::PRINTABLE - 1);
        let signs = printable.difference(&letters).difference(&digits);
        let vowels = readable::vowels();
        let consonants = letters.difference(&vowels);
        CharGroups { small, large, digits, signs, vowels, consonants }
    }
}

/// Pronounceable strings: vowels and consonants alternate, no small letter is followed by a
/// capital, no digit by a letter, no sign by a sign, and no sign is at either end.
fn pronounceable() -> Arc<Expr> {
    let groups = CharGroups::new();
    let letters = groups.small.union(&groups.large);
    let forbidden = [
        pair(&groups.vowels, &groups.vowels),
        pair(&groups.consonants, &groups.consonants),
        pair(&groups.small, &groups.large),
        pair(&groups.digits, &letters),
        pair(&groups.signs, &groups.signs),
        Expr::concat([Expr::set(groups.signs.clone()), Expr::all()]),
        Expr::concat([Expr::all(), Expr::set(groups.signs)]),
    ];
    Expr::and([printable(), Expr::not(&Expr::union(forbidden))])
}

/// Strings that could be words: pronounceable, without digits, and with a capital only at the
/// beginning.
fn words() -> Arc<Expr> {
    let groups = CharGroups::new();
    let vowel = groups.small.intersection(&groups.vowels);
    let consonant = groups.small.intersection(&groups.consonants);
    let optional = |symbols: &Symbols| Expr::repeat(&Expr::set(symbols.clone()), 0, Some(1));
    let syllables = |first: &Symbols, second: &Symbols| {
        let pair = Expr::concat([Expr::set(first.clone()), Expr::set(second.clone())]);
        Expr::concat([Expr::repeat(&pair, 0, None), optional(first)])
    };
    let starting_with = |before: &Symbols, first: &Symbols, second: &Symbols| {
        Expr::concat([optional(before), syllables(first, second)])
    };
    Expr::union([
        starting_with(&groups.consonants, &vowel, &consonant),
        starting_with(&groups.vowels, &consonant, &vowel),
    ])
}

/// Strings that contain a symbol of each set side by side.
fn pair(first: &Symbols, second: &Symbols) -> Arc<Expr> {
    let (first, second) = (Expr::set(first.clone()), Expr::set(second.clone()));
    Expr::concat([Expr::all(), first, second, Expr::all()])
}
