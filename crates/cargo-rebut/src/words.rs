//! What the command line says to people: one place for all of its texts.

#![expect(clippy::print_stderr, reason = "a command line speaks on the standard error")]

pub(crate) mod init;

use crate::printed::Outcome;
use rebut_report::Code;
use rebut_spec::Verdict;
use std::fmt::Display;
use std::path::Path;

/// Says something on the standard error.
pub(crate) fn say(message: &str) {
    eprintln!("{message}");
}

/// Something went wrong.
pub(crate) fn error(message: impl Display) -> String {
    format!("error: {message}")
}

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

/// There is no such file to generalise tests of.
pub(crate) fn no_such_file(path: &Path) -> String {
    error(format!("there is no file {}", path.display()))
}

/// A file is not Rust.
pub(crate) fn cannot_parse(path: &Path, why: &syn::Error) -> String {
    let at = why.span().start();
    let place = format!("{}:{}:{}", path.display(), at.line, at.column + 1);
    error(format!("{place}: this cannot be read as Rust: {why}"))
}

/// There are no tests to generalise.
pub(crate) fn nothing_to_generalise(paths: &[String]) -> String {
    error(format!("there is no `#[test]` in {}", paths.join(", ")))
}

/// There is no test of this name.
pub(crate) fn no_such_test(file: &Path, test: &str, all: &[String]) -> String {
    let mut text = error(format!("there is no `#[test]` named `{test}` in {}", file.display()));
    let known: Vec<&str> = all.iter().map(String::as_str).collect();
    if let [nearest, ..] = similar::get_close_matches(test, &known, 1, 0.5).as_slice() {
        text.push_str(&format!("; did you mean `{nearest}`?"));
    }
    let listed: Vec<&str> = known.iter().copied().take(TESTS_MAX).collect();
    let more = known.len().saturating_sub(TESTS_MAX);
    match (known.is_empty(), more) {
        (true, _) => text.push_str("\n  it has none"),
        (_, 0) => text.push_str(&format!("\n  it has {}", listed.join(", "))),
        _ => text.push_str(&format!("\n  it has {} and {more} more", listed.join(", "))),
    }
    text
}

/// At most so many tests are listed.
const TESTS_MAX: usize = 20;

/// A file was written.
pub(crate) fn written(path: &Path) -> String {
    format!("written: {}", path.display())
}

/// Why a test is not generalised.
pub(crate) const IS_NOT_BUILT: &str = "it is not among the tests that are built";
pub(crate) const OLD_EDITION: &str = "the package is of the edition 2015, in which Rebut is found \
                                     only from the root of the crate, and this is another file";
pub(crate) const FAILS_AS_IT_IS: &str = "it fails as it is";
pub(crate) const DID_NOT_END: &str = "it did not come to an end";
pub(crate) const NO_VALUES: &str = "it has no values that could be promoted to parameters";
pub(crate) const NO_TYPES: &str = "none of its values has a type that can be drawn";
pub(crate) const TOO_MANY_ERRORS: &str = "with parameters it does not compile";
pub(crate) const NO_TESTS_WERE_BUILT: &str = "it was not built for WebAssembly";
pub(crate) const OWN_VALUES_ARE_LOST: &str =
    "none of the paths that were explored is that of its own values";
pub(crate) const ONLY_OWN_VALUES: &str = "it passes with its own values only";
pub(crate) const NOT_AGAIN: &str = "it was tried before";
pub(crate) const ANSWERS_OF_MOCKS: &str = "if nothing ever answers so: `#[rebut::mock]` before the trait, `#[assume(..)]` before the method";
pub(crate) const HAS_NO_MOCK: &str = "the trait has none; write `#[rebut::mock]` before it";
pub(crate) const OTHER_ANSWERS: &str = "with other answers the test does not pass";
pub(crate) const NO_SIMPLE_CONDITION: &str =
    "no simple condition tells the inputs on which it passes from the others";

/// What is worth knowing of a test that is generalised.
pub(crate) const A_TABLE: &str = "no simple condition tells the inputs on which it passes from the \
                                  others, so it runs its examples and draws none";
pub(crate) const TOO_FEW_INPUTS: &str =
    "too few of the inputs that are drawn meet its assumption, so it runs its examples only";
pub(crate) const NOT_ALL_PATHS: &str = "there are more paths than were explored";
pub(crate) const REFUSED_WITHOUT_TEST: &str =
    "the code under test refuses some inputs, but a test of that cannot be written";
pub(crate) const DOES_NOT_HOLD: &str = "it does not hold";

/// The tests do not compile.
pub(crate) fn does_not_build(message: &str) -> String {
    format!("it does not compile: {message}")
}

/// Values cannot be parameters.
pub(crate) fn does_not_build_with_parameters(message: &str) -> String {
    format!("with parameters it does not compile: {message}")
}

/// A test was written and is not shown.
pub(crate) fn left_out_draft(name: &str, why: &str) -> String {
    format!("`{name}` is left out: {why}")
}

