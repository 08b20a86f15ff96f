//! Messages of `cargo rebut list` and `cargo rebut report`.

use super::error;
use crate::stale::StaleFailures;
use std::path::Path;

/// A comparison was requested in a format that has none.
pub(crate) fn only_html_compares() -> String {
    error("only the HTML report compares runs\nhelp: drop `--against`, or use `--format html`")
}

/// A note below the list: some tests with stored failures no longer exist.
pub(crate) fn some_are_stale(stale: &[StaleFailures]) -> String {
    let tests: Vec<&str> = stale.iter().map(|one| one.test.as_str()).collect();
    let count = match tests.len() {
        1 => "a test that no longer exists".to_owned(),
        many => format!("{many} tests that no longer exist"),
    };
    format!(
        "note: there are stored failures of {count}: {}\nhelp: `cargo rebut list --stale` shows where, `cargo rebut list --stale --remove` removes them",
        rebut_report::one_line(&tests.join(", "))
    )
}

/// The stored failures of a test that no longer exists.
pub(crate) fn stale(stale: &StaleFailures, root: &Path) -> String {
    let directory = stale.directory.strip_prefix(root).unwrap_or(&stale.directory);
    let count = stale.files.len();
    let failures = if count == 1 { "failure" } else { "failures" };
    let test = rebut_report::one_line(&stale.test);
    format!(
        "stale  {test}  {count} {failures} in {}\n",
        rebut_cli::status::path_on_one_line(directory)
    )
}

/// The number of stale failures, listed or removed.
pub(crate) fn stale_total(stale: &[StaleFailures], is_removed: bool) -> String {
    let failures: usize = stale.iter().map(|one| one.files.len()).sum();
    let noun = if failures == 1 { "failure" } else { "failures" };
    match (failures, is_removed) {
        (0, _) => "note: every stored failure is of a test that exists".to_owned(),
        (_, true) => format!("removed {failures} stored {noun}"),
        (_, false) => {
            format!("help: `cargo rebut list --stale --remove` removes {failures} stored {noun}")
        }
    }
}
