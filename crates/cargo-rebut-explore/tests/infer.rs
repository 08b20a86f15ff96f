//! `cargo rebut infer`, as it is called from a shell, on the crate in `examples/infer`. The tests
//! that it writes are a part of that crate, in the directory `inferred`. README.md and
//! `docs/guide/infer.md` show some of them.
//!
//! The tests need a compiler for WebAssembly. After an intended change,
//! `UPDATE_EXPECT=1 cargo test -p cargo-rebut-explore --test infer` rewrites the expected output.

use expect_test::{Expect, expect, expect_file};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The exit code if there is no compiler.
const MISSING_COMPILER: i32 = 6;

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/infer")
}

fn call(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-rebut-explore"));
    rebut_testkit::clean(&mut command);
    command.env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("symbolic"));
    command.current_dir(examples()).args(["infer"]).args(arguments);
    command.output().expect("the command")
}

/// Returns the standard output and the messages of the command; `None` if there is no compiler.
fn infer(arguments: &[&str]) -> Option<(String, String)> {
    let output = call(arguments);
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.code() == Some(MISSING_COMPILER) {
        rebut_testkit::missing("a compiler for WebAssembly", &messages);
        return None;
    }
    assert_eq!(output.status.code(), Some(0), "{messages}");
    Some((String::from_utf8_lossy(&output.stdout).into_owned(), messages))
}

fn page() -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide/infer.md");
    std::fs::read_to_string(page).expect("the page")
}

/// Returns the notes among the messages of the command.
fn notes(messages: &str) -> String {
    let lines = messages.lines().skip_while(|line| !line.starts_with("note: "));
    lines.map(|line| format!("{line}\n")).collect()
}

/// One test, because it is one build.
#[test]
fn inferred_tests_are_those_of_the_examples() {
    for (subject, file) in [
        ("Account", "account.rs"),
        ("Bag", "bag.rs"),
        ("Lamp", "lamp.rs"),
        ("Ring", "ring.rs"),
        ("Stack", "stack.rs"),
        ("ArrayList", "array_list.rs"),
        ("Hashtable", "hashtable.rs"),
    ] {
        let Some((tests, messages)) = infer(&[subject]) else { return };
        expect_file![examples().join("inferred").join(file)].assert_eq(&tests);
        if subject == "Lamp" {
            let told = notes(&messages);
            assert!(page().contains(&told), "docs/guide/infer.md does not show\n{told}");
        }
        if subject == "Bag" {
            // The order of a hash table tells states apart, and no test says what it is.
            let told = "note: `Bag` is not observably deterministic: no observer";
            assert!(messages.contains(told), "{messages}");
            assert!(messages.contains("`bag.any()` differs"), "{messages}");
            assert!(!tests.contains("assert_eq!(bag.any(), "), "{tests}");
        }
    }
    let Some((contracts, _)) = infer(&["Lamp", "--as", "contracts"]) else { return };
    expect![[r#"
        #[rebut::contract]
        impl Lamp {
            #[ensures(!result.is_on())]
            pub fn new() -> Lamp {
                ..
            }

            #[ensures(old(self.is_on()) || self.is_on())]
            pub fn press(&mut self) {
                ..
            }
        }
    "#]]
    .assert_eq(&contracts);
    // Some laws of small lists are not so of larger ones: no contract says them.
    let arguments = ["ArrayList", "--modifiers", "insert", "--as", "contracts"];
    let Some((contracts, messages)) = infer(&arguments) else { return };
    let refuted = "old(self.count() == 0) || self.capacity() == old(self.count()) * 2";
    assert!(
        messages.contains(&format!("note: dropped `#[ensures({refuted})]` of `insert`")),
        "{messages}"
    );
    assert!(!contracts.contains(refuted), "{contracts}");
    assert!(contracts.contains("#[ensures(self.get(index) == Some(value))]"), "{contracts}");
}

fn check_refused(arguments: &[&str], expected: Expect) {
    let output = call(arguments);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    expected.assert_eq(&String::from_utf8_lossy(&output.stderr));
}

#[test]
fn unknown_types_are_reported_with_the_known_ones() {
    check_refused(
        &["Queue"],
        expect![[r#"
            error: no type named `Queue`; available: `account::Account`, `array_list::ArrayList`, `bag::Bag`, `hashtable::Hashtable`, `hashtable::Bucket`, `lamp::Lamp`, `ring::Ring`, `stack::Stack`
        "#]],
    );
    check_refused(
        &["Stack", "--observers", "len"],
        expect![[r#"
        error: `Stack` has no function `len` that takes `&self`; available: `count`, `contains`, `peek`
    "#]],
    );
    check_refused(
        &["Stack", "--modifiers", "peek"],
        expect![[r#"
        error: `peek` is not a modifier: a modifier takes `&mut self`
    "#]],
    );
    check_refused(
        &["Stack<u8>"],
        expect![[r#"
        error: `Stack` has no parameters, but more were given
    "#]],
    );
    let output = call(&["Stack", "-p", "nothing"]);
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(
        messages.starts_with("error: no package named `nothing` here; available: "),
        "{messages}"
    );
}

/// The marked blocks of the pages consist of inferred tests.
#[test]
fn pages_show_inferred_tests() {
    let files = std::fs::read_dir(examples().join("inferred")).expect("a directory");
    let inferred: Vec<String> = files
        .map(|file| std::fs::read_to_string(file.expect("a file").path()).expect("a file"))
        .collect();
    let mark = "<!-- tested by: crates/cargo-rebut-explore/tests/infer.rs -->\n```rust\n";
    for name in ["README.md", "docs/guide/infer.md"] {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name);
        let page = std::fs::read_to_string(page).expect("a page");
        let blocks = page.split(mark).skip(1).filter_map(|rest| rest.split("```\n").next());
        for function in blocks.flat_map(|block| block.split("\n\n")) {
            let indented: String =
                function.trim_end().lines().map(|line| format!("    {line}\n")).collect();
            let is_inferred = inferred.iter().any(|file| file.contains(&indented));
            assert!(is_inferred, "{name} shows a test that is not inferred:\n{indented}");
        }
    }
}
