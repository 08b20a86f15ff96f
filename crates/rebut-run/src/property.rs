//! The description of a property for the runner.

use rebut_choice::Constants;
use rebut_protocol::test_path::TestPath;

use crate::strings;
use crate::{Case, Claim, Inputs, Settings};

/// A test with parameters, as `#[rebut::test]` describes it. It consists of static data and plain
/// functions, so that any thread and any process can run it.
#[derive(Clone, Copy, Debug)]
pub struct Test {
    /// The path of the function: `crate::module::name`.
    pub path: &'static str,
    /// The path of its file.
    pub file: &'static str,
    /// The line of its name.
    pub line: u32,
    /// The column of its name, from 1.
    pub column: u32,
    /// The package and the target that contain it.
    pub target: CargoTarget,
    /// The source of the function's body, without its braces, for the regression test; empty if
    /// there can be none.
    pub body: &'static str,
    /// The return type as written, including `->`, for the regression test; empty if there is
    /// none.
    pub return_type: &'static str,
    /// The literals of the file under test, in the format of [`mined`].
    pub constants: &'static str,
    /// The claim about its inputs.
    pub claim: Claim,
    /// Applies the settings of the attribute.
    pub configure: fn(&mut Settings),
    /// Generates the parameters and runs the body. Returns the failure, if any.
    pub run: fn(&mut Case) -> Option<String>,
    /// The number of parameters.
    pub parameters: usize,
    /// The inputs of a specification, if it uses one.
    pub inputs: Option<Inputs>,
    /// The explicit examples.
    pub examples: &'static [Example],
}

/// Parses the constants of the code under test. Macros write all of them in one literal, because
/// one expression per constant would multiply the compile time of a test.
#[doc(hidden)]
#[must_use]
pub fn mined(all: &str) -> Constants {
    let mut constants = Constants::default();
    for one in strings::split(all, "\u{1F}") {
        match one.split_at_checked(1) {
            Some(("i", integer)) => constants.integers.extend(integer.parse::<i128>()),
            Some(("f", float)) => constants.floats.extend(float.parse::<f64>()),
            Some(("t", text)) => constants.texts.push(text.to_owned()),
            _ => {}
        }
    }
    constants
}

/// Changes no settings. Most attributes use it.
#[doc(hidden)]
pub fn keep_settings(_: &mut Settings) {}

/// The package and the target of a test, from the environment variables that cargo sets for the
/// compiler.
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

impl Test {
    /// Returns the key under which Rebut saves data of the test next to the manifest of its
    /// package.
    pub(crate) fn key(&self) -> String {
        self.target.key(self.path, self.file)
    }
}

impl CargoTarget {
    /// Returns the current directory of the package's manifest. The directory at build time may
    /// belong to another checkout: if both share a target directory, cargo does not rebuild a
    /// package for that alone. Cargo and nextest set variables for the package of the test that
    /// they run.
    pub(crate) fn running_manifest_dir(&self) -> String {
        let variable = |name: &str| std::env::var(name).unwrap_or_default();
        let running = variable("CARGO_MANIFEST_DIR");
        // A test of another package may have started this one.
        let is_ours = !self.package.is_empty() && variable("CARGO_PKG_NAME") == self.package;
        if is_ours && !running.is_empty() { running } else { self.manifest_dir.to_owned() }
    }

    /// Creates the description of the target that is being compiled. The arguments are the
    /// results of `option_env!` for `CARGO_PKG_NAME`, `CARGO_MANIFEST_DIR`, `CARGO_BIN_NAME` and
    /// `CARGO_TARGET_TMPDIR`.
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

    /// Returns the flags with which `cargo test` builds this target alone, such as `-p demo
    /// --lib`; empty if cargo did not build it. `path` and `file` belong to a test in the target.
    #[must_use]
    pub fn selection(&self, path: &str, file: &str) -> String {
        let package = self.package;
        match self.kind(path, file) {
            _ if package.is_empty() => String::new(),
            ("lib", _) => format!("-p {package} --lib"),
            (kind, name) => format!("-p {package} --{kind} {name}"),
        }
    }

    /// Returns the kind and the name of the target, such as `test round-trip`, or `lib` for the
    /// library. `path` and `file` belong to a test in the target.
    #[must_use]
    pub fn name(&self, path: &str, file: &str) -> String {
        match self.kind(path, file) {
            _ if self.package.is_empty() => String::new(),
            ("lib", _) => "lib".to_owned(),
            (kind, name) => format!("{kind} {name}"),
        }
    }

    /// Returns the key under which Rebut saves data of a test next to the manifest of its
    /// package. It is the path, preceded by the kind of the target if another target of the
    /// package may have a test with the same path.
    pub(crate) fn key(&self, path: &str, file: &str) -> String {
        match self.kind(path, file).0 {
            "lib" => path.to_owned(),
            // Usually it does not have the name of the library.
            "test"
                if TestPath::new(path).crate_name()
                    != strings::replaced(self.package, "-", "_") =>
            {
                path.to_owned()
            }
            kind => format!("{kind}-{path}"),
        }
    }

