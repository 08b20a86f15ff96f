//! The structural cover of a regex.
//!
//! The idea is `cover-regexp` of Iorek (2017, section 5): the way a regex is written says what
//! its author takes for the same and for different. There it is a nest of choices that a
//! solver is told never to repeat. Here the choices are the words of an automaton
//! (`cover/structure.rs`), restricted to the strings that are allowed (`cover/ways.rs`), and
//! all of its words are listed. A choice that leaves no string is not on the list, and the end
//! of the list is the end of the choices.

mod pairs;
mod structure;
mod usual;
mod ways;

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use pairs::Pairs;
use structure::{Kind, Label, Structure};
use ways::{Found, Ways};

use crate::language::{Language, Ranks, Sets, Stratum, TooComplex, Walk};
use crate::order;
use crate::regex::Regex;

/// What the number of repetitions says about the class of a string.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Repeats {
    /// None, as few as there must be, and more are told apart; of several, only the first is
    /// looked into. There are finitely many classes.
    #[default]
    Few,
    /// A repetition is a concatenation: each number of repetitions is a class of its own, and
    /// each of them is looked into. There may be infinitely many classes.
    Concatenation,
}

/// The structural cover of a regex: one string for each way to follow it. Characters of the
/// same range of a class are the same; alternatives, ranges, optional parts and numbers of
/// repetitions are different.
///
/// First come the strings that together use each part of the regex in each of its uses (alone,
/// first of several, later), the shortest first; if there are finitely many classes, they take
/// turns with strings that are as usual but for one part, and with some that bring parts
/// together. Then come all other combinations, by size.
///
/// # Example
/// ```
/// use rebut_text::{Cover, Regex};
/// let time = Regex::parser().unicode(false).parse(r"(([0-1]\d)|(2[0-3])):[0-5]\d")?;
/// assert_eq!(Cover::new(&time).words()?.count(), 2);
///
/// let user = Regex::parse("[a-z0-9_]+")?;
/// let texts: Vec<String> = Cover::new(&user).words()?.collect();
/// assert_eq!(texts, ["x", "3", "_", "ca", "8u", "_u"]);
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
    ///
    /// # Example
    /// ```
    /// use rebut_text::{Cover, Language, Regex};
    /// let name = Regex::parse("(Mr|Ms|Dr)? ?[A-Z][a-z]+")?;
    /// let short = Language::starting_with("M").of_length(..=4);
    /// for text in Cover::new(&name).within(&short).words()? {
    ///     assert!(text.starts_with('M') && text.len() <= 4);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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

    /// Another seed picks other characters; the classes and their order stay the same, except
    /// among those of one size.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Cover {
        self.seed = seed;
        self
    }

    /// One string for each class, until there is no other class. A string that belongs to
    /// several classes (the regex can be followed in several ways to it) stands for all of them.
    ///
    /// # Errors
    /// [`TooComplex`].
    pub fn words(&self) -> Result<CoverWords, TooComplex> {
        let structure = self.structure()?;
        let ways = self.ways(&structure, &self.language)?;
        let automaton = Arc::new(ways.classes());
        let sets = Sets::new(automaton.clone(), self.language.states_max());
        let mut shortest: VecDeque<(Label, Found)> = ways.shortest_by_label(self.seed).into();
        if let Some(found) = ways.without_labels(self.seed) {
            shortest.push_front((Label::MAX, found));
        }
        let classes = match Ranks::new(sets.clone()) {
            Ok(ranks) => Classes::Ranked { ranks, stratum: None, seed: self.seed },
            Err(_) => Classes::Walked(Walk::new(sets)),
        };
        let (usual, pairs) = match self.repeats {
            Repeats::Few => {
                let pairs = Pairs::new(&ways, shortest.len(), self.seed);
                // Here a kind is a label.
                let class_of =
                    |kind: Kind| structure.classes.get(kind as usize).copied().unwrap_or(kind);
                (usual::classes(&automaton, &class_of), Some(pairs))
            }
            Repeats::Concatenation => (Vec::new(), None),
        };
        // The empty string comes first in any case.
        let sizes = shortest.iter().map(|(_, found)| found.symbols.len());
        let size_min = sizes.filter(|size| *size > 0).min().unwrap_or_default();
        let early = Early {
            shortest,
            size_min,
            later: VecDeque::new(),
            met: HashSet::new(),
            usual: usual.into_iter(),
            pairs,
            turn: 0,
        };
        Ok(CoverWords { ways, early, classes, seen: Seen::default(), seed: self.seed })
    }

    /// Tells to which classes strings belong.
    ///
    /// # Errors
    /// [`TooComplex`].
    pub fn classifier(&self) -> Result<Classifier, TooComplex> {
        Ok(Classifier { ways: self.ways(&self.structure()?, &Language::all())? })
    }

    /// Whether two strings can be taken for members of different classes. A string that does
    /// not match is of no class, and different from none.
    ///
    /// # Errors
    /// [`TooComplex`].
    ///
    /// # Example
    /// ```
    /// use rebut_text::{Cover, Regex};
    /// let cover = Cover::new(&Regex::parse("[a-z]+|[0-9]+")?);
    /// assert!(cover.are_different("abc", "123")?);
    /// assert!(cover.are_different("abc", "a")?);
    /// assert!(!cover.are_different("abc", "xyzzy")?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn are_different(&self, left: &str, right: &str) -> Result<bool, TooComplex> {
        let classifier = self.classifier()?;
        let classes = (classifier.class_of(left), classifier.class_of(right));
        let (Some(left), Some(right)) = classes else { return Ok(false) };
        Ok(left.is_different_from(&right))
    }

    fn structure(&self) -> Result<Structure, TooComplex> {
        let size_max = self.language.states_max().saturating_mul(4);
        Structure::new(&self.regex, self.repeats, self.boundaries, size_max)
    }

    fn ways(&self, structure: &Structure, language: &Language) -> Result<Ways, TooComplex> {
        Ways::new(structure, &*language.automaton()?, self.language.states_max())
    }
}

