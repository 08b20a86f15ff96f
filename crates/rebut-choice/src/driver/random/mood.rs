//! The random profile of one case.

use crate::Rng;

/// How to draw one case. A chance is out of 256.
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
    /// The sum of these four chances, out of 65536.
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

// The tables below decide what random testing finds. `bench find` measures them: the mean number of
// cases until the first failure, summed over its 33 problems, with 100 seeds each. It is 2,943 with
// the values here. "1/2" and "2x" are the sums with all entries of a table halved or doubled, measured
// in November 2026. The values do not minimize the sum.

/// Sizes grow up to this case, so that easy failures are found with small inputs. Later cases draw
/// their sizes from all of the tables. Arbitrary; 1/2: 2,733, 2x: 3,234.
const GROWING_CASES: u64 = 60;

/// The values of a chance, of which each case draws one. So some cases have much of a kind of value,
/// and others have none.
type Chances = [u8; 4];

/// The chances of a number near zero. Growing cases get more of them: they are the small inputs.
/// Arbitrary; 1/2: 2,877, 2x: 3,451.
const SMALL: Chances = [0, 16, 48, 128];
const SMALL_GROWING: Chances = [64, 128, 160, 224];
/// The chances of a number that was drawn before, or of its neighbor. Arbitrary; 1/2: 2,901,
/// 2x: 3,143.
const REPEAT: Chances = [0, 16, 40, 112];
const REPEAT_GROWING: Chances = [16, 40, 64, 112];
/// The chances of a bound of the range. Arbitrary; 1/2: 2,965, 2x: 3,163.
const EDGE: Chances = [0, 12, 24, 64];
/// The chances of a constant. Arbitrary; 1/2: 3,531, 2x: 2,644. Almost all of the difference is in
/// the problem `magic_number`, which compares a number with a literal.
const CONSTANT: Chances = [0, 12, 24, 64];
/// The chances that a span repeats an earlier one. Arbitrary; 1/2: 2,980, 2x: 3,050.
const COPY: Chances = [0, 0, 16, 64];
/// The chances of a whole string. Arbitrary; 1/2: 3,614, 2x: 2,482. Almost all of the difference is
/// in the problem `bare_word`, which compares a string with a literal.
const SPELL: Chances = [0, 16, 32, 96];
/// The chances of an edge, a constant and a whole string in a growing case. Arbitrary; measured
/// with the tables above.
const SPECIAL_GROWING: u8 = 8;

/// Lengths grow by one in this many cases. Arbitrary; 2 cases: 2,768, 10 cases: 3,074.
const CASES_PER_LENGTH: u64 = 5;
/// Recursion grows by one level in this many cases, up to `GROWING_CASES`.
const CASES_PER_LEVEL: u64 = 10;
/// Later cases recur to a depth from 1 to this. Beyond it, a case takes alternatives that do not
/// recur. Arbitrary; levels 1/2: 2,955, 2x: 2,938.
const DEPTH_MAX: u8 = 8;
/// A case draws no further elements after this many tokens, and this many more for each element
/// that a sequence may have. It bounds the time of one case. Arbitrary; 1/2: 2,943, 2x: 2,941.
const TOKENS_BASE: usize = 64;
const TOKENS_PER_LENGTH: usize = 16;
/// The chance of a case with few characters, and of one with few characters or ASCII. Arbitrary;
/// 40 and 160 for the first: 2,937 and 2,951; 128 and 216 for the second: 2,918 and 3,002.
const FEW_CHARACTERS: u8 = 80;
const ASCII_CHARACTERS: u8 = 176;
/// The chance of a case that takes all alternatives. In the others, each alternative is omitted with
/// a chance of one half, as in Groce et al. (2012). Arbitrary; 0: 2,949, 192: 2,938, 256: 2,934.
const ALL_ALTERNATIVES: u8 = 128;

impl Mood {
    /// Draws the profile of case number `case`.
    pub(super) fn draw(rng: &mut Rng, case: u64) -> Mood {
        let dice = rng.bits();
        let byte = |n: u32| (dice >> (8 * n)) as u8;
        let is_growing = case < GROWING_CASES;
        let pick = |chances: Chances, nth: u8| chances[usize::from(nth & 3)];
        let special = |chances: Chances, nth: u8| match is_growing {
            true => SPECIAL_GROWING,
            false => pick(chances, nth),
        };
        let length_max = length_max(rng, case);
        let mut mood = Mood {
            special: 0,
            is_grown: !is_growing,
            bits: bits(byte(0), case),
            small: pick(if is_growing { SMALL_GROWING } else { SMALL }, byte(1)),
            repeat: pick(if is_growing { REPEAT_GROWING } else { REPEAT }, byte(1) >> 2),
            edge: special(EDGE, byte(1) >> 4),
            constant: special(CONSTANT, byte(1) >> 6),
            copy: pick(COPY, byte(2)),
            spell: special(SPELL, byte(2) >> 2),
            length_max,
            tokens_max: TOKENS_BASE + TOKENS_PER_LENGTH * length_max as usize,
            depth_max: match is_growing {
                true => 1 + (case / CASES_PER_LEVEL) as u32,
                false => 1 + u32::from(byte(3) % DEPTH_MAX),
            },
            alphabet: match byte(4) {
                0..FEW_CHARACTERS => Alphabet::Few,
                FEW_CHARACTERS..ASCII_CHARACTERS => Alphabet::Plain,
                _ => Alphabet::Anything,
            },
            swarm: (byte(5) >= ALL_ALTERNATIVES).then(|| dice.rotate_left(17)),
        };
        let chances = [mood.repeat, mood.small, mood.edge, mood.constant];
        mood.special = chances.into_iter().map(|chance| u32::from(chance) << 8).sum();
        mood
    }
}

/// Draws the limit of lengths: small at first, then mostly small with a tail into the hundreds.
///
/// The shares of lengths up to 511, up to 79 and up to 32 are 20, 64 and 172 of 256. Arbitrary; 10
/// and 40 for the first: 2,955 and 2,926; 22 and 148 for the second: 2,982 and 2,902.
fn length_max(rng: &mut Rng, case: u64) -> u64 {
    if case < GROWING_CASES {
        return 1 + case / CASES_PER_LENGTH;
    }
    let dice = rng.bits();
    match dice as u8 {
        0..20 => 64 + (dice >> 8) % 448,
        20..84 => 16 + (dice >> 8) % 64,
        _ => 2 << ((dice >> 8) % 5),
    }
}

/// Draws the maximum number of bits of most numbers: one more in each growing case, later any size,
/// half of the time that of the whole range. Arbitrary; bytes 1/2: 2,970, 2x: 2,931; growth 1/2:
/// 2,961, 2x: 2,932.
fn bits(dice: u8, case: u64) -> u32 {
    if case < GROWING_CASES {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn early_cases_are_small_and_late_cases_are_not() {
        let mood = |case| Mood::draw(&mut Rng::new(case), case);
        assert_eq!((mood(0).length_max, mood(0).bits, mood(0).depth_max), (1, 2, 1));
        assert!((0..GROWING_CASES).all(|case| !mood(case).is_grown));
        let late: Vec<Mood> = (GROWING_CASES..500).map(mood).collect();
        assert!(late.iter().all(|mood| mood.is_grown));
        assert!(late.iter().any(|mood| mood.length_max > 64));
        assert!(late.iter().any(|mood| mood.swarm.is_some()));
        assert!(late.iter().any(|mood| mood.swarm.is_none()));
    }
}
