//! `cargo rebut explore`, as it is called from a shell, on a package with properties of every
//! kind (`testdata/verdicts`). It is built once, and explored once for most of the tests.

#![cfg(unix)]

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// The exit code if there is no compiler for WebAssembly.
const MISSING: i32 = 6;

/// Where the package is, held while others must not build in the same folder.
struct Package {
    home: PathBuf,
    target: PathBuf,
    _turn: File,
}

impl Package {
    fn new() -> Package {
        let temporary = Path::new(env!("CARGO_TARGET_TMPDIR"));
        // Where the tests of `rebut` build the same dependencies natively.
        let shared = temporary.join("fixture");
        fs::create_dir_all(&shared).expect("a folder");
        let turn = File::create(shared.join("turn")).expect("a file");
        turn.lock().expect("a lock");
        let home = temporary.join("verdicts");
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let rebut = here.join("../rebut").canonicalize().expect("rebut");
        copy(&here.join("testdata/verdicts"), &home, &rebut.display().to_string());
        // With the versions of this workspace nothing has to be looked up.
        fs::copy(here.join("../../Cargo.lock"), home.join("Cargo.lock")).expect("a file");
        Package { home, target: shared.join("target"), _turn: turn }
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        rebut_testkit::clean(&mut command);
        command.env("CARGO_TARGET_DIR", &self.target);
        command.env("RUST_BACKTRACE", "0").current_dir(&self.home);
        command
    }

    fn explore(&self, arguments: &[&str]) -> Output {
        let mut command = self.command(env!("CARGO_BIN_EXE_cargo-rebut-explore"));
        command.arg("explore").args(arguments).output().expect("the command")
    }

    /// The stored failures, by the names of their folders.
    fn stored(&self) -> Vec<String> {
        let folders = fs::read_dir(self.home.join(".rebut/failures")).into_iter().flatten();
        let mut names: Vec<String> =
            folders.flatten().map(|entry| entry.file_name().to_string_lossy().into()).collect();
        names.sort();
        names
    }
}

fn copy(from: &Path, to: &Path, rebut: &str) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder").flatten() {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy(&from, &to, rebut);
            continue;
        }
        let text = fs::read_to_string(&from).expect("text").replace("REBUT", rebut);
        if fs::read_to_string(&to).is_ok_and(|old| old == text) {
            continue;
        }
        fs::write(&to, text).expect("a file");
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// All properties of the package, explored once.
struct Explored {
    code: Option<i32>,
    said: String,
    verdicts: BTreeMap<String, Value>,
    stored: Vec<String>,
}

fn explored() -> Option<&'static Explored> {
    static EXPLORED: OnceLock<Explored> = OnceLock::new();
    let explored = EXPLORED.get_or_init(|| {
        let package = Package::new();
        let _ = fs::remove_dir_all(package.home.join(".rebut"));
        let output = package.explore(&["--format", "json"]);
        let lines = text(&output.stdout);
        let verdicts = lines.lines().map(|line| {
            let value: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"));
            let path = value["test"].as_str().expect("a path");
            (path.rsplit("::").next().unwrap_or(path).to_owned(), value)
        });
        Explored {
            code: output.status.code(),
            said: text(&output.stderr),
            verdicts: verdicts.collect(),
            stored: package.stored(),
        }
    });
    if explored.code == Some(MISSING) {
        rebut_testkit::missing("a compiler for WebAssembly", &explored.said);
        return None;
    }
    Some(explored)
}

impl Explored {
    fn of(&self, test: &str) -> &Value {
        let known = || panic!("no {test} in {:?}\n{}", self.verdicts.keys(), self.said);
        self.verdicts.get(test).unwrap_or_else(known)
    }

    /// The messages of the failures of a test.
    fn failures(&self, test: &str) -> Vec<&str> {
        let failures = self.of(test)["failures"].as_array().expect("failures");
        failures.iter().filter_map(|failure| failure["message"].as_str()).collect()
    }

    fn limits(&self, test: &str) -> Vec<&str> {
        let limits = self.of(test)["limits"].as_array().expect("limits");
        limits.iter().filter_map(Value::as_str).collect()
    }
}

