//! Sets of strings.
//!
//! A language is stored as an expression, and combining expressions computes nothing. The first
//! query that needs an automaton builds one (`language/derive.rs`). Its unions stay
//! nondeterministic: emptiness, lengths and lists of words need no more, so `(a|b)*a(a|b){16}`
//! has 18 states and not 131,072. Only counting words, or finding a word by its rank, needs a
//! deterministic automaton; its states are discovered on demand (`language/state_sets.rs`).
//!
//! Invariant: [`Language::contains`] evaluates the expression by definition and builds no
//! automaton, so tests can compare the two.

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

/// A set of strings. Cheap to clone; clones share their automaton.
///
/// Operations build expressions and always succeed. Queries that need an automaton return
/// [`TooComplex`] if it would have more states than allowed ([`Language::with_states_max`]).
///
/// # Examples
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
    /// The parts of [`Language::spread`], before the first word.
    parts: Arc<OnceLock<Result<Vec<Ranks>, TooComplex>>>,
}

/// The error of a query whose automaton would have more states than allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooComplex {
    states_max: usize,
}

impl TooComplex {
    pub(crate) fn new(states_max: usize) -> TooComplex {
        TooComplex { states_max }
    }

    /// Returns the maximum number of states that was exceeded.
    #[must_use]
    pub fn states_max(&self) -> usize {
        self.states_max
    }
}

impl fmt::Display for TooComplex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let states = self.states_max;
        write!(f, "the language is too complex: its automaton has more than {states} states; ")?;
        write!(f, "reduce repetition counts, or avoid complement and count")
    }
}

impl std::error::Error for TooComplex {}

/// The default maximum number of states of an automaton.
///
/// Arbitrary. The automaton of `.{0,65536}` needs 65,537 states and fits; the deterministic
/// automaton of `(a|b)*a(a|b){16}` needs 131,072 and just fits. Above the limit, queries return
/// [`TooComplex`].
const STATES_MAX: usize = 1 << 17;

impl Language {
    /// Returns the language of all strings.
    #[must_use]
    pub fn all() -> Language {
        Language::from_expr(Expr::all(), STATES_MAX)
    }

    /// Returns the language without any string.
    #[must_use]
    pub fn none() -> Language {
        Language::from_expr(Expr::none(), STATES_MAX)
    }

    /// Returns the language of one string.
    #[must_use]
    pub fn literal(text: &str) -> Language {
        Language::from_expr(Expr::literal(text), STATES_MAX)
    }

    /// Returns the language of the given strings.
    #[must_use]
    pub fn one_of<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> Language {
        let texts: Vec<Vec<u32>> =
            texts.into_iter().map(|text| order::symbols_in(text.as_ref())).collect();
        Language::from_expr(Expr::machine(Nfa::trie(&texts)), STATES_MAX)
    }

    /// Returns the language of the strings that match a regex.
    #[must_use]
    pub fn from_regex(regex: &Regex) -> Language {
        Language::from_expr(Expr::regex(regex), STATES_MAX)
    }

