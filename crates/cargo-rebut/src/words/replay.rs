//! Messages of `cargo rebut replay`.

use super::error;

/// The argument is neither a number nor a replay string with its test.
pub(crate) fn no_number(asked: &str) -> String {
    error(format!(
        "`{}` is not a failure number; run `cargo rebut list`, or pass a replay string and a test",
        rebut_report::one_line(asked)
    ))
}

/// No failure has this number.
pub(crate) fn no_such_input(number: usize) -> String {
    error(format!("no failure or matching input has number {number}; run `cargo rebut list`"))
}

/// The name cannot be that of a test.
pub(crate) fn no_test_name(name: &str) -> String {
    error(format!("invalid test name `{}`", rebut_report::one_line(name)))
}

/// The replayed test does not exist, or did not take the string. `nearest` has a similar name, and
/// the string belongs to `owner`.
pub(crate) fn no_such_test(
    name: &str,
    word: &str,
    nearest: Option<&str>,
    owner: Option<&str>,
) -> String {
    let name = rebut_report::one_line(name);
    let mut help = match nearest {
        Some(nearest) => format!("help: did you mean `{}`?", rebut_report::one_line(nearest)),
        None => "help: check its path, `-p` and `--features`".to_owned(),
    };
    if let Some(owner) = owner {
        help += &format!("\nhelp: the string belongs to `{}`", rebut_report::one_line(owner));
    }
    match word.rsplit_once('.') {
        Some((bare, _identity)) if bare.contains('.') => {
            let bare = rebut_report::one_line(bare);
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
