//! The structural cover of a regex.
//!
//! The idea is the `cover-regexp` constraint of Iorek (2017, section 5): the way a regex is
//! written shows which strings its author considers alike and which different. Iorek asks a
//! solver for one string after another and forbids the combinations of choices that it has
//! seen. Here the combinations are the words of an automaton (`cover/structure.rs`), restricted
//! to the allowed strings (`cover/class_automaton.rs`), and the cover lists its words.
//!
//! Invariant: the list is complete. A combination without an allowed string is not on it, and
//! when the list ends, every combination has been listed.
//!
//! The order matters more than completeness, because callers take the first few strings:
//!
//! 1. the shortest strings of all;
//! 2. in turn, a base choice (`cover/base_choice.rs`), a shortest string for a part that has not
//!    been used yet, and a rotor walk (`cover/rotor_walks.rs`);
//! 3. all remaining classes by size.

mod base_choice;
mod class_automaton;
mod rotor_walks;
mod structure;

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use class_automaton::{ClassAutomaton, ClassMember};
use rotor_walks::RotorWalks;
use structure::{ClassSymbol, Label, Structure};

use crate::language::{Language, Ranks, StateSets, Stratum, TooComplex, WordWalk};
use crate::order;
use crate::regex::Regex;

/// How repetitions contribute to the structural class of a string.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Repeats {
    /// Distinguishes zero repetitions, the minimum number, and more. Of several repetitions,
    /// only the structure of the first counts. There are finitely many classes.
    #[default]
    Few,
    /// Treats a repetition as a concatenation: each number of repetitions is a class of its
    /// own, and the structure of each repetition counts. There may be infinitely many classes.
    Concatenation,
}

