//! Picks the characters of strings that people can read and distinguish.
//!
//! Where any character of a set will do, a string should be readable: consonants and vowels
//! alternate, so that the result can be pronounced.

use crate::order;
use crate::symbols::{Symbol, Symbols};

/// The most readable characters of a set, for even and for odd positions of a string: consonants
/// and vowels, if the set has both.
#[derive(Clone, Debug)]
pub(crate) struct Palette {
    even: Box<[Symbol]>,
    odd: Box<[Symbol]>,
}

/// The maximum number of characters in each half of a palette.
///
/// Arbitrary; all small letters fit. The further characters of a larger set are never
/// picked, which is harmless, because a palette is used only where they are all alike.
const PALETTE_MAX: u64 = 32;

impl Palette {
    /// Creates the palette of a nonempty set.
    pub(crate) fn new(symbols: &Symbols) -> Palette {
        let by_readability = [('a', 'z'), ('A', 'Z'), ('0', '9'), ('!', '~'), (' ', '~')];
        let best = by_readability
            .iter()
            .map(|&(first, last)| symbols.intersection(&order::symbols_between(first, last)))
            .find(|best| !best.is_empty())
            .unwrap_or_else(|| symbols.clone());
        let vowels = best.intersection(&vowels());
        let others = best.difference(&vowels);
        let of = |first: &Symbols, second: &Symbols| {
            let chosen = if first.is_empty() { second } else { first };
            (0..chosen.len().min(PALETTE_MAX)).filter_map(|at| chosen.nth(at)).collect()
        };
        if vowels.is_empty() || others.is_empty() {
            return Palette { even: of(&best, &best), odd: of(&best, &best) };
        }
        Palette { even: of(&others, &vowels), odd: of(&vowels, &others) }
    }

    /// Returns the character for a position of a string. Another salt gives another character.
    pub(crate) fn pick(&self, position: usize, salt: u64) -> Symbol {
        let palette = if position.is_multiple_of(2) { &self.even } else { &self.odd };
        let number = mix(salt, position as u64) % (palette.len().max(1) as u64);
        palette.get(number as usize).copied().unwrap_or(0)
    }
}

pub(crate) fn vowels() -> Symbols {
    let vowels = "aeiouAEIOU";
    Symbols::new(vowels.chars().map(order::symbol_of).map(|symbol| (symbol, symbol)).collect())
}

/// Hashes two numbers into one, with the finalizer of SplitMix64 (Steele, Lea and Flood 2014).
pub(crate) fn mix(salt: u64, number: u64) -> u64 {
    let mut mixed = salt ^ number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}
