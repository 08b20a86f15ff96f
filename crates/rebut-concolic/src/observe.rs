//! What a probe has told of the values it saw, as terms.
//!
//! A probe (`rebut::__observe!`) names a slot before it computes a value, and then tells the
//! value part by part. A slot that was begun and has no value is one that the run ended in.

use std::sync::Arc;

use rebut_smt::{Pool, Term};

/// What a run told of one slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// Which one.
    pub slot: u32,
    /// The type of the value, as the compiler names it.
    pub type_name: String,
    /// The value; nothing if the run ended before it was there.
    pub seen: Option<Seen>,
}

/// A value, of which the numbers are terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// A whole number.
    Number {
        /// Its bits.
        term: Term,
        /// Whether they are read as two's complement.
        is_signed: bool,
    },
    /// A truth value: eight bits, which are not zero if it is true.
    Boolean(Term),
    /// A character: its scalar value.
    Character(Term),
    /// A float: its bits.
    Float(Term),
    /// Elements, in order.
    Sequence(Vec<Seen>),
    /// A text: its bytes.
    Text(Vec<Seen>),
    /// What an iterator gave, and the type of the items.
    Iterated(String, Vec<Seen>),
    /// Several values.
    Tuple(Vec<Seen>),
    /// One of several alternatives, by its name, and what it holds.
    Variant(String, Vec<Seen>),
    /// Nothing can be said of it.
    Opaque,
}

/// Which slots of a probe are looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Watch {
    /// For each slot of the probe the number under which it is known, if it is looked at.
    pub slots: Vec<Option<u32>>,
    /// A slot, by the number under which it is known, in which a panic is no failure: such cases
    /// are left out.
    pub spared: Option<u32>,
}

/// The parts of an observation, as probes tell them.
mod part {
    pub(super) const BEGIN: u32 = 0;
    pub(super) const UNSIGNED: u32 = 1;
    pub(super) const SIGNED: u32 = 2;
    pub(super) const BOOLEAN: u32 = 3;
    pub(super) const CHARACTER: u32 = 4;
    pub(super) const FLOAT: u32 = 5;
    pub(super) const SEQUENCE: u32 = 6;
    pub(super) const TEXT: u32 = 7;
    pub(super) const TUPLE: u32 = 8;
    pub(super) const VARIANT: u32 = 9;
    pub(super) const CLOSE: u32 = 10;
    pub(super) const OPAQUE: u32 = 11;
    pub(super) const TYPE: u32 = 12;
    pub(super) const ITERATED: u32 = 13;
    pub(super) const END: u32 = 14;
}

/// Puts the parts together.
#[derive(Debug, Default)]
pub(crate) struct Listener {
    /// What is looked at; all if nobody has said.
    watch: Option<Arc<Watch>>,
    done: Vec<Observation>,
    /// What is open, the outermost first.
    open: Vec<Open>,
}

#[derive(Debug)]
struct Open {
    kind: u32,
    name: String,
    parts: Vec<Seen>,
}

/// The bytes of a part: as text, and as a term.
pub(crate) struct Bytes<'a> {
    pub(crate) text: &'a dyn Fn() -> String,
    pub(crate) term: Option<Term>,
}

impl Listener {
    pub(crate) fn watching(watch: Option<Arc<Watch>>) -> Listener {
        Listener { watch, ..Listener::default() }
    }

    /// Whether a slot is looked at.
    pub(crate) fn wants(&self, slot: u32) -> bool {
        self.number(slot).is_some()
    }

    /// The number under which a slot is known.
    fn number(&self, slot: u32) -> Option<u32> {
        match &self.watch {
            Some(watch) => watch.slots.get(slot as usize).copied().flatten(),
            None => Some(slot),
        }
    }

    /// Whether the run is in a slot in which a panic is no failure.
    pub(crate) fn is_spared(&self) -> bool {
        let spared = self.watch.as_ref().and_then(|watch| watch.spared);
        let open = self.done.last().filter(|last| last.seen.is_none()).map(|last| last.slot);
        spared.is_some() && spared == open
    }

    /// Whether the bytes of a part are a value, and not a name.
    pub(crate) fn is_value(what: u32) -> bool {
        (part::UNSIGNED..=part::FLOAT).contains(&what)
    }

    /// Hears one part.
    pub(crate) fn hear(&mut self, what: u32, bytes: &Bytes<'_>) {
        let (kind, slot) = (what & 0xFF, what >> 8);
        let seen = match (kind, bytes.term) {
            (part::BEGIN, _) => {
                self.open.clear();
                let Some(slot) = self.number(slot) else { return };
                self.done.push(Observation { slot, type_name: String::new(), seen: None });
                return;
            }
            (part::TYPE, _) => {
                if let Some(last) = self.done.last_mut() {
                    last.type_name = (bytes.text)();
                }
                self.open.push(Open { kind: part::END, name: String::new(), parts: Vec::new() });
                return;
            }
            (part::CLOSE | part::END, _) => {
                let Some(closed) = self.open.pop() else { return };
                match closed.close() {
                    Some(seen) if kind == part::CLOSE => seen,
                    seen => {
                        if let Some(last) = self.done.last_mut() {
                            last.seen = seen;
                        }
                        return;
                    }
                }
            }
            (part::UNSIGNED, Some(term)) => Seen::Number { term, is_signed: false },
            (part::SIGNED, Some(term)) => Seen::Number { term, is_signed: true },
            (part::BOOLEAN, Some(term)) => Seen::Boolean(term),
            (part::CHARACTER, Some(term)) => Seen::Character(term),
            (part::FLOAT, Some(term)) => Seen::Float(term),
            (part::OPAQUE, _) => Seen::Opaque,
            _ => {
                self.open.push(Open { kind, name: (bytes.text)(), parts: Vec::new() });
                return;
            }
        };
        if let Some(around) = self.open.last_mut() {
            around.parts.push(seen);
        }
    }

    /// All that was told.
    pub(crate) fn end(self) -> Vec<Observation> {
        self.done
    }
}

impl Open {
    fn close(mut self) -> Option<Seen> {
        match self.kind {
            part::END => self.parts.pop(),
            part::SEQUENCE => Some(Seen::Sequence(self.parts)),
            part::TEXT => Some(Seen::Text(self.parts)),
            part::TUPLE => Some(Seen::Tuple(self.parts)),
            part::ITERATED => Some(Seen::Iterated(self.name, self.parts)),
            part::VARIANT => Some(Seen::Variant(self.name, self.parts)),
            _ => None,
        }
    }
}

impl Seen {
    /// The terms of the value.
    pub fn terms(&self) -> Vec<Term> {
        match self {
            Seen::Number { term, .. }
            | Seen::Boolean(term)
            | Seen::Character(term)
            | Seen::Float(term) => vec![*term],
            Seen::Sequence(parts)
            | Seen::Text(parts)
            | Seen::Iterated(_, parts)
            | Seen::Tuple(parts)
            | Seen::Variant(_, parts) => parts.iter().flat_map(Seen::terms).collect(),
            Seen::Opaque => Vec::new(),
        }
    }
}

/// A number of so many bytes, as a term.
pub(crate) fn constant(pool: &mut Pool, bytes: &[u8]) -> Term {
    let number = bytes.iter().rev().fold(0, |number, byte| number << 8 | u128::from(*byte));
    pool.bits(8 * bytes.len() as u32, number)
}
