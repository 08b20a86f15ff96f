//! A property as the runner sees it.

use rebut_choice::Constants;

use crate::words;
use crate::{Case, Claim, Inputs, Settings};

/// A test with parameters, as `#[rebut::test]` describes it: nothing but static data and
/// plain functions, so that it can be run on any thread and in any process.
#[derive(Clone, Copy, Debug)]
pub struct Test {
    /// Path of the function: `crate::module::name`.
    pub path: &'static str,
    /// Where the function is.
    pub file: &'static str,
    /// The line of its name.
    pub line: u32,
    /// The package and the target that it was built in.
    pub target: CargoTarget,
    /// The function's body as written, without its braces, for the emitted test; empty if
    /// there can be none.
    pub body: &'static str,
    /// What comes between the parameters and the body in the emitted test: the return type
    /// as written, empty if there is none.
    pub return_type: &'static str,
    /// Literals of the file under test, as [`mined`] reads them.
    pub constants: &'static str,
    /// What it claims about its inputs.
    pub claim: Claim,
    /// What the attribute sets.
    pub configure: fn(&mut Settings),
    /// Draws the parameters and runs the body; the failure, if it returned one.
    pub run: fn(&mut Case) -> Option<String>,
    /// The inputs that a specification generates, if there is one.
    pub inputs: Option<Inputs>,
    /// The explicit examples: what was written, and a run with these values.
    pub examples: &'static [Example],
}

/// Constants found in the code under test, as macros write them: in one literal, because a test
/// would take several times as long to compile if each constant was an expression.
#[doc(hidden)]
#[must_use]
pub fn mined(all: &str) -> Constants {
    let mut constants = Constants::default();
    for one in words::split(all, "\u{1F}") {
        match one.split_at_checked(1) {
            Some(("i", integer)) => constants.integers.extend(integer.parse::<i128>()),
            Some(("f", float)) => constants.floats.extend(float.parse::<f64>()),
            Some(("t", text)) => constants.texts.push(text.to_owned()),
            _ => {}
        }
    }
    constants
}

/// Leaves all settings as they are: what the attribute of most tests does.
#[doc(hidden)]
pub fn keep_settings(_: &mut Settings) {}

/// The package and the target of a test, from the variables that cargo sets for the compiler.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CargoTarget {
    /// The name of the package; empty if cargo did not build it.
    pub package: &'static str,
    /// The directory of the package's manifest when it was built; empty if cargo did not build it.
    pub manifest_dir: &'static str,
    /// The name of the binary or example; `None` in a library or an integration test.
    pub binary: Option<&'static str>,
    /// Whether it is an integration test or a benchmark: only these have a `CARGO_TARGET_TMPDIR`.
    pub is_integration_test: bool,
}

impl CargoTarget {
    /// The target that is being compiled; the arguments are what `option_env!` says of
    /// `CARGO_PKG_NAME`, `CARGO_MANIFEST_DIR`, `CARGO_BIN_NAME` and `CARGO_TARGET_TMPDIR`.
    #[must_use]
    pub const fn new(
        package: Option<&'static str>,
        manifest_dir: Option<&'static str>,
        binary: Option<&'static str>,
        temporary: Option<&'static str>,
    ) -> Self {
        const fn or_empty(text: Option<&'static str>) -> &'static str {
            match text {
                Some(text) => text,
                None => "",
            }
        }
        Self {
            package: or_empty(package),
            manifest_dir: or_empty(manifest_dir),
            binary,
            is_integration_test: temporary.is_some(),
        }
    }

    /// The flags with which `cargo test` builds this target alone, such as `-p demo --lib`; empty
    /// if cargo did not build it. `path` and `file` are those of a test in the target.
    #[must_use]
    pub fn selection(&self, path: &str, file: &str) -> String {
        if self.package.is_empty() {
            return String::new();
        }
        let package = self.package;
        let krate = words::split_once(path, "::").map_or(path, |(krate, _)| krate);
        match self.binary {
            Some(name) if is_below(file, "examples") => format!("-p {package} --example {name}"),
            Some(name) => format!("-p {package} --bin {name}"),
            None if self.is_integration_test => {
                format!("-p {package} --test {}", self.integration_test(krate, file))
            }
            None => format!("-p {package} --lib"),
        }
    }

    /// The name of an integration test. The crate's name has `_` where the target's name may have
    /// `-`; the file shows which, if it is called as the target is.
    fn integration_test<'a>(&self, krate: &'a str, file: &'a str) -> &'a str {
        let parts = words::split(file, std::path::MAIN_SEPARATOR_STR);
        let stems = parts.iter().rev().map(|part| part.strip_suffix(".rs").unwrap_or(part));
        stems.into_iter().find(|stem| words::replaced(stem, "-", "_") == krate).unwrap_or(krate)
    }
}

/// Whether one of the directories of a file has this name.
fn is_below(file: &str, directory: &str) -> bool {
    words::split(file, std::path::MAIN_SEPARATOR_STR).contains(&directory)
}

/// One `#[example(..)]` of a test.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// The values as written.
    pub written: &'static str,
    /// The line it stands in.
    pub line: u32,
    /// Runs the body with the values.
    pub run: fn(&mut Case) -> Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selects_one_target_of_one_package() {
        let target = |binary, temporary| {
            CargoTarget::new(Some("my-demo"), Some("/home/me/demo"), binary, temporary)
        };
        let file = |parts: &[&str]| parts.join(std::path::MAIN_SEPARATOR_STR);
        for (target, path, file, expected) in [
            (target(None, None), "my_demo::a::b", file(&["src", "a.rs"]), "-p my-demo --lib"),
            (
                target(None, Some("/t")),
                "round_trip::b",
                file(&["tests", "round-trip.rs"]),
                "-p my-demo --test round-trip",
            ),
            (
                target(None, Some("/t")),
                "round_trip::deep::b",
                file(&["tests", "round-trip", "deep.rs"]),
                "-p my-demo --test round-trip",
            ),
            (
                target(None, Some("/t")),
                "it::b",
                file(&["elsewhere", "main.rs"]),
                "-p my-demo --test it",
            ),
            (
                target(Some("tool"), None),
                "tool::b",
                file(&["src", "main.rs"]),
                "-p my-demo --bin tool",
            ),
            (
                target(Some("show"), None),
                "show::b",
                file(&["examples", "show.rs"]),
                "-p my-demo --example show",
            ),
            (CargoTarget::new(None, None, None, None), "a::b", file(&["a.rs"]), ""),
        ] {
            assert_eq!(target.selection(path, &file), expected);
        }
    }
}
