//! The description of a property for the runner.

use std::path::Path;

use rebut_choice::Constants;
use rebut_protocol::test_path::TestPath;

use crate::strings;
use crate::{Case, Claim, ClaimSites, Inputs, Settings};

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
    /// The attributes that set levels of lints, one per line, for the regression test.
    pub attributes: &'static str,
    /// Returns whether the names of the standard prelude are in scope.
    pub has_prelude: fn() -> bool,
    /// The edition of the crate, such as 2024.
    pub edition: u16,
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
    /// The sites where the body checks something, if it is known.
    pub claims: Option<ClaimSites>,
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
    /// Whether its code checks overflows, if that is known.
    pub checks_overflows: Option<bool>,
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
            checks_overflows: None,
        }
    }

    /// Sets whether the code of the target checks overflows.
    #[must_use]
    pub const fn checking_overflows(mut self, checks_overflows: Option<bool>) -> Self {
        self.checks_overflows = checks_overflows;
        self
    }

    /// Returns the kind and the name of the target, such as `test round-trip`, or `lib` for the
    /// library; empty if cargo did not build it. `path` and `file` belong to a test in the target.
    /// The name is the same in every process, but it is a guess: cargo may know another one. See
    /// [`rerun::target`](crate::rerun::target).
    pub(crate) fn name(&self, path: &str, file: &str) -> String {
        match self.kind(path, file) {
            _ if self.package.is_empty() => String::new(),
            ("lib", _) => "lib".to_owned(),
            (kind, name) => format!("{kind} {name}"),
        }
    }

    /// Like [`CargoTarget::name`], but without a name that may be wrong: an integration test can
    /// have any name and any file.
    pub(crate) fn certain_name(&self, path: &str, file: &str) -> String {
        let crate_name = TestPath::new(path).crate_name();
        match self.kind(path, file) {
            // The file does not have the name of the crate, which may have `_` for `-`.
            (kind @ ("test" | "bench"), _)
                if !self.package.is_empty()
                    && strings::find(crate_name, "_").is_some()
                    && stem_of_target(crate_name, file).is_none() =>
            {
                kind.to_owned()
            }
            _ => self.name(path, file),
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
            Some(name) if self.is_in(file, "examples") => ("example", name),
            Some(name) => ("bin", name),
            None if self.is_integration_test => {
                let kind = if self.is_in(file, "benches") { "bench" } else { "test" };
                let crate_name = TestPath::new(path).crate_name();
                (kind, stem_of_target(crate_name, file).unwrap_or(crate_name))
            }
            None => ("lib", ""),
        }
    }

    /// Returns whether a file is in this directory of the package. The compiler's path of a file
    /// begins at the root of the workspace, and the directories above the package can have any
    /// name.
    fn is_in(&self, file: &str, directory: &str) -> bool {
        let (file, package) = (Path::new(file), Path::new(self.manifest_dir));
        // `/w/examples/app` and `examples/app/src/main.rs`: the file begins with the longest end of
        // the directory that fits. But a source is rarely next to its manifest, so
        // `examples/show.rs` is not in a package `examples`.
        let mut in_package = file.strip_prefix(package).unwrap_or(file);
        for root in package.ancestors().filter(|_| file.is_relative()) {
            if let Ok(from_root) = package.strip_prefix(root)
                && let Ok(rest) = file.strip_prefix(from_root)
                && rest.components().count() > 1
            {
                in_package = rest;
            }
        }
        in_package.components().next().is_some_and(|first| first.as_os_str() == directory)
    }
}