#[test]
fn every_kind_of_property_gets_its_verdict() {
    let Some(explored) = explored() else { return };
    let expected = [
        ("holds", "proved"),
        ("sorts_three_numbers", "proved"),
        ("fails", "fails"),
        ("doubles_unless_loud", "proved"),
        ("has_two_faults", "fails"),
        ("is_tried_with_all_inputs", "proved"),
        ("is_refuted_by_an_ordinary_run", "fails"),
        ("is_rejected_in_webassembly_alone", "unknown"),
        ("draws_from_more_natively", "unknown"),
        ("is_refuted_natively_alone", "fails"),
        ("is_refuted_in_webassembly_alone", "unknown"),
        ("assumes_an_order_of_keys", "passed"),
        ("has_lists_without_end", "unknown"),
        ("says_nothing", "vacuous"),
        ("is_found", "found"),
        ("is_not_there", "absent"),
        ("is_there_after_all", "fails"),
        ("is_nowhere", "proved"),
        ("is_never_reached", "fails"),
        ("has_what_is_never_reached", "proved"),
        ("reads_the_clock", "unknown"),
        ("starts_a_thread", "unknown"),
        ("calls_c", "unknown"),
        // Its program cannot be linked natively.
        ("calls_no_c", "passed"),
        ("wild_rates_are_refused", "fails"),
        ("friendly_rates_are_accepted", "proved"),
        ("friendly_rates_do_not_hide_other_faults", "fails"),
    ];
    for (test, verdict) in expected {
        assert_eq!(explored.of(test)["verdict"], verdict, "{test}: {}", explored.of(test));
    }
    assert_eq!(explored.verdicts.len(), expected.len(), "{:?}", explored.verdicts.keys());
    assert_eq!(explored.code, Some(100), "{}", explored.said);
}

#[test]
fn unsupported_calls_are_reported_with_their_location() {
    let Some(explored) = explored() else { return };
    let source = include_str!("../testdata/verdicts/src/lib.rs");
    let in_c = include_str!("../testdata/verdicts/tests/in_c.rs");
    let line = |text: &str, part: &str| {
        1 + text.lines().position(|line| line.contains(part)).expect("such a line")
    };
    let expected = [
        ("reads_the_clock", "reads the clock", "src/lib.rs", line(source, "= Instant::now()")),
        ("starts_a_thread", "starts a thread", "src/lib.rs", line(source, "thread::spawn")),
        (
            "calls_c",
            "calls the foreign function `magnitude_in_c`",
            "tests/in_c.rs",
            line(in_c, "{ magnitude_in_c(number) }"),
        ),
    ];
    for (test, what, file, line) in expected {
        let wanted = format!("it {what}, which does not exist in WebAssembly: {file}:{line}");
        assert_eq!(explored.limits(test), [wanted], "{test}");
    }
    // Only the path that needs it ends there.
    assert!(explored.of("reads_the_clock")["paths"].as_array().is_some_and(|all| all.len() > 1));
}

#[test]
fn limits_of_an_exploration_are_reported() {
    let Some(explored) = explored() else { return };
    assert_eq!(
        explored.limits("has_lists_without_end"),
        ["collections were limited to 8 elements (`--length`)"]
    );
    assert!(
        explored
            .said
            .contains("warning: skipping verdicts::tests::is_to_panic: it has `#[should_panic]`"),
        "{}",
        explored.said
    );
}

#[test]
fn only_failures_that_a_friendly_mock_causes_are_pruned() {
    let Some(explored) = explored() else { return };
    let outcomes = |test: &str, what: &str| {
        let paths = explored.of(test)["paths"].as_array().cloned().unwrap_or_default();
        let outcome = |path: &&Value| path["outcome"].as_str().is_some_and(|o| o.contains(what));
        paths.iter().filter(outcome).count()
    };
    let rate = "no rate is more than all";
    assert_eq!(outcomes("friendly_rates_are_accepted", rate), 0);
    assert!(outcomes("friendly_rates_are_accepted", "rejected") > 0);
    assert_eq!(
        explored.of("friendly_rates_are_accepted")["assumes"],
        serde_json::json!(["friendly mocks"])
    );
    assert_eq!(outcomes("friendly_rates_do_not_hide_other_faults", rate), 0);
    assert!(outcomes("friendly_rates_do_not_hide_other_faults", "!is_special(net)") > 0);
    assert_eq!(explored.of("wild_rates_are_refused")["assumes"], serde_json::json!([]));
    for (test, message) in [
        ("friendly_rates_do_not_hide_other_faults", "assertion failed: !is_special(net)"),
        ("wild_rates_are_refused", rate),
    ] {
        assert_eq!(explored.failures(test), [message], "{test}");
    }
}

