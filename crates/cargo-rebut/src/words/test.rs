//! Messages of `cargo rebut test`.

use super::error;
use std::fmt::Display;
use std::path::Path;

/// A test failed, but no property did.
pub(crate) const OTHERS_FAIL: &str =
    "error: an ordinary `#[test]` failed; see the output of `cargo test` above";

/// A signal ended the campaign.
pub(crate) const INTERRUPTED: &str = "note: interrupted; the report has what was found until then, and tests that were running are unfinished";

/// The process of a property crashed or was killed.
pub(crate) fn did_not_end(property: &str) -> String {
    let property = rebut_report::one_line(property);
    error(format!("`{property}` did not finish; rerun it to find the cause"))
}

/// A test program cannot be started.
pub(crate) fn not_started(program: &Path, why: impl Display) -> String {
    error(format!("cannot start {}: {why}", rebut_cli::status::path_on_one_line(program)))
}
