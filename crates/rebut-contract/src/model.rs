//! Objects with a model: a simpler implementation that must behave the same.
//!
//! A program treats both as one value. Every call on the object is also made on its model, and the
//! results are compared. A callback that borrows the object alone cannot use it, because the model
//! would miss the call.
//!
//! # Examples
//! ```
//! use rebut_contract::model;
//!
//! let message = model::differs("BitSet::len", "1", "2");
//! assert!(message.starts_with("broken model: `BitSet::len`"));
//! ```

use std::cell::Cell;

thread_local! {
    static PARTED: Cell<bool> = const { Cell::new(false) };
}

/// Returns whether the last program ended because a relation between an object and its model was
/// false.
pub(crate) fn is_parted() -> bool {
    PARTED.get()
}

/// Resets the state at the start of a program.
pub(crate) fn begin() {
    PARTED.set(false);
}

/// An object and its model.
#[derive(Clone, Debug)]
pub struct Modeled<T, M> {
    /// The object.
    pub real: T,
    /// The model of the object.
    pub model: M,
}

/// Fails at the caller with a message of this module.
///
/// # Panics
/// Always.
#[cold]
#[track_caller]
pub fn fail(message: &str) -> ! {
    panic!("{message}")
}

/// Returns the message for an object and a model that returned different results.
#[cold]
#[must_use]
pub fn differs(called: &str, real: &str, model: &str) -> String {
    format!("broken model: `{called}` returns `{real}`, and its model `{model}`")
}

/// Returns the message for a false relation between an object and its model.
#[cold]
#[must_use]
pub fn parted(called: &str, relation: &str, real: &str, model: &str) -> String {
    PARTED.set(true);
    format!(
        "broken model: after `{called}`, `{relation}` is false\n  object: {real}\n  model: {model}"
    )
}
