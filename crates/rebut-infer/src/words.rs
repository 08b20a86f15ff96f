//! All messages of `cargo rebut infer`.

pub(crate) use rebut_cli::words::*;

use std::path::Path;

/// An observer that may panic.
pub(crate) fn partial_observer(call: &str, when: &str, method: &str, message: &str) -> String {
    let message = one_line(message);
    format!("skipping observer `{call}` {when} `{method}`: it may panic ({message:?})")
}

/// A method that is not used to reach further states.
pub(crate) fn step_left_out(method: &str, message: &str) -> String {
    let message = one_line(message);
    format!("not using `{method}` to reach further states: it may panic ({message:?})")
}

/// No observer is left for a method.
pub(crate) fn always_panics(method: &str) -> String {
    format!("skipping `{method}`: no observer can be called after it")
}

/// The probes do not compile.
pub(crate) fn probes_not_built(why: &str) -> String {
    error(format!(
        "cannot call the methods of the type: {why}\nhelp: name methods that can be called with \
         `--observers` and `--modifiers`, and the type's arguments as in `Stack<u8>`"
    ))
}

/// A probe is missing from the build.
pub(crate) fn probe_missing(name: &str) -> String {
    format!(
        "internal error: the probe of `{name}` was not built. This is a bug in Rebut; please report it"
    )
}

/// A claim that was dropped from a test.
pub(crate) fn claim_left_out(test: &str, claim: &str, why: &str) -> String {
    format!("dropped `{claim}` from `{test}`: {}", one_line(why))
}

/// A clause that was dropped from a contract.
pub(crate) fn clause_left_out(function: &str, clause: &str, why: &str) -> String {
    format!("dropped `{clause}` of `{function}`: {}", one_line(why))
}

/// The type does not compile with its contracts.
pub(crate) fn contracts_not_built() -> String {
    error(
        "the type does not compile with `#[rebut::contract]` on its methods\nhelp: without `--as \
         contracts`, `cargo rebut infer` writes tests, which do not change the type",
    )
}

/// A test that was dropped.
pub(crate) fn test_left_out(test: &str, why: &str) -> String {
    format!("dropped `{test}`: {}", one_line(why))
}

/// No law was found.
pub(crate) fn nothing_inferred(name: &str) -> String {
    error(format!("found no laws for `{name}`; see the notes above"))
}

/// The file exists already.
pub(crate) fn not_overwritten(path: &Path) -> String {
    error(format!("{} already exists; choose another path", path.display()))
}
