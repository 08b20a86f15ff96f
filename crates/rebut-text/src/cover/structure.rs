//! The structure of a regex: an automaton over the places at which it is written.
//!
//! Each class of the regex is a place (Glushkov 1961), and each part of a class has a label. To
//! follow the regex is to go from place to place; the labels that were met, in order, are the
//! *structural class* of the string. What makes no difference has no label.
//!
//! A repetition is unrolled so that the labels tell how it was used: alone, as the first of
//! several, or later. Within several, [`Repeats::Few`] gives labels to the first alone.

use std::collections::HashMap;

use super::Repeats;
use crate::language::TooComplex;
use crate::order;
use crate::regex::{Class, Node, Regex};
use crate::symbols::Symbols;

/// The label of a part in one of its uses.
pub(super) type Label = u32;

/// What a part adds to the class of a string. Where every character has a label, parts with the
/// same characters add the same: the ways that differ in nothing else lead to the same strings,
/// and there may be exponentially many of them, as for `(a*)*`.
pub(super) type Kind = u32;

/// A part of a class.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// None for what makes no difference.
    pub(super) label: Option<(Label, Kind)>,
    pub(super) symbols: Symbols,
    /// The characters that tell this part from others, if there are any.
    pub(super) own: Symbols,
}

/// A class of the regex in one of its uses.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) parts: Vec<Part>,
    pub(super) accepting: bool,
    /// The places that can come next.
    pub(super) next: Vec<u32>,
}

/// The places of a regex. The first is the start, where nothing was read.
#[derive(Clone, Debug)]
pub(super) struct Structure {
    pub(super) places: Vec<Place>,
    /// For each label the first label of the class of the regex that it is a part of.
    pub(super) classes: Vec<Label>,
}

/// What a part of the regex contributes: where it can be entered and left.
#[derive(Clone, Debug)]
struct Fragment {
    firsts: Vec<u32>,
    lasts: Vec<u32>,
    nullable: bool,
}

impl Fragment {
    fn empty() -> Fragment {
        Fragment { firsts: Vec::new(), lasts: Vec::new(), nullable: true }
    }

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
        let start = Place { parts: Vec::new(), accepting: false, next: Vec::new() };
        let mut builder = Builder {
            structure: Structure { places: vec![start], classes: Vec::new() },
            labels: 0,
            kinds: HashMap::new(),
            repeats,
            boundaries,
            size_max,
            size: 0,
            depth: 0,
        };
        let all = builder.fragment(regex, true)?;
        let mut structure = builder.structure;
        structure.places[0].next = all.firsts;
        structure.places[0].accepting = all.nullable;
        for last in all.lasts {
            structure.places[last as usize].accepting = true;
        }
        structure.find_own();
        Ok(structure)
    }

    /// A part's own characters are those of no other part, unless it lies within the other.
    fn find_own(&mut self) {
        let parts = || self.places.iter().flat_map(|place| &place.parts);
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
        for part in self.places.iter_mut().flat_map(|place| &mut place.parts) {
            if let (Some(own), Some(_)) = (owns.get(&part.symbols), part.label) {
                part.own = own.clone();
            }
        }
    }
}

/// Among more sets of characters than these, own characters are not looked for.
const OWN_MAX: usize = 256;

struct Builder {
    structure: Structure,
    labels: Label,
    kinds: HashMap<Symbols, Kind>,
    repeats: Repeats,
    boundaries: bool,
    /// So many places and ways between them are allowed.
    size_max: usize,
    size: usize,
    /// How many repetitions we are in.
    depth: usize,
}

/// In repetitions within repetitions, uses are told apart only so far.
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
                let known = self.structure.classes.len();
                self.structure.classes.resize(known.max(self.labels as usize + 1), class);
                let label = Some((self.labels, self.kind(&symbols)));
                parts.push(Part { label, symbols, own: Symbols::none() });
                self.labels += 1;
            }
        } else if !class.parts.is_empty() {
            let (symbols, own) = (class.symbols(), Symbols::none());
            parts.push(Part { label: None, symbols, own });
        }
        if parts.is_empty() {
            return Ok(Fragment::nothing());
        }
        self.grow(1)?;
        let number = u32::try_from(self.structure.places.len()).unwrap_or(u32::MAX);
        self.structure.places.push(Place { parts, accepting: false, next: Vec::new() });
        Ok(Fragment { firsts: vec![number], lasts: vec![number], nullable: false })
    }

    fn kind(&mut self, symbols: &Symbols) -> Kind {
        match self.repeats {
            Repeats::Few => self.labels,
            Repeats::Concatenation => {
                let next = Kind::try_from(self.kinds.len()).unwrap_or(Kind::MAX);
                *self.kinds.entry(symbols.clone()).or_insert(next)
            }
        }
    }

    /// With boundaries, a range is three parts: its first character, its last, and the rest.
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

    /// None, as few as there must be, more: of several, the first is looked into.
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

    /// Every one is looked into; alone, first and later are told apart.
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

    /// Copies with the same labels.
    fn alike(&mut self, inner: &Regex, min: u32, max: Option<u32>) -> Result<Fragment, TooComplex> {
        let labels = self.labels;
        self.times(min, max, |builder| {
            builder.labels = labels;
            builder.fragment(inner, true)
        })
    }

    /// So many copies after each other.
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
                // Each further copy can only come behind the one before it.
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
            let next = &mut self.structure.places[last as usize].next;
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
