//! Characters.

use std::any::TypeId;
use std::cell::{OnceCell, RefCell};
use std::fmt;
use std::ops::{Bound, RangeBounds};
use std::rc::Rc;

use rebut_choice::{Source, text};

use crate::class::{Class, draw_range};
use crate::integers::MEMBERS_MAX;
use crate::misuse::{crossed, misuse};
use crate::{Generate, Generator};

/// Generates characters. Shrinks toward `a`.
///
/// Without bounds, it generates all of Unicode. The order of simplicity is: lowercase letters,
/// digits, uppercase letters, other printable ASCII, everything else.
///
/// # Examples
/// ```
/// use rebut::{chars, sample, simplest};
///
/// assert_eq!(simplest(&chars()), 'a');
/// assert!(sample(&chars().ascii(), 1).is_ascii());
/// assert!(sample(&chars().in_range('0'..='9'), 1).is_ascii_digit());
/// ```
#[must_use]
pub fn chars() -> Chars {
    Chars { set: Set::Range('\0', char::MAX) }
}

/// The generator that [`chars`] returns.
///
/// # Examples
/// ```
/// use rebut::generators::Chars;
/// use rebut::{chars, simplest};
///
/// fn separators() -> Chars {
///     chars().one_of(",;|")
/// }
/// assert_eq!(simplest(&separators()), ',');
/// ```
#[derive(Clone)]
pub struct Chars {
    set: Set,
}

#[derive(Clone)]
enum Set {
    Range(char, char),
    Class(Rc<Class>),
    /// A class that is computed on first use.
    Lazy(Rc<Lazy>),
}

type Predicate = Box<dyn Fn(char) -> bool>;

struct Lazy {
    class: OnceCell<Rc<Class>>,
    make: Box<dyn Fn() -> Rc<Class>>,
}

impl Chars {
    /// Sets the smallest character, by scalar value.
    ///
    /// # Examples
    /// ```
    /// use rebut::{chars, simplest};
    ///
    /// assert_eq!(simplest(&chars().min_value('x')), 'x');
    /// ```
    #[must_use]
    pub fn min_value(self, min_value: char) -> Chars {
        match self.set {
            Set::Range(_, max) => Chars { set: Set::Range(min_value, max) },
            _ => self.narrowed(Box::new(move |c| c >= min_value)),
        }
    }

    /// Sets the largest character, by scalar value.
    ///
    /// # Examples
    /// ```
    /// use rebut::{chars, simplest};
    ///
    /// assert_eq!(simplest(&chars().max_value('Z')), '0');
    /// ```
    #[must_use]
    pub fn max_value(self, max_value: char) -> Chars {
        match self.set {
            Set::Range(min, _) => Chars { set: Set::Range(min, max_value) },
            _ => self.narrowed(Box::new(move |c| c <= max_value)),
        }
    }

    /// Generates only the characters in a range.
    ///
    /// # Examples
    /// ```
    /// use rebut::{Generator, chars};
    ///
    /// assert_eq!(chars().in_range('x'..='z').members(), Some(vec!['x', 'y', 'z']));
    /// ```
    #[must_use]
    pub fn in_range(self, range: impl RangeBounds<char>) -> Chars {
        self.between(range.start_bound(), range.end_bound())
    }

    fn between(self, start: Bound<&char>, end: Bound<&char>) -> Chars {
        let first = match start {
            Bound::Included(&start) => start,
            Bound::Excluded(&start) => text::char_of(text::number_of(start) + 1),
            Bound::Unbounded => '\0',
        };
        let last = match end {
            Bound::Included(&end) => end,
            Bound::Excluded('\0') => return self.narrowed(Box::new(|_| false)),
            Bound::Excluded(&end) => text::char_of(text::number_of(end) - 1),
            Bound::Unbounded => char::MAX,
        };
        match self.set {
            Set::Range('\0', char::MAX) => self.min_value(first).max_value(last),
            _ => self.narrowed(Box::new(move |c| first <= c && c <= last)),
        }
    }

    /// Generates only the given characters.
    ///
    /// # Examples
    /// ```
    /// use rebut::{chars, sample};
    ///
    /// assert!("+-*/".contains(sample(&chars().one_of("+-*/"), 1)));
    /// ```
    #[must_use]
    pub fn one_of(self, characters: &str) -> Chars {
        let ranges: Vec<(char, char)> = characters.chars().map(|c| (c, c)).collect();
        let class = Class::new(&ranges);
        match self.set {
            Set::Range('\0', char::MAX) => Chars { set: Set::Class(Rc::new(class)) },
            _ => self.narrowed(Box::new(move |c| class.contains(c))),
        }
    }

