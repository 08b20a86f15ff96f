//! Runs `cargo rebut init` as a user does.

#![cfg(unix)]

use expect_test::{Expect, expect};
use serde_json::Value;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A directory with packages. All tests build in one target directory, one after the other.
struct Folder {
    home: PathBuf,
    target: PathBuf,
    _turn: File,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("here")
}

impl Folder {
    fn new(name: &str, files: &[(&str, &str)]) -> Folder {
        let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("init").join(name);
        let _ = fs::remove_dir_all(&home);
        let shared = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fixture");
        fs::create_dir_all(&shared).expect("a folder");
        let turn = File::create(shared.join("turn")).expect("a file");
        turn.lock().expect("a lock");
        let folder = Folder { home, target: shared.join("target"), _turn: turn };
        for (name, text) in files {
            folder.write(name, text);
        }
        // With the versions of this workspace, cargo needs no network.
        fs::copy(root().join("Cargo.lock"), folder.home.join("Cargo.lock")).expect("a file");
        folder
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.home.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.home.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn has(&self, name: &str) -> bool {
        self.home.join(name).exists()
    }

    fn command(&self, program: &str, folder: &str, arguments: &[&str]) -> Output {
        let mut command = Command::new(program);
        rebut_testkit::clean(&mut command);
        command.env("CARGO_TARGET_DIR", &self.target);
        command.current_dir(self.home.join(folder)).args(arguments);
        command.output().expect("the command")
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(env!("CARGO_BIN_EXE_cargo-rebut"), ".", arguments)
    }

    /// The output of `init --format json`.
    fn init(&self, arguments: &[&str]) -> Value {
        let all: Vec<&str> =
            ["init", "--format", "json"].iter().chain(arguments).copied().collect();
        let output = self.run(&all);
        assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
        serde_json::from_slice(&output.stdout).expect("JSON")
    }

    /// The files of the test targets of the package in a directory.
    fn test_targets(&self, folder: &str) -> Vec<String> {
        let arguments = ["metadata", "--no-deps", "--offline", "--format-version=1"];
        let output = self.command("cargo", folder, &arguments);
        let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let packages = metadata["packages"].as_array().expect("packages");
        let targets =
            packages.iter().flat_map(|package| package["targets"].as_array().expect("targets"));
        let tests = targets.filter(|target| target["kind"][0] == "test");
        tests.map(|target| target["name"].as_str().unwrap_or_default().to_owned()).collect()
    }

    #[expect(clippy::needless_pass_by_value, reason = "reads better at the calls")]
    fn check(&self, output: &Output, expected: Expect) {
        let shown = text(&output.stderr)
            .replace(&root().display().to_string(), "REBUT")
            .replace(&self.home.display().to_string(), "HOME");
        // A clone may have the address of its remote.
        let lines = shown.lines().filter(|line| !line.starts_with("note: rebut is a local path"));
        expected.assert_eq(&lines.map(|line| format!("{line}\n")).collect::<String>());
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn tests_of(done: &Value) -> Vec<&str> {
    let tests = done["tests"].as_array().expect("tests");
    tests.iter().filter_map(|test| test["test"].as_str()).collect()
}

const MANIFEST: &str = "\
# How it was written is how it stays.
[package]
name    = \"demo\"
version = \"0.1.0\"
edition = \"2024\"

[workspace]

[profile.dev]
debug = false
";

/// A package as `cargo new --lib` creates it.
const NEW: &str = "\
pub fn add(left: u64, right: u64) -> u64 {
    left + right
}
";

/// A shape of a package. None of them is built.
struct Shape {
    name: &'static str,
    files: &'static [(&'static str, &'static str)],
    /// The directory of the package.
    folder: &'static str,
    /// The file of tests, and its test.
    written: (&'static str, &'static str),
    /// Lines that the manifest contains afterward.
    manifest: &'static [&'static str],
}

const SHAPES: &[Shape] = &[
    Shape {
        name: "published",
        files: &[
            (
                "Cargo.toml",
                "[package]\nname = \"demo\"\nversion = \"1.0.0\"\nedition = \"2021\"\nautotests = \
                 false\n\n[lib]\nname = \"demo\"\npath = \"src/lib.rs\"\n\n[[test]]\nname = \
                 \"own\"\npath = \"tests/own.rs\"\n\n[dev-dependencies.other]\nversion = \"1\"\n\n\
                 [workspace]\n",
            ),
            ("Cargo.toml.orig", "this is not read\n"),
            ("src/lib.rs", NEW),
            ("tests/own.rs", "#[test] fn own() {}\n"),
        ],
        folder: ".",
        written: ("tests/properties.rs", "add_is_commutative"),
        manifest: &[
            "[[test]]\nname = \"properties\"\npath = \"tests/properties.rs\"\n",
            "[dev-dependencies]\nrebut = { path = ",
        ],
    },
    Shape {
        name: "edition_2015_with_targets",
        files: &[
            (
                "Cargo.toml",
                "[package]\nname = \"demo\"\nversion = \"1.0.0\"\n\n[[test]]\nname = \"own\"\n\n\
                 [workspace]\n",
            ),
            ("src/lib.rs", NEW),
            ("tests/own.rs", "#[test] fn own() {}\n"),
        ],
        folder: ".",
        written: ("tests/properties.rs", "add_is_commutative"),
        manifest: &["path = \"tests/properties.rs\"\n"],
    },
    Shape {
        name: "edition_2018_and_a_renamed_library",
        files: &[
            (
                "Cargo.toml",
                "dev-dependencies.other = \"1\"\n[package]\nname = \"demo-crate\"\nversion = \
                 \"1.0.0\"\nedition = \"2018\"\n[lib]\nname = \"renamed\"\n[workspace]\n",
            ),
            (
                "src/lib.rs",
                "#![no_std]\n#![forbid(unsafe_code)]\npub fn gcd(a: u8, b: u8) -> u8 { a }\n",
            ),
        ],
        folder: ".",
        written: ("tests/properties.rs", "gcd_is_commutative"),
        manifest: &["dev-dependencies.other = \"1\"\ndev-dependencies.rebut = { path = "],
    },
    Shape {
        name: "a_file_of_this_name",
        files: &[
            ("Cargo.toml", MANIFEST),
            ("src/lib.rs", NEW),
            ("tests/properties.rs", "#[test] fn mine() {}\n"),
        ],
        folder: ".",
        written: ("tests/properties_2.rs", "add_is_commutative"),
        manifest: &[MANIFEST],
    },
    Shape {
        name: "a_program",
        files: &[
            ("Cargo.toml", MANIFEST),
            ("src/main.rs", "fn main() {}\nfn gcd(a: u8, b: u8) -> u8 { a }\n"),
        ],
        folder: ".",
        written: ("src/properties.rs", "gcd_is_commutative"),
        manifest: &[MANIFEST],
    },
    Shape {
        name: "the_only_library_of_a_virtual_workspace",
        files: &[
            ("Cargo.toml", "[workspace]\nmembers = [\"macros\", \"one\"]\nresolver = \"2\"\n"),
            (
                "macros/Cargo.toml",
                "[package]\nname = \"macros\"\nversion = \"1.0.0\"\n[lib]\nproc-macro = true\n",
            ),
            ("macros/src/lib.rs", ""),
            (
                "one/Cargo.toml",
                "[package]\nname = \"one\"\nversion = \"1.0.0\"\nedition = \"2021\"\n",
            ),
            ("one/src/lib.rs", NEW),
        ],
        folder: ".",
        written: ("one/tests/properties.rs", "add_is_commutative"),
        manifest: &[],
    },
    Shape {
        name: "a_package_that_its_workspace_does_not_list",
        files: &[
            ("Cargo.toml", "[workspace]\nmembers = [\"one\"]\nresolver = \"2\"\n"),
            ("one/Cargo.toml", "[package]\nname = \"one\"\nversion = \"1.0.0\"\n"),
            ("one/src/lib.rs", ""),
            ("stray/Cargo.toml", "[package]\nname = \"stray\"\nversion = \"1.0.0\" # mine\n"),
            ("stray/src/lib.rs", NEW),
        ],
        folder: "stray",
        written: ("stray/tests/properties.rs", "add_is_commutative"),
        manifest: &[
            "version = \"1.0.0\" # mine\n",
            "[workspace]\n",
            "[dev-dependencies]\nrebut = ",
        ],
    },
];

#[test]
fn packages_of_all_shapes_get_tests() {
    for shape in SHAPES {
        let folder = Folder::new(shape.name, shape.files);
        let before: Vec<(&str, String)> =
            shape.files.iter().map(|(name, _)| (*name, folder.read(name))).collect();
        let program = env!("CARGO_BIN_EXE_cargo-rebut");
        let arguments = ["init", "--no-build", "--format", "json"];
        let output = folder.command(program, shape.folder, &arguments);
        let said = text(&output.stderr);
        assert!(output.status.success(), "{}: {said}", shape.name);
        let done: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let (file, test) = shape.written;
        assert_eq!(tests_of(&done), [test], "{}", shape.name);
        assert!(folder.read(file).contains(&format!("fn {test}(")), "{}", shape.name);
        let home = Path::new(file).parent().and_then(Path::parent).expect("a folder");
        let home = if home.as_os_str().is_empty() { Path::new(".") } else { home };
        let manifest = folder.read(&home.join("Cargo.toml").display().to_string());
        for part in shape.manifest {
            assert!(manifest.contains(part), "{}: {manifest}", shape.name);
        }
        if file.contains("tests/") {
            let stem = Path::new(file).file_stem().expect("a name").to_string_lossy();
            let targets = folder.test_targets(&home.display().to_string());
            assert!(targets.iter().any(|target| *target == stem), "{}: {targets:?}", shape.name);
        }
        for (name, text) in before {
            let is_changed = name == "src/main.rs" || name.ends_with("Cargo.toml");
            assert!(is_changed || folder.read(name) == text, "{}: {name}", shape.name);
        }
    }
}

#[test]
fn unsupported_packages_stay_unchanged_and_get_a_reason() {
    let member = |name: &str, more: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n{more}")
    };
    let workspace = "[workspace]\nmembers = [\"one\", \"two\", \"macros\", \"c\"]\nresolver = \"3\"\n\
                     [workspace.package]\nlicense = \"MIT\"\n";
    let (one, two) = (member("one", ""), member("two", ""));
    let macros = member("macros", "[lib]\nproc-macro = true\n");
    let foreign = member("c", "[lib]\ncrate-type = [\"cdylib\"]\n");
    let stray = member("stray", "license.workspace = true\n");
    let files = [
        ("Cargo.toml", workspace),
        ("one/Cargo.toml", one.as_str()),
        ("one/src/lib.rs", ""),
        ("two/Cargo.toml", two.as_str()),
        ("two/src/lib.rs", NEW),
        ("macros/Cargo.toml", macros.as_str()),
        ("macros/src/lib.rs", ""),
        ("c/Cargo.toml", foreign.as_str()),
        ("c/src/lib.rs", ""),
        ("stray/Cargo.toml", stray.as_str()),
        ("stray/src/lib.rs", ""),
        ("empty/Cargo.toml", "[workspace]\n"),
    ];
    let folder = Folder::new("refused", &files);
    let manifest = folder.home.join("two/Cargo.toml");
    let mut permissions = fs::metadata(&manifest).expect("the file").permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&manifest, permissions).expect("permissions");
    let cases: [(&[&str], i32, &str); 9] = [
        (
            &["init"],
            2,
            "error: the workspace has several packages: one, two, macros, c\nhelp: specify one, \
             as in `cargo rebut init -p one`",
        ),
        (
            &["init", "-p", "three"],
            2,
            "error: no package named `three`; available: one, two, macros, c",
        ),
        (&["init", "-p", "macros"], 2, "`macros` is a procedural macro crate"),
        (&["init", "-p", "c"], 2, "`c` has no library or program that tests can use"),
        (
            &["init", "-p", "two", "--no-build"],
            7,
            "Cargo.toml: the file is read-only\nhelp: make it",
        ),
        (&["init", "--manifest-path", "nowhere"], 2, "error: no manifest at nowhere"),
        (&["init", "--manifest-path", "empty"], 2, "error: the workspace has no packages"),
        (
            &["init", "--manifest-path", "stray"],
            102,
            "help: list the package under `members` in the manifest of the workspace",
        ),
        (&["init", "--ci", "jenkins"], 2, "error: invalid value 'jenkins' for '--ci <SERVICE>'"),
    ];
    for (arguments, code, sentence) in cases {
        let output = folder.run(arguments);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
        assert!(said.contains(sentence), "{arguments:?}: {said}");
    }
    for (name, text) in files {
        assert_eq!(folder.read(name), text, "{name}");
    }
    assert!(!folder.has("two/tests"));
}