/// A test that was written does not hold for inputs that were drawn.
pub(crate) fn does_not_hold_for(input: &[&str]) -> String {
    format!(
        "it does not hold for inputs beyond the paths that were explored, so it runs its examples \
         only: {}",
        input.join(" ")
    )
}

/// Paths that end otherwise natively.
pub(crate) fn other_ends(count: usize) -> String {
    let (paths, end) = match count {
        1 => ("1 path is".to_owned(), "it ends"),
        _ => (format!("{count} paths are"), "they end"),
    };
    format!("{paths} left out: natively {end} otherwise than explored, or not at all")
}

/// The compiler refuses a mock of a trait.
pub(crate) fn has_no_mock(why: &str) -> String {
    format!("the trait cannot have one: {}", one_line(why))
}

/// An object does not become a mock.
pub(crate) fn object_stays(code: &str, of: &str, why: &str) -> String {
    format!("`{}` stays, and becomes no mock of `{of}`: {why}", one_line(code))
}

/// Examples that are not written.
pub(crate) fn more_examples(count: usize) -> String {
    format!("{count} more kinds of paths are not among the examples")
}

/// The test's own values do not pass where it is explored.
pub(crate) fn own_values_end(outcome: &rebut_concolic::Outcome) -> String {
    use rebut_concolic::Outcome;
    match outcome {
        Outcome::Unsupported(what) => format!("it {what}, which cannot be explored"),
        Outcome::Failed(failure) => {
            format!("in WebAssembly it fails with its own values: {}", one_line(&failure.message))
        }
        _ => "it cannot be explored with its own values".to_owned(),
    }
}

/// How many kinds of paths end in a way.
pub(crate) fn ends(count: usize, how: &str) -> String {
    let (one, many) = match how {
        "passes" => ("1 path passes", "paths pass"),
        "refuses" => ("1 path is refused", "paths are refused"),
        "assertion" => ("1 path fails an assertion", "paths fail an assertion"),
        "mistake" => ("1 path ends in a mistake", "paths end in a mistake"),
        _ => ("1 path is unknown", "paths are unknown"),
    };
    if count == 1 { one.to_owned() } else { format!("{count} {many}") }
}

/// How many sides of branches are taken.
pub(crate) fn sides(before: usize, after: usize) -> String {
    format!("sides of branches taken: {before} with its own values, {after} with all")
}

/// A test that draws nothing.
pub(crate) fn for_examples(count: usize) -> String {
    if count == 1 { "for one example".to_owned() } else { format!("for its {count} examples") }
}

/// When a test does what it says.
pub(crate) fn when(condition: Option<&str>, is_proved: bool) -> String {
    match (condition, is_proved) {
        (Some(condition), true) => format!("if `{condition}` (proved for all inputs)"),
        (Some(condition), false) => format!("if `{condition}` (checked on the known paths)"),
        (None, true) => "for all inputs (proved)".to_owned(),
        (None, false) => "for all inputs that were tried".to_owned(),
    }
}

