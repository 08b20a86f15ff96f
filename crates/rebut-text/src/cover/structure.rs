//! The structure of a regex: the position automaton of Glushkov (1961), with labels.
//!
//! Each character class of the regex is a position, and each part of a character class (a range,
//! a single character) has a label. To match a string is to go from position to position; the
//! labels on the way, in order, are the *structural class* of the string.
//!
//! A repetition is unrolled into copies with labels of their own, so that the labels show how
//! it was used. [`Repeats::Few`] unrolls `[ab]+` into `[ab]|[ab][ab]+`: the first copy is the
//! repetition used once, the second is the first of several, and the last copy, `[ab]+`, has no
//! labels, because the structure of later repetitions does not count. Its positions are:
//!
//! ```text
//! start --> 1: a = label 0, b = label 1
//!   `-----> 2: a = label 2, b = label 3 --> 3: a or b, no label, loops
//! ```
//!
//! [`Repeats::Concatenation`] keeps labels on later repetitions too, but shares them among all
//! of these.
//!
//! The usual construction of an automaton would forget how the regex is written: `[a-z]|[0-9]`
//! and `[0-9a-z]` have the same language. Positions keep it.

use std::collections::HashMap;

use super::Repeats;
use crate::language::TooComplex;
use crate::order;
use crate::regex::{Class, Node, Regex};
use crate::symbols::Symbols;

/// Identifies a part of a character class in one of its uses. Labels are numbered in the order
/// in which the regex is written.
pub(super) type Label = u32;

/// The symbol that a labeled part adds to the structural class of a string.
///
/// Under [`Repeats::Few`] it is the label. Under [`Repeats::Concatenation`] parts with the same
/// characters have the same symbol: every character has a label there, so classes that differ
/// only in labels contain the same strings, and there may be exponentially many of them, as for
/// `(a*)*`.
pub(super) type ClassSymbol = u32;

/// A part of a character class.
#[derive(Clone, Debug)]
pub(super) struct ClassPart {
    /// `None` if the part adds nothing to the structural class.
    pub(super) label: Option<(Label, ClassSymbol)>,
    pub(super) symbols: Symbols,
    /// The characters that distinguish this part from the others, if there are any.
    pub(super) own: Symbols,
}

/// A character class of the regex in one of its uses.
#[derive(Clone, Debug)]
pub(super) struct Position {
    pub(super) parts: Vec<ClassPart>,
    pub(super) accepting: bool,
    /// The positions that may follow.
    pub(super) next: Vec<u32>,
}

/// The positions of a regex. The first one is the start, before any character.
#[derive(Clone, Debug)]
pub(super) struct Structure {
    pub(super) positions: Vec<Position>,
    /// For each label, the character class that it is a part of, named by its first label.
    pub(super) character_classes: Vec<Label>,
}

/// A subexpression: the positions at which a match can start and end.
#[derive(Clone, Debug)]
struct Fragment {
    firsts: Vec<u32>,
    lasts: Vec<u32>,
    /// Whether it matches the empty string.
    nullable: bool,
}

impl Fragment {
    /// Matches the empty string only.
    fn empty() -> Fragment {
        Fragment { firsts: Vec::new(), lasts: Vec::new(), nullable: true }
    }

    /// Matches no string.
    fn nothing() -> Fragment {
        Fragment { nullable: false, ..Fragment::empty() }
    }
}

impl Structure {
    pub(super) fn new(
        regex: &Regex,
        repeats: Repeats,
        boundaries: bool,
        size_max: usize,
    ) -> Result<Structure, TooComplex> {
        let start = Position { parts: Vec::new(), accepting: false, next: Vec::new() };
        let mut builder = Builder {
            structure: Structure { positions: vec![start], character_classes: Vec::new() },
            labels: 0,
            class_symbols: HashMap::new(),
            repeats,
            boundaries,
            size_max,
            size: 0,
            depth: 0,
        };
        let all = builder.fragment(regex, true)?;
        let mut structure = builder.structure;
        structure.positions[0].next = all.firsts;
        structure.positions[0].accepting = all.nullable;
        for last in all.lasts {
            structure.positions[last as usize].accepting = true;
        }
        structure.find_own();
        Ok(structure)
    }

    /// Finds the own characters of each part: those that no other part has. Parts that contain
    /// this part entirely do not count, because nothing would be left.
    fn find_own(&mut self) {
        let parts = || self.positions.iter().flat_map(|position| &position.parts);
        let labeled = parts().filter(|part| part.label.is_some());
        let mut sets: Vec<Symbols> = labeled.map(|part| part.symbols.clone()).collect();
        sets.sort_unstable();
        sets.dedup();
        if sets.len() > OWN_MAX {
            return;
        }
        let own = |symbols: &Symbols| {
            let others = sets.iter().filter(|other| !symbols.difference(other).is_empty());
            others.fold(symbols.clone(), |own, other| own.difference(other))
        };
        let owns: HashMap<Symbols, Symbols> =
            sets.iter().map(|symbols| (symbols.clone(), own(symbols))).collect();
        for part in self.positions.iter_mut().flat_map(|position| &mut position.parts) {
            if let (Some(own), Some(_)) = (owns.get(&part.symbols), part.label) {
                part.own = own.clone();
            }
        }
    }
}

