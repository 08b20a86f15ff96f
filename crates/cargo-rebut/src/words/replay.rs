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

/// The replayed test does not exist, or did not take the string.
pub(crate) fn no_such_test(name: &str, word: &str) -> String {
    let name = rebut_report::printable(name);
    let help = "help: check its path, `-p` and `--features`";
    match word.rsplit_once('.') {
        Some((bare, _identity)) if bare.contains('.') => {
            let bare = rebut_report::printable(bare);
            error(format!(
                "no test named `{name}` was built to which the replay string belongs\n{help}; to replay the case in another test, use `{bare}`"
            ))
        }
        _ => error(format!("no test named `{name}` was built\n{help}")),
    }
}

/// The input cannot be replayed by this command. Another one may be able to.
pub(crate) fn cannot_be_replayed(number: usize, command: Option<&str>) -> String {
    error(match command {
        Some(command) => {
            format!("input {number} does not belong to a `#[test]`\nhelp: run `{command}`")
        }
        None => format!(
            "cannot replay input {number}: it has no generated values, or only the code that called `Check::run` can run it"
        ),
    })
}