/// The structural cover of a regex: one string for each combination of its choices.
///
/// Characters of the same range are alike. Alternatives, ranges, optional parts and numbers of
/// repetitions are choices and make strings different.
///
/// The list begins with strings that together use each part of the regex in each of its uses
/// (alone, first of several, later), shortest first. If there are finitely many classes, these
/// alternate with strings that are typical except for one part, and with strings that combine
/// parts. All other combinations follow, by size.
///
/// # Examples
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
    /// Creates the cover of all strings of a regex.
    #[must_use]
    pub fn new(regex: &Regex) -> Cover {
        let (language, repeats) = (Language::all(), Repeats::default());
        Cover { regex: regex.clone(), language, repeats, boundaries: false, seed: 0 }
    }

    /// Restricts the cover to strings of a language. Classes without such a string are omitted.
    ///
    /// # Examples
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

    /// Sets how repetitions contribute to the class of a string.
    #[must_use]
    pub fn repeats(mut self, repeats: Repeats) -> Cover {
        self.repeats = repeats;
        self
    }

    /// Sets whether the first and the last character of each range are parts of their own.
    #[must_use]
    pub fn boundaries(mut self, yes: bool) -> Cover {
        self.boundaries = yes;
        self
    }

    /// Sets the seed. Another seed picks other characters. The classes and their order stay the
    /// same, except among classes of the same size.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Cover {
        self.seed = seed;
        self
    }

    /// Returns one string for each class. The iterator ends after the last class. A string that
    /// matches the regex in several ways belongs to several classes and represents all of them.
    ///
    /// # Errors
    /// [`TooComplex`] if the automaton of the classes has too many states.
    pub fn words(&self) -> Result<CoverWords, TooComplex> {
        let structure = self.structure()?;
        let automaton = self.automaton(&structure, &self.language)?;
        let class_nfa = Arc::new(automaton.classes());
        let sets = StateSets::new(class_nfa.clone(), self.language.states_max());
        let mut shortest: VecDeque<(Label, ClassMember)> =
            automaton.shortest_by_label(self.seed).into();
        if let Some(member) = automaton.without_labels(self.seed) {
            shortest.push_front((Label::MAX, member));
        }
        let classes = match Ranks::new(sets.clone()) {
            Ok(ranks) => AllClasses::Ranked { ranks, stratum: None, seed: self.seed },
            Err(_) => AllClasses::Walked(WordWalk::new(sets)),
        };
        let (base_choices, rotor_walks) = match self.repeats {
            Repeats::Few => {
                let rotor_walks = RotorWalks::new(&automaton, shortest.len(), self.seed);
                // Under `Repeats::Few` a class symbol is a label.
                let class_of = |symbol: ClassSymbol| {
                    structure.character_classes.get(symbol as usize).copied().unwrap_or(symbol)
                };
                (base_choice::base_choice_classes(&class_nfa, &class_of), Some(rotor_walks))
            }
            Repeats::Concatenation => (Vec::new(), None),
        };
        // The empty string always comes first, so it does not count as the shortest one here.
        let sizes = shortest.iter().map(|(_, member)| member.symbols.len());
        let size_min = sizes.filter(|size| *size > 0).min().unwrap_or_default();
        let early = EarlyMembers {
            shortest,
            size_min,
            postponed: VecDeque::new(),
            used: HashSet::new(),
            base_choices: base_choices.into_iter(),
            rotor_walks,
            turn: 0,
        };
        Ok(CoverWords { automaton, early, classes, listed: Listed::default(), seed: self.seed })
    }

    /// Returns a classifier for strings of the regex, whether or not they are in the language
    /// of [`Cover::within`].
    ///
    /// # Errors
    /// [`TooComplex`] if the automaton of the classes has too many states.
    pub fn classifier(&self) -> Result<Classifier, TooComplex> {
        Ok(Classifier { automaton: self.automaton(&self.structure()?, &Language::all())? })
    }

    /// Returns whether two strings can be considered members of different classes. A string
    /// that does not match has no class, so it is not different from any other string.
    ///
    /// # Errors
    /// [`TooComplex`] if the automaton of the classes has too many states.
    ///
    /// # Examples
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
        // The structure also counts edges, of which there are more than states; the factor is
        // arbitrary. Above it the answer is `TooComplex`.
        let size_max = self.language.states_max().saturating_mul(4);
        Structure::new(&self.regex, self.repeats, self.boundaries, size_max)
    }

    fn automaton(
        &self,
        structure: &Structure,
        language: &Language,
    ) -> Result<ClassAutomaton, TooComplex> {
        ClassAutomaton::new(structure, &*language.automaton()?, self.language.states_max())
    }
}

/// Finds the structural classes of strings; see [`Cover::classifier`].
#[derive(Clone, Debug)]
pub struct Classifier {
    automaton: ClassAutomaton,
}

impl Classifier {
    /// Returns the class of a string, or `None` if the string does not match.
    #[must_use]
    pub fn class_of(&self, text: &str) -> Option<StructuralClass> {
        let (symbols, is_ambiguous) = self.automaton.class_of(&order::symbols_in(text))?;
        Some(StructuralClass { symbols, is_ambiguous })
    }
}

/// The combination of choices in a regex that produces a string.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StructuralClass {
    symbols: Vec<ClassSymbol>,
    is_ambiguous: bool,
}

impl StructuralClass {
    /// Returns whether the string belongs to other classes as well.
    #[must_use]
    pub fn is_ambiguous(&self) -> bool {
        self.is_ambiguous
    }

    /// Returns whether the two strings can be considered members of different classes.
    #[must_use]
    pub fn is_different_from(&self, other: &StructuralClass) -> bool {
        self.is_ambiguous || other.is_ambiguous || self.symbols != other.symbols
    }
}

/// One string for each structural class; see [`Cover::words`].
#[derive(Clone, Debug)]
pub struct CoverWords {
    automaton: ClassAutomaton,
    early: EarlyMembers,
    classes: AllClasses,
    listed: Listed,
    seed: u64,
}

