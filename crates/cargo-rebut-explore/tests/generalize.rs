//! `cargo rebut generalize`, as it is called from a shell, on the list of Tillmann and Schulte.
//!
//! The tests need a compiler for WebAssembly.

use expect_test::expect_file;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The exit code of the command if there is no compiler.
const MISSING: i32 = 6;

/// A package that has the tests of one example and does not know Rebut.
fn package(folder: &str, example: &str) -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    fs::create_dir_all(home.join("src")).expect("a folder");
    let file = here.join("../../examples/generalize/src").join(example);
    fs::copy(file, home.join("src/lib.rs")).expect("a file");
    let manifest = format!("[package]\nname = \"{folder}\"\nedition = \"2024\"\n\n[workspace]\n");
    fs::write(home.join("Cargo.toml"), manifest).expect("a file");
    home
}

/// Returns the output of the command, which finds nothing. `None` if there is no compiler.
fn generalize(home: &Path, arguments: &[&str]) -> Option<String> {
    generalize_with(home, arguments, 0)
}

/// Returns the output of the command, which ends with this code. `None` if there is no compiler.
fn generalize_with(home: &Path, arguments: &[&str], code: i32) -> Option<String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-rebut-explore"));
    rebut_testkit::clean(&mut command);
    // Rebut is built once for all packages, and for what is inferred.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("symbolic");
    command.env("CARGO_TARGET_DIR", target);
    let output = command
        .current_dir(home)
        .args(["generalize"])
        .args(arguments)
        .output()
        .expect("the command");
    let said = String::from_utf8_lossy(&output.stderr);
    if output.status.code() == Some(MISSING) {
        rebut_testkit::missing("a compiler for WebAssembly", &said);
        return None;
    }
    assert_eq!(output.status.code(), Some(code), "{said}");
    let rebut = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("rebut");
    let text = String::from_utf8_lossy(&output.stdout);
    Some(text.replace(&rebut.display().to_string(), "REBUT"))
}

/// The marked code in `docs/guide/generalize.md`, indented as in the file.
fn shown() -> Vec<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide/generalize.md");
    let page = fs::read_to_string(page).expect("a page");
    let mark = "<!-- tested by: crates/cargo-rebut-explore/tests/generalize.rs -->\n```rust\n";
    let blocks = page.split(mark).skip(1).filter_map(|rest| rest.split("```").next());
    let deeper = |line: &str| match line {
        "" => "\n".to_owned(),
        line => format!("    {line}\n"),
    };
    blocks.map(|block| block.lines().map(deeper).collect()).collect()
}

/// One test, because it is one build.
#[test]
fn two_paths_of_the_list_pass_and_three_are_refused() {
    let home = package("list", "array_list.rs");
    let read = |name: &str| fs::read_to_string(home.join(name)).expect("a file");
    let before = read("src/lib.rs");
    let Some(text) = generalize(&home, &["src/lib.rs::add"]) else { return };
    expect_file!["snapshots/array_list.txt"].assert_eq(&text);
    assert_eq!(read("src/lib.rs"), before, "nothing is changed unless it is asked for");

    let line = generalize(&home, &["src/lib.rs", "--format", "json", "--apply"]);
    let line = line.expect("there is a compiler");
    let told: Value = serde_json::from_str(line.lines().next().expect("a line")).expect("JSON");
    assert_eq!(told["status"], "generalized");
    assert_eq!(told["paths"]["passes"], 2);
    assert_eq!(told["paths"]["refuses"], 3);
    assert_eq!(told["paths"]["complete"], true);
    assert_eq!(told["tests"][0]["assumption"], "capacity >= 0");
    assert_eq!(told["tests"][0]["proved"], true);
    assert_eq!(told["findings"].as_array().map(Vec::len), Some(0));
    let after = read("src/lib.rs");
    assert!(after.contains("    // What is added is there.\n    #[rebut::test]"), "{after}");
    for block in shown() {
        assert!(before.contains(&block) || after.contains(&block), "{block}");
    }
    assert!(read("Cargo.toml").contains("[dev-dependencies]\nrebut = "));
}

/// Returns the error message of the command, which ends with this code. `None` if there is no
/// compiler.
#[track_caller]
fn refused(home: &Path, path: &str, code: i32) -> Option<String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-rebut-explore"));
    command.current_dir(home).args(["generalize", path]);
    let output = command.output().expect("the command");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.code() == Some(MISSING) {
        rebut_testkit::missing("a compiler for WebAssembly", &said);
        return None;
    }
    assert_eq!(output.status.code(), Some(code), "{said}");
    Some(said)
}

#[test]
fn missing_files_are_named() {
    let home = package("nothing", "array_list.rs");
    let Some(said) = refused(&home, "src/nothing.rs", 7) else { return };
    assert!(said.contains("file not found: src/nothing.rs"), "{said}");
}