/// The maximum number of distinct character sets among which own characters are computed, which
/// takes quadratic time.
///
/// Arbitrary. Above it no part has own characters, and a string for a part may use a character
/// that another part has too.
const OWN_MAX: usize = 256;

struct Builder {
    structure: Structure,
    labels: Label,
    class_symbols: HashMap<Symbols, ClassSymbol>,
    repeats: Repeats,
    boundaries: bool,
    /// The maximum number of positions and edges.
    size_max: usize,
    size: usize,
    /// The number of enclosing repetitions.
    depth: usize,
}

/// The maximum depth of nested repetitions at which [`Repeats::Concatenation`] distinguishes the
/// uses of a repetition. Each level triples the number of positions.
///
/// Arbitrary. Deeper repetitions have the same labels in all of their uses, so the cover has
/// fewer classes there.
const DEPTH_MAX: usize = 3;

impl Builder {
    fn fragment(&mut self, regex: &Regex, labeled: bool) -> Result<Fragment, TooComplex> {
        match regex.node() {
            Node::Empty => Ok(Fragment::empty()),
            Node::Class(class) => self.class(class, labeled),
            Node::Concat(parts) => {
                let mut joined = Fragment::empty();
                for part in parts {
                    let part = self.fragment(part, labeled)?;
                    joined = self.joined(joined, part)?;
                }
                Ok(joined)
            }
            Node::Union(alternatives) => {
                let mut either = Fragment::nothing();
                for alternative in alternatives {
                    either = one_of(either, self.fragment(alternative, labeled)?);
                }
                Ok(either)
            }
            Node::Repeat { max: Some(max), min, .. } if max < min => Ok(Fragment::nothing()),
            Node::Repeat { max: Some(0), .. } => Ok(Fragment::empty()),
            Node::Repeat { inner, min, max } if !labeled => {
                self.times(*min, *max, |builder| builder.fragment(inner, false))
            }
            Node::Repeat { inner, min, max } => {
                self.depth += 1;
                let repeated = match self.repeats {
                    Repeats::Few => self.few(inner, *min, *max),
                    Repeats::Concatenation => self.concatenation(inner, *min, *max),
                };
                self.depth -= 1;
                repeated
            }
        }
    }

    fn class(&mut self, class: &Class, labeled: bool) -> Result<Fragment, TooComplex> {
        let mut parts = Vec::new();
        if labeled {
            let finer = class.parts.iter().flat_map(|part| self.finer(part)).collect::<Vec<_>>();
            let class = self.labels;
            for symbols in finer {
                let classes = &mut self.structure.character_classes;
                // Copies with shared labels come here several times for the same label.
                classes.resize(classes.len().max(self.labels as usize + 1), class);
                let label = Some((self.labels, self.class_symbol(&symbols)));
                parts.push(ClassPart { label, symbols, own: Symbols::none() });
                self.labels += 1;
            }
        } else if !class.parts.is_empty() {
            let (symbols, own) = (class.symbols(), Symbols::none());
            parts.push(ClassPart { label: None, symbols, own });
        }
        if parts.is_empty() {
            return Ok(Fragment::nothing());
        }
        self.grow(1)?;
        let number = u32::try_from(self.structure.positions.len()).unwrap_or(u32::MAX);
        self.structure.positions.push(Position { parts, accepting: false, next: Vec::new() });
        Ok(Fragment { firsts: vec![number], lasts: vec![number], nullable: false })
    }

    fn class_symbol(&mut self, symbols: &Symbols) -> ClassSymbol {
        match self.repeats {
            Repeats::Few => self.labels,
            Repeats::Concatenation => {
                let next =
                    ClassSymbol::try_from(self.class_symbols.len()).unwrap_or(ClassSymbol::MAX);
                *self.class_symbols.entry(symbols.clone()).or_insert(next)
            }
        }
    }

    /// Splits a range into its first character, the middle and the last, if boundaries are
    /// parts of their own.
    fn finer(&self, part: &Symbols) -> Vec<Symbols> {
        match &*order::ranges_of(part) {
            [(first, last)] if self.boundaries && part.len() > 2 => {
                let one = |char| Symbols::one(order::symbol_of(char));
                let ends = one(*first).union(&one(*last));
                vec![one(*first), part.difference(&ends), one(*last)]
            }
            _ => vec![part.clone()],
        }
    }

