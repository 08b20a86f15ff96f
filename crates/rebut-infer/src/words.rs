//! What `cargo rebut infer` says to people: one place for all of its texts.

pub(crate) use rebut_cli::words::*;

use std::path::Path;

/// An observer that was taken out of a probe.
pub(crate) fn partial_observer(call: &str, when: &str, method: &str, message: &str) -> String {
    let message = one_line(message);
    format!("`{call}` is not looked at {when} `{method}`: it may panic there ({message:?})")
}

/// A step that states are not reached by.
pub(crate) fn step_left_out(method: &str, message: &str) -> String {
    let message = one_line(message);
    format!("no state is reached by way of `{method}`: it may panic ({message:?})")
}

/// Nothing is left to be observed.
pub(crate) fn always_panics(method: &str) -> String {
    format!("nothing is said of `{method}`: what observers show there cannot be found out")
}

/// The probes do not compile.
pub(crate) fn probes_not_built(why: &str) -> String {
    error(format!(
        "the functions of the type cannot be called as they have to be: {why}\nName those that \
         can be with `--observers` and `--modifiers`, and the type's arguments as in `Stack<u8>`"
    ))
}

/// A probe was built and is not there.
pub(crate) fn probe_missing(name: &str) -> String {
    format!("the probe of `{name}` was not built; that is a fault of Rebut")
}

/// A claim or a test that was taken out.
pub(crate) fn claim_left_out(test: &str, claim: &str, why: &str) -> String {
    format!("`{claim}` is left out of `{test}`: {}", one_line(why))
}

/// A clause that was taken out.
pub(crate) fn clause_left_out(function: &str, clause: &str, why: &str) -> String {
    format!("`{clause}` of `{function}` is left out: {}", one_line(why))
}

/// Contracts that cannot be built with the type.
pub(crate) fn contracts_not_built() -> String {
    error(
        "the type does not compile with `#[rebut::contract]` on its functions; `cargo rebut infer` \
         without `--as contracts` writes tests, which leave it as it is",
    )
}

/// A test that was taken out.
pub(crate) fn test_left_out(test: &str, why: &str) -> String {
    format!("`{test}` is left out: {}", one_line(why))
}

/// Nothing was found.
pub(crate) fn nothing_inferred(name: &str) -> String {
    error(format!("nothing can be said of `{name}` in terms of its observers; see the notes above"))
}

/// The file is there already.
pub(crate) fn not_overwritten(path: &Path) -> String {
    error(format!("{} is there already; nothing is overwritten", path.display()))
}
