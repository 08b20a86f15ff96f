//! Strings that look different and read well.
//!
//! The language is cut in parts: words, what can be pronounced, what can be printed, what
//! people write in other scripts, and the rest. Each part is cut by length, and each length is walked in strides
//! (`language/ranks.rs`). The list takes turns between the parts and between the lengths, with
//! a length more each time the number of rounds has doubled. So nothing is left out, nothing
//! comes twice, nothing is remembered but how far each length has come, and the first few
//! strings are already of different lengths and of different characters.

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
    parts: Vec<Part>,
    turn: usize,
}

/// Whose turn it is: mostly what reads well; the rest only after a while.
const TURNS: [usize; 16] = [0, 0, 1, 0, 0, 1, 0, 2, 0, 1, 0, 3, 0, 2, 1, 4];

impl Spread {
    pub(crate) fn new(language: &Language, seed: u64) -> Result<Spread, TooComplex> {
        let parts = language.parts()?.into_iter().map(|ranks| Part::new(ranks, seed));
        Ok(Spread { parts: parts.collect(), turn: 0 })
    }
}

/// The parts of a language, which do not depend on the seed.
pub(super) fn parts(language: &Language) -> Result<Vec<Ranks>, TooComplex> {
    // The parts need a few times the states of the whole.
    in_parts(language).or_else(|_| Ok(vec![ranks(language)?]))
}

fn in_parts(language: &Language) -> Result<Vec<Ranks>, TooComplex> {
    let kinds = [words(), readable_texts(), printable(), letters_of_all_scripts()];
    let (mut parts, mut rest) = (Vec::new(), language.clone());
    for kind in kinds {
        let kind = Language::of(kind, language.states_max());
        parts.push(ranks(&rest.intersection(&kind))?);
        rest = rest.difference(&kind);
    }
    parts.push(ranks(&rest)?);
    Ok(parts)
}

fn ranks(language: &Language) -> Result<Ranks, TooComplex> {
    Ranks::new(StateSets::new(language.automaton()?, language.states_max()))
}

impl Spread {
    /// A string of this length that reads well, if there is one of this length: the same one
    /// each time, wherever the list has come to.
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

/// So many lengths take turns from the start.
const LENGTHS_MIN: usize = 12;

/// A part of the language.
#[derive(Clone, Debug)]
struct Part {
    ranks: Ranks,
    seed: u64,
    /// The lengths that take turns, the next one first.
    strata: VecDeque<Stratum>,
    /// The least length that was not looked at; none if there is none.
    next_length: Option<usize>,
    turns: usize,
    turns_in_round: usize,
}

impl Part {
    fn new(mut ranks: Ranks, seed: u64) -> Part {
        let next_length = ranks.next_length(0);
        let (strata, turns) = (VecDeque::new(), 0);
        let mut part = Part { ranks, seed, strata, next_length, turns, turns_in_round: 1 };
        while part.strata.len() < LENGTHS_MIN && part.open() {}
        part.shuffle();
        part
    }

    fn has_ended(&self) -> bool {
        self.strata.is_empty() && self.next_length.is_none()
    }

    /// Adds a length, if there is another.
    fn open(&mut self) -> bool {
        let Some(length) = self.next_length else { return false };
        self.strata.push_front(Ranks::stratum(length, self.seed));
        self.next_length = self.ranks.next_length(length + 1);
        true
    }

    /// Lengths that follow each other shall differ: 4, 9, 2, 7 and so on.
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

/// The characters that can be printed, by kind.
struct Kinds {
    small: Symbols,
    large: Symbols,
    digits: Symbols,
    signs: Symbols,
    vowels: Symbols,
    consonants: Symbols,
}

impl Kinds {
    fn new() -> Kinds {
        let between = order::symbols_between;
        let (small, large, digits) = (between('a', 'z'), between('A', 'Z'), between('0', '9'));
        let letters = small.union(&large);
        let printable = Symbols::interval(0, order::PRINTABLE - 1);
        let signs = printable.difference(&letters).difference(&digits);
        let vowels = readable::vowels();
        let consonants = letters.difference(&vowels);
        Kinds { small, large, digits, signs, vowels, consonants }
    }
}

/// Texts that can be pronounced: vowels and other letters alternate, no small letter is
/// followed by a capital, no digit by a letter, no sign by a sign, and no sign is at an end.
fn readable_texts() -> Arc<Expr> {
    let kinds = Kinds::new();
    let letters = kinds.small.union(&kinds.large);
    let odd = [
        pair(&kinds.vowels, &kinds.vowels),
        pair(&kinds.consonants, &kinds.consonants),
        pair(&kinds.small, &kinds.large),
        pair(&kinds.digits, &letters),
        pair(&kinds.signs, &kinds.signs),
        Expr::concat([Expr::set(kinds.signs.clone()), Expr::all()]),
        Expr::concat([Expr::all(), Expr::set(kinds.signs)]),
    ];
    Expr::and([printable(), Expr::not(&Expr::union(odd))])
}

/// Texts that could be words: they can be pronounced, have no digits, and capitals only at the
/// beginning.
fn words() -> Arc<Expr> {
    let kinds = Kinds::new();
    let vowel = kinds.small.intersection(&kinds.vowels);
    let consonant = kinds.small.intersection(&kinds.consonants);
    let optional = |symbols: &Symbols| Expr::repeat(&Expr::set(symbols.clone()), 0, Some(1));
    let syllables = |first: &Symbols, second: &Symbols| {
        let pair = Expr::concat([Expr::set(first.clone()), Expr::set(second.clone())]);
        Expr::concat([Expr::repeat(&pair, 0, None), optional(first)])
    };
    let behind = |before: &Symbols, first: &Symbols, second: &Symbols| {
        Expr::concat([optional(before), syllables(first, second)])
    };
    Expr::union([
        behind(&kinds.consonants, &vowel, &consonant),
        behind(&kinds.vowels, &consonant, &vowel),
    ])
}

fn pair(first: &Symbols, second: &Symbols) -> Arc<Expr> {
    let (first, second) = (Expr::set(first.clone()), Expr::set(second.clone()));
    Expr::concat([Expr::all(), first, second, Expr::all()])
}
