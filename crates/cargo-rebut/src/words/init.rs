//! Messages of `cargo rebut init`.

use super::error;
use rebut_cli::color::{Color, colored};
use rebut_cli::status::path_on_one_line;
use std::fmt::Display;
use std::path::Path;

/// The command to run next.
pub(crate) const NEXT: &str = "cargo rebut test";

/// The first lines of a test file.
pub(crate) const HEAD: &str = "\
//! Property tests. `cargo test` runs them; `cargo rebut test` runs them for longer.

";

/// There is no crate.
pub(crate) const NO_CRATE: &str = "\
error: no `Cargo.toml` in this directory or above
help: go to a package, or create one with `cargo new demo --lib`";

/// A virtual manifest without members.
pub(crate) const EMPTY_WORKSPACE: &str = "\
error: the workspace has no packages
help: create one with `cargo new demo --lib`";

/// A status line in the format of cargo, with the verb in its own column.
pub(crate) fn status(verb: &str, text: impl Display) -> String {
    // The width that cargo uses.
    let verb = format!("{verb:>12}");
    match colored(Color::Auto) {
        true => format!("\x1b[1;32m{verb}\x1b[0m {text}"),
        false => format!("{verb} {text}"),
    }
}

/// A note.
pub(crate) fn note(text: impl Display) -> String {
    format!("note: {text}")
}

/// A warning.
pub(crate) fn warning(text: impl Display) -> String {
    match colored(Color::Auto) {
        true => format!("\x1b[1;33mwarning\x1b[0m: {text}"),
        false => format!("warning: {text}"),
    }
}

/// The manifest does not exist.
pub(crate) fn no_such_manifest(path: &Path) -> String {
    error(format!("no manifest at {}; specify an existing `Cargo.toml`", path_on_one_line(path)))
}

/// Cargo cannot read the manifest.
pub(crate) fn no_metadata(manifest: &Path, stderr: &str) -> String {
    // With `RUST_BACKTRACE`, rustup appends its own stack.
    let reason = stderr.split("Stack backtrace:").next().unwrap_or_default().trim_end();
    error(format!("cargo cannot read {}\n{reason}", path_on_one_line(manifest)))
}

/// The manifest is not valid TOML.
pub(crate) fn no_manifest(manifest: &Path, why: impl Display) -> String {
    error(format!("cannot edit {}: {why}", path_on_one_line(manifest)))
}

/// A file cannot be written.
pub(crate) fn not_written(path: &Path, why: impl Display) -> String {
    error(format!("cannot write {}: {why}", path_on_one_line(path)))
}

/// A file is write-protected.
pub(crate) fn read_only(path: &Path) -> String {
    error(format!(
        "cannot write {}: the file is read-only\nhelp: make it writable, for example with \
         `chmod u+w {}`",
        path_on_one_line(path),
        path_on_one_line(path)
    ))
}

/// The package is inside a workspace but not a member of it.
pub(crate) fn not_a_member(manifest: &Path, stderr: &str) -> String {
    error(format!(
        "{} lies in a workspace that does not list it, and takes settings from a workspace\n{}\n\
         help: list the package under `members` in the manifest of the workspace",
        path_on_one_line(manifest),
        stderr.trim_end()
    ))
}

/// The workspace has several packages.
pub(crate) fn which_package(names: &[&str]) -> String {
    let first = names.first().copied().unwrap_or("my-crate");
    error(format!(
        "the workspace has several packages: {}\nhelp: specify one, as in `cargo rebut init -p \
         {first}`",
        names.join(", ")
    ))
}

/// No package has this name.
pub(crate) fn no_such_package(name: &str, names: &[&str]) -> String {
    error(format!("no package named `{name}`; available: {}", names.join(", ")))
}

/// The functions of a procedural macro cannot be called.
pub(crate) fn proc_macro(name: &str) -> String {
    error(format!(
        "`{name}` is a procedural macro crate, whose functions only the compiler can call\n\
         help: test the code that it generates, in a package that uses it; or move its logic to \
         a library and run `cargo rebut init` there"
    ))
}

/// The package has neither a library nor a program.
pub(crate) fn nothing_to_import(name: &str) -> String {
    error(format!(
        "`{name}` has no library or program that tests can use\nhelp: a library needs the crate \
         type `lib`; a program must not have `test = false`"
    ))
}

/// Cargo's copy of a published crate is shared by all packages.
pub(crate) fn in_registry(folder: &Path) -> String {
    error(format!(
        "{} is cargo's own copy of a published crate\nhelp: copy it to another directory first",
        path_on_one_line(folder)
    ))
}

