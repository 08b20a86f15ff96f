//! Runs properties: draws cases, judges them, shrinks what fails, remembers it.
//!
//! Whoever tests with Rebut builds this crate, and waits for it. So generic functions are thin
//! and hand over to code that is compiled once: `order`, `threads` and `words` stand where
//! parts of the standard library would be compiled for each type anew. And large functions that
//! run once or after a failure are `#[inline(never)]`, because the optimizer would put each into
//! its only caller and go through it again there.

mod case;
mod check;
mod context;
mod database;
mod emit;
mod execute;
mod explain;
mod folder;
mod isolate;
mod order;
mod outcome;
mod panics;
mod print;
mod property;
mod report;
mod runner;
mod settings;
mod shrink;
mod store;
mod test;
mod threads;
mod verdict;
mod words;

pub use case::Case;
pub use check::{Check, check};
pub use context::{ShownValue, assume, cover, is_reporting, label, note};
pub use database::{Database, FileDatabase, MemoryDatabase, StoredCase};
pub use outcome::{Answer, Failure, FailureKind, Location, Origin, Outcome};
pub use property::{Example, Test};
pub use test::run_test;
pub use settings::{Isolate, Settings, Verbosity};
pub use verdict::{Counterexample, Found, FreePart, Report, Statistics, Verdict};

/// A seed that differs from run to run.
fn fresh_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    // Short enough to be typed.
    RandomState::new().hash_one(std::process::id()) >> 32
}
