//! Runs tests that were built for this machine, and returns what happened as values.
//!
//! [`TestProgram::run`] runs one test and returns a [`TestResult`]. Commands decide by this value
//! and never by printed text, which is for people and changes with every release:
//!
//! - A property writes [events](https://github.com/rebut-rs/rebut/blob/main/docs/guide/events.md).
//!   Each run sets `REBUT_EVENTS_DIR` to a directory of its own, reads the verdict, the inputs and
//!   the report from there, and deletes it. These runs are not in `target/rebut/runs`, where only
//!   the latest ones are kept.
//! - Any other `#[test]` runs in a process of its own, and the exit code is its result. A harness
//!   has no stable format for the results of several tests in one process.
//!
//! The output of a test is kept only to be shown. Two lists of names are read from output: the
//! artifacts of a build (cargo's JSON) and the tests of a program (`--list --format terse`).
//!
//! The crate also compiles, runs and formats the regression tests that Rebut prints, and writes
//! them to `tests/`. It never reports that such a test fails without having run it.
//!
//! ```no_run
//! use rebut_native::{RunOptions, TestName, TestProgram, TestResult};
//! use std::path::Path;
//!
//! let program = TestProgram::new(Path::new("target/debug/deps/demo-1"), Path::new("."), "demo");
//! let options = RunOptions::default().variable("REBUT_CASES", "200");
//! if let TestResult::Failed(failure) = program.run(&TestName::from("tests::adds"), &options)? {
//!     println!("fails for {}", failure.declarations().join("; "));
//! }
//! # Ok::<(), std::io::Error>(())
//! ```

mod cargo_build;
mod emit;
mod events;
mod process;
mod program;
mod result;
mod rustfmt;
mod words;

pub use cargo_build::{BuiltProgram, build, build_in};
pub use emit::{
    ExpectedEnd, FailedTest, PropertyFunction, RegressionTests, check_regressions, emit_paths,
    find_function,
};
pub use events::EventDirectory;
pub use process::ProcessEnd;
pub use program::{Execution, PropertyRun, RunOptions, TestName, TestProgram};
pub use result::{Failure, Rejection, TestResult};
pub use rustfmt::formatted;
