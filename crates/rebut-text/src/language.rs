//! StateSets of strings.
//!
//! A language is kept as an expression, and nothing is computed when expressions are combined.
//! The first question that needs it builds an automaton (`language/derive.rs`), in which
//! unions stay nondeterministic: emptiness, lengths and lists of words need no more than that,
//! so `(a|b)*a(a|b){16}` has 18 states and not 131,072. Only where words must be counted, or
//! told from their rank, are the sets of states that can be reached at once made states of
//! their own, as they are met (`language/sets.rs`).

mod accepted_lengths;
mod derive;
mod expr;
mod minimize;
mod nfa;
mod ranks;
mod readable;
mod spread;
mod state_sets;
mod witnesses;
mod words;

use std::fmt;
use std::ops::{Bound, RangeBounds};
use std::sync::{Arc, OnceLock};

pub use spread::Spread;
pub use state_sets::Count;
pub use witnesses::{Lengths, Witness};
pub use words::Words;

pub(crate) use expr::Expr;
pub(crate) use nfa::Nfa;
pub(crate) use ranks::{Ranks, Stratum};
pub(crate) use readable::{Palette, mix};
pub(crate) use state_sets::StateSets;
pub(crate) use words::WordWalk;

use crate::distance;
use crate::order;
use crate::regex::Regex;

/// A set of strings. Cheap to clone; clones share what was computed.
///
/// Operations build descriptions and always succeed. Questions whose answer needs an automaton
/// end in [`TooComplex`] if it would have more states than allowed
/// ([`Language::with_states_max`]).
///
/// # Example
/// ```
/// use rebut_text::{Language, Regex};
/// let name = Regex::parse("[a-z]+")?.language();
/// let reserved = Language::one_of(["if", "else"]);
/// let legal = name.difference(&reserved).of_length(2..=4);
/// assert!(legal.contains("elif") && !legal.contains("else"));
/// assert_eq!(legal.count()?.exactly(), Some(26 * 26 + 26 * 26 * 26 + 26 * 26 * 26 * 26 - 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Language {
    expr: Arc<Expr>,
    states_max: usize,
    automaton: Arc<OnceLock<Result<Arc<Nfa>, TooComplex>>>,
    /// The parts of [`Language::spread`], before any word was asked for.
    parts: Arc<OnceLock<Result<Vec<Ranks>, TooComplex>>>,
}

/// An automaton would have had more states than allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooComplex {
    states_max: usize,
}

impl TooComplex {
    pub(crate) fn new(states_max: usize) -> TooComplex {
        TooComplex { states_max }
    }

    /// How many states were allowed.
    #[must_use]
    pub fn states_max(&self) -> usize {
        self.states_max
    }
}

impl fmt::Display for TooComplex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let states = self.states_max;
        write!(f, "the language is too complex: its automaton has more than {states} states; ")?;
        write!(f, "lessen the counts of repetitions, or ask without complement and count")
    }
}

impl std::error::Error for TooComplex {}

/// So many states are allowed unless another number is asked for.
const STATES_MAX: usize = 1 << 17;

impl Language {
    /// All strings.
    #[must_use]
    pub fn all() -> Language {
        Language::of(Expr::all(), STATES_MAX)
    }

    /// No string.
    #[must_use]
    pub fn none() -> Language {
        Language::of(Expr::none(), STATES_MAX)
    }

    /// One string.
    #[must_use]
    pub fn literal(text: &str) -> Language {
        Language::of(Expr::literal(text), STATES_MAX)
    }

    /// These strings.
    #[must_use]
    pub fn one_of<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> Language {
        let texts: Vec<Vec<u32>> =
            texts.into_iter().map(|text| order::symbols_in(text.as_ref())).collect();
        Language::of(Expr::machine(Nfa::trie(&texts)), STATES_MAX)
    }

    /// The strings that match a regex.
    #[must_use]
    pub fn from_regex(regex: &Regex) -> Language {
        Language::of(Expr::regex(regex), STATES_MAX)
    }

