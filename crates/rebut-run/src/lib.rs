//! Runs properties: generates cases, judges them, shrinks failures and saves them.
//!
//! A run goes through phases: saved failures, the examples, the simplest case, then random cases,
//! or all inputs if there are few. Rebut shrinks each distinct failure on its tape, explains it,
//! saves it and returns it in a [`Report`] with a [`Verdict`]. It reruns a case that crashes or
//! hangs in child processes and shrinks it there. `#[rebut::test]` describes a property as a
//! [`Test`] and calls [`run_test`]; closures go through [`check`] and [`Check`].
//!
//! This crate generates no values: `rebut-gen` builds them from choices that the drivers of
//! `rebut-choice` supply. It never reports an error of its own as a counterexample, prints
//! nothing to standard output, never forks, and writes files only in `.rebut/` next to the
//! manifest and in `target/rebut/`.
//!
//! Every user of Rebut builds this crate, so build time matters. Generic functions are thin and
//! call code that is compiled once. `sort`, `strings` and `threads` replace parts of the standard
//! library that would be compiled again for each type. Large functions that run once or after a
//! failure are `#[inline(never)]`, because the optimizer would inline each into its only caller
//! and optimize it again there.
//!
//! # Examples
//! ```
//! use rebut_gen::{integers, vecs};
//! use rebut_run::{Check, Verdict};
//!
//! let report = Check::new("sums are small").seed(1).run(|case| {
//!     let list = case.draw_as("list", vecs(integers::<u8>()));
//!     list.iter().map(|&n| u32::from(n)).sum::<u32>() < 300
//! });
//! let Verdict::Failed(found) = &report.verdict else { panic!("{report}") };
//! assert_eq!(found[0].values[0].code, "vec![45, 255]");
//!
//! let report = Check::new("bytes fit").run(|case| case.draw(integers::<u8>()) <= 255);
//! assert!(matches!(report.verdict, Verdict::Proved { inputs: 256 }));
//! ```

mod advice;
mod arithmetic;
mod backtrace;
mod calls;
mod canary;
mod case;
mod case_log;
mod check;
mod claim;
mod claims;
mod database;
mod doc_test;
mod entry;
mod events;
mod execute;
mod explain;
mod folder;
mod friendly_mocks;
mod fuzz;
mod inputs;
mod isolate;
mod lineage;
mod neighborhood;
mod outcome;
mod own_names;
mod panics;
#[doc(hidden)]
pub mod prelude;
mod print;
mod progress;
mod property;
mod recorder;
mod recover;
mod regression_test;
mod replays;
mod report;
mod rerun;
mod returned;
mod runner;
mod scope;
mod session;
mod settings;
mod shrink;
mod sorted_indices;
mod store;
mod strings;
mod style;
mod threads;
mod tokens;
mod trace;
mod verdict;
mod wasm_guest;
mod width;
mod wrap;

use rebut_protocol::terminal as escapes;

#[doc(hidden)]
pub use calls::{CLAUSES, CallCount};
pub use case::Case;
pub use case_log::{
    Aim, ContractViolation, OperationCount, ShownValue, assume, count_calls, count_operation,
    cover, is_reporting, label, maximize, maximize_as, minimize, minimize_as, note, note_violation,
    reset_search, show_again,
};
pub use check::{Check, check, check_configured, find, find_within};
pub use claim::{Claim, WitnessResult};
pub use claims::{ClaimSites, ReachedSites};
pub use database::{Database, FileDatabase, MemoryDatabase, StoredCase};
#[doc(hidden)]
pub use entry::report_of_test;
pub use entry::run_test;
pub use fuzz::{fuzz, replay_corpus};
pub use inputs::Inputs;
pub use neighborhood::{GeneratorNeighborhood, WithTape, neighborhood};
pub use outcome::{Failure, FailureKey, FailureKind, Location, Outcome, PropertyResult};
pub use panics::expect_panic;
pub use property::{CargoTarget, Example, Test, keep_settings, mined};
#[doc(hidden)]
pub use returned::{
    Returned, ReturnedOther, ReturnedProperty, ReturnedResult, ReturnedResultOfTermination,
    ReturnedTermination,
};
pub use settings::{EventLevel, Isolation, SearchMode, Settings, Verbosity};
pub use verdict::{
    BestCase, CaseCount, Counterexample, CoverCount, FailureRate, FoundBy, FreePart, ParetoCase,
    ParetoValue, Report, Statistics, Verdict,
};
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use wasm_guest::{enter, observe, stand_in};

/// Returns a seed that differs from run to run.
fn fresh_seed() -> u64 {
    // Short enough to type.
    fresh_number() >> 32
}

/// Returns an unpredictable number.
#[inline(never)]
fn fresh_number() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(std::process::id())
}
