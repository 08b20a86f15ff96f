//! Sets of characters, drawn with one choice.
//!
//! A set that is one range is drawn as a character, so drivers treat it as text. Any other set is
//! drawn as an index into a list that begins with the most readable characters: `a` to `z`, `0` to
//! `9`, `A` to `Z`, the rest of printable ASCII, then everything else.

use rebut_choice::{ChoiceKind, Domain, Request, Role, Source, internal_assert, text};

/// A set of characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Class {
    /// The ranges in order of simplicity.
    ranges: Box<[CharRange]>,
    size: u32,
    /// Whether the number of each character fits in a byte.
    is_short: bool,
    /// The domain of the choice.
    domain: Domain,
}

/// A range of characters of one class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct CharRange {
    /// The number of characters in the ranges before this one.
    before: u32,
    /// The numbers of the first and the last character, as [`text::number_of`] returns them.
    first: u32,
    last: u32,
}

/// All characters, simplest ranges first. Every number is in exactly one of the ranges.
const READABLE: [(u32, u32); 9] = [
    (0x61, 0x7A),
    (0x30, 0x39),
    (0x41, 0x5A),
    (0x20, 0x2F),
    (0x3A, 0x40),
    (0x5B, 0x60),
    (0x7B, 0x7E),
    (0x7F, text::CHAR_MAX as u32),
    (0x00, 0x1F),
];

impl Class {
    /// Creates the union of `ranges`, which include both ends. A range with crossed ends is empty.
    pub(crate) fn new(ranges: &[(char, char)]) -> Class {
        let merged = merge(ranges);
        let mut parts = Vec::new();
        let mut size = 0;
        for (low, high) in READABLE {
            for &(first, last) in &merged {
                let (first, last) = (first.max(low), last.min(high));
                if first <= last {
                    parts.push(CharRange { before: size, first, last });
                    size += last - first + 1;
                }
            }
        }
        let domain = match merged[..] {
            [(first, last)] => range_domain(first.into(), last.into()),
            _ => Domain::integers(0, i128::from(size.max(1)) - 1),
        };
        let is_short = parts.iter().all(|part| part.last <= 0xFF);
        Class { ranges: parts.into(), size, is_short, domain }
    }

    /// Returns the characters of the set that satisfy the predicate.
    pub(crate) fn filtered(&self, predicate: &dyn Fn(char) -> bool) -> Class {
        let mut runs: Vec<(char, char)> = Vec::new();
        for part in &self.ranges {
            let mut in_run = false;
            for number in part.first..=part.last {
                let character = text::char_of(number.into());
                if !predicate(character) {
                    in_run = false;
                } else if in_run && let Some(run) = runs.last_mut() {
                    run.1 = character;
                } else {
                    runs.push((character, character));
                    in_run = true;
                }
            }
        }
        Class::new(&runs)
    }

    /// Returns the number of characters.
    pub(crate) fn len(&self) -> usize {
        self.size as usize
    }

    /// Returns the character at an index of the list, simplest first.
    pub(crate) fn get(&self, index: usize) -> Option<char> {
        let index = u32::try_from(index).ok().filter(|&index| index < self.size)?;
        let number = index.wrapping_add(self.offset(index));
        // Without a branch, so that exploration does not fork here.
        Some(if self.is_short { char::from(number as u8) } else { text::char_of(number.into()) })
    }

    /// Returns the difference between the number of a character and its index in the list.
    fn offset(&self, index: u32) -> u32 {
        // Up to this many ranges, look at all of them. A binary search would be a branch on a choice
        // under exploration. Arbitrary.
        const FEW: usize = 8;
        let offset = |part: &CharRange| part.first.wrapping_sub(part.before);
        if self.ranges.len() > FEW {
            let after = self.ranges.partition_point(|part| part.before <= index);
            return self.ranges[..after].last().map_or(0, offset);
        }
        let mut found = 0;
        for part in &self.ranges {
            let here = offset(part);
            found = if part.before <= index { here } else { found };
        }
        found
    }

