//! Messages of `cargo rebut replay`.

use super::error;

/// The argument is neither a number nor a replay string with its test.
pub(crate) fn no_number(asked: &str) -> String {
    error(format!(
        "`{asked}` is not a failure number; run `cargo rebut list`, or pass a replay string and a test"
    ))
}

/// No failure has this number.
pub(crate) fn no_such_input(number: usize) -> String {
    error(format!("no failure or matching input has number {number}; run `cargo rebut list`"))
}

/// The name cannot be that of a test.
pub(crate) fn no_test_name(name: &str) -> String {
    error(format!("invalid test name `{name}`"))
}

/// The replayed test does not exist.
pub(crate) fn no_such_test(name: &str) -> String {
    let name = rebut_report::printable(name);
    error(format!("no test named `{name}` was built\nhelp: check its path, `-p` and `--features`"))
}

/// The input cannot be replayed from the command line.
pub(crate) fn cannot_be_replayed(number: usize) -> String {
    error(format!(
        "cannot replay input {number}: it has no generated values, or only the code that called `check` can run it"
    ))
}