    /// Generates only ASCII characters.
    ///
    /// # Examples
    /// ```
    /// use rebut::{chars, sample};
    ///
    /// assert!(sample(&chars().ascii(), 1).is_ascii());
    /// ```
    #[must_use]
    pub fn ascii(self) -> Chars {
        self.in_range('\0'..='\x7F')
    }

    /// Generates only letters, of any script.
    ///
    /// # Examples
    /// ```
    /// use rebut::{chars, sample};
    ///
    /// assert!(sample(&chars().alphabetic(), 1).is_alphabetic());
    /// ```
    #[must_use]
    pub fn alphabetic(self) -> Chars {
        self.filter(|c| c.is_alphabetic())
    }

    /// Generates only digits and other numerals, of any script.
    ///
    /// # Examples
    /// ```
    /// use rebut::{chars, sample};
    ///
    /// assert!(sample(&chars().numeric(), 1).is_numeric());
    /// ```
    #[must_use]
    pub fn numeric(self) -> Chars {
        self.filter(|c| c.is_numeric())
    }

    /// Generates only letters and numerals, of any script.
    ///
    /// # Examples
    /// ```
    /// use rebut::{chars, sample};
    ///
    /// assert!(sample(&chars().alphanumeric(), 1).is_alphanumeric());
    /// ```
    #[must_use]
    pub fn alphanumeric(self) -> Chars {
        self.filter(|c| c.is_alphanumeric())
    }

    /// Generates only whitespace.
    ///
    /// # Examples
    /// ```
    /// use rebut::{chars, sample};
    ///
    /// assert!(sample(&chars().whitespace(), 1).is_whitespace());
    /// ```
    #[must_use]
    pub fn whitespace(self) -> Chars {
        self.filter(|c| c.is_whitespace())
    }

    /// Generates only the ASCII letters, `a` to `z` and `A` to `Z`.
    ///
    /// # Examples
    /// ```
    /// use rebut::{chars, sample};
    ///
    /// assert!(sample(&chars().ascii_alphabetic(), 1).is_ascii_alphabetic());
    /// ```
    #[must_use]
    pub fn ascii_alphabetic(self) -> Chars {
        self.ascii().filter(|c| c.is_ascii_alphabetic())
    }

    /// Generates only the ASCII letters and digits.
    ///
    /// # Examples
    /// ```
    /// use rebut::{chars, sample};
    ///
    /// assert!(sample(&chars().ascii_alphanumeric(), 1).is_ascii_alphanumeric());
    /// ```
    #[must_use]
    pub fn ascii_alphanumeric(self) -> Chars {
        self.ascii().filter(|c| c.is_ascii_alphanumeric())
    }

    /// Generates only the ASCII digits, `0` to `9`.
    ///
    /// # Examples
    /// ```
    /// use rebut::{chars, sample};
    ///
    /// assert!(sample(&chars().ascii_digits(), 1).is_ascii_digit());
    /// ```
    #[must_use]
    pub fn ascii_digits(self) -> Chars {
        self.in_range('0'..='9')
    }

    /// Generates only printable ASCII, from the space to the tilde.
    ///
    /// # Examples
    /// ```
    /// use rebut::{chars, sample};
    ///
    /// assert!(!sample(&chars().ascii_printable(), 1).is_ascii_control());
    /// ```
    #[must_use]
    pub fn ascii_printable(self) -> Chars {
        self.in_range(' '..='~')
    }

    /// Generates only the characters for which `predicate` returns `true`.
    ///
    /// Unlike [`Generator::filter`], it never rejects: it collects the matching characters once, on
    /// first use.
    ///
    /// # Examples
    /// ```
    /// use rebut::{chars, sample};
    ///
    /// let vowels = chars().filter(|c| "aeiou".contains(*c));
    /// assert!((0..50).all(|seed| "aeiou".contains(sample(&vowels, seed))));
    /// ```
    #[must_use]
    pub fn filter<F: Fn(&char) -> bool + 'static>(self, predicate: F) -> Chars {
        let captures_nothing = size_of::<F>() == 0;
        let known_as = captures_nothing.then(TypeId::of::<F>);
        self.filtered(Box::new(move |c| predicate(&c)), known_as)
    }

    fn filtered(self, predicate: Predicate, known_as: Option<TypeId>) -> Chars {
        match (&self.set, known_as) {
            (Set::Range('\0', char::MAX), Some(id)) => {
                Chars::lazy(Box::new(move || known(id, &predicate)))
            }
            _ => self.narrowed(predicate),
        }
    }

    fn lazy(make: Box<dyn Fn() -> Rc<Class>>) -> Chars {
        Chars { set: Set::Lazy(Rc::new(Lazy { class: OnceCell::new(), make })) }
    }

    fn narrowed(self, predicate: Predicate) -> Chars {
        Chars::lazy(Box::new(move || Rc::new(self.class().filtered(&predicate))))
    }

    /// Returns whether the set is empty.
    pub(crate) fn is_empty(&self) -> bool {
        match self.set {
            Set::Range(first, last) => first > last,
            _ => self.class().len() == 0,
        }
    }

    fn class(&self) -> Rc<Class> {
        match &self.set {
            Set::Range(first, last) => Rc::new(Class::new(&[(*first, *last)])),
            Set::Class(class) => Rc::clone(class),
            Set::Lazy(lazy) => Rc::clone(lazy.class.get_or_init(&lazy.make)),
        }
    }
}

