//! Objects with a model: a simpler implementation that does the same, in lock step.
//!
//! A program holds both as one value. What is done with the object is done with its model, and
//! what they give back is compared. A callback that is lent the object alone can do nothing with
//! it, since its model would not know.

use std::cell::Cell;

thread_local! {
    static PARTED: Cell<bool> = const { Cell::new(false) };
}

/// Whether the program that ran last ended because an object and its model no longer belonged
/// together.
pub(crate) fn is_parted() -> bool {
    PARTED.get()
}

/// A program begins.
pub(crate) fn begin() {
    PARTED.set(false);
}

/// An object and its model.
#[derive(Clone, Debug)]
pub struct Modeled<T, M> {
    /// The object.
    pub real: T,
    /// Its model.
    pub model: M,
}

/// What to say if an object and its model give back different things.
#[cold]
#[must_use]
pub fn differs(called: &str, real: &str, model: &str) -> String {
    format!("broken model: `{called}` gives `{real}`, and its model `{model}`")
}

/// What to say if an object and its model do not belong together any more.
#[cold]
#[must_use]
pub fn parted(called: &str, relation: &str, real: &str, model: &str) -> String {
    PARTED.set(true);
    format!(
        "broken model: after `{called}`, `{relation}` is false\n  object: {real}\n  model: {model}"
    )
}