/// The canaries: nothing but the native runs of the paths can tell that these differ.
#[test]
fn a_path_that_ends_differently_natively_is_never_a_proof() {
    let Some(explored) = explored() else { return };
    let divergence = |test: &str| {
        let reason = &explored.of(test)["reasons"][0];
        assert_eq!(reason["name"], "divergence", "{test}: {}", explored.of(test));
        reason["words"].as_str().expect("words").to_owned()
    };
    assert_eq!(
        divergence("is_rejected_in_webassembly_alone"),
        "`number = 1227135284` is rejected in the explored build, and natively passes"
    );
    assert_eq!(
        divergence("draws_from_more_natively"),
        "`number = 0` passes in the explored build, and natively passes, but generates from other \
         ranges or in another order"
    );
    let fails = divergence("is_refuted_in_webassembly_alone");
    assert!(fails.contains("fails (only in WebAssembly) in the explored build"), "{fails}");
    // What fails natively fails, whatever the module does.
    assert_eq!(explored.failures("is_refuted_natively_alone"), ["only natively"]);
    for test in ["holds", "doubles_unless_loud", "sorts_three_numbers"] {
        let native = &explored.of(test)["native"];
        assert_eq!(native["divergences"], 0, "{test}");
        let paths = explored.of(test)["paths"].as_array().map(Vec::len);
        assert_eq!(native["paths"].as_u64(), paths.map(|paths| paths as u64), "{test}");
    }
}

#[test]
fn a_test_that_the_native_run_decides_is_not_explored() {
    let Some(explored) = explored() else { return };
    for (test, sentence) in [
        ("is_tried_with_all_inputs", "proved: all 65536 inputs were tried natively"),
        ("is_nowhere", "proved: all 256 inputs were tried natively"),
        ("is_refuted_by_an_ordinary_run", "failed (1 failure natively)"),
        ("is_never_reached", "failed (1 failure natively)"),
    ] {
        assert_eq!(explored.of(test)["sentence"], sentence, "{test}");
        assert_eq!(explored.of(test)["runs"], 0, "{test}");
    }
    let failure = &explored.of("is_refuted_by_an_ordinary_run")["failures"][0];
    assert_eq!(failure["values"][0]["code"], "1000");
    assert_ne!(failure["by"], "explore");
}

#[test]
fn each_failure_is_reported_once_and_is_minimal() {
    let Some(explored) = explored() else { return };
    let mut messages = explored.failures("has_two_faults");
    messages.sort_unstable();
    assert_eq!(messages, ["the first", "the second"]);
    let values = |failure: &Value| -> Vec<String> {
        let values = failure["values"].as_array().cloned().unwrap_or_default();
        values.iter().filter_map(|value| value["code"].as_str().map(str::to_owned)).collect()
    };
    let failures = explored.of("has_two_faults")["failures"].as_array().expect("failures");
    let mut inputs: Vec<Vec<String>> = failures.iter().map(values).collect();
    inputs.sort();
    assert_eq!(inputs, [["0", "1227135283"], ["1227135284", "0"]]);
    let package = Package::new();
    let output = package.explore(&["has_two_faults"]);
    let said = text(&output.stdout);
    assert_eq!(said.matches("error[R001]").count(), 2, "{said}");
}

#[test]
fn the_native_program_has_the_features_of_the_command_line() {
    if explored().is_none() {
        return;
    }
    let package = Package::new();
    for arguments in [&["--features", "loud"][..], &["-F", "loud", "--no-default-features"]] {
        let output = package.explore(&[&["doubles_unless_loud"], arguments].concat());
        let said = text(&output.stdout);
        assert_eq!(output.status.code(), Some(100), "{arguments:?}: {said}");
        assert!(said.contains("let number: u32 = 1227135284;"), "{arguments:?}: {said}");
        let _ = fs::remove_dir_all(package.home.join(".rebut"));
    }
}

#[test]
fn failures_are_stored_and_reported_as_by_cargo_test() {
    let Some(explored) = explored() else { return };
    let has = |test: &str| explored.stored.iter().any(|name| name.ends_with(test));
    for test in ["fails", "is_never_reached", "is_there_after_all", "wild_rates_are_refused"] {
        assert!(has(test), "{test} is not among {:?}", explored.stored);
    }
    for test in ["holds", "is_found", "friendly_rates_are_accepted", "reads_the_clock"] {
        assert!(!has(test), "{test} is among {:?}", explored.stored);
    }
    let package = Package::new();
    let output = package.explore(&["tests::fails"]);
    assert_eq!(output.status.code(), Some(100), "{}", text(&output.stderr));
    let ours = text(&output.stdout);
    // It is stored by now, so the native run fails before anything is explored.
    let begin = "error[R001]: `tests::fails` failed\n  --> src/lib.rs:";
    assert!(ours.starts_with(begin), "{ours}");
    assert!(ours.ends_with("\n\nverdicts::tests::fails: failed (1 failure natively)\n"), "{ours}");
    let first = &explored.of("fails")["failures"][0];
    assert_eq!(first["by"], "explore");
    let mut cargo = package.command(&std::env::var("CARGO").unwrap_or_else(|_| "cargo".into()));
    cargo.args(["test", "--quiet", "--lib", "--", "--exact", "tests::fails"]);
    let theirs = text(&cargo.output().expect("cargo").stdout);
    assert!(ours.contains("  found by: saved failure"), "{ours}");
    assert!(theirs.contains("  found by: saved failure"), "{theirs}");
    let told = |said: &str| -> Vec<String> {
        let lines = said.lines().skip_while(|line| !line.starts_with("error[R001]"));
        let until = lines.take_while(|line| !line.trim_start().starts_with("found by:"));
        until.map(str::to_owned).collect()
    };
    assert!(told(&ours).len() > 3, "{ours}");
    assert_eq!(told(&ours), told(&theirs));
}