thread_local! {
    /// The classes of predicates that capture nothing. Their type identifies them.
    static KNOWN: RefCell<Vec<(TypeId, Rc<Class>)>> = const { RefCell::new(Vec::new()) };
}

/// Returns the class of all characters that satisfy the predicate, cached by its type.
fn known(id: TypeId, predicate: &Predicate) -> Rc<Class> {
    let found = KNOWN.with_borrow(|known| {
        let found = known.iter().find(|(other, _)| *other == id);
        found.map(|(_, class)| Rc::clone(class))
    });
    if let Some(class) = found {
        return class;
    }
    let class = Rc::new(Class::new(&[('\0', char::MAX)]).filtered(predicate));
    KNOWN.with_borrow_mut(|known| known.push((id, Rc::clone(&class))));
    class
}

impl Generator for Chars {
    type Value = char;

    fn draw(&self, source: &mut Source) -> char {
        let class = match &self.set {
            Set::Range('\0', char::MAX) => return source.character('\0', char::MAX),
            Set::Range(first, last) => {
                if first > last {
                    crossed("chars()", first, last);
                }
                return draw_range(source, *first, *last);
            }
            Set::Class(class) => class,
            Set::Lazy(lazy) => lazy.class.get_or_init(&lazy.make),
        };
        if class.len() == 0 {
            misuse("chars()", &"an empty set", "a set that has a character");
        }
        class.draw(source)
    }

    fn members(&self) -> Option<Vec<char>> {
        let class = match self.set {
            Set::Range(first, last) if u128::from(last) >= u128::from(first) + MEMBERS_MAX => {
                return None;
            }
            _ => self.class(),
        };
        let few = class.len() as u128 <= MEMBERS_MAX && class.len() > 0;
        few.then(|| class.iter().collect())
    }

    fn member(&self, index: usize) -> Option<char> {
        self.class().get(index)
    }

    fn is_single(&self) -> bool {
        true
    }
}

impl fmt::Debug for Chars {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.set {
            Set::Range(first, last) => write!(f, "chars({first:?}..={last:?})"),
            _ => write!(f, "chars(..)"),
        }
    }
}

impl Generate for char {
    #[inline]
    fn generate(source: &mut Source) -> char {
        source.character('\0', char::MAX)
    }

    #[inline]
    fn is_single() -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simplest;
    use crate::testing::{drawn, exhausted, misuse_of};

    #[test]
    fn characters_stay_in_their_range() {
        let range = chars().in_range('x'..='é');
        assert!(drawn(&range, 200).iter().all(|&c| ('x'..='é').contains(&c)));
        assert_eq!(exhausted(&chars().in_range('a'..'d')), ['a', 'b', 'c']);
        assert_eq!(exhausted(&chars().ascii().in_range('~'..)).len(), 2);
    }

    #[test]
    fn classes_contain_only_their_characters() {
        assert!(drawn(&chars().alphabetic(), 200).iter().all(|c| c.is_alphabetic()));
        assert!(drawn(&chars().whitespace(), 200).iter().all(|c| c.is_whitespace()));
        assert!(drawn(&chars().numeric(), 200).iter().any(|c| !c.is_ascii()));
        assert_eq!(chars().ascii_alphanumeric().members().map(|all| all.len()), Some(62));
        let letters = chars().alphabetic().max_value('z').min_value('B');
        assert!(drawn(&letters, 100).iter().all(|c| ('B'..='z').contains(c)));
    }

    #[test]
    fn every_range_shrinks_to_its_simplest() {
        assert_eq!(simplest(&chars().in_range('A'..='Z')), 'A');
        assert_eq!(simplest(&chars().ascii_digits()), '0');
        assert_eq!(simplest(&chars().whitespace()), ' ');
        assert_eq!(simplest(&chars().one_of("?x!")), 'x');
    }

    #[test]
    fn empty_sets_are_refused() {
        assert!(misuse_of(&chars().in_range('z'..='a')).contains("minimum is 'z'"));
        assert!(misuse_of(&chars().one_of("")).contains("empty set"));
        assert!(misuse_of(&chars().filter(|_| false)).contains("empty set"));
        assert!(misuse_of(&chars().in_range('\0'..'\0')).contains("empty set"));
    }
}