    /// The strings of so many characters. (Characters are Unicode scalar values.)
    #[must_use]
    pub fn length(lengths: impl RangeBounds<usize>) -> Language {
        let small = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
        let min = match lengths.start_bound() {
            Bound::Included(&min) => small(min),
            Bound::Excluded(&min) => small(min).saturating_add(1),
            Bound::Unbounded => 0,
        };
        let max = match lengths.end_bound() {
            Bound::Included(&max) => Some(small(max)),
            Bound::Excluded(&0) => return Language::none(),
            Bound::Excluded(&max) => Some(small(max) - 1),
            Bound::Unbounded => None,
        };
        Language::of(Expr::repeat(&Expr::any(), min, max), STATES_MAX)
    }

    /// The strings that start so.
    #[must_use]
    pub fn starting_with(text: &str) -> Language {
        Language::of(Expr::concat([Expr::literal(text), Expr::all()]), STATES_MAX)
    }

    /// The strings that end so.
    #[must_use]
    pub fn ending_with(text: &str) -> Language {
        Language::of(Expr::concat([Expr::all(), Expr::literal(text)]), STATES_MAX)
    }

    /// The strings that have this in them.
    #[must_use]
    pub fn containing(text: &str) -> Language {
        let parts = [Expr::all(), Expr::literal(text), Expr::all()];
        Language::of(Expr::concat(parts), STATES_MAX)
    }

    /// The strings that at most so many insertions, deletions and replacements of a character
    /// make of this one.
    ///
    /// # Example
    /// ```
    /// use rebut_text::Language;
    /// let near = Language::within_distance("kitten", 2);
    /// assert!(near.contains("mitten") && near.contains("kit ten") && !near.contains("sitting"));
    /// ```
    #[must_use]
    pub fn within_distance(text: &str, edits: usize) -> Language {
        Language::of(Expr::machine(distance::automaton(text, edits)), STATES_MAX)
    }

    /// The strings that are so many insertions, deletions and replacements or more away from
    /// this one.
    #[must_use]
    pub fn at_distance_at_least(text: &str, edits: usize) -> Language {
        match edits.checked_sub(1) {
            None => Language::all(),
            Some(less) => Language::within_distance(text, less).complement(),
        }
    }

    /// The strings of either.
    #[must_use]
    pub fn union(&self, other: &Language) -> Language {
        self.with(other, Expr::union([self.expr.clone(), other.expr.clone()]))
    }

    /// The strings of both.
    #[must_use]
    pub fn intersection(&self, other: &Language) -> Language {
        // What the other one has computed is not computed again.
        if self.expr.is_all() && self.states_max <= other.states_max {
            return other.clone();
        }
        self.with(other, Expr::and([self.expr.clone(), other.expr.clone()]))
    }

    /// The strings of this one that are not of the other.
    #[must_use]
    pub fn difference(&self, other: &Language) -> Language {
        self.with(other, Expr::and([self.expr.clone(), Expr::not(&other.expr)]))
    }

    /// All other strings.
    #[must_use]
    pub fn complement(&self) -> Language {
        Language::of(Expr::not(&self.expr), self.states_max)
    }

    /// A string of this one followed by one of the other.
    #[must_use]
    pub fn concat(&self, other: &Language) -> Language {
        self.with(other, Expr::concat([self.expr.clone(), other.expr.clone()]))
    }

    /// Any number of strings of this one after each other.
    #[must_use]
    pub fn star(&self) -> Language {
        self.repeat(0, None)
    }

    /// From `min` to `max` strings of this one after each other; without a maximum, any number
    /// from `min` on.
    #[must_use]
    pub fn repeat(&self, min: u32, max: Option<u32>) -> Language {
        Language::of(Expr::repeat(&self.expr, min, max), self.states_max)
    }

    /// Those of its strings that have so many characters.
    #[must_use]
    pub fn of_length(&self, lengths: impl RangeBounds<usize>) -> Language {
        self.intersection(&Language::length(lengths))
    }