/// Why the inputs of a test are not kept.
pub(crate) fn nothing_to_keep(test: &str, why: &str) -> String {
    format!("note: no input of `{test}` is written: {why}")
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

/// Tests of paths were written.
pub(crate) fn emitted_paths(path: &Path, count: usize) -> String {
    let tests = if count == 1 { "1 test".to_owned() } else { format!("{count} tests") };
    format!("{tests} of paths: {}", path.display())
}

/// A text in one line.
pub(crate) fn one_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

/// A thread of Rebut panicked.
pub(crate) const WORKER_DIED: &str = "exploration ended early; that is a fault of Rebut";

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

/// Something that people should know, and that is no fault.
pub(crate) fn note(what: &str) -> String {
    format!("note: {what}")
}

/// The file is there already.
pub(crate) fn not_overwritten(path: &Path) -> String {
    error(format!("{} is there already; nothing is overwritten", path.display()))
}

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

/// A file cannot be read or written.
pub(crate) fn file_failed(path: &Path, what: &str, why: impl Display) -> String {
    error(format!("{} cannot be {what}: {why}", path.display()))
}

/// There is no outline of that name.
pub(crate) fn no_outline(name: &str, known: &[&str]) -> String {
    error(format!("there is no outline `{name}`; the file has {}", known.join(", ")))
}

/// A format that has room for one outline only.
pub(crate) fn one_outline(format: &str, known: &[&str]) -> String {
    error(format!("`--format {format}` is for one outline; name one of {}", known.join(", ")))
}

/// The judge refused what was found.
pub(crate) fn internal(refused: impl Display) -> String {
    error(format!(
        "{refused}\nThis is an error of Rebut, and not of the specification; nothing was printed. Please report it with the file."
    ))
}

/// What the number of models means; nothing if it is what was asked for.
pub(crate) fn verdict(
    outline: &str,
    found: usize,
    asked: usize,
    verdict: &Verdict,
) -> Option<String> {
    let models = if found == 1 { "model" } else { "models" };
    let counted = format!("{outline}: {found} {models} of {asked}");
    match verdict {
        Verdict::Complete => None,
        Verdict::Largest => Some(format!("note: {counted}; it is proved that there are no more")),
        Verdict::Covered(what) => Some(format!("note: {counted}; {what}")),
        Verdict::Unsatisfiable(why) => Some(error(format!("{outline}: there is no model: {why}"))),
        Verdict::Unproved(why) => Some(format!("warning: {counted}; there may be more: {why}")),
        Verdict::Missing(why) => Some(error(format!("{counted}: {why}"))),
    }
}

/// Something went wrong on the way, and models were found all the same.
pub(crate) fn survived(outline: &str, note: &str) -> String {
    format!("warning: {outline}: {note}")
}

/// Inputs were taken from the store.
pub(crate) fn reused(outline: &str, path: &Path) -> String {
    format!(
        "note: {outline}: the specification has not changed, inputs are those of {}",
        path.display()
    )
}

/// How many diagnostics there were.
pub(crate) fn summary(path: &str, errors: usize) -> String {
    let noun = if errors == 1 { "error" } else { "errors" };
    error(format!("{path} has {errors} {noun}"))
}

/// No test has written events.
pub(crate) fn no_runs(home: &Path) -> String {
    error(format!(
        "there are no events in {}\nTests write them if they call `maximize` or `minimize`, or with `REBUT_EVENTS=all cargo test`; `cargo rebut test` does that and more.",
        home.display()
    ))
}

/// No run has that name.
pub(crate) fn no_such_run(asked: &str, home: &Path, known: &[&str]) -> String {
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    error(format!(
        "`{asked}` is no file, no folder of a run and no group of runs in {}; the groups there are: {known}",
        home.display()
    ))
}

/// Events were read, but of no property.
pub(crate) const NO_PROPERTIES: &str = "note: no property wrote events; a property is a function with `#[rebut::test]`, `#[rebut::exists]` or `#[rebut::not_exists]`";

/// What fails is no property.
pub(crate) const OTHERS_FAIL: &str =
    "error: a test failed that is no property; see what `cargo test` printed above";

/// Cargo is not there.
pub(crate) fn cargo_not_started(why: impl Display) -> String {
    error(format!("cargo cannot be started: {why}"))
}

/// A property's process died, or was stopped.
pub(crate) fn did_not_end(property: &str) -> String {
    let property = rebut_report::printable(property);
    error(format!("{property} did not end; its next run says why, if it can be known"))
}

/// A test program is not there any more.
pub(crate) fn not_started(program: &Path, why: impl Display) -> String {
    error(format!("{} cannot be started: {why}", program.display()))
}

/// There is no workspace here.
pub(crate) fn no_workspace(said: &str) -> String {
    error(format!(
        "cargo does not say where `target` is; call this in a package, or name files\n{}",
        said.trim_end()
    ))
}

/// The tests do not build.
pub(crate) fn not_built() -> String {
    error("the tests do not build; what cargo says is above")
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

/// A page was written.
pub(crate) fn wrote(path: &Path) -> String {
    format!("report: {}", path.display())
}

/// No browser was found.
pub(crate) fn not_opened(path: &Path, why: impl Display) -> String {
    format!("warning: {} cannot be opened in a browser: {why}", path.display())
}

/// There is no such code.
pub(crate) fn no_code(asked: &str, known: &[&str]) -> String {
    error(format!("there is no code `{asked}`; the codes are {}", known.join(", ")))
}

/// What a code means.
pub(crate) fn explanation(code: &Code) -> String {
    let Code { code, title, meaning, advice, .. } = code;
    format!("{code}: {title}\n\n{}\n\nWhat to do:\n\n{}\n", wrapped(meaning), wrapped(advice))
}

/// Text in lines that a terminal has room for.
fn wrapped(text: &str) -> String {
    const WIDTH: usize = 80;
    let mut lines: Vec<String> = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last().map_or(0, |line| line.chars().count());
        if line > 0 && line + 1 + word.chars().count() > WIDTH {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            let gap = if line.is_empty() { "" } else { " " };
            *line += &format!("{gap}{word}");
        }
    }
    lines.join("\n")
}

/// What is run again.
pub(crate) fn replaying(word: &str, test: &str) -> String {
    let (word, test) = (rebut_report::printable(word), rebut_report::printable(test));
    format!("replay: REBUT_REPLAY={word} cargo test {test} -- --exact")
}

/// Neither a number nor choices with a test.
pub(crate) fn no_number(asked: &str) -> String {
    error(format!(
        "`{asked}` is no number of an input; write `cargo rebut replay NUMBER` with a number from `cargo rebut list`, or `cargo rebut replay WORD TEST`"
    ))
}

/// No input has that number.
pub(crate) fn no_such_input(number: usize) -> String {
    error(format!(
        "the latest run has no failure or found input with number {number}; `cargo rebut list` shows them"
    ))
}

/// A test cannot be called so.
pub(crate) fn no_test_name(name: &str) -> String {
    error(format!("`{name}` is no name of a test"))
}

/// Something is missing to replay it.
pub(crate) fn cannot_be_replayed(number: usize) -> String {
    error(format!(
        "input {number} cannot be replayed from here: it draws nothing, or only the code that made the check can run it"
    ))
}
