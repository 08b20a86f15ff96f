//! The structural cover of a regex.

use crate::language::{Language, TooComplex};
use crate::regex::Regex;

/// What the number of repetitions says about the class of a string.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Repeats {
    /// None, one and more than one are told apart; of more than one, only the first is looked
    /// into. There are finitely many classes.
    #[default]
    Few,
    /// A repetition is a concatenation: each number of repetitions is a class of its own, and
    /// each of them is looked into. There may be infinitely many classes.
    Concatenation,
}

/// The structural cover of a regex: one string for each way to follow it (`cover-regexp` of
/// Iorek). Characters of the same range of a class are the same; alternatives, ranges, optional
/// parts and numbers of repetitions are different.
///
/// First come the strings that together use each part of the regex in each place, smallest
/// first; then all other combinations, by size.
///
/// # Example
/// ```
/// use rebut_text::{Cover, Regex};
/// let time = Regex::parser().unicode(false).parse(r"(([0-1]\d)|(2[0-3])):[0-5]\d")?;
/// assert_eq!(Cover::new(&time).words()?.count(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Cover {
    regex: Regex,
    language: Language,
    repeats: Repeats,
    boundaries: bool,
    seed: u64,
}

impl Cover {
    /// The cover of all strings of a regex.
    #[must_use]
    pub fn new(regex: &Regex) -> Cover {
        let (language, repeats) = (Language::all(), Repeats::default());
        Cover { regex: regex.clone(), language, repeats, boundaries: false, seed: 0 }
    }

    /// Only strings of this language; a class without such a string is left out.
    #[must_use]
    pub fn within(mut self, language: &Language) -> Cover {
        self.language = self.language.intersection(language);
        self
    }

    /// What repetitions mean.
    #[must_use]
    pub fn repeats(mut self, repeats: Repeats) -> Cover {
        self.repeats = repeats;
        self
    }

    /// Takes the first and the last character of each range for parts of their own.
    #[must_use]
    pub fn boundaries(mut self, yes: bool) -> Cover {
        self.boundaries = yes;
        self
    }

    /// Another seed picks other characters.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Cover {
        self.seed = seed;
        self
    }

    /// One string for each class, until there is no other class.
    ///
    /// # Errors
    /// [`TooComplex`].
    pub fn words(&self) -> Result<CoverWords, TooComplex> {
        let _ = (&self.regex, &self.language, self.repeats, self.boundaries, self.seed);
        unimplemented!()
    }

    /// Whether two strings can be taken for members of different classes. Both must match.
    ///
    /// # Errors
    /// [`TooComplex`].
    pub fn are_different(&self, left: &str, right: &str) -> Result<bool, TooComplex> {
        let _ = (left, right);
        unimplemented!()
    }
}

/// See [`Cover::words`].
#[derive(Debug)]
pub struct CoverWords;
impl Iterator for CoverWords {
    type Item = String;
    fn next(&mut self) -> Option<String> {
        unimplemented!()
    }
}
