//! A bounded stack with observers: the example of Klein, Flatt and Findler (2010), with its two
//! bugs, a third that is left when both are repaired, and the repaired stack.

pub mod capacity;
pub mod observer;
pub mod reentrant;
pub mod repaired;

/// How many items a stack holds.
pub const BOUND: usize = 10_000;
