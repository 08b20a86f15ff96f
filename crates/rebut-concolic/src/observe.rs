//! The values that a probe observed, as terms.
//!
//! A probe (`rebut::__observe!`) names a slot before it computes a value, and then sends the value
//! part by part (`rebut-run/src/wasm_guest/observe.rs` is the sender; both files must agree on [`part`]). A
//! slot that was begun and has no value is the one in which the run ended.

use std::sync::Arc;

use rebut_smt::{Pool, Term};

/// The observation of one slot in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// The slot.
    pub slot: u32,
    /// The type of the value, as the compiler names it.
    pub type_name: String,
    /// The value; `None` if the run ended before it was computed.
    pub value: Option<ObservedValue>,
}

/// An observed value; its numbers are terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObservedValue {
    /// An integer.
    Number {
        /// Its bits.
        term: Term,
        /// Whether they are read as two's complement.
        is_signed: bool,
    },
    /// A boolean: eight bits, not zero if it is true.
    Boolean(Term),
    /// A character: its scalar value.
    Character(Term),
    /// A float: its bits.
    Float(Term),
    /// A sequence of elements.
    Sequence(Vec<ObservedValue>),
    /// A string: its bytes.
    Text(Vec<ObservedValue>),
    /// The items of an iterator, and their type.
    Iterated(String, Vec<ObservedValue>),
    /// A tuple.
    Tuple(Vec<ObservedValue>),
    /// A variant of an enum, by its name, and its fields.
    Variant(String, Vec<ObservedValue>),
    /// A value that cannot be observed.
    Opaque,
}

/// The slots of a probe that are observed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WatchedSlots {
    /// For each slot of the probe, the number under which it is observed, if it is.
    pub slots: Vec<Option<u32>>,
    /// A slot, by the number under which it is observed, in which a panic rejects the case instead
    /// of failing it.
    pub may_panic: Option<u32>,
}

/// The codes of the parts of an observation.
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

/// Assembles observations from their parts.
#[derive(Debug, Default)]
pub(crate) struct Listener {
    /// The observed slots; all if `None`.
    watch: Option<Arc<WatchedSlots>>,
    done: Vec<Observation>,
    /// The open parts, the outermost first.
    open: Vec<OpenPart>,
}

#[derive(Debug)]
struct OpenPart {
    kind: u32,
    name: String,
    parts: Vec<ObservedValue>,
}

/// The bytes of a part: as a string, and as a term.
pub(crate) struct PartBytes<'a> {
    pub(crate) text: &'a dyn Fn() -> String,
    pub(crate) term: Option<Term>,
}

impl Listener {
    pub(crate) fn watching(watch: Option<Arc<WatchedSlots>>) -> Listener {
        Listener { watch, ..Listener::default() }
    }

    /// Whether a slot is observed.
    pub(crate) fn wants(&self, slot: u32) -> bool {
        self.number(slot).is_some()
    }

    /// Returns the number under which a slot is observed.
    fn number(&self, slot: u32) -> Option<u32> {
        match &self.watch {
            Some(watch) => watch.slots.get(slot as usize).copied().flatten(),
            None => Some(slot),
        }
    }

    /// Whether the run is in the slot in which a panic rejects the case.
    pub(crate) fn is_in_slot_that_may_panic(&self) -> bool {
        let may_panic = self.watch.as_ref().and_then(|watch| watch.may_panic);
        let open = self.done.last().filter(|last| last.value.is_none()).map(|last| last.slot);
        may_panic.is_some() && may_panic == open
    }

    /// Whether the bytes of a part are a value, and not a name.
    pub(crate) fn is_value(what: u32) -> bool {
        (part::UNSIGNED..=part::FLOAT).contains(&what)
    }

    /// Receives one part: its code in the low byte of `what`, the slot above it.
    pub(crate) fn receive(&mut self, what: u32, bytes: &PartBytes<'_>) {
        let (kind, slot) = (what & 0xFF, what >> 8);
        let value = match (kind, bytes.term) {
            (part::BEGIN, _) => {
                self.open.clear();
                let Some(slot) = self.number(slot) else { return };
                self.done.push(Observation { slot, type_name: String::new(), value: None });
                return;
            }
            (part::TYPE, _) => {
                if let Some(last) = self.done.last_mut() {
                    last.type_name = (bytes.text)();
                }
                self.open.push(OpenPart {
                    kind: part::END,
                    name: String::new(),
                    parts: Vec::new(),
                });
                return;
            }
            (part::CLOSE | part::END, _) => {
                let Some(closed) = self.open.pop() else { return };
                match closed.close() {
                    Some(value) if kind == part::CLOSE => value,
                    value => {
                        if let Some(last) = self.done.last_mut() {
                            last.value = value;
                        }
                        return;
                    }
                }
            }
            (part::UNSIGNED, Some(term)) => ObservedValue::Number { term, is_signed: false },
            (part::SIGNED, Some(term)) => ObservedValue::Number { term, is_signed: true },
            (part::BOOLEAN, Some(term)) => ObservedValue::Boolean(term),
            (part::CHARACTER, Some(term)) => ObservedValue::Character(term),
            (part::FLOAT, Some(term)) => ObservedValue::Float(term),
            (part::OPAQUE, _) => ObservedValue::Opaque,
            _ => {
                self.open.push(OpenPart { kind, name: (bytes.text)(), parts: Vec::new() });
                return;
            }
        };
        if let Some(around) = self.open.last_mut() {
            around.parts.push(value);
        }
    }

    /// Returns all observations.
    pub(crate) fn end(self) -> Vec<Observation> {
        self.done
    }
}

impl OpenPart {
    fn close(mut self) -> Option<ObservedValue> {
        match self.kind {
            part::END => self.parts.pop(),
            part::SEQUENCE => Some(ObservedValue::Sequence(self.parts)),
            part::TEXT => Some(ObservedValue::Text(self.parts)),
            part::TUPLE => Some(ObservedValue::Tuple(self.parts)),
            part::ITERATED => Some(ObservedValue::Iterated(self.name, self.parts)),
            part::VARIANT => Some(ObservedValue::Variant(self.name, self.parts)),
            _ => None,
        }
    }
}

impl ObservedValue {
    /// Returns the terms of the value.
    pub fn terms(&self) -> Vec<Term> {
        match self {
            ObservedValue::Number { term, .. }
            | ObservedValue::Boolean(term)
            | ObservedValue::Character(term)
            | ObservedValue::Float(term) => vec![*term],
            ObservedValue::Sequence(parts)
            | ObservedValue::Text(parts)
            | ObservedValue::Iterated(_, parts)
            | ObservedValue::Tuple(parts)
            | ObservedValue::Variant(_, parts) => {
                parts.iter().flat_map(ObservedValue::terms).collect()
            }
            ObservedValue::Opaque => Vec::new(),
        }
    }
}

/// Returns a constant with these bytes, the lowest first.
pub(crate) fn constant(pool: &mut Pool, bytes: &[u8]) -> Term {
    let number = bytes.iter().rev().fold(0, |number, byte| number << 8 | u128::from(*byte));
    pool.bits(8 * bytes.len() as u32, number)
}