#[test]
fn verdicts_are_sentences() {
    if explored().is_none() {
        return;
    }
    let package = Package::new();
    let names = ["::holds", "is_not_there", "says_nothing", "reads_the_clock", "is_ignored"];
    let more = ["friendly_rates_are_accepted", "assumes_an_order_of_keys"];
    let output = package.explore(&[&names[..], &more].concat());
    let said = text(&output.stdout);
    let line = |test: &str| {
        let begin = format!("verdicts::tests::{test}: ");
        let found = said.lines().find_map(|line| line.strip_prefix(begin.as_str()));
        found.unwrap_or_else(|| panic!("no {test} in {said}\n{}", text(&output.stderr)))
    };
    assert_eq!(line("holds"), "proved: its only path was explored");
    assert_eq!(line("is_not_there"), "proved: no such input exists; its only path was explored");
    assert_eq!(line("says_nothing"), "vacuous: the test rejects the input on its only path");
    // A test that is named is explored even if it has `#[ignore]`.
    assert!(line("is_ignored").starts_with("failed "), "{said}");
    let clock = line("reads_the_clock");
    let wanted = "unknown: no failure on 2 paths; stopped because it reads the clock, which does not exist in WebAssembly: src/lib.rs:";
    assert!(clock.starts_with(wanted), "{clock}");
    let friendly = line("friendly_rates_are_accepted");
    assert!(friendly.starts_with("proved: all "), "{friendly}");
    assert!(said.contains("only because of an answer of a friendly mock"), "{said}");
    let hashes = line("assumes_an_order_of_keys");
    let wanted = "passed on all 2 paths; not proved, because this assumes that nothing depends on \
                  the iteration order of hash tables";
    assert!(hashes.starts_with(wanted), "{hashes}");
    let output = package.explore(&["assumes_an_order_of_keys", "--require-proof"]);
    assert_eq!(output.status.code(), Some(5), "{}", text(&output.stdout));
    let output = package.explore(&["::holds", "--require-proof"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
}

/// Each ends with one sentence and a code of its own.
#[test]
fn wrong_arguments_end_with_a_sentence_and_a_code() {
    if explored().is_none() {
        return;
    }
    let package = Package::new();
    let cases: [(&[&str], i32, &str); 7] = [
        (&["--nosuch"], 2, "error: unexpected argument '--nosuch' found"),
        (&["--runs", "many"], 2, "error: invalid value 'many' for '--runs <N>'"),
        (&["--format", "xml"], 2, "error: invalid value 'xml' for '--format <FORMAT>'"),
        (&["nosuch"], 4, "error: no test matches `nosuch`"),
        (&["-p", "nosuch"], 2, "error: "),
        (
            &["-p", "empty"],
            4,
            "error: no `#[rebut::test]` to explore; write one, or specify its package with `-p`",
        ),
        (
            &["--features", "broken"],
            101,
            "error: no test could be built for WebAssembly; see the reasons above",
        ),
    ];
    for (arguments, code, sentence) in cases {
        let output = package.explore(arguments);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
        assert!(said.contains(sentence), "{arguments:?}: {said}");
        assert!(output.stdout.is_empty() && !said.contains("panicked"), "{arguments:?}: {said}");
    }
}

#[test]
fn a_missing_compiler_is_reported_with_the_command_to_run() {
    let package = Package::new();
    let mut command = package.command(env!("CARGO_BIN_EXE_cargo-rebut-explore"));
    command.env("RUSTC", "/nowhere/rustc").env("RUSTUP_HOME", "/nowhere").env("PATH", "/nowhere");
    command.arg("explore");
    let output = command.output().expect("the command");
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(MISSING), "{said}");
    assert!(said.contains("`rustup component add rust-src`"), "{said}");
}