/// Values that are one value, lists that are compared, and a panic that is expected.
#[test]
fn equal_values_become_one_parameter() {
    let home = package("shelf", "shelf.rs");
    let Some(text) = generalize(&home, &["src/lib.rs"]) else { return };
    expect_file!["snapshots/shelf.txt"].assert_eq(&text);
}

/// In the file of the trait, which gets an attribute, and from outside, where it is described.
#[test]
fn objects_become_mocks_if_the_test_passes_whatever_they_answer() {
    let home = package("tills", "tills.rs");
    let outside = "use tills::{Flat, Till};

#[test]
fn all_that_is_sold_counts() {
    let mut till = Till::new(Box::new(Flat(3)));
    till.sell(20);
    till.sell(30);
    assert_eq!(till.sold(), 50);
}
";
    fs::create_dir_all(home.join("tests")).expect("a folder");
    fs::write(home.join("tests/outside.rs"), outside).expect("a file");
    let Some(text) = generalize_with(&home, &["src/lib.rs"], 100) else { return };
    expect_file!["snapshots/tills.txt"].assert_eq(&text);
    let text = generalize(&home, &["tests/outside.rs"]).expect("there is a compiler");
    expect_file!["snapshots/tills_outside.txt"].assert_eq(&text);
}

#[test]
fn an_unknown_test_is_reported_with_the_closest_name() {
    let home = package("misnamed", "shelf.rs");
    let Some(said) = refused(&home, "src/lib.rs::places_have_no_order", 2) else { return };
    assert!(said.contains("did you mean `tests::things_are_in_order`?"), "{said}");
    assert!(said.contains("available: tests::put_item_is_on_the_shelf, "), "{said}");
}

#[test]
fn a_syntax_error_is_reported_with_its_location() {
    let home = package("broken", "shelf.rs");
    fs::write(home.join("src/broken.rs"), "fn a() {}\n\nfn 3() {}\n").expect("a file");
    fs::write(home.join("src/lib.rs"), "mod broken;\n").expect("a file");
    let Some(said) = refused(&home, "src/broken.rs", 7) else { return };
    assert!(said.contains("src/broken.rs:3:4: cannot parse this file as Rust: "), "{said}");
}

/// Expected values that are lengths and elements, and numbers of 128 bits.
#[test]
fn expected_strings_become_expressions() {
    let home = package("letters", "letters.rs");
    let Some(text) = generalize(&home, &["src/lib.rs"]) else { return };
    let rebut = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("rebut");
    let text = text.replace(&rebut.display().to_string(), "REBUT");
    expect_file!["snapshots/letters.txt"].assert_eq(&text);
}

/// A crate of the edition 2015, and without the standard library. The value of the first test has
/// two lines, and the second test is found nevertheless.
const OLD: &str = r#"#![no_std]

pub fn first(bytes: &[u8]) -> Option<u8> {
    bytes.get(0).map(|byte| *byte)
}

#[test]
fn the_first_byte_is_first() {
    assert_eq!(first(b"ab
c"), Some(b'a'));
}

#[test]
fn there_is_one_byte() {
    let bytes = &[7];
    assert_eq!(first(bytes), Some(7));
}
"#;

#[test]
fn old_crates_without_the_standard_library_name_what_tests_need() {
    let home = package("old", "shelf.rs");
    fs::write(home.join("src/lib.rs"), OLD).expect("a file");
    fs::write(home.join("Cargo.toml"), "[package]\nname = \"old\"\n\n[workspace]\n")
        .expect("a file");
    let Some(text) = generalize(&home, &["src/lib.rs", "--apply"]) else { return };
    let after = fs::read_to_string(home.join("src/lib.rs")).expect("a file");
    let crates = ["rebut", "std"].map(|name| format!("#[cfg(test)]\nextern crate {name};\n"));
    assert!(after.starts_with(&format!("#![no_std]\n\n{}", crates.concat())), "{after}");
    assert_eq!(after.matches("#[rebut::test]").count(), 2, "{text}{after}");
    assert!(after.contains("Some(bytes[0])"), "{after}");
}

/// The output of the test looks like verdicts of the test harness, and the name of the parameter
/// looks like that of a draw.
const CHATTY: &str = r#"
pub fn is_multiple_of_three(field1: u8) -> bool {
    field1 % 3 == 0
}

#[test]
fn six_is_a_multiple() {
    println!("nothing FAILED");
    println!("book");
    assert!(is_multiple_of_three(6));
}
"#;

#[test]
fn output_of_tests_and_names_of_parameters_are_not_parsed() {
    let home = package("chatty", "shelf.rs");
    fs::write(home.join("src/lib.rs"), CHATTY).expect("a file");
    let Some(text) = generalize(&home, &["src/lib.rs"]) else { return };
    assert!(text.contains(": 1 path passes, 1 path fails an assertion"), "{text}");
    let claim = "(field1) passes if `field1 % 3 == 0` (proved for all inputs)";
    assert!(text.contains(claim), "{text}");
}