    /// Like [`CargoTarget::key`], but unique among the tests of all packages of a workspace.
    pub(crate) fn key_in_workspace(&self, path: &str, file: &str) -> String {
        let package = self.package;
        match self.kind(path, file).0 {
            _ if package.is_empty() => path.to_owned(),
            "lib" if TestPath::new(path).crate_name() == strings::replaced(package, "-", "_") => {
                path.to_owned()
            }
            kind => format!("{package}-{kind}-{path}"),
        }
    }

    /// Returns the kind of the target, as in a flag of `cargo test`, and its name, which is empty
    /// for the library.
    fn kind<'a>(&self, path: &'a str, file: &'a str) -> (&'static str, &'a str) {
        match self.binary {
            Some(name) if is_below(file, "examples") => ("example", name),
            Some(name) => ("bin", name),
            None if self.is_integration_test => {
                let kind = if is_below(file, "benches") { "bench" } else { "test" };
                (kind, self.integration_test(TestPath::new(path).crate_name(), file))
            }
            None => ("lib", ""),
        }
    }

    /// Returns the name of an integration test. The name of the crate has `_` where the name of
    /// the target may have `-`. If the file has the name of the target, it shows which.
    fn integration_test<'a>(&self, crate_name: &'a str, file: &'a str) -> &'a str {
        let parts = strings::split(file, std::path::MAIN_SEPARATOR_STR);
        let stems = parts.iter().rev().map(|part| part.strip_suffix(".rs").unwrap_or(part));
        stems
            .into_iter()
            .find(|stem| strings::replaced(stem, "-", "_") == crate_name)
            .unwrap_or(crate_name)
    }
}

/// Returns whether a directory in the path of a file has this name.
fn is_below(file: &str, directory: &str) -> bool {
    strings::split(file, std::path::MAIN_SEPARATOR_STR).contains(&directory)
}

/// An `#[example(..)]` of a test.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// The source of the values.
    pub written: &'static str,
    /// The line of the attribute.
    pub line: u32,
    /// Runs the body with these values.
    pub run: fn(&mut Case) -> Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_consist_of_a_crate_and_a_name() {
        let path = TestPath::new("demo::module::holds");
        assert_eq!(path.crate_name(), "demo");
        assert_eq!(path.in_crate(), "module::holds");
        assert_eq!(path.harness_name(), "module::holds");
        assert_eq!(path.function(), "holds");
        let check = TestPath::new("module::holds@src/a.rs:3");
        assert_eq!(check.harness_name(), "module::holds");
        let program = TestPath::new("src/main.rs:3");
        assert_eq!((program.crate_name(), program.in_crate()), ("src/main.rs:3", "src/main.rs:3"));
    }

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
            (
                target(None, Some("/t")),
                "speed::b",
                file(&["benches", "speed.rs"]),
                "-p my-demo --bench speed",
            ),
            (CargoTarget::new(None, None, None, None), "a::b", file(&["a.rs"]), ""),
        ] {
            assert_eq!(target.selection(path, &file), expected);
        }
    }

    #[test]
    fn tests_of_one_path_in_several_targets_have_keys_of_their_own() {
        let target = |package, binary, temporary| {
            CargoTarget::new(Some(package), Some("/home/me"), binary, temporary)
        };
        let file = |folder: &str| [folder, "a.rs"].join(std::path::MAIN_SEPARATOR_STR);
        let all = [
            (target("demo", None, None), "demo::a", file("src")),
            (target("demo", Some("demo"), None), "demo::a", file("src")),
            (target("demo", Some("demo"), None), "demo::a", file("examples")),
            (target("demo", None, Some("/t")), "demo::a", file("tests")),
            (target("demo", None, Some("/t")), "it::a", file("tests")),
            (target("demo", None, Some("/t")), "it::a", file("benches")),
            (target("demo", None, None), "demo::it::a", file("src")),
            (target("other", None, Some("/t")), "it::a", file("tests")),
            (target("other", None, None), "demo::a", file("src")),
        ];
        let mut keys = std::collections::HashSet::new();
        let mut files = std::collections::HashSet::new();
        for (target, path, file) in &all {
            let key = target.key(path, file);
            assert!(keys.insert((target.package, crate::folder::file_name(&key))), "{key}");
            let key = target.key_in_workspace(path, file);
            assert!(files.insert(crate::folder::file_name(&key)), "{key}");
        }
        let (library, path, file) = &all[0];
        assert_eq!(library.key(path, file), "demo::a");
        assert_eq!(library.key_in_workspace(path, file), "demo::a");
        let (test, path, file) = &all[4];
        assert_eq!(test.key(path, file), "it::a");
        assert_eq!(test.key_in_workspace(path, file), "demo-test-it::a");
        assert_eq!(test.name(path, file), "test it");
    }
}
