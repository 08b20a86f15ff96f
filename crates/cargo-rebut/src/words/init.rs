//! What `cargo rebut init` says.

use super::error;
use std::fmt::Display;
use std::path::Path;

/// What to type next.
pub(crate) const NEXT: &str = "cargo rebut test";

/// What stands above a first property.
pub(crate) const HEAD: &str = "\
//! Claims about this crate. `cargo test` tries to refute them, `cargo rebut test` tries longer.

";

/// There is no crate.
pub(crate) const NO_CRATE: &str = "error: there is no `Cargo.toml` here or above; go to a crate, or make one with `cargo new demo --lib`";

/// All is there.
pub(crate) const NOTHING_CHANGED: &str = "Nothing was changed.";

/// That manifest does not exist.
pub(crate) fn no_such_manifest(path: &Path) -> String {
    error(format!("{} is no manifest; name a `Cargo.toml` that exists", path.display()))
}

/// Cargo cannot read the manifest.
pub(crate) fn no_metadata(manifest: &Path, said: &str) -> String {
    error(format!("cargo cannot read {}\n{}", manifest.display(), said.trim_end()))
}

/// It is no TOML.
pub(crate) fn no_manifest(manifest: &Path, why: impl Display) -> String {
    error(format!("{} cannot be changed: {why}", manifest.display()))
}

/// There are several packages.
pub(crate) fn which_package(names: &[&str]) -> String {
    let first = names.first().copied().unwrap_or("my-crate");
    error(format!(
        "the workspace has several packages: {}\nsay which one, as in `cargo rebut init -p {first}`",
        names.join(", ")
    ))
}

/// No package has that name.
pub(crate) fn no_such_package(name: &str, names: &[&str]) -> String {
    error(format!("there is no package `{name}`; the workspace has {}", names.join(", ")))
}

/// The dependency is there now.
pub(crate) fn added(manifest: &str) -> String {
    format!("added: `rebut` to the dependencies of tests in {manifest}")
}

/// Nobody else has that folder.
pub(crate) fn only_here(folder: &Path) -> String {
    format!(
        "note: it is taken from {}, which this machine has; others need a version or an address",
        folder.display()
    )
}

/// It was called before, or somebody needed no help.
pub(crate) fn there(manifest: Option<&str>, property: &str) -> String {
    match manifest {
        Some(manifest) => {
            format!("there already: `rebut` in {manifest}, and a property in {property}")
        }
        None => format!("there already: a property in {property}"),
    }
}

/// A property was written.
pub(crate) fn wrote(path: &str, about: &str) -> String {
    format!("wrote: {path}, which claims that {about}")
}

/// A file for a service or an editor.
pub(crate) fn extra(path: &str, is_new: bool) -> String {
    if is_new {
        format!("wrote: {path}")
    } else {
        format!("left as it is: {path} is there already")
    }
}

/// What a service runs.
pub(crate) fn for_ci(steps: &str) -> String {
    format!(
        "for CI, these steps; `cargo rebut init --ci github` writes the whole workflow:\n\n{}",
        indented(steps)
    )
}

/// What an editor runs.
pub(crate) fn for_editor(tasks: &str) -> String {
    format!(
        "for VS Code, this `.vscode/tasks.json`; `cargo rebut init --editor vscode` writes it:\n\n{}",
        indented(tasks)
    )
}

/// What to do now.
pub(crate) fn next() -> String {
    format!("next: {NEXT}")
}

/// What was written is not to blame.
pub(crate) fn others_do_not_build() -> String {
    error(
        "the tests of this package do not build; what the compiler says is above, and it is not about the property that was written",
    )
}

/// Text in a column of its own.
pub(crate) fn indented(text: &str) -> String {
    text.lines()
        .map(|line| if line.is_empty() { "\n".to_owned() } else { format!("    {line}\n") })
        .collect()
}