/// Returns the name of an integration test, as the path of its file has it. The name of the crate
/// has `_` where the name of the target may have `-`. If the file has the name of the target, it
/// shows which.
fn stem_of_target<'a>(crate_name: &str, file: &'a str) -> Option<&'a str> {
    let parts = strings::split(file, std::path::MAIN_SEPARATOR_STR);
    let mut stems = parts.iter().rev().map(|part| part.strip_suffix(".rs").unwrap_or(part));
    stems.find(|stem| strings::replaced(stem, "-", "_") == crate_name)
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
    fn targets_have_a_kind_and_a_name() {
        let target = |binary, temporary| {
            CargoTarget::new(Some("my-demo"), Some("/home/me/demo"), binary, temporary)
        };
        let file = |parts: &[&str]| parts.join(std::path::MAIN_SEPARATOR_STR);
        for (target, path, file, expected) in [
            (target(None, None), "my_demo::a::b", file(&["src", "a.rs"]), "lib"),
            (
                target(None, Some("/t")),
                "round_trip::b",
                file(&["tests", "round-trip.rs"]),
                "test round-trip",
            ),
            (
                target(None, Some("/t")),
                "round_trip::deep::b",
                file(&["tests", "round-trip", "deep.rs"]),
                "test round-trip",
            ),
            (target(None, Some("/t")), "it::b", file(&["elsewhere", "main.rs"]), "test it"),
            (target(Some("tool"), None), "tool::b", file(&["src", "main.rs"]), "bin tool"),
            (target(Some("show"), None), "show::b", file(&["examples", "show.rs"]), "example show"),
            (target(None, Some("/t")), "speed::b", file(&["benches", "speed.rs"]), "bench speed"),
            (CargoTarget::new(None, None, None, None), "a::b", file(&["a.rs"]), ""),
        ] {
            assert_eq!(target.name(path, &file), expected);
            assert_eq!(target.certain_name(path, &file), expected);
        }
    }

    #[test]
    fn directories_above_the_package_say_nothing_about_the_target() {
        let name = |directory: &'static str, binary, temporary, path: &str, file: &str| {
            let target = CargoTarget::new(Some("demo"), Some(directory), binary, temporary);
            target.name(path, &strings::replaced(file, "/", std::path::MAIN_SEPARATOR_STR))
        };
        let (bin, it) = (Some("app"), Some("/t"));
        for (directory, binary, temporary, path, file, expected) in [
            ("/w/examples/app", bin, None, "app::b", "examples/app/src/main.rs", "bin app"),
            ("/w/examples/app", bin, None, "app::b", "examples/app/examples/app.rs", "example app"),
            ("/w/examples", bin, None, "app::b", "examples/src/main.rs", "bin app"),
            ("/w/benches/tools", None, it, "t::b", "benches/tools/tests/t.rs", "test t"),
            ("/w/benches/tools", None, it, "t::b", "benches/tools/benches/t.rs", "bench t"),
            ("/w/examples/benches/a", None, it, "t::b", "benches/a/tests/t.rs", "test t"),
            // A workspace of its own, in such a directory.
            ("/w/examples", bin, None, "app::b", "examples/app.rs", "example app"),
            ("/w/examples/app", bin, None, "app::b", "src/main.rs", "bin app"),
            ("/w/examples/app", bin, None, "app::b", "/w/examples/app/src/main.rs", "bin app"),
            ("/w/app", bin, None, "app::b", "/w/app/examples/app.rs", "example app"),
        ] {
            assert_eq!(name(directory, binary, temporary, path, file), expected, "{file}");
        }
    }

    #[test]
    fn names_that_may_have_hyphens_are_not_certain() {
        let target = CargoTarget::new(Some("demo"), Some("/w"), None, Some("/t"));
        for (path, file, expected) in [
            ("odd_name::b", &["tests", "deep", "odd.rs"][..], "test"),
            ("api_v2::b", &["tests", "api", "main.rs"], "test"),
            ("fast_path::b", &["benches", "all.rs"], "bench"),
            ("api_v2::b", &["tests", "api-v2", "main.rs"], "test api-v2"),
            ("api_v2::b", &["tests", "api_v2.rs"], "test api_v2"),
            ("odd::b", &["tests", "deep", "main.rs"], "test odd"),
        ] {
            let file = file.join(std::path::MAIN_SEPARATOR_STR);
            assert_eq!(target.certain_name(path, &file), expected, "{file}");
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
