//! Which characters make a text that people can read and tell from others.

use crate::order;
use crate::symbols::{Symbol, Symbols};

/// A few characters of a set: the most readable ones, by whether a vowel would do at the
/// place. What alternates between the two can be pronounced.
#[derive(Clone, Debug)]
pub(crate) struct Palette {
    even: Box<[Symbol]>,
    odd: Box<[Symbol]>,
}

/// So many characters are taken from a set whose characters are all alike.
const PALETTE_MAX: u64 = 32;

impl Palette {
    /// The palette of a set that is not empty.
    pub(crate) fn new(symbols: &Symbols) -> Palette {
        let kinds = [('a', 'z'), ('A', 'Z'), ('0', '9'), ('!', '~'), (' ', '~')];
        let best = kinds
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

    /// The character for a place of a text; another salt gives another.
    pub(crate) fn pick(&self, place: usize, salt: u64) -> Symbol {
        let palette = if place.is_multiple_of(2) { &self.even } else { &self.odd };
        let number = mix(salt, place as u64) % (palette.len().max(1) as u64);
        palette.get(number as usize).copied().unwrap_or(0)
    }
}

pub(crate) fn vowels() -> Symbols {
    let vowels = "aeiouAEIOU";
    Symbols::new(vowels.chars().map(order::symbol_of).map(|symbol| (symbol, symbol)).collect())
}

/// A number that depends on two others in no simple way (the finalizer of SplitMix64).
pub(crate) fn mix(salt: u64, number: u64) -> u64 {
    let mut mixed = salt ^ number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}