#[test]
fn older_packages_get_a_note_about_the_compiler() {
    let manifest =
        format!("{MANIFEST}\n").replace("[workspace]", "rust-version = \"1.85\"\n\n[workspace]");
    let folder = Folder::new("older", &[("Cargo.toml", &manifest), ("src/lib.rs", NEW)]);
    let output = folder.run(&["init", "--no-build"]);
    let said = text(&output.stderr);
    assert!(said.contains("supports Rust 1.85, but its tests now need Rust 1.89"), "{said}");
}

#[test]
fn two_commands_find_a_shrunk_failure_in_a_new_crate() {
    let folder = Folder::new("new", &[("Cargo.toml", MANIFEST), ("src/lib.rs", NEW)]);
    let output = folder.run(&["rebut", "init"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    folder.check(
        &output,
        expect![[r#"
              Adding rebut to dev-dependencies in Cargo.toml
              Trying tests of `demo` (the first build takes a minute)
             Created tests/properties.rs: tests that `demo::add` is commutative
        warning: `add_is_commutative` fails: attempt to add with overflow
                 left = 1
                 right = 18446744073709551615
        help: run them with `cargo test`, or for longer with `cargo rebut test`
    "#]],
    );
    assert!(folder.read("Cargo.toml").starts_with(MANIFEST), "{}", folder.read("Cargo.toml"));
    let property = folder.read("tests/properties.rs");
    assert!(property.contains("fn add_is_commutative(left: u64, right: u64) {"), "{property}");
    assert!(!folder.has(".rebut"), "a trial leaves nothing behind");

    let tested = folder.run(&["rebut", "test", "--time", "5s"]);
    let said = text(&tested.stderr);
    assert_eq!(tested.status.code(), Some(100), "{said}");
    assert!(said.contains("attempt to add with overflow"), "{said}");
    assert!(said.contains("let left: u64 = "), "{said}");

    let before = folder.read("Cargo.toml");
    let again = folder.run(&["rebut", "init"]);
    assert_eq!(again.status.code(), Some(0));
    let unchanged =
        "   Unchanged rebut is in Cargo.toml, and tests/properties.rs has a property test\n";
    assert_eq!(text(&again.stderr), unchanged);
    assert_eq!(folder.read("Cargo.toml"), before);
    assert_eq!(folder.read("tests/properties.rs"), property);
    assert!(!folder.has("tests/properties_2.rs"));
}

/// A parser that rejects almost all random text, in the oldest edition, with strict lints. A macro
/// hides its implementation of `Display`.
const PARSER: &str = r#"
//! Angles.
#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs, warnings)]

extern crate alloc;

use core::fmt;
use core::str::FromStr;

/// An angle.
///
/// ```
/// let angle: parser::Angle = "12°30'".parse().unwrap();
/// assert_eq!(angle.degrees(), 12);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Angle { degrees: u16, minutes: u8 }

impl Angle {
    /// The degrees.
    pub fn degrees(&self) -> u16 { self.degrees }
}

impl FromStr for Angle {
    type Err = ();
    fn from_str(text: &str) -> Result<Angle, ()> {
        let mut parts = text.splitn(2, '°');
        let degrees: u16 = parts.next().ok_or(())?.parse().map_err(|_| ())?;
        let minutes = parts.next().ok_or(())?;
        if !minutes.ends_with('\'') { return Err(()); }
        let minutes: u8 = minutes[..minutes.len() - 1].parse().map_err(|_| ())?;
        if degrees < 360 && minutes < 60 { Ok(Angle { degrees, minutes }) } else { Err(()) }
    }
}

macro_rules! printed {
    ($ty:ident) => {
        impl fmt::Display for $ty {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}°{}'", self.degrees, self.minutes)
            }
        }
    };
}
printed!(Angle);

/// Joins words; it looks as if the order did not matter.
pub fn union(first: &str, second: &str) -> alloc::string::String {
    alloc::format!("{}{}", first, second)
}
"#;

#[test]
fn a_published_parser_gets_texts_that_it_accepts() {
    let manifest = "[package]\nname = \"parser\"\nversion = \"1.0.0\"\nautotests = false\n\n\
                    [lints.rust]\nunsafe_code = \"forbid\"\nmissing_docs = \"deny\"\n\n[workspace]\n\n\
                    [profile.dev]\ndebug = false\n";
    let folder = Folder::new("parser", &[("Cargo.toml", manifest), ("src/lib.rs", PARSER)]);
    let done = folder.init(&[]);
    assert_eq!(tests_of(&done), ["angle_round_trips_through_text"], "{done}");
    let test = &done["tests"][0];
    assert_eq!(test["result"], "passed", "{done}");
    let (cases, rejected) = (test["cases"].as_u64(), test["rejected"].as_u64());
    assert!(cases > rejected, "most inputs parse: {done}");
    let text_of_tests = folder.read("tests/properties.rs");
    assert!(text_of_tests.contains("strings_matching("), "{text_of_tests}");
    assert!(folder.read("Cargo.toml").contains("features = [\"regex\"]"));
    let tested = folder.command("cargo", ".", &["test", "--test", "properties"]);
    assert!(tested.status.success(), "{}", text(&tested.stdout));
    assert!(text(&tested.stdout).contains("1 passed"), "{}", text(&tested.stdout));
}

#[test]
fn a_program_gets_a_module_and_nothing_is_overwritten() {
    let main = "fn main() {}\n\nfn shorten(text: &str, max: usize) -> Option<&str> {\n    \
                Some(&text[..max.min(text.len())])\n}\n";
    let files = [("Cargo.toml", MANIFEST), ("src/main.rs", main), ("src/properties.rs", "mine\n")];
    let folder = Folder::new("program", &files);
    let done = folder.init(&["--ci", "github", "--editor", "vscode"]);
    assert_eq!(done["dependency_added"], true);
    assert_eq!(tests_of(&done), ["shorten_never_panics"]);
    assert_eq!(done["tests"][0]["result"], "failed", "{done}");
    assert_eq!(done["next"], "cargo rebut test");
    assert_eq!(folder.read("src/properties.rs"), "mine\n");
    assert_eq!(folder.read("src/main.rs"), format!("{main}\n#[cfg(test)]\nmod properties_2;\n"));
    assert!(folder.read("src/properties_2.rs").contains("let _ = crate::shorten(text, max);"));
    let workflow = folder.read(".github/workflows/rebut.yml");
    assert!(workflow.contains("cargo rebut test"), "{workflow}");
    assert!(workflow.contains("cargo install --locked --git "), "{workflow}");
    let tasks: Value = serde_json::from_str(&folder.read(".vscode/tasks.json")).expect("JSON");
    assert_eq!(tasks["tasks"][0]["command"], "cargo rebut test");
    folder.write(".vscode/tasks.json", "mine");
    let again = folder.init(&["--editor", "vscode"]);
    assert_eq!(again["changed"], false);
    assert_eq!(folder.read(".vscode/tasks.json"), "mine");
}

#[test]
fn guesses_that_do_not_compile_or_fail_are_dropped() {
    // Only the compiler knows that `String` is something else here. `distance` is not
    // commutative, and next to no number is accepted by `to_code`.
    let code = "
        //! Documented.
        mod strange { pub struct Odd; }
        use strange::Odd as String;
        pub fn parse(text: String) -> Option<u8> { let _ = text; None }
        pub fn distance(a: u8, b: u8) -> u8 { a.wrapping_sub(b) }
        pub fn to_code(n: u64) -> Option<u64> { (n == 7_777_777).then_some(n) }
        pub fn from_code(n: u64) -> u64 { n }
        pub fn trim(numbers: &[u8]) -> &[u8] { numbers.get(1..).unwrap_or(numbers) }
        pub fn sort(numbers: &mut Vec<u8>) { numbers.sort() }
    ";
    let folder = Folder::new("gives_way", &[("Cargo.toml", MANIFEST), ("src/lib.rs", code)]);
    let output = folder.run(&["init"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    folder.check(&output, expect![[r#"
              Adding rebut to dev-dependencies in Cargo.toml
              Trying tests of `demo` (the first build takes a minute)
             Created tests/properties.rs: tests that `demo::sort` sorts as the standard library does
                     and that `demo::sort` is idempotent
        note: tried and dropped, because it is not true: `demo::trim` is idempotent; `demo::distance` is commutative; `demo::to_code` inverts `demo::from_code`
        help: run them with `cargo test`, or for longer with `cargo rebut test`
    "#]]);
}

#[test]
fn a_crate_without_a_useful_test_gets_only_the_dependency() {
    let code = "pub fn run(f: &dyn Fn()) { f() }\n";
    let folder = Folder::new("nothing", &[("Cargo.toml", MANIFEST), ("src/lib.rs", code)]);
    let output = folder.run(&["init"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    folder.check(&output, expect![[r#"
              Adding rebut to dev-dependencies in Cargo.toml
              Trying tests of `demo` (the first build takes a minute)
        warning: no test written: no public function or type takes values that can be generated
        help: write one yourself: a function with parameters under `#[rebut::test]`, in `tests/properties.rs`
    "#]]);
    assert!(!folder.has("tests"));
    assert!(folder.read("Cargo.toml").contains("[dev-dependencies]\nrebut = { path = "));
}

#[test]
fn a_crate_that_does_not_build_stays_unchanged() {
    let code = "pub fn add(a: u8, b: u8) -> u8 { nonsense }\n";
    let folder = Folder::new("broken", &[("Cargo.toml", MANIFEST), ("src/lib.rs", code)]);
    let lock = folder.read("Cargo.lock");
    let output = folder.run(&["init", "--ci", "github"]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(101), "{said}");
    assert!(said.contains("cannot find value `nonsense`"), "{said}");
    assert!(said.contains("help: nothing was changed"), "{said}");
    assert_eq!(folder.read("Cargo.toml"), MANIFEST);
    assert_eq!(folder.read("Cargo.lock"), lock);
    assert!(!folder.has("tests") && !folder.has(".github") && !folder.has(".rebut"));
}
