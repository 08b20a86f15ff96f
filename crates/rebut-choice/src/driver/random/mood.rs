//! The random profile of one case.

use crate::Rng;

/// How to draw one case. Chances are in 256.
#[derive(Clone, Debug, Default)]
pub(super) struct Mood {
    /// Whether sizes no longer grow.
    pub(super) is_grown: bool,
    /// The maximum number of bits of most numbers.
    pub(super) bits: u32,
    /// The chance of a number near zero.
    pub(super) small: u8,
    /// The chance of a number that was drawn before, or of its neighbor.
    pub(super) repeat: u8,
    /// The chance of a bound of the range or a number next to it.
    pub(super) edge: u8,
    /// The chance of a power of two or a constant of the code under test.
    pub(super) constant: u8,
    /// The sum of these chances, in 65536.
    pub(super) special: u32,
    /// The chance that a span repeats an earlier one.
    pub(super) copy: u8,
    /// The chance of a string from the constants or the list of nasty ones.
    pub(super) spell: u8,
    /// Lengths exceed their minimum by at most this number.
    pub(super) length_max: u64,
    /// Sequences stay empty and recursion ends once the tape is this long.
    pub(super) tokens_max: usize,
    /// Recursion ends at this depth.
    pub(super) depth_max: u32,
    pub(super) alphabet: Alphabet,
    /// The seed that decides which alternatives the case omits, if any.
    pub(super) swarm: Option<u64>,
}

/// The characters in the strings of a case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Alphabet {
    /// A few letters, so that strings repeat and overlap.
    Few,
    /// Letters, digits and ASCII punctuation.
    Plain,
    /// All of Unicode, with more of the characters that are known to cause trouble.
    #[default]
    Anything,
}

/// Sizes grow up to this case.
const GROWN: u64 = 60;

impl Mood {
    /// Draws the profile of case number `case`.
    pub(super) fn draw(rng: &mut Rng, case: u64) -> Mood {
        let dice = rng.bits();
        let byte = |n: u32| (dice >> (8 * n)) as u8;
        let growing = case < GROWN;
        let length_max = length_max(rng, case);
        let mut mood = Mood {
            special: 0,
            is_grown: !growing,
            bits: bits(byte(0), case),
            small: if growing { [64, 128, 160, 224] } else { [0, 16, 48, 128] }
                [usize::from(byte(1) & 3)],
            repeat: if growing { [16, 40, 64, 112] } else { [0, 16, 40, 112] }
                [usize::from(byte(1) >> 2 & 3)],
            edge: if growing { 8 } else { [0, 12, 24, 64][usize::from(byte(1) >> 4 & 3)] },
            constant: if growing { 8 } else { [0, 12, 24, 64][usize::from(byte(1) >> 6)] },
            copy: [0, 0, 16, 64][usize::from(byte(2) & 3)],
            spell: if growing { 8 } else { [0, 16, 32, 96][usize::from(byte(2) >> 2 & 3)] },
            length_max,
            tokens_max: 64 + 16 * length_max as usize,
            depth_max: if growing { 1 + case as u32 / 10 } else { 1 + u32::from(byte(3) & 7) },
            alphabet: match byte(4) {
                0..80 => Alphabet::Few,
                80..176 => Alphabet::Plain,
                _ => Alphabet::Anything,
            },
            swarm: (byte(5) >= 128).then(|| dice.rotate_left(17)),
        };
        let chances = [mood.repeat, mood.small, mood.edge, mood.constant];
        mood.special = chances.into_iter().map(|chance| u32::from(chance) << 8).sum();
        mood
    }
}

/// Draws the limit of lengths: small at first, then mostly small with a tail into the hundreds.
fn length_max(rng: &mut Rng, case: u64) -> u64 {
    if case < GROWN {
        return 1 + case / 5;
    }
    let dice = rng.bits();
    match dice as u8 {
        0..20 => 64 + (dice >> 8) % 448,
        20..84 => 16 + (dice >> 8) % 64,
        _ => 2 << ((dice >> 8) % 5),
    }
}

fn bits(dice: u8, case: u64) -> u32 {
    if case < GROWN {
        return 2 + case as u32;
    }
    match dice {
        0..24 => 2,
        24..48 => 4,
        48..72 => 8,
        72..96 => 16,
        96..112 => 32,
        112..128 => 64,
        _ => 128,
    }
}
