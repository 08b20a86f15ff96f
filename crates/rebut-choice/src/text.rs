//! The numbers of characters, and their order of simplicity.
//!
//! # Examples
//! ```
//! use rebut_choice::text::{char_of, number_of, simplest};
//! assert_eq!(char_of(number_of('é')), 'é');
//! assert_eq!(char_of(simplest(number_of(' '), number_of('Z'))), '0');
//! ```

/// The largest number of a [`Char`] choice: the scalar values with the surrogate gap closed.
///
/// # Examples
/// ```
/// use rebut_choice::text::{CHAR_MAX, char_of};
/// assert_eq!(char_of(CHAR_MAX), char::MAX);
/// ```
///
/// [`Char`]: crate::ChoiceKind::Char
pub const CHAR_MAX: i128 = 0x10_FFFF - GAP_SIZE as i128;

/// The first surrogate. Surrogates are code points that are not characters.
pub(crate) const GAP_START: u32 = 0xD800;
/// There are 2 to this power surrogates, all after each other.
pub(crate) const GAP_BITS: u32 = 11;
const GAP_SIZE: u32 = 1 << GAP_BITS;

/// Returns the character of a number, or U+FFFD for a number outside `0..=CHAR_MAX`.
///
/// # Examples
/// ```
/// use rebut_choice::text::char_of;
/// assert_eq!(char_of(97), 'a');
/// assert_eq!(char_of(0xD800), '\u{E000}');
/// assert_eq!(char_of(-1), char::REPLACEMENT_CHARACTER);
/// ```
#[must_use]
pub fn char_of(number: i128) -> char {
    let Ok(number) = u32::try_from(number) else { return char::REPLACEMENT_CHARACTER };
    let scalar = if number < GAP_START { number } else { number.saturating_add(GAP_SIZE) };
    char::from_u32(scalar).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// Returns the number of a character.
///
/// # Examples
/// ```
/// use rebut_choice::text::{CHAR_MAX, number_of};
/// assert_eq!(number_of('a'), 97);
/// assert_eq!(number_of(char::MAX), CHAR_MAX);
/// ```
#[must_use]
pub fn number_of(character: char) -> i128 {
    let scalar = u32::from(character);
    i128::from(if scalar < GAP_START { scalar } else { scalar - GAP_SIZE })
}

/// Returns the position of a character in the order of simplicity. Readable characters come
/// first: `a..z`, `0..9`, `A..Z`, then the rest of printable ASCII starting with the space, then
/// all other characters by scalar value, control characters included.
pub(crate) fn rank(number: i128) -> u32 {
    let scalar = u32::try_from(number).unwrap_or(u32::MAX);
    match scalar {
        0x61..=0x7A => scalar - 0x61,
        0x30..=0x39 => scalar - 0x30 + 26,
        0x41..=0x5A => scalar - 0x41 + 36,
        0x20..=0x7E => scalar + 62,
        _ => scalar.saturating_add(200),
    }
}

/// Returns the number at a position in the order of simplicity.
///
/// This is the inverse of [`Domain::rank`](crate::Domain::rank) for characters.
///
/// # Examples
/// ```
/// use rebut_choice::text::{char_of, number_of_rank};
/// assert_eq!(char_of(number_of_rank(0)), 'a');
/// assert_eq!(char_of(number_of_rank(26)), '0');
/// ```
#[must_use]
pub fn number_of_rank(rank: u32) -> i128 {
    i128::from(match rank {
        0..26 => rank + 0x61,
        26..36 => rank - 26 + 0x30,
        36..62 => rank - 36 + 0x41,
        // No character has these ranks; use the nearest one that a character has.
        62..200 => (rank - 62).clamp(0x20, 0x7E),
        _ => rank - 200,
    })
}

/// Returns the number of the simplest character from `min` to `max`.
///
/// # Examples
/// ```
/// use rebut_choice::text::{number_of, simplest};
/// assert_eq!(simplest(number_of('!'), number_of('~')), number_of('a'));
/// assert_eq!(simplest(number_of('C'), number_of('F')), number_of('C'));
/// ```
#[must_use]
pub fn simplest(min: i128, max: i128) -> i128 {
    // Within each of these ranges, ranks increase with the number.
    let starts = [0x61, 0x30, 0x41, 0x20, min].map(|start: i128| start.min(max).max(min));
    starts.into_iter().min_by_key(|&number| rank(number)).unwrap_or(min)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_char_has_a_number_and_back() {
        for c in ['\0', 'a', '\u{D7FF}', '\u{E000}', char::MAX] {
            assert_eq!(char_of(number_of(c)), c);
        }
        assert_eq!(number_of(char::MAX), CHAR_MAX);
    }

    #[test]
    fn ranks_are_distinct_and_start_at_a() {
        let mut ranks: Vec<u32> = (0..0x3000).map(rank).collect();
        ranks.sort_unstable();
        ranks.dedup();
        assert_eq!(ranks.len(), 0x3000);
        assert_eq!(rank(number_of('a')), 0);
        assert!((0..0x3000).all(|number| number_of_rank(rank(number)) == number));
        assert!(rank(number_of(' ')) < rank(number_of('\n')));
    }
}
