//! The values that a probe observed, as terms.
//!
//! A probe (`rebut::__observe!`) names a slot before it computes a value, and then sends the value
//! part by part (`rebut-run/src/wasm_guest/observe.rs` is the sender). A
//! slot that was begun and has no value is the one in which the run ended.

use std::sync::Arc;

use rebut_protocol::wasm::ObservationPart;
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
    kind: ObservationPart,
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

    /// Receives one part. Only the part that begins an observation has a slot.
    pub(crate) fn receive(&mut self, kind: ObservationPart, slot: u32, bytes: &PartBytes<'_>) {
        let value = match (kind, bytes.term) {
            (ObservationPart::Begin, _) => {
                self.open.clear();
                let Some(slot) = self.number(slot) else { return };
                self.done.push(Observation { slot, type_name: String::new(), value: None });
                return;
            }
            (ObservationPart::Type, _) => {
                if let Some(last) = self.done.last_mut() {
                    last.type_name = (bytes.text)();
                }
                self.open.push(OpenPart {
                    kind: ObservationPart::End,
                    name: String::new(),
                    parts: Vec::new(),
                });
                return;
            }
            (ObservationPart::Close | ObservationPart::End, _) => {
                let Some(closed) = self.open.pop() else { return };
                match closed.close() {
                    Some(value) if kind == ObservationPart::Close => value,
                    value => {
                        if let Some(last) = self.done.last_mut() {
                            last.value = value;
                        }
                        return;
                    }
                }
            }
            (ObservationPart::Unsigned, Some(term)) => {
                ObservedValue::Number { term, is_signed: false }
            }
            (ObservationPart::Signed, Some(term)) => {
                ObservedValue::Number { term, is_signed: true }
            }
            (ObservationPart::Boolean, Some(term)) => ObservedValue::Boolean(term),
            (ObservationPart::Character, Some(term)) => ObservedValue::Character(term),
            (ObservationPart::Float, Some(term)) => ObservedValue::Float(term),
            (ObservationPart::Opaque, _) => ObservedValue::Opaque,
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
            ObservationPart::End => self.parts.pop(),
            ObservationPart::Sequence => Some(ObservedValue::Sequence(self.parts)),
            ObservationPart::Text => Some(ObservedValue::Text(self.parts)),
            ObservationPart::Tuple => Some(ObservedValue::Tuple(self.parts)),
            ObservationPart::Iterated => Some(ObservedValue::Iterated(self.name, self.parts)),
            ObservationPart::Variant => Some(ObservedValue::Variant(self.name, self.parts)),
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