    /// Unrolls a repetition for [`Repeats::Few`]: zero, the minimum number, or more copies, of
    /// which only the first has labels.
    fn few(&mut self, inner: &Regex, min: u32, max: Option<u32>) -> Result<Fragment, TooComplex> {
        let least = min.max(1);
        let rest = |builder: &mut Builder| builder.fragment(inner, false);
        let first = self.fragment(inner, true)?;
        let others = self.times(least - 1, Some(least - 1), rest)?;
        let mut repeated = self.joined(first, others)?;
        if max.is_none_or(|max| max > least) {
            let first = self.fragment(inner, true)?;
            let others = self.times(least, max.map(|max| max - 1), rest)?;
            repeated = one_of(repeated, self.joined(first, others)?);
        }
        repeated.nullable |= min == 0;
        Ok(repeated)
    }

    /// Unrolls a repetition for [`Repeats::Concatenation`]: all copies have labels, which differ
    /// for a copy that is alone, the first of several, or later.
    fn concatenation(
        &mut self,
        inner: &Regex,
        min: u32,
        max: Option<u32>,
    ) -> Result<Fragment, TooComplex> {
        let mut repeated = Fragment::nothing();
        if self.depth > DEPTH_MAX {
            repeated = self.alike(inner, min, max)?;
        } else {
            if min <= 1 {
                repeated = self.fragment(inner, true)?;
            }
            if max.is_none_or(|max| max > 1) {
                let first = self.fragment(inner, true)?;
                let later = self.alike(inner, min.max(2) - 1, max.map(|max| max - 1))?;
                repeated = one_of(repeated, self.joined(first, later)?);
            }
        }
        repeated.nullable |= min == 0;
        Ok(repeated)
    }

    /// Unrolls a repetition into copies that share their labels.
    fn alike(&mut self, inner: &Regex, min: u32, max: Option<u32>) -> Result<Fragment, TooComplex> {
        let labels = self.labels;
        self.times(min, max, |builder| {
            builder.labels = labels;
            builder.fragment(inner, true)
        })
    }

    /// Concatenates `min` to `max` copies.
    fn times(
        &mut self,
        min: u32,
        max: Option<u32>,
        mut copy: impl FnMut(&mut Builder) -> Result<Fragment, TooComplex>,
    ) -> Result<Fragment, TooComplex> {
        let mut repeated = Fragment::empty();
        for at in 0..min {
            let mut one = copy(self)?;
            if max.is_none() && at + 1 == min {
                self.connect(&one.lasts, &one.firsts)?;
            }
            let useless = one.firsts.is_empty();
            repeated = self.joined(repeated, std::mem::replace(&mut one, Fragment::empty()))?;
            if useless {
                return Ok(repeated);
            }
        }
        match max {
            None if min == 0 => {
                let one = copy(self)?;
                self.connect(&one.lasts, &one.firsts)?;
                repeated = self.joined(repeated, Fragment { nullable: true, ..one })?;
            }
            None => {}
            Some(max) => {
                // A further copy may only follow the one before it, so the tail is built from
                // its end.
                let mut further = Vec::new();
                for _ in min..max {
                    let one = copy(self)?;
                    if one.firsts.is_empty() {
                        break;
                    }
                    further.push(one);
                }
                let mut tail = Fragment::empty();
                for one in further.into_iter().rev() {
                    let some = self.joined(one, tail)?;
                    tail = Fragment { nullable: true, ..some };
                }
                repeated = self.joined(repeated, tail)?;
            }
        }
        Ok(repeated)
    }

    fn joined(&mut self, left: Fragment, right: Fragment) -> Result<Fragment, TooComplex> {
        let is_possible = |fragment: &Fragment| fragment.nullable || !fragment.firsts.is_empty();
        if !is_possible(&left) || !is_possible(&right) {
            return Ok(Fragment::nothing());
        }
        self.connect(&left.lasts, &right.firsts)?;
        let nullable = left.nullable && right.nullable;
        let mut firsts = left.firsts;
        if left.nullable {
            firsts.extend(&right.firsts);
        }
        let mut lasts = right.lasts;
        if right.nullable {
            lasts.extend(&left.lasts);
        }
        Ok(Fragment { firsts, lasts, nullable })
    }

    fn connect(&mut self, lasts: &[u32], firsts: &[u32]) -> Result<(), TooComplex> {
        self.grow(lasts.len().saturating_mul(firsts.len()))?;
        for &last in lasts {
            let next = &mut self.structure.positions[last as usize].next;
            next.extend(firsts);
            next.sort_unstable();
            next.dedup();
        }
        Ok(())
    }

    fn grow(&mut self, by: usize) -> Result<(), TooComplex> {
        self.size = self.size.saturating_add(by);
        if self.size > self.size_max { Err(TooComplex::new(self.size_max)) } else { Ok(()) }
    }
}

fn one_of(left: Fragment, right: Fragment) -> Fragment {
    let (mut firsts, mut lasts) = (left.firsts, left.lasts);
    firsts.extend(right.firsts);
    lasts.extend(right.lasts);
    Fragment { firsts, lasts, nullable: left.nullable || right.nullable }
}
