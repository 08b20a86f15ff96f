//! What `cargo rebut explore` says to people: one place for all of its texts.

pub(crate) use rebut_cli::words::*;

use std::fmt::Display;

/// There is no test of these names.
pub(crate) fn nothing_to_explore(tests: &[String]) -> String {
    if tests.is_empty() {
        return error(
            "there is no `#[rebut::test]` to explore; write one, or name its package with `-p`",
        );
    }
    error(format!("no `#[rebut::test]` has {} in its path", tests.join(" or ")))
}

/// That a summary is not proved.
pub(crate) fn summary_not_used(test: &str) -> String {
    format!(
        "warning: the summary `{test}` is not proved for all inputs, so the function itself is \
         explored"
    )
}

/// The standard library was not built here.
pub(crate) fn calls_not_seen() -> String {
    "warning: the sources of the standard library are not there, so a test that reads a file, the \
     environment or the network is not recognised, and what is said of it may be wrong; \
     `rustup component add rust-src` mends that"
        .to_owned()
}

/// Some inputs cannot be kept.
pub(crate) fn not_all_kept(test: &str, count: usize) -> String {
    let inputs = if count == 1 { "1 input".to_owned() } else { format!("{count} inputs") };
    format!("note: {inputs} of `{test}` cannot be written as code, or the property rejects them")
}

/// What a search for an input is not kept for.
pub(crate) const KEEPS_NO_WITNESS: &str = "it claims that an input exists, or that none does";

/// All inputs are of no use.
pub(crate) const NOTHING_CAN_BE_WRITTEN: &str = "none can be written as code";

/// The source is not what was built.
pub(crate) const NOT_FOUND_IN_SOURCE: &str = "the property is not found in its file";

/// A test without Rebut would have to wait for something.
pub(crate) const NEEDS_A_RUNTIME: &str = "an `async` property needs its runtime";

/// The paths of a test cannot be shown in terms of the source.
pub(crate) fn no_picture(test: &str, why: &str) -> String {
    format!("warning: the paths of `{test}` cannot be shown in terms of the source: {why}")
}

/// It is not known which code comes from which line.
pub(crate) fn no_line_tables(test: &str) -> String {
    format!(
        "warning: no lines can be told for `{test}`: the module was built without tables of lines"
    )
}

/// All targets are left out.
pub(crate) fn nothing_built() -> String {
    error("no test can be built for WebAssembly; the reasons are above")
}

/// A target that is not explored.
pub(crate) fn left_out(left_out: impl Display) -> String {
    format!("warning: {left_out}")
}

/// A test that cannot be explored.
pub(crate) fn cannot_explore(test: &str, why: &str) -> String {
    format!("warning: {test} is not explored: {why}")
}

/// Why a test that could be is not.
pub(crate) fn not_explored(should_panic: bool) -> &'static str {
    if should_panic {
        "it expects to panic, and a path on which it does not is not looked for"
    } else {
        "its inputs come from a specification, and exploration would make others"
    }
}
