//! `cargo rebut init`, as it is called from a shell.

#![cfg(unix)]

use expect_test::{Expect, expect};
use serde_json::Value;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder with crates, and one folder in which all tests build, one after the other.
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
        // With the versions of this workspace nothing has to be looked up.
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

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-rebut"));
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            if text.starts_with("REBUT_") || text.starts_with("NEXTEST") || text == "CI" {
                command.env_remove(&name);
            }
        }
        command.env("CARGO_TARGET_DIR", &self.target).env("CARGO_NET_OFFLINE", "true");
        command.env("NO_COLOR", "1").current_dir(&self.home).args(arguments);
        command.output().expect("the command")
    }

    #[expect(clippy::needless_pass_by_value, reason = "reads better at the calls")]
    fn check(&self, output: &Output, expected: Expect) {
        let shown = text(&output.stdout)
            .replace(&root().display().to_string(), "REBUT")
            .replace(&self.home.display().to_string(), "HOME");
        expected.assert_eq(&shown);
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
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

/// As `cargo new --lib` makes it.
const NEW: &str = "\
pub fn add(left: u64, right: u64) -> u64 {
    left + right
}
";

#[test]
fn a_new_crate_comes_to_a_shrunk_failure_in_two_commands() {
    let folder = Folder::new("new", &[("Cargo.toml", MANIFEST), ("src/lib.rs", NEW)]);
    let output = folder.run(&["rebut", "init"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    folder.check(&output, expect![[r#"
        added: `rebut` to the dependencies of tests in Cargo.toml
        note: it is taken from REBUT/crates/rebut, which this machine has; others need a version or an address
        wrote: tests/properties.rs, which claims that `demo::add` does not mind the order of its arguments

            #[rebut::test]
            fn add_does_not_mind_the_order(left: u64, right: u64) {
                assert_eq!(demo::add(left, right), demo::add(right, left));
            }

        for CI, these steps; `cargo rebut init --ci github` writes the whole workflow:

            - run: cargo install --locked cargo-rebut@0.1.0
            - run: cargo rebut test --time 30s
            - if: always()
              run: cargo rebut report --format sarif --out rebut.sarif

        for VS Code, this `.vscode/tasks.json`; `cargo rebut init --editor vscode` writes it:

            {
              "version": "2.0.0",
              "tasks": [{
                "label": "cargo rebut test", "type": "shell", "command": "cargo rebut test", "group": "test",
                "problemMatcher": {
                  "owner": "rebut", "fileLocation": ["relative", "${workspaceFolder}"],
                  "pattern": [
                    { "regexp": "^(error)\\[(R\\d+)\\]: (.*)$", "severity": 1, "code": 2, "message": 3 },
                    { "regexp": "^  --> (.+):(\\d+):(\\d+)$", "file": 1, "line": 2, "column": 3 }
                  ]
                }
              }]
            }

        next: cargo rebut test
    "#]]);
    assert!(folder.read("Cargo.toml").starts_with(MANIFEST), "{}", folder.read("Cargo.toml"));
    let property = folder.read("tests/properties.rs");
    assert!(property.contains("assert_eq!(demo::add(left, right), demo::add(right, left));"));

    let tested = folder.run(&["rebut", "test", "--time", "5s"]);
    let said = text(&tested.stderr);
    assert_eq!(tested.status.code(), Some(100), "{said}");
    assert!(said.contains("attempt to add with overflow"), "{said}");
    assert!(said.contains("let left: u64 = "), "{said}");

    let before = folder.read("Cargo.toml");
    let again = folder.run(&["rebut", "init"]);
    assert_eq!(again.status.code(), Some(0));
    folder.check(
        &again,
        expect![[r#"
        there already: `rebut` in Cargo.toml, and a property in tests/properties.rs
        Nothing was changed.
        next: cargo rebut test
    "#]],
    );
    assert_eq!(folder.read("Cargo.toml"), before);
    assert_eq!(folder.read("tests/properties.rs"), property);
    assert!(!folder.home.join("tests/properties_2.rs").exists());
}

#[test]
fn a_program_gets_a_module_and_nothing_is_overwritten() {
    let main = "fn main() {}\n\nfn shorten(text: &str, max: usize) -> &str {\n    &text[..max.min(text.len())]\n}\n";
    let files = [("Cargo.toml", MANIFEST), ("src/main.rs", main), ("src/properties.rs", "mine\n")];
    let folder = Folder::new("program", &files);
    let output = folder.run(&["init", "--format", "json", "--ci", "github", "--editor", "vscode"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let done: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(done["dependency_added"], true);
    assert_eq!(done["property"]["test"], "shorten_does_not_panic");
    assert_eq!(done["property"]["built"], true);
    assert_eq!(done["next"], "cargo rebut test");
    assert_eq!(folder.read("src/properties.rs"), "mine\n");
    assert_eq!(folder.read("src/main.rs"), format!("{main}\n#[cfg(test)]\nmod properties_2;\n"));
    assert!(folder.read("src/properties_2.rs").contains("let _ = crate::shorten(text, max);"));
    assert!(folder.read(".github/workflows/rebut.yml").contains("cargo rebut test"));
    let tasks: Value = serde_json::from_str(&folder.read(".vscode/tasks.json")).expect("JSON");
    assert_eq!(tasks["tasks"][0]["command"], "cargo rebut test");
    folder.write(".vscode/tasks.json", "mine");
    let again = folder.run(&["init", "--format", "json", "--editor", "vscode"]);
    let done: Value = serde_json::from_slice(&again.stdout).expect("JSON");
    assert_eq!(done["changed"], false);
    assert_eq!(folder.read(".vscode/tasks.json"), "mine");
}

#[test]
fn a_property_that_does_not_compile_gives_way_to_another() {
    // What is called `String` here is something else, which only the compiler knows.
    let code = "
        mod strange { pub struct Odd; }
        use strange::Odd as String;
        pub fn parse(text: String) -> Option<u8> { let _ = text; None }
        pub fn count(numbers: &[u8]) -> usize { numbers.len() }
    ";
    let folder = Folder::new("gives_way", &[("Cargo.toml", MANIFEST), ("src/lib.rs", code)]);
    let output = folder.run(&["init", "--format", "json"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let done: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(done["property"]["built"], true, "{done}");
    assert_eq!(done["property"]["test"], "count_does_not_panic");
    fs::remove_file(folder.home.join("tests/properties.rs")).expect("the file");
    let output = folder.run(&["init", "--format", "json", "--no-build"]);
    let done: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(done["property"]["test"], "parse_does_not_panic", "nobody asked the compiler");
}

#[test]
fn who_must_choose_is_told_among_what() {
    let workspace = "[workspace]\nmembers = [\"one\", \"two\"]\nresolver = \"3\"\n";
    let member = |name: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n")
    };
    let (one, two) = (member("one"), member("two"));
    let files = [
        ("Cargo.toml", workspace),
        ("one/Cargo.toml", one.as_str()),
        ("one/src/lib.rs", ""),
        ("two/Cargo.toml", two.as_str()),
        ("two/src/lib.rs", NEW),
    ];
    let folder = Folder::new("workspace", &files);
    let cases: [(&[&str], &str); 4] = [
        (
            &["init"],
            "error: the workspace has several packages: one, two\nsay which one, as in `cargo rebut init -p one`",
        ),
        (
            &["init", "-p", "three"],
            "error: there is no package `three`; the workspace has one, two",
        ),
        (
            &["init", "--manifest-path", "nowhere"],
            "error: nowhere is no manifest; name a `Cargo.toml` that exists",
        ),
        (&["init", "--ci", "jenkins"], "error: invalid value 'jenkins' for '--ci <SERVICE>'"),
    ];
    for (arguments, sentence) in cases {
        let output = folder.run(arguments);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(sentence), "{arguments:?}: {said}");
    }
    let output = folder.run(&["init", "-p", "two", "--no-build", "--format", "json"]);
    let done: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(done["property"]["test"], "add_does_not_mind_the_order");
    assert_eq!(folder.read("one/Cargo.toml"), one);
    assert!(folder.read("two/Cargo.toml").contains("[dev-dependencies]\nrebut = "));
}

#[test]
fn a_crate_with_nothing_to_say_about_gets_a_sample() {
    let folder = Folder::new("empty", &[("Cargo.toml", MANIFEST), ("src/lib.rs", "")]);
    let output = folder.run(&["init"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(folder.read("tests/properties.rs").contains("fn reversing_twice_changes_nothing"));
    let broken = Folder { ..folder };
    broken.write("src/lib.rs", "nonsense");
    fs::remove_file(broken.home.join("tests/properties.rs")).expect("the file");
    let output = broken.run(&["init"]);
    assert_eq!(output.status.code(), Some(101), "{}", text(&output.stdout));
    assert!(text(&output.stderr).contains("the tests of this package do not build"));
}
