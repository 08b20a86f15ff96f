//! All messages of `cargo rebut explore`, except verdicts and outcomes (`output/text.rs`).

pub(crate) use rebut_cli::words::*;

use rebut_concolic::{Progress, Stop};
use std::fmt::Display;
use std::time::Duration;

/// No test was selected.
pub(crate) fn nothing_to_explore(tests: &[String]) -> String {
    if tests.is_empty() {
        return error(
            "no `#[rebut::test]` to explore; write one, or specify its package with `-p`",
        );
    }
    error(format!("no test matches `{}`", tests.join("` or `")))
}

/// A summary that is not proved.
pub(crate) fn summary_not_used(test: &str) -> String {
    format!(
        "warning: the summary `{test}` is not proved for all inputs, so Rebut explores the function \
         itself"
    )
}

/// The standard library came without its sources.
pub(crate) fn calls_not_seen() -> String {
    "warning: standard library sources not found, so Rebut cannot detect tests that use files, \
     the environment or the network\nhelp: run `rustup component add rust-src`"
        .to_owned()
}

/// There is no standard library for the width of this machine, or the user forces another one.
pub(crate) fn other_pointer_width(width: u32) -> String {
    format!(
        "warning: a `usize` has {width} bits in this exploration, so it proves nothing about the \
         native program\nhelp: run `rustup component add rust-src`"
    )
}

/// Some inputs cannot be written.
pub(crate) fn not_all_kept(test: &str, count: usize) -> String {
    let inputs = if count == 1 { "1 input".to_owned() } else { format!("{count} inputs") };
    format!("note: skipped {inputs} of `{test}`: not expressible as code, or rejected by the test")
}

/// Some tests do not build natively.
pub(crate) fn not_native(why: &str) -> String {
    format!(
        "{}\nwarning: not all tests build natively, so these are neither proved nor reported as failing",
        why.trim_end()
    )
}

/// Why nothing is written for `exists` and `not_exists`.
pub(crate) const KEEPS_NO_WITNESS: &str = "it claims that an input exists, or that none does";

/// No input can be written.
pub(crate) const NOTHING_CAN_BE_WRITTEN: &str = "no input can be written as code";

/// The source is not what was built.
pub(crate) const NOT_FOUND_IN_SOURCE: &str = "the test is no longer in its file";

/// A test without Rebut has no runtime.
pub(crate) const NEEDS_A_RUNTIME: &str = "an `async` test needs its runtime";

/// The paths of a test cannot be shown in terms of the source.
pub(crate) fn no_view(test: &str, why: &str) -> String {
    format!("warning: cannot map the paths of `{test}` to source lines: {why}")
}

/// The module has no line tables.
pub(crate) fn no_line_tables(test: &str) -> String {
    format!("warning: no line coverage for `{test}`: the module was built without line tables")
}

/// No target could be built.
pub(crate) fn nothing_built() -> String {
    error(
        "no test could be built for WebAssembly; see the reasons above\n\
         help: run `cargo test --no-run`; if that fails too, fix that first",
    )
}

/// A target that is not explored.
pub(crate) fn skipped(skipped: impl Display) -> String {
    format!("warning: {skipped}")
}

/// The progress of an exploration.
pub(crate) fn progress(test: &str, progress: Option<Progress>, time: Duration) -> String {
    let seconds = time.as_secs();
    let Some(Progress { runs, paths, failures, work }) = progress else {
        return format!("{test}: compiling, {seconds} s");
    };
    let effort = work as f64 / 1e6;
    let mut text =
        format!("{test}: exploring, {seconds} s, effort {effort:.1}, {runs} runs, {paths} paths");
    match failures {
        0 => {}
        1 => text += ", 1 fails",
        _ => text += &format!(", {failures} fail"),
    }
    text
}

/// Why an exploration ended from outside, as the end of a sentence.
pub(crate) fn stop(stop: Stop) -> &'static str {
    match stop {
        Stop::Time => "the time is over (`--time`)",
        Stop::Interrupt => "it was interrupted",
    }
}

/// The verdict on a test whose exploration ended without a result.
pub(crate) fn stopped(test: &str, why: Stop, paths: usize, failures: usize) -> String {
    let mut text = format!("{test}: unknown: stopped because {}, after {paths} paths", stop(why));
    if failures > 0 {
        text += &format!("; {failures} fail in WebAssembly");
    }
    text + "\n"
}

/// A test that was not explored because the command ended.
pub(crate) fn not_started(test: &str, why: Stop) -> String {
    format!("{test}: unknown: not explored because {}", stop(why))
}

/// Failures that no native run has confirmed because the command ended.
pub(crate) fn not_confirmed(test: &str) -> String {
    note(&format!("{test}: paths fail in WebAssembly, and no native run has confirmed it"))
}

/// A test that cannot be explored.
pub(crate) fn cannot_explore(test: &str, why: &str) -> String {
    format!("warning: skipping {test}: {why}")
}

/// Why a test is not explored.
pub(crate) fn not_explored(should_panic: bool) -> &'static str {
    if should_panic { "it has `#[should_panic]`" } else { "its inputs come from a specification" }
}
