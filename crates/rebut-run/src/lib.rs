//! Runs properties: draws cases, judges them, shrinks what fails, remembers it.
//!
//! A run goes through phases: what failed before, the examples, the simplest case, then random
//! cases, or all there are if they are few. Each distinct failure is shrunk on its tape,
//! explained, stored and told in a [`Report`] with a [`Verdict`]. A case that crashes or hangs
//! is run again and shrunk in child processes. `#[rebut::test]` describes a property as a
//! [`Test`] and comes in by [`run_test`]; closures come in by [`check`] and [`Check`].
//!
//! This crate never draws by itself: values are made by `rebut-gen` from choices that the
//! drivers of `rebut-choice` supply. It takes no fault of its own for a counterexample, prints
//! nothing on the standard output, never forks, and writes files only in `.rebut/` beside the
//! manifest and in `target/rebut/`.
//!
//! Whoever tests with Rebut builds this crate, and waits for it. So generic functions are thin
//! and hand over to code that is compiled once: `order`, `threads` and `words` stand where
//! parts of the standard library would be compiled for each type anew. And large functions that
//! run once or after a failure are `#[inline(never)]`, because the optimizer would put each into
//! its only caller and go through it again there.
//!
//! # Example
//! ```
//! use rebut_gen::{integers, vecs};
//! use rebut_run::{Check, Verdict};
//!
//! let report = Check::new("sums are small").seed(1).run(|case| {
//!     let list = case.draw_as("list", vecs(integers::<u8>()));
//!     list.iter().map(|&n| u32::from(n)).sum::<u32>() < 300
//! });
//! let Verdict::Fails(found) = &report.verdict else { panic!("{report}") };
//! assert_eq!(found[0].values[0].code, "vec![45, 255]");
//!
//! let report = Check::new("bytes fit").run(|case| case.draw(integers::<u8>()) <= 255);
//! assert!(matches!(report.verdict, Verdict::Proved { inputs: 256 }));
//! ```

mod case;
mod check;
mod claim;
mod context;
mod database;
mod emit;
mod events;
mod execute;
mod explain;
mod explore;
mod folder;
mod friendly;
mod inputs;
mod isolate;
mod neighborhood;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub mod observe;
mod order;
mod outcome;
mod panics;
mod print;
mod progress;
mod property;
mod report;
mod runner;
mod settings;
mod shrink;
mod store;
mod style;
mod test;
mod threads;
mod trace;
mod verdict;
mod words;
mod wrap;

pub use case::Case;
pub use check::{Check, check, find, find_within};
pub use claim::{Claim, Sought};
pub use context::{
    Aim, ShownValue, Tally, assume, cover, is_reporting, label, maximize, maximize_as, minimize,
    minimize_as, note, reset_search, show_again, tally,
};
pub use database::{Database, FileDatabase, MemoryDatabase, StoredCase};
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use explore::{enter, stand_in};
pub use inputs::Inputs;
pub use neighborhood::{Constructed, Traced, neighborhood};
pub use outcome::{Answer, Failure, FailureKind, Location, Origin, Outcome};
pub use panics::expect_panic;
pub use property::{CargoTarget, Example, Test, keep_settings, mined};
pub use settings::{Events, Isolate, Search, Settings, Verbosity};
pub use test::run_test;
pub use verdict::{
    Counterexample, Found, FreePart, FrontCase, Reached, Report, Statistics, Verdict,
};

/// A seed that differs from run to run.
fn fresh_seed() -> u64 {
    // Short enough to be typed.
    fresh_number() >> 32
}

/// A number that nobody can foresee.
#[inline(never)]
fn fresh_number() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(std::process::id())
}