/// Tells to which structural classes strings belong; see [`Cover::classifier`].
#[derive(Clone, Debug)]
pub struct Classifier {
    ways: Ways,
}

impl Classifier {
    /// The class of a string; none if it does not match.
    #[must_use]
    pub fn class_of(&self, text: &str) -> Option<StructuralClass> {
        let (kinds, is_ambiguous) = self.ways.class_of(&order::symbols_in(text))?;
        Some(StructuralClass { kinds, is_ambiguous })
    }
}

/// A way to follow a regex.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StructuralClass {
    kinds: Vec<Kind>,
    is_ambiguous: bool,
}

impl StructuralClass {
    /// Whether the string belongs to other classes as well.
    #[must_use]
    pub fn is_ambiguous(&self) -> bool {
        self.is_ambiguous
    }

    /// Whether the two strings can be taken for members of different classes.
    #[must_use]
    pub fn is_different_from(&self, other: &StructuralClass) -> bool {
        self.is_ambiguous || other.is_ambiguous || self.kinds != other.kinds
    }
}

/// One string for each structural class; see [`Cover::words`].
#[derive(Clone, Debug)]
pub struct CoverWords {
    ways: Ways,
    early: Early,
    classes: Classes,
    seen: Seen,
    seed: u64,
}

/// What comes before all other combinations.
#[derive(Clone, Debug)]
struct Early {
    /// For each part a shortest string that goes by it; those that are as short as can be come
    /// before all else.
    shortest: VecDeque<(Label, Found)>,
    size_min: usize,
    /// Shortest strings by parts that were met before it was their turn.
    later: VecDeque<(Label, Found)>,
    met: HashSet<Kind>,
    usual: std::vec::IntoIter<Vec<Kind>>,
    pairs: Option<Pairs>,
    turn: usize,
}

impl Early {
    /// One of each in turn, as long as there are some.
    fn next(&mut self, ways: &Ways, seed: u64) -> Option<Found> {
        let found = self.in_turn(ways, seed)?;
        self.met.extend(&found.class);
        Some(found)
    }

    fn in_turn(&mut self, ways: &Ways, seed: u64) -> Option<Found> {
        let is_short = |(_, found): &(Label, Found)| found.symbols.len() <= self.size_min;
        if self.shortest.front().is_some_and(is_short) {
            return self.shortest.pop_front().map(|(_, found)| found);
        }
        let in_turn = (0..3).find_map(|_| {
            self.turn += 1;
            match self.turn % 3 {
                1 => self.usual.find_map(|class| ways.member(&class, seed)),
                2 => self.shortest_of_new(),
                _ => self.pairs.as_mut().and_then(|pairs| pairs.next(ways)),
            }
        });
        in_turn.or_else(|| self.later.pop_front().map(|(_, found)| found))
    }

    /// A shortest string by a part that was not met.
    fn shortest_of_new(&mut self) -> Option<Found> {
        while let Some((label, found)) = self.shortest.pop_front() {
            if !self.met.contains(&label) {
                return Some(found);
            }
            self.later.push_back((label, found));
        }
        None
    }
}

/// What was listed.
#[derive(Clone, Debug, Default)]
struct Seen {
    /// The classes of the strings that came first.
    classes: HashSet<Vec<Kind>>,
    texts: HashSet<String>,
}

/// All classes, by size.
#[derive(Clone, Debug)]
enum Classes {
    /// Those of a size in an order in which neighbors differ much.
    Ranked { ranks: Ranks, stratum: Option<Stratum>, seed: u64 },
    /// In ascending order, where the automaton is too large to count them.
    Walked(Walk),
}

impl Classes {
    fn next(&mut self) -> Option<Vec<Kind>> {
        let (ranks, current, seed) = match self {
            Classes::Walked(walk) => return walk.next().map(<[Kind]>::to_vec),
            Classes::Ranked { ranks, stratum, seed } => (ranks, stratum, *seed),
        };
        loop {
            let length = match current {
                Some(stratum) => match ranks.next(stratum) {
                    Some(class) => return Some(class),
                    None => ranks.next_length(stratum.length + 1)?,
                },
                None => ranks.next_length(0)?,
            };
            *current = Some(Ranks::stratum(length, seed));
        }
    }
}

impl CoverWords {
    fn text(found: &Found) -> String {
        found.symbols.iter().map(|&symbol| order::char_of(symbol)).collect()
    }

    /// The text of a string that came first, unless it or its class was listed.
    fn listed(&mut self, found: Found) -> Option<String> {
        let text = CoverWords::text(&found);
        let is_new = self.seen.classes.insert(found.class) && self.seen.texts.insert(text.clone());
        is_new.then_some(text)
    }
}

impl Iterator for CoverWords {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        while let Some(found) = self.early.next(&self.ways, self.seed) {
            if let Some(text) = self.listed(found) {
                return Some(text);
            }
        }
        loop {
            let class = self.classes.next()?;
            if self.seen.classes.contains(&class) {
                continue;
            }
            let Some(found) = self.ways.member(&class, self.seed) else { continue };
            let text = CoverWords::text(&found);
            if self.seen.texts.insert(text.clone()) {
                return Some(text);
            }
        }
    }
}
