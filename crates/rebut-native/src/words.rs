//! What is said of tests that were emitted.

pub(crate) use rebut_cli::words::*;

use crate::emit::Outcome;
use std::path::Path;

/// Tests of paths were written.
pub(crate) fn emitted_paths(path: &Path, count: usize) -> String {
    let tests = if count == 1 { "1 test".to_owned() } else { format!("{count} tests") };
    format!("{tests} of paths: {}", path.display())
}

/// What came of a printed test, in a sentence's end.
pub(crate) fn outcome(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Fails => "fails as printed".to_owned(),
        Outcome::Hangs => "hangs as printed".to_owned(),
        Outcome::Passes => "does not fail as printed".to_owned(),
        Outcome::NotBuilt(why) => format!("does not compile: {}", rebut_report::printable(why)),
        Outcome::Missing => "is not among the tests that were built".to_owned(),
    }
}

/// A printed test was compiled and run.
pub(crate) fn printed(property: &str, came_of_it: &Outcome, path: &Path) -> String {
    let property = rebut_report::printable(property);
    format!("printed: {property} {}: {}", outcome(came_of_it), path.display())
}

/// A test was written to the folder `tests`.
pub(crate) fn emitted(path: &Path) -> String {
    format!("emitted: {} fails there too", path.display())
}

/// The test is in the folder `tests` already.
pub(crate) fn emitted_before(path: &Path) -> String {
    format!("emitted: {} was there already", path.display())
}

/// A test cannot stand in the folder `tests`.
pub(crate) fn not_emitted(property: &str, why: &str, path: &Path) -> String {
    let property = rebut_report::printable(property);
    format!(
        "not emitted: {property} in the folder `tests` {why}; paste {} beside the property",
        path.display()
    )
}

/// What stands at the beginning of an emitted test.
pub(crate) fn head_of_emitted(what: &str, property: &str) -> String {
    format!(
        "//! Written by `cargo rebut` for {what} of `{}`.\n\n#![allow(unused, clippy::all)]\n\n",
        rebut_report::printable(property)
    )
}

/// Nothing failed that can be printed.
pub(crate) const NOTHING_TO_EMIT: &str = "note: there is no failure for which a test was printed";

/// A file of no package.
pub(crate) fn no_owner(file: &Path) -> String {
    format!("has no place: {} belongs to no package of the workspace", file.display())
}

/// A binary cannot be imported.
pub(crate) fn nothing_to_import(kind: &str) -> String {
    format!(
        "sees nothing: its property is in a target of the kind `{kind}`, which cannot be imported"
    )
}

/// A property that moved.
pub(crate) fn not_found_in(file: &Path) -> String {
    format!(
        "is not told what it needs: {} has changed, or the property is in a module of its own",
        file.display()
    )
}