    /// Returns all characters, simplest first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = char> {
        (0..self.len()).filter_map(|index| self.get(index))
    }

    /// Returns whether the set is one range, which is drawn as a character.
    #[cfg_attr(not(feature = "regex"), expect(dead_code, reason = "for patterns"))]
    pub(crate) fn is_range(&self) -> bool {
        self.domain.kind == ChoiceKind::Char
    }

    /// Returns whether the set contains the character.
    pub(crate) fn contains(&self, character: char) -> bool {
        let number = text::number_of(character) as u32;
        self.ranges.iter().any(|part| part.first <= number && number <= part.last)
    }

    /// Returns the number of the choice that draws the character, if the set contains it.
    pub(crate) fn number(&self, character: char) -> Option<i128> {
        let number = text::number_of(character) as u32;
        let is_in = |part: &&CharRange| part.first <= number && number <= part.last;
        let part = self.ranges.iter().find(is_in)?;
        Some(match self.domain.kind {
            ChoiceKind::Char => number.into(),
            _ => (part.before + (number - part.first)).into(),
        })
    }

    /// Draws a character with one choice. Rejects the case if the set is empty.
    #[inline]
    pub(crate) fn draw(&self, source: &mut Source) -> char {
        if self.size == 0 {
            source.reject("a character of an empty set");
        }
        if self.domain.kind == ChoiceKind::Char {
            return source.character_in(self.domain);
        }
        source.follow_char(&|c| self.number(c));
        let number = source.choose(&Request::plain(self.domain));
        let character = self.get(number as usize);
        internal_assert!(character.is_some(), "no character {number} in a class of {}", self.size);
        character.unwrap_or(char::REPLACEMENT_CHARACTER)
    }
}

/// Draws a character from `first` to `last`. Requires `first <= last`.
#[inline]
pub(crate) fn draw_range(source: &mut Source, first: char, last: char) -> char {
    let domain = range_domain(text::number_of(first), text::number_of(last));
    source.character_in(domain)
}

/// Returns the domain of one range of characters, with the simplest of them as its origin.
fn range_domain(min: i128, max: i128) -> Domain {
    let overlap = |&(low, high): &(u32, u32)| {
        let (low, high) = (i128::from(low).max(min), i128::from(high).min(max));
        (low <= high).then_some(low)
    };
    let origin = READABLE.iter().find_map(overlap).unwrap_or(min);
    Domain { min, max, origin, kind: ChoiceKind::Char, role: Role::Value }
}

/// Returns the same characters by number, as sorted ranges that neither overlap nor touch.
fn merge(ranges: &[(char, char)]) -> Vec<(u32, u32)> {
    let number = |c: char| text::number_of(c) as u32;
    // Most ranges are in order already, so insertion is fast.
    let mut ordered: Vec<(u32, u32)> = Vec::with_capacity(ranges.len());
    for &(first, last) in ranges {
        let range = (number(first), number(last));
        if first <= last {
            ordered.insert(ordered.partition_point(|other| *other <= range), range);
        }
    }
    let mut merged: Vec<(u32, u32)> = Vec::with_capacity(ordered.len());
    for (first, last) in ordered {
        match merged.last_mut() {
            Some(before) if first <= before.1.saturating_add(1) => before.1 = before.1.max(last),
            _ => merged.push((first, last)),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random;

    #[test]
    fn readable_characters_come_first() {
        let class = Class::new(&[('\0', '9'), ('X', 'c'), ('é', 'ê')]);
        let begin: String = (0..6).filter_map(|n| class.get(n)).collect();
        assert_eq!(begin, "abc012");
        let all: Vec<char> = (0..class.len()).filter_map(|n| class.get(n)).collect();
        assert_eq!(all.len(), 58 + 12 + 2);
        assert!(all.iter().all(|&c| class.contains(c)) && !class.contains('d'));
        assert_eq!(class.get(class.len()), None);
    }

    #[test]
    fn a_class_with_a_wrong_domain_is_an_internal_error() {
        let draw = |source: &mut Source| {
            let mut class = Class::new(&[('a', 'c'), ('x', 'z')]);
            // The class has 6 characters.
            (class.domain.min, class.domain.max, class.domain.origin) = (6, 9, 6);
            class.draw(source)
        };
        let report = rebut::Check::new("the class is right")
            .run(|case| case.draw(rebut::from_fn(draw)) > 'a');
        let rebut::report::Verdict::InternalError(message) = report.verdict else {
            panic!("{report}")
        };
        assert!(message.contains("in a class of 6"), "{message}");
    }

    #[test]
    fn one_range_is_drawn_as_a_character() {
        let capitals = Class::new(&[('A', 'M'), ('N', 'Z')]);
        assert_eq!(capitals.domain.kind, ChoiceKind::Char);
        assert_eq!(capitals.domain.origin, text::number_of('A'));
        let two = Class::new(&[('A', 'M'), ('O', 'Z')]);
        assert_eq!(two.domain.kind, ChoiceKind::Integer);
        let mut source = random(1);
        assert!((0..100).all(|_| two.contains(two.draw(&mut source))));
    }

    #[test]
    fn filtering_keeps_the_characters_that_pass() {
        let class = Class::new(&[('\0', char::MAX)]).filtered(&char::is_numeric);
        assert!(class.contains('7') && class.contains('Ⅷ') && !class.contains('a'));
        assert_eq!(class.get(0), Some('0'));
    }
}