    /// The same language, whose automata may have so many states.
    #[must_use]
    pub fn with_states_max(&self, states_max: usize) -> Language {
        Language::of(self.expr.clone(), states_max)
    }

    /// Whether it has this string. This never fails and asks no automaton: it is the
    /// definition that the automata are held against.
    #[must_use]
    pub fn contains(&self, text: &str) -> bool {
        self.expr.contains(&order::symbols_in(text))
    }

    /// Whether it has no string. Goes only as far as the first string is found.
    ///
    /// # Errors
    /// [`TooComplex`] if none is found within the allowed number of states.
    pub fn is_empty(&self) -> Result<bool, TooComplex> {
        self.shortest().map(|shortest| shortest.is_none())
    }

    /// A shortest string, if there is any. Goes only as far as it is found.
    ///
    /// # Errors
    /// [`TooComplex`] if none is found within the allowed number of states.
    ///
    /// # Example
    /// ```
    /// use rebut_text::{Language, Regex};
    /// let word = Regex::parse("[a-z0-9]+")?.language();
    /// assert_eq!(word.difference(&Language::length(..4)).shortest()?.as_deref(), Some("aaaa"));
    /// assert_eq!(word.intersection(&Language::containing(" ")).shortest()?, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn shortest(&self) -> Result<Option<String>, TooComplex> {
        let symbols = derive::shortest(&self.expr, self.states_max)?;
        Ok(symbols.map(|symbols| symbols.into_iter().map(order::char_of).collect()))
    }

    /// Whether it has finitely many strings.
    ///
    /// # Errors
    /// [`TooComplex`].
    pub fn is_finite(&self) -> Result<bool, TooComplex> {
        Ok(self.automaton()?.is_acyclic())
    }

    /// The least number of characters of its strings; none if it is empty.
    ///
    /// # Errors
    /// [`TooComplex`].
    pub fn min_length(&self) -> Result<Option<usize>, TooComplex> {
        Ok(self.shortest()?.map(|text| text.chars().count()))
    }

    /// The greatest number of characters of its strings; none if it is empty or infinite.
    ///
    /// # Errors
    /// [`TooComplex`].
    pub fn max_length(&self) -> Result<Option<usize>, TooComplex> {
        Ok(self.automaton()?.longest())
    }

    /// How many strings it has.
    ///
    /// # Errors
    /// [`TooComplex`]. Counting needs a deterministic automaton, which may be too large even
    /// where lists are not.
    pub fn count(&self) -> Result<Count, TooComplex> {
        StateSets::new(self.automaton()?, self.states_max).count()
    }

    /// How many of its strings have so many characters.
    ///
    /// # Errors
    /// As for [`Language::count`].
    pub fn count_of_length(&self, length: usize) -> Result<Count, TooComplex> {
        StateSets::new(self.automaton()?, self.states_max).count_of_length(length)
    }

    /// Whether each of its strings is one of the other's.
    ///
    /// # Errors
    /// [`TooComplex`].
    pub fn is_subset_of(&self, other: &Language) -> Result<bool, TooComplex> {
        self.difference(other).is_empty()
    }

    /// Whether both have the same strings.
    ///
    /// # Errors
    /// [`TooComplex`].
    pub fn is_equal_to(&self, other: &Language) -> Result<bool, TooComplex> {
        Ok(self.is_subset_of(other)? && other.is_subset_of(self)?)
    }

    /// The same language, kept as its least deterministic automaton. Worth its price if many
    /// questions are to follow.
    ///
    /// # Errors
    /// [`TooComplex`].
    pub fn minimized(&self) -> Result<Language, TooComplex> {
        let minimal = StateSets::new(self.automaton()?, self.states_max).minimal()?;
        Ok(Language::of(Expr::machine(minimal), self.states_max))
    }

    /// How many states its least deterministic automaton has, not counting the one from which
    /// nothing is accepted.
    ///
    /// # Errors
    /// [`TooComplex`].
    pub fn states(&self) -> Result<usize, TooComplex> {
        Ok(StateSets::new(self.automaton()?, self.states_max).minimal()?.len())
    }

    /// All of its strings, each once, shortest first; those of a length in the order in which
    /// their characters read well. It ends when there is no other string.
    ///
    /// # Errors
    /// [`TooComplex`].
    ///
    /// # Example
    /// ```
    /// use rebut_text::Regex;
    /// let words = Regex::parse("(a|b)*c?")?.language().words()?;
    /// let first: Vec<String> = words.take(7).collect();
    /// assert_eq!(first, ["", "a", "b", "c", "aa", "ab", "ac"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn words(&self) -> Result<Words, TooComplex> {
        Ok(Words::new(self.automaton()?))
    }

    /// One string for each length there is, shortest first. A [`Witness`] is not spelled out
    /// until it is asked for, so that long ones cost nothing.
    ///
    /// # Errors
    /// [`TooComplex`].
    ///
    /// # Example
    /// ```
    /// use rebut_text::Regex;
    /// let mut lengths = Regex::parse("([a-z]{3})+")?.language().lengths()?;
    /// let lens: Vec<usize> = lengths.by_ref().take(3).map(|witness| witness.len()).collect();
    /// assert_eq!(lens, [3, 6, 9]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn lengths(&self) -> Result<Lengths, TooComplex> {
        Ok(Lengths::new(self.automaton()?))
    }

    /// Strings that look different from each other and read well: each string once, and all of
    /// them if there are finitely many. Another seed gives another order. (Of a length with more
    /// than 2^62 strings there come 2^32.)
    ///
    /// # Errors
    /// [`TooComplex`]. This needs counts; see [`Language::count`].
    ///
    /// # Example
    /// ```
    /// use rebut_text::Regex;
    /// let bits = Regex::parse("[01]{1,3}")?.language();
    /// assert_eq!(bits.spread(1)?.count(), 2 + 4 + 8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn spread(&self, seed: u64) -> Result<Spread, TooComplex> {
        Spread::new(self, seed)
    }

    /// Strings any two of which are at least so many edits apart, chosen greedily: no string
    /// that was passed over could be added. It ends when there is no further string at that
    /// distance; there may be a larger set that was begun otherwise.
    ///
    /// # Errors
    /// [`TooComplex`].
    ///
    /// # Example
    /// ```
    /// use rebut_text::{Regex, edit_distance};
    /// let names = Regex::parse("[a-z]{4,8}")?.language();
    /// let far: Vec<String> = names.far_apart(4, 1)?.take(20).collect();
    /// assert_eq!(far.len(), 20);
    /// assert!(far.iter().skip(1).all(|name| edit_distance(&far[0], name) >= 4));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn far_apart(&self, edits: usize, seed: u64) -> Result<distance::FarApart, TooComplex> {
        distance::FarApart::new(self, edits, seed)
    }

    pub(crate) fn automaton(&self) -> Result<Arc<Nfa>, TooComplex> {
        let build = || derive::automaton(&self.expr, self.states_max).map(Arc::new);
        self.automaton.get_or_init(build).clone()
    }

    /// The parts of a spread list.
    pub(crate) fn parts(&self) -> Result<Vec<Ranks>, TooComplex> {
        self.parts.get_or_init(|| spread::parts(self)).clone()
    }

    pub(crate) fn states_max(&self) -> usize {
        self.states_max
    }

    pub(crate) fn of(expr: Arc<Expr>, states_max: usize) -> Language {
        Language { expr, states_max, automaton: Arc::default(), parts: Arc::default() }
    }

    fn with(&self, other: &Language, expr: Arc<Expr>) -> Language {
        Language::of(expr, self.states_max.max(other.states_max))
    }
}

impl From<&Regex> for Language {
    fn from(regex: &Regex) -> Language {
        Language::from_regex(regex)
    }
}