/// The members that come before the full list of classes.
#[derive(Clone, Debug)]
struct EarlyMembers {
    /// A shortest string for each label.
    shortest: VecDeque<(Label, ClassMember)>,
    /// Strings up to this length come before everything else.
    size_min: usize,
    /// Shortest strings for labels that another string has used in the meantime.
    postponed: VecDeque<(Label, ClassMember)>,
    /// The class symbols of all members so far.
    used: HashSet<ClassSymbol>,
    base_choices: std::vec::IntoIter<Vec<ClassSymbol>>,
    rotor_walks: Option<RotorWalks>,
    turn: usize,
}

impl EarlyMembers {
    fn next(&mut self, automaton: &ClassAutomaton, seed: u64) -> Option<ClassMember> {
        let member = self.in_turn(automaton, seed)?;
        self.used.extend(&member.class);
        Some(member)
    }

    fn in_turn(&mut self, automaton: &ClassAutomaton, seed: u64) -> Option<ClassMember> {
        let is_short = |(_, member): &(Label, ClassMember)| member.symbols.len() <= self.size_min;
        if self.shortest.front().is_some_and(is_short) {
            return self.shortest.pop_front().map(|(_, member)| member);
        }
        let in_turn = (0..3).find_map(|_| {
            self.turn += 1;
            match self.turn % 3 {
                1 => self.base_choices.find_map(|class| automaton.member(&class, seed)),
                2 => self.shortest_with_unused_label(),
                _ => self.rotor_walks.as_mut().and_then(|walks| walks.next(automaton)),
            }
        });
        in_turn.or_else(|| self.postponed.pop_front().map(|(_, member)| member))
    }

    /// Returns the next shortest string whose label no member has used yet.
    fn shortest_with_unused_label(&mut self) -> Option<ClassMember> {
        while let Some((label, member)) = self.shortest.pop_front() {
            if !self.used.contains(&label) {
                return Some(member);
            }
            self.postponed.push_back((label, member));
        }
        None
    }
}

/// The classes and strings that have been listed.
#[derive(Clone, Debug, Default)]
struct Listed {
    /// The classes of the early members only; the full list does not repeat a class.
    classes: HashSet<Vec<ClassSymbol>>,
    texts: HashSet<String>,
}

/// All classes, by size.
#[derive(Clone, Debug)]
enum AllClasses {
    /// Classes of the same size come in an order in which neighbors differ much.
    Ranked { ranks: Ranks, stratum: Option<Stratum>, seed: u64 },
    /// Classes of the same size come in ascending order. Used if the automaton is too large to
    /// count them.
    Walked(WordWalk),
}

impl AllClasses {
    fn next(&mut self) -> Option<Vec<ClassSymbol>> {
        let (ranks, current, seed) = match self {
            AllClasses::Walked(walk) => return walk.next().map(<[ClassSymbol]>::to_vec),
            AllClasses::Ranked { ranks, stratum, seed } => (ranks, stratum, *seed),
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
    fn text(member: &ClassMember) -> String {
        member.symbols.iter().map(|&symbol| order::char_of(symbol)).collect()
    }

    /// Returns the string of an early member, unless the string or its class has been listed.
    fn list_early(&mut self, member: ClassMember) -> Option<String> {
        let text = CoverWords::text(&member);
        let listed = &mut self.listed;
        let is_new = listed.classes.insert(member.class) && listed.texts.insert(text.clone());
        is_new.then_some(text)
    }
}

impl Iterator for CoverWords {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        while let Some(member) = self.early.next(&self.automaton, self.seed) {
            if let Some(text) = self.list_early(member) {
                return Some(text);
            }
        }
        loop {
            let class = self.classes.next()?;
            if self.listed.classes.contains(&class) {
                continue;
            }
            let Some(member) = self.automaton.member(&class, self.seed) else { continue };
            let text = CoverWords::text(&member);
            if self.listed.texts.insert(text.clone()) {
                return Some(text);
            }
        }
    }
}