    /// Returns the language of the strings whose number of characters is in the range.
    /// (Characters are Unicode scalar values.)
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
        Language::from_expr(Expr::repeat(&Expr::any(), min, max), STATES_MAX)
    }

    /// Returns the language of the strings that start with `text`.
    #[must_use]
    pub fn starting_with(text: &str) -> Language {
        Language::from_expr(Expr::concat([Expr::literal(text), Expr::all()]), STATES_MAX)
    }

    /// Returns the language of the strings that end with `text`.
    #[must_use]
    pub fn ending_with(text: &str) -> Language {
        Language::from_expr(Expr::concat([Expr::all(), Expr::literal(text)]), STATES_MAX)
    }

    /// Returns the language of the strings that contain `text`.
    #[must_use]
    pub fn containing(text: &str) -> Language {
        let parts = [Expr::all(), Expr::literal(text), Expr::all()];
        Language::from_expr(Expr::concat(parts), STATES_MAX)
    }

    /// Returns the language of the strings within an edit distance of `text`: at most `edits`
    /// insertions, deletions and replacements of a character.
    ///
    /// # Examples
    /// ```
    /// use rebut_text::Language;
    /// let near = Language::within_distance("kitten", 2);
    /// assert!(near.contains("mitten") && near.contains("kit ten") && !near.contains("sitting"));
    /// ```
    #[must_use]
    pub fn within_distance(text: &str, edits: usize) -> Language {
        Language::from_expr(Expr::machine(distance::automaton(text, edits)), STATES_MAX)
    }

    /// Returns the language of the strings whose edit distance from `text` is at least `edits`.
    #[must_use]
    pub fn at_distance_at_least(text: &str, edits: usize) -> Language {
        match edits.checked_sub(1) {
            None => Language::all(),
            Some(less) => Language::within_distance(text, less).complement(),
        }
    }

    /// Returns the union of two languages.
    #[must_use]
    pub fn union(&self, other: &Language) -> Language {
        self.with(other, Expr::union([self.expr.clone(), other.expr.clone()]))
    }

    /// Returns the intersection of two languages.
    #[must_use]
    pub fn intersection(&self, other: &Language) -> Language {
        // A clone shares the automaton that the other language may have built.
        if self.expr.is_all() && self.states_max <= other.states_max {
            return other.clone();
        }
        self.with(other, Expr::and([self.expr.clone(), other.expr.clone()]))
    }

    /// Returns the strings of this language that are not in the other.
    #[must_use]
    pub fn difference(&self, other: &Language) -> Language {
        self.with(other, Expr::and([self.expr.clone(), Expr::not(&other.expr)]))
    }

    /// Returns the language of all strings that are not in this one.
    #[must_use]
    pub fn complement(&self) -> Language {
        Language::from_expr(Expr::not(&self.expr), self.states_max)
    }

    /// Returns the concatenation: a string of this language followed by one of the other.
    #[must_use]
    pub fn concat(&self, other: &Language) -> Language {
        self.with(other, Expr::concat([self.expr.clone(), other.expr.clone()]))
    }

    /// Returns the concatenations of any number of strings of this language.
    #[must_use]
    pub fn star(&self) -> Language {
        self.repeat(0, None)
    }

    /// Returns the concatenations of `min` to `max` strings of this language. Without a maximum,
    /// any number from `min` on.
    #[must_use]
    pub fn repeat(&self, min: u32, max: Option<u32>) -> Language {
        Language::from_expr(Expr::repeat(&self.expr, min, max), self.states_max)
    }

    /// Returns the strings of this language whose number of characters is in the range.
    #[must_use]
    pub fn of_length(&self, lengths: impl RangeBounds<usize>) -> Language {
        self.intersection(&Language::length(lengths))
    }

    /// Returns the same language with another maximum number of states for its automata.
    #[must_use]
    pub fn with_states_max(&self, states_max: usize) -> Language {
        Language::from_expr(self.expr.clone(), states_max)
    }

    /// Returns whether the language contains a string. Never fails and uses no automaton: this
    /// is the definition that the automata are tested against.
    #[must_use]
    pub fn contains(&self, text: &str) -> bool {
        self.expr.contains(&order::symbols_in(text))
    }

    /// Returns whether the language has no string. Stops at the first string found.
    ///
    /// # Errors
    /// [`TooComplex`] if no string is found within the maximum number of states.
    pub fn is_empty(&self) -> Result<bool, TooComplex> {
        self.shortest().map(|shortest| shortest.is_none())
    }

    /// Returns a shortest string, or `None` if the language is empty. Explores no more states
    /// than it needs.
    ///
    /// # Errors
    /// [`TooComplex`] if no string is found within the maximum number of states.
    ///
    /// # Examples
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

    /// Returns whether the language has finitely many strings.
    ///
    /// # Errors
    /// [`TooComplex`] if the automaton has too many states.
    pub fn is_finite(&self) -> Result<bool, TooComplex> {
        Ok(self.automaton()?.is_acyclic())
    }

    /// Returns the number of characters of the shortest string, or `None` if the language is
    /// empty.
    ///
    /// # Errors
    /// [`TooComplex`] if the automaton has too many states.
    pub fn min_length(&self) -> Result<Option<usize>, TooComplex> {
        Ok(self.shortest()?.map(|text| text.chars().count()))
    }

    /// Returns the number of characters of the longest string, or `None` if the language is
    /// empty or infinite.
    ///
    /// # Errors
    /// [`TooComplex`] if the automaton has too many states.
    pub fn max_length(&self) -> Result<Option<usize>, TooComplex> {
        Ok(self.automaton()?.longest())
    }

    /// Returns the number of strings.
    ///
    /// # Errors
    /// [`TooComplex`]. Counting needs a deterministic automaton, which may be too large even if
    /// [`Language::words`] works.
    pub fn count(&self) -> Result<Count, TooComplex> {
        StateSets::new(self.automaton()?, self.states_max).count()
    }

    /// Returns the number of strings with `length` characters.
    ///
    /// # Errors
    /// As for [`Language::count`].
    pub fn count_of_length(&self, length: usize) -> Result<Count, TooComplex> {
        StateSets::new(self.automaton()?, self.states_max).count_of_length(length)
    }

    /// Returns whether every string of this language is in the other.
    ///
    /// # Errors
    /// [`TooComplex`] if the automaton has too many states.
    pub fn is_subset_of(&self, other: &Language) -> Result<bool, TooComplex> {
        self.difference(other).is_empty()
    }

    /// Returns whether both languages have the same strings.
    ///
    /// # Errors
    /// [`TooComplex`] if the automaton has too many states.
    pub fn is_equal_to(&self, other: &Language) -> Result<bool, TooComplex> {
        Ok(self.is_subset_of(other)? && other.is_subset_of(self)?)
    }

    /// Returns the same language as its minimal deterministic automaton. Worth its price before
    /// many queries.
    ///
    /// # Errors
    /// [`TooComplex`] if the automaton has too many states.
    pub fn minimized(&self) -> Result<Language, TooComplex> {
        let minimal = StateSets::new(self.automaton()?, self.states_max).minimal()?;
        Ok(Language::from_expr(Expr::machine(minimal), self.states_max))
    }

    /// Returns the number of states of the minimal deterministic automaton, not counting the
    /// dead state.
    ///
    /// # Errors
    /// [`TooComplex`] if the automaton has too many states.
    pub fn states(&self) -> Result<usize, TooComplex> {
        Ok(StateSets::new(self.automaton()?, self.states_max).minimal()?.len())
    }

    /// Returns all strings, each once, shortest first. Strings of the same length are sorted by
    /// the readability of their characters: `a` to `z` first. The iterator ends after the last
    /// string.
    ///
    /// # Errors
    /// [`TooComplex`] if the automaton has too many states.
    ///
    /// # Examples
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

    /// Returns one string of each length that occurs, shortest first. A [`Witness`] becomes a
    /// `String` only on demand, so long ones cost nothing.
    ///
    /// # Errors
    /// [`TooComplex`] if the automaton has too many states.
    ///
    /// # Examples
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

    /// Returns readable strings that look different from each other: each string once, and all
    /// of them if there are finitely many. Another seed gives another order. (Of a length with
    /// 2^62 strings or more, the iterator returns 2^32.)
    ///
    /// # Errors
    /// [`TooComplex`]. The order depends on counts; see [`Language::count`].
    ///
    /// # Examples
    /// ```
    /// use rebut_text::Regex;
    /// let bits = Regex::parse("[01]{1,3}")?.language();
    /// assert_eq!(bits.spread(1)?.count(), 2 + 4 + 8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn spread(&self, seed: u64) -> Result<Spread, TooComplex> {
        Spread::new(self, seed)
    }

    /// Returns strings that are pairwise at least `edits` edits apart. The choice is greedy: no
    /// skipped string could be added, but another choice of the first strings might lead to a
    /// larger set. The iterator ends when no further string is far enough from all before it.
    ///
    /// # Errors
    /// [`TooComplex`] if the automaton has too many states.
    ///
    /// # Examples
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

    /// Returns the parts of [`Language::spread`].
    pub(crate) fn parts(&self) -> Result<Vec<Ranks>, TooComplex> {
        self.parts.get_or_init(|| spread::parts(self)).clone()
    }

    pub(crate) fn states_max(&self) -> usize {
        self.states_max
    }

    pub(crate) fn from_expr(expr: Arc<Expr>, states_max: usize) -> Language {
        Language { expr, states_max, automaton: Arc::default(), parts: Arc::default() }
    }

    fn with(&self, other: &Language, expr: Arc<Expr>) -> Language {
        Language::from_expr(expr, self.states_max.max(other.states_max))
    }
}

impl From<&Regex> for Language {
    fn from(regex: &Regex) -> Language {
        Language::from_regex(regex)
    }
}