/// The compiler is too old.
pub(crate) fn old_compiler(has: &str, needs: &str) -> String {
    error(format!(
        "rebut needs Rust {needs} or newer; this package is built by Rust {has}\nhelp: run \
         `rustup update`, and look for a `rust-toolchain.toml` that asks for an older version"
    ))
}

/// The package promises to build with older compilers.
pub(crate) fn older_package(has: &str, needs: &str) -> String {
    note(format!(
        "the package supports Rust {has}, but its tests now need Rust {needs}, as rebut does"
    ))
}

/// The dependency was added.
pub(crate) fn adding(manifest: &str) -> String {
    status("Adding", format!("rebut to dev-dependencies in {manifest}"))
}

/// The package was turned into a workspace.
pub(crate) fn adding_workspace(manifest: &str) -> String {
    status(
        "Adding",
        format!("`[workspace]` to {manifest}, since the workspace around it does not list it"),
    )
}

/// The dependency is a path on this machine, which other machines do not have.
pub(crate) fn local_path(url: Option<&str>) -> String {
    match url {
        Some(url) => note(format!(
            "rebut is a local path; before you share the crate, replace it with `rebut = {{ git \
             = \"{url}\" }}`"
        )),
        None => note(
            "rebut is a local path; replace it with a version or Git URL before you share the \
             crate",
        ),
    }
}

/// Candidates are being built, which takes a while the first time.
pub(crate) fn trying(package: &str) -> String {
    status("Trying", format!("tests of `{package}` (the first build takes a minute)"))
}

/// The package already has properties.
pub(crate) fn existing(manifest: Option<&str>, property: &str) -> String {
    match manifest {
        Some(manifest) => status(
            "Unchanged",
            format!("rebut is in {manifest}, and {property} has a property test"),
        ),
        None => status("Unchanged", format!("{property} has a property test")),
    }
}

/// Tests were written.
pub(crate) fn created(path: &str, abouts: &[&str]) -> String {
    let between = format!("\n{:13}and that ", "");
    status("Created", format!("{path}: tests that {}", abouts.join(&between)))
}

/// A file for a CI service or an editor was written or already existed.
pub(crate) fn extra(path: &str, is_new: bool) -> String {
    match is_new {
        true => status("Created", path),
        false => status("Unchanged", format!("{path} already exists")),
    }
}

/// A test found a failure.
pub(crate) fn fails(name: &str, message: &str, inputs: &[String]) -> String {
    let mut text = warning(format!("`{name}` fails: {message}"));
    for input in inputs {
        text.push_str(&format!("\n{:9}{}", "", shortened(input)));
    }
    text
}

/// Shortens a value for a summary.
fn shortened(text: &str) -> String {
    /// Arbitrary: about one line of a terminal. The rest is cut.
    const MAX: usize = 100;
    match text.char_indices().nth(MAX) {
        Some((at, _)) => format!("{}..", &text[..at]),
        None => text.to_owned(),
    }
}

/// Guesses for which a trial found a counterexample.
pub(crate) fn wrong_guesses(abouts: &[&str]) -> String {
    /// Arbitrary: a note must stay short. The rest is only counted.
    const MAX: usize = 3;
    let shown = abouts[..abouts.len().min(MAX)].join("; ");
    let mut text = note(format!("tried and dropped, because it is not true: {shown}"));
    if abouts.len() > MAX {
        text.push_str(&format!("; and {} more", abouts.len() - MAX));
    }
    text
}

/// No test was written.
pub(crate) fn no_test(why: &str) -> String {
    warning(format!(
        "no test written: {why}\nhelp: write one yourself: a function with parameters under \
         `#[rebut::test]`, in `tests/properties.rs`"
    ))
}

/// The package has no function that a test could call.
pub(crate) const NOTHING_TO_CALL: &str =
    "no public function or type takes values that can be generated";

/// Counts the candidates by their results.
pub(crate) fn tried(all: usize, not_built: usize, rejected: usize, wrong: usize) -> String {
    format!(
        "{all} candidates: {not_built} did not compile, {rejected} rejected most inputs or \
         compared the same values, {wrong} failed"
    )
}

/// The next steps.
pub(crate) fn next() -> String {
    format!("help: run them with `cargo test`, or for longer with `{NEXT}`")
}

/// The package does not build, independently of the new tests.
pub(crate) fn others_do_not_build() -> String {
    error(
        "the tests of this package do not build; see the messages above\nhelp: nothing was \
         changed; run `cargo test` and fix that first",
    )
}

/// The compiler reported errors outside of the candidates.
pub(crate) fn no_candidate_to_blame() -> String {
    error("the compiler reports errors that are not in the new tests")
}

/// Cargo did not build the file.
pub(crate) fn not_among_targets(path: &Path) -> String {
    error(format!("cargo builds no test from {}", path_on_one_line(path)))
}
