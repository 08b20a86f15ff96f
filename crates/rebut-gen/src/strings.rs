//! Strings and byte vectors.

use rebut_choice::{Label, Source};

use crate::sequences::{Vecs, draw_sequence, vecs};
use crate::size::{CAPACITY_MAX, SIZE_MAX, Sizes, sized};
use crate::{Any, AsGenerator, Chars, Generate, Generator, any, chars};

/// Generates strings. Shrinks to the empty string, and its characters to `a`.
///
/// Sizes count characters, not bytes. Without an [`alphabet`](Strings::alphabet), the characters
/// are all of Unicode.
///
/// # Examples
/// ```
/// use rebut::{chars, find, simplest, strings};
///
/// let names = strings().alphabet(chars().ascii_alphabetic()).min_size(1).max_size(8);
/// assert_eq!(simplest(&names), "a");
/// assert_eq!(find(names, |name| name.to_lowercase() != *name), Some("A".to_string()));
/// ```
#[must_use]
pub fn strings() -> Strings {
    Strings { characters: chars(), sizes: Sizes::default() }
}

/// The generator that [`strings`] returns.
///
/// # Examples
/// ```
/// use rebut::generators::Strings;
/// use rebut::{simplest, strings};
///
/// fn names() -> Strings {
///     strings().min_size(1)
/// }
/// assert_eq!(simplest(&names()), "a");
/// ```
#[derive(Clone, Debug)]
pub struct Strings<C = Chars> {
    characters: C,
    sizes: Sizes,
}

sized!(Strings<C>);

impl<C> Strings<C> {
    /// Sets the generator of the characters.
    ///
    /// # Examples
    /// ```
    /// use rebut::{sample, strings};
    ///
    /// let dna = strings().alphabet(['A', 'C', 'G', 'T']);
    /// assert!(sample(&dna, 1).chars().all(|c| "ACGT".contains(c)));
    /// ```
    #[must_use]
    pub fn alphabet<D: AsGenerator<Value = char>>(self, characters: D) -> Strings<D> {
        Strings { characters, sizes: self.sizes }
    }
}

impl<C: AsGenerator<Value = char>> Generator for Strings<C> {
    type Value = String;

    fn draw(&self, source: &mut Source) -> String {
        let sizes = self.sizes.bounds("strings()");
        if self.characters.is_single_choice() {
            return draw_text(source, sizes, |source| self.characters.draw_value(source));
        }
        draw_sequence(source, sizes, false, |source| self.characters.draw_value(source))
            .into_iter()
            .collect()
    }
}

/// Draws a string whose characters are one choice each.
#[inline]
pub(crate) fn draw_text(
    source: &mut Source,
    (min, max): (usize, usize),
    mut draw: impl FnMut(&mut Source) -> char,
) -> String {
    source.span(Label::TEXT, |source| {
        let length = source.length(min, max);
        let mut text = String::with_capacity(length.min(CAPACITY_MAX));
        for _ in 0..length {
            text.push(draw(source));
        }
        text
    })
}

impl Generate for String {
    #[inline]
    fn generate(source: &mut Source) -> String {
        draw_text(source, (0, SIZE_MAX), char::generate)
    }
}

/// Generates byte vectors. Shrinks to the empty vector, and its bytes to zero.
///
/// # Examples
/// ```
/// use rebut::{bytes, find, sample};
///
/// assert_eq!(sample(&bytes().size(16), 1).len(), 16);
/// assert_eq!(find(bytes(), |bytes| bytes.contains(&0x7F)), Some(vec![0x7F]));
/// ```
#[must_use]
pub fn bytes() -> Vecs<Any<u8>> {
    vecs(any())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{drawn, from_tape, misuse_of, random, replays};
    use crate::{from_fn, integers};

    #[test]
    fn strings_have_a_number_of_characters_within_the_bounds() {
        for text in drawn(&strings().min_size(2).max_size(5), 200) {
            assert!((2..=5).contains(&text.chars().count()), "{text:?}");
        }
    }

    #[test]
    fn a_string_is_its_length_and_its_characters() {
        let mut source = random(3);
        let text = String::generate(&mut source);
        let tape = source.into_tape();
        assert_eq!(tape.len(), 1 + text.chars().count());
        assert_eq!(tape.spans().len(), 1);
        assert_eq!(tape.spans()[0].label, Label::TEXT);
        assert_eq!(from_tape(&strings(), "(s1 i2 c120 c121 )"), "xy");
        replays(&strings());
    }

    #[test]
    fn characters_of_more_than_one_choice_get_a_span_each() {
        let pairs = from_fn(|source| {
            let upper = bool::generate(source);
            let letter = integers::<u8>().max_value(25).draw(source);
            char::from(if upper { b'A' } else { b'a' } + letter)
        });
        let texts = strings().alphabet(pairs);
        assert!(drawn(&texts, 100).iter().all(|t| t.chars().all(|c| c.is_ascii_alphabetic())));
        replays(&texts);
    }

    #[test]
    fn crossed_sizes_are_refused() {
        let text = misuse_of(&strings().min_size(3).max_size(2));
        assert!(text.contains("`strings()`") && text.contains("minimum is 3"), "{text}");
    }
}
