//! Runs `cargo rebut report`, `list`, `explain`, `replay` and `test` as a user does.

use expect_test::{Expect, expect};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Nine properties of a demo.
const SAMPLE: &str = include_str!("../../rebut-report/testdata/sample.jsonl");

/// A package with runs.
struct Package {
    home: PathBuf,
    target: PathBuf,
    /// Held while no other test may run in the same directory.
    turn: Option<File>,
}

impl Package {
    fn new(name: &str, runs: &[(&str, &str)]) -> Self {
        let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&home);
        let manifest =
            "[package]\nname = \"demo\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n";
        write(&home.join("Cargo.toml"), manifest);
        write(&home.join("src/lib.rs"), "");
        let target = home.join("target");
        for (run, events) in runs {
            write(&target.join("rebut/runs").join(run).join("1.jsonl"), events);
        }
        Self { home, target, turn: None }
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("the command")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-rebut"));
        rebut_testkit::clean(&mut command);
        command.env("CARGO_TARGET_DIR", &self.target);
        command.current_dir(&self.home).args(arguments);
        command
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.home.join(name)).expect("a file")
    }
}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    std::fs::write(path, text).expect("a file");
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[expect(clippy::needless_pass_by_value, reason = "reads better at the calls")]
fn check(package: &Package, output: &Output, expected: Expect) {
    let code = output.status.code().unwrap_or(-1);
    let shown = format!("{}--- {code}\n{}", text(&output.stdout), text(&output.stderr));
    expected.assert_eq(&shown.replace(&package.home.display().to_string(), "HOME"));
}

#[test]
fn lists_the_latest_group() {
    let runs =
        [("20261115T100000Z-p1", "{\"event\":\"run\"}\n"), ("20261116T002114Z-sample", SAMPLE)];
    let package = Package::new("listed", &runs);
    check(
        &package,
        &package.run(&["list"]),
        expect![[r#"
               PASS  demo::money::a_sum_overflows (src/money.rs:2)  24 cases
                     1: returned true: a matching input exists
              FLAKY  demo::money::clocks_do_not_matter (src/money.rs:11)  60 cases
                     2: panicked at src/money.rs:13:5: unlucky
            VACUOUS  demo::money::only_for_the_rich (src/money.rs:5)  4 cases
                     R004: rejects too many inputs: only 4 of 213 cases met the assumptions; rejected: 209 by `cents == 4_000_000_001`
             PROVED  demo::parse::flags_are_flags (src/parse.rs:9)  6 cases
               PASS  demo::parse::parsing_undoes_printing (src/parse.rs:2)  100 cases
               PASS  demo::routes::routes_stay_short (src/routes.rs:4)  300 cases
               FAIL  demo::shorten::a_batch_has_at_most_two_orders (src/shorten.rs:11)  60 cases
                     3: panicked at src/shorten.rs:14:5: a batch of 3 orders, 0 cents
               FAIL  demo::shorten::shortens_to_the_length (src/shorten.rs:6)  100 cases
                     4: panicked at src/shorten.rs:2:47: end byte index 1 is not a char boundary; it is inside '\u{80}' (bytes 0..2) of `\u{80}`
               PASS  demo::sorting::sorts_in_few_steps (src/sorting.rs:20)  700 cases
            --- 0
        "#]],
    );
    let colored = package.run(&["list", "--color", "always"]);
    assert!(text(&colored.stdout).contains("\u{1b}[1;31m"));
    let json = package.run(&["list", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!(json["properties"][0]["property"], "demo::money::a_sum_overflows");
    check(
        &package,
        &package.run(&["list", "p1"]),
        expect![[r#"
            --- 0
            note: no property ran; a property is a function with `#[rebut::test]`, `#[rebut::exists]` or `#[rebut::not_exists]`
        "#]],
    );
    check(
        &package,
        &package.run(&["list", "nightly"]),
        expect![[r#"
            --- 4
            error: no run or event file named `nightly` in HOME/target/rebut/runs; known runs: sample, p1
        "#]],
    );
}

#[test]
fn missing_runs_are_reported_with_the_command_to_run() {
    let package = Package::new("nothing", &[]);
    check(
        &package,
        &package.run(&["report"]),
        expect![[r#"
            --- 4
            error: no runs found in HOME/target/rebut
            help: run `cargo test` or `cargo rebut test` first
        "#]],
    );
    check(
        &package,
        &package.run(&["replay", "1"]),
        expect![[r#"
            --- 4
            error: no runs found in HOME/target/rebut
            help: run `cargo test` or `cargo rebut test` first
        "#]],
    );
    check(
        &package,
        &package.run(&["replay", "r1.AA"]),
        expect![[r#"
            --- 2
            error: `r1.AA` is not a failure number; run `cargo rebut list`, or pass a replay string and a test
        "#]],
    );
    check(
        &package,
        &package.run(&["replay", "r1.AA", "--", "--list"]),
        expect![[r#"
            --- 2
            error: invalid test name `--list`
        "#]],
    );
}

#[test]
fn writes_an_html_report_and_compares_runs() {
    let package = Package::new("page", &[("20261116T002114Z-sample", SAMPLE)]);
    check(
        &package,
        &package.run(&["report"]),
        expect![[r#"
            --- 0
               Generated report.html
        "#]],
    );
    assert!(package.read("report.html").contains("4 of 9 properties failed"));
    let before = SAMPLE.replace(
        "\"verdict\":\"R001\",\"success\":false",
        "\"verdict\":\"passed\",\"success\":true",
    );
    write(&package.home.join("before.jsonl"), &before);
    let output = package.run(&["report", "--against", "before.jsonl", "--out", "both.html"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(package.read("both.html").matches("✗ broken").count(), 2);
    check(
        &package,
        &package.run(&["report", "--out", "no/such/folder.html"]),
        expect![[r#"
            --- 7
            error: cannot write no/such/folder.html: No such file or directory (os error 2)
        "#]],
    );
}

#[test]
fn only_the_html_report_compares_runs() {
    let package = Package::new("comparison", &[("20261116T002114Z-sample", SAMPLE)]);
    let output = package.run(&["report", "--format", "json", "--against", "before"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("only the HTML report compares runs"));
}

#[test]
fn writes_the_formats_of_other_programs() {
    let package = Package::new("formats_of_reports", &[("20261116T002114Z-sample", SAMPLE)]);
    let of = |format: &str| {
        let output = package.run(&["report", "--format", format]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    assert!(of("junit").starts_with("<?xml"));
    let sarif: serde_json::Value = serde_json::from_str(&of("sarif")).expect("JSON");
    assert_eq!(sarif["runs"][0]["results"].as_array().map(Vec::len), Some(4));
    assert!(of("json").contains("\"properties\""));
    assert!(of("tyche").lines().count() > 1000);
}

#[test]
fn explains_codes() {
    let package = Package::new("codes", &[]);
    check(
        &package,
        &package.run(&["explain", "r002"]),
        expect![[r#"
            R002: the test is flaky

            The test failed, but it also passes with the same input. It depends on something
            other than its inputs: time, threads, the order of a hash map, an address, a
            file, or state that an earlier case left behind.

            What to do:

            Generate that value too, or reset it at the start of the test. The report prints
            how often the input fails; the replay command runs it again.
            --- 0
        "#]],
    );
    check(
        &package,
        &package.run(&["explain", "R042"]),
        expect![[r#"
            --- 2
            error: unknown code `R042`; expected one of proved, passed, exists, panicked, R001, R002, R003, R004, R005, R006, R007, R008, R009, R999, unknown, unfinished
        "#]],
    );
    check(
        &package,
        &package.run(&["explain"]),
        expect![[r#"
            proved      the test passes for all inputs
            passed      no case failed
            exists      a matching input was found
            panicked    the test panicked, as expected
            R001        the test failed
            R002        the test is flaky
            R003        the test tested nothing
            R004        the test rejects too many inputs
            R005        the test is too slow
            R006        the test uses Rebut incorrectly
            R007        the test does not reach its `cover!` target
            R008        no matching input was found
            R009        the test did not panic
            R999        internal error in Rebut
            unknown     exploration found no failure, but did not finish
            unfinished  the test did not finish
            --- 0
        "#]],
    );
    let json = package.run(&["explain", "R001", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!(json["code"], "R001");
}

#[test]
fn runs_are_found_from_any_directory() {
    let package = Package::new("elsewhere", &[("20261116T002114Z-sample", SAMPLE)]);
    let inside = text(&package.run(&["list"]).stdout);
    assert!(inside.contains("FAIL"), "{inside}");
    let manifest = package.home.join("Cargo.toml").display().to_string();
    let outside = |arguments: &[&str]| {
        let mut command = package.command(arguments);
        command.args(["--manifest-path", &manifest]).current_dir(std::env::temp_dir());
        command
    };
    let listed = outside(&["list"]).output().expect("the command");
    assert_eq!(text(&listed.stdout), inside);
    let named = outside(&["report", "--format", "json", "sample"]).output().expect("the command");
    assert_eq!(named.status.code(), Some(0), "{}", text(&named.stderr));
    let target = package.target.display().to_string();
    let mut moved = outside(&["list", "--target-dir", &target]);
    let moved = moved.env("CARGO_TARGET_DIR", package.home.join("none")).output();
    assert_eq!(text(&moved.expect("the command").stdout), inside);
}

#[cfg(unix)]
const PROPERTIES: &str = "
#[cfg(test)]
mod tests {
    #[rebut::test]
    fn small_numbers_are_small(number: u32) {
        assert!(number < 1000);
    }

    #[rebut::test]
    fn halves_are_smaller(number: u64) {
        assert!(number / 2 <= number);
    }
}
";

/// A package that uses Rebut. It is built in the directory in which the tests of `rebut` build the
/// same dependencies.
#[cfg(unix)]
fn with_properties(name: &str, code: &str) -> Package {
    let mut package = Package::new(name, &[]);
    let shared = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fixture");
    std::fs::create_dir_all(&shared).expect("a folder");
    // A test needs the directory alone, because commands use the latest run.
    let turn = File::create(shared.join("turn")).expect("a file");
    turn.lock().expect("a lock");
    package.turn = Some(turn);
    package.target = shared.join("target");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("here");
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[dev-dependencies]\nrebut = {{ path = {:?} }}\n[workspace]\n[profile.dev]\ndebug = false\n",
        root.join("crates/rebut"),
    );
    write(&package.home.join("Cargo.toml"), &manifest);
    write(&package.home.join("src/lib.rs"), code);
    // With the versions of this workspace, cargo needs no network.
    std::fs::copy(root.join("Cargo.lock"), package.home.join("Cargo.lock")).expect("a file");
    package
}

#[cfg(unix)]
#[test]
fn a_campaign_reports_failures_that_can_be_replayed() {
    let package = with_properties("campaign", PROPERTIES);
    let arguments = ["test", "--time", "5s", "--cases", "300", "--out", "report.html"];
    let output = package.run(&arguments);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(100), "{said}");
    let listed = text(&output.stdout);
    assert!(
        listed.contains("FAIL  campaign::tests::small_numbers_are_small (src/lib.rs:5)"),
        "{listed}"
    );
    assert!(listed.contains("PASS  campaign::tests::halves_are_smaller"), "{listed}");
    assert!(said.contains("s] 2 properties: 1 failed, 1 passed; "), "{said}");
    assert!(package.read("report.html").contains("number: <span class=\"ty\">u32</span> = 1000"));

    let replayed = package.run(&["replay", "1", "--format", "json"]);
    assert_eq!(replayed.status.code(), Some(100), "{}", text(&replayed.stderr));
    let json: serde_json::Value = serde_json::from_slice(&replayed.stdout).expect("JSON");
    assert_eq!(
        (&json["test"], &json["fails"]),
        (&"tests::small_numbers_are_small".into(), &true.into())
    );
    let word = json["replay"].as_str().expect("choices");
    write(&package.home.join("src/lib.rs"), &PROPERTIES.replace("< 1000", "<= 1000"));
    let fixed = package.run(&["replay", word, "tests::small_numbers_are_small"]);
    assert_eq!(fixed.status.code(), Some(0), "{}", text(&fixed.stderr));
    // As the list calls it.
    let fixed = package.run(&["replay", word, "campaign::tests::small_numbers_are_small"]);
    assert_eq!(fixed.status.code(), Some(0), "{}", text(&fixed.stderr));
    let unknown = package.run(&["replay", word, "tests::nosuch"]);
    assert_eq!(unknown.status.code(), Some(4), "{}", text(&unknown.stderr));
    assert!(text(&unknown.stderr).contains("no test named `tests::nosuch` was built"));
    assert!(text(&unknown.stderr).contains("belongs to `tests::small_numbers_are_small`"));
    let misspelled = package.run(&["replay", word, "small_number_are_small"]);
    assert_eq!(misspelled.status.code(), Some(4), "{}", text(&misspelled.stderr));
    let near = "did you mean `tests::small_numbers_are_small`?";
    assert!(text(&misspelled.stderr).contains(near), "{}", text(&misspelled.stderr));
    let damaged = package.run(&["replay", "r1.????", "tests::small_numbers_are_small"]);
    assert_eq!(damaged.status.code(), Some(100), "{}", text(&damaged.stderr));
    assert!(text(&damaged.stdout).contains("replay") || text(&damaged.stderr).contains("replay"));
    write(&package.home.join("src/lib.rs"), "nonsense");
    let broken = package.run(&["replay", word, "tests::small_numbers_are_small"]);
    assert_eq!(broken.status.code(), Some(101), "{}", text(&broken.stderr));
    assert!(text(&broken.stderr).contains("the tests do not build"));
    assert!(package.turn.is_some());
}

#[cfg(unix)]
const SHOULD_PANIC: &str = "
#[cfg(test)]
mod tests {
    #[rebut::test]
    #[should_panic]
    fn long_lists_panic(list: Vec<u8>) {
        assert!(list.len() < 5, \"too long\");
    }

    #[rebut::test]
    #[should_panic(expected = \"too long\")]
    fn long_lists_are_too_long(list: Vec<u8>) {
        assert!(list.len() < 5, \"too long\");
    }

    #[rebut::test]
    #[should_panic(expected = \"too short\")]
    fn long_lists_are_too_short(list: Vec<u8>) {
        assert!(list.len() < 5, \"too long\");
    }

    #[rebut::test]
    #[should_panic]
    fn bytes_are_large(n: u8) {
        assert!(u16::from(n) < 256);
    }
}
";

/// The harness and every output of Rebut agree on what `#[should_panic]` means.
#[cfg(unix)]
#[test]
fn tests_that_should_panic_pass_if_they_do() {
    let package = with_properties("panicking", SHOULD_PANIC);
    let good = package.run(&["test", "long_lists_panic"]);
    assert_eq!(good.status.code(), Some(0), "{}", text(&good.stderr));
    let listed = text(&good.stdout);
    assert!(listed.contains("PASS  panicking::tests::long_lists_panic (src/lib.rs:6)"), "{listed}");

    let output = package.run(&["test", "--out", "report.html"]);
    assert_eq!(output.status.code(), Some(100), "{}", text(&output.stderr));
    let listed = text(&output.stdout);
    for (verdict, name) in [
        ("PASS", "long_lists_panic"),
        ("PASS", "long_lists_are_too_long"),
        ("FAIL", "long_lists_are_too_short"),
        ("FAIL", "bytes_are_large"),
    ] {
        assert!(listed.contains(&format!("{verdict}  panicking::tests::{name}")), "{listed}");
    }
    package.run(&["report", "--format", "junit", "--out", "report.xml"]);
    // Other packages share the directory.
    let count = |text: &str, start: &str, part: &str| {
        let mut all = text.split(start).skip(1);
        all.by_ref().filter(|one| one.contains("panicking") && one.contains(part)).count()
    };
    assert_eq!(count(&package.read("report.xml"), "<testcase", "<failure"), 2);
    assert!(package.read("report.html").contains("Expected failure"));
    let sarif = package.run(&["report", "--format", "sarif"]);
    assert_eq!(count(&text(&sarif.stdout), "\"rebut/v1\": ", "\"panicking lib"), 2);
    let said = text(&output.stderr);
    assert!(said.contains("the message does not contain `too short`"), "{said}");
    assert!(said.contains("proved: no panic in all 256 inputs"), "{said}");
    let stored = package.home.join(".rebut/failures");
    assert!(!stored.exists(), "{stored:?}");
}

#[cfg(unix)]
const ODD_NAMES: &str = "
#[cfg(test)]
macro_rules! make {
    ($($type:ident)*) => { $( mod $type {
        #[rebut::test]
        fn is_small(n: $type) { assert!(n < 7) }
    } )* };
}

#[cfg(test)]
make!(u8 u16);

#[cfg(test)]
mod tests {
    #[rebut::test]
    fn r#match(n: u32) {
        assert!(n < 333);
    }
}
";

#[cfg(unix)]
#[test]
fn properties_with_odd_names_are_tested_from_any_directory() {
    let package = with_properties("odd_names", ODD_NAMES);
    let manifest = package.home.join("Cargo.toml").display().to_string();
    let run = |arguments: &[&str]| {
        let mut command = package.command(arguments);
        command.args(["--manifest-path", &manifest]).current_dir(std::env::temp_dir());
        let output = command.output().expect("the command");
        assert_eq!(output.status.code(), Some(100), "{}", text(&output.stderr));
        (text(&output.stdout), text(&output.stderr))
    };
    let (_, said) = run(&["test", "--time", "5s", "--cases", "300"]);
    assert_eq!(said.matches("the regression test fails, as expected").count(), 3, "{said}");
    let (shown, said) = run(&["replay", "1", "--format", "json"]);
    assert!(shown.contains("\"fails\": true"), "{shown}\n{said}");
    let other = package.run(&["replay", "r1.Dg.0000", "tests::r#match"]);
    assert_eq!(other.status.code(), Some(4), "{}", text(&other.stderr));
    let said = text(&other.stderr);
    assert!(said.contains("belongs to another test"), "{said}");
    assert!(said.contains("to replay the case in another test, use `r1.Dg`"), "{said}");
}

#[cfg(unix)]
const RARE: &str = "
#[cfg(test)]
mod tests {
    #[rebut::test]
    fn one_of_many_thousands_fails(number: u32) {
        rebut::label!(\"{}\", if number % 2 == 0 { \"even\" } else { \"odd\" });
        assert!(number.wrapping_mul(2_654_435_761) % 20_011 != 7);
    }

    #[rebut::test]
    fn bytes_are_small(number: u8) {
        assert!(number < 255 || number == 255);
    }

    #[test]
    fn is_no_property() {
        panic!(\"it fails all the same\");
    }
}
";

#[cfg(unix)]
#[test]
fn later_rounds_find_failures_that_the_first_round_misses() {
    let package = with_properties("rounds", RARE);
    let begun = std::time::Instant::now();
    // The time is more than enough to find 1 in 20,011; the campaign ends when all is decided.
    let mut command = package.command(&["test", "--time", "10min", "--format", "json"]);
    // One first round in twenty finds it; the one with this seed does not.
    let output = command.env("REBUT_SEED", "1").output().expect("the command");
    let said = text(&output.stderr);
    assert!(begun.elapsed().as_secs() < 500, "{said}");
    assert_eq!(output.status.code(), Some(100), "{said}");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let of = |name: &str| {
        let all = json["properties"].as_array().expect("properties");
        let found: Vec<_> = all.iter().filter(|one| one["property"] == name).collect();
        assert_eq!(found.len(), 1, "{name}: {json}");
        found[0].clone()
    };
    let rare = of("rounds::tests::one_of_many_thousands_fails");
    assert_eq!(rare["verdict"], "R001");
    assert!(rare["cases"].as_u64() > Some(1000), "{rare}");
    assert_eq!(of("rounds::tests::bytes_are_small")["verdict"], "proved");
    let reports = said.matches("error[R001]: `tests::one_of_many_thousands_fails` failed").count();
    assert_eq!(reports, 1, "{said}");
    assert!(said.contains("error: an ordinary `#[test]` failed"), "{said}");
    assert!(!said.contains("to rerun pass"), "{said}");
    assert!(!said.contains('\u{1b}'), "nothing is drawn off a terminal: {said:?}");
}

#[cfg(unix)]
const PRINTED: &str = "
pub mod counters {
    use std::num::NonZero;

    pub struct Counter(u8);

    #[rebut::contract]
    impl Counter {
        pub fn new() -> Counter {
            Counter(0)
        }

        #[ensures(self.0 < 3)]
        pub fn count(&mut self, by: NonZero<u8>) {
            self.0 = self.0.saturating_add(by.get());
        }
    }

    fn secret(n: u8) -> bool {
        n < 7
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[rebut::test]
        fn counts(program: rebut::Program<Counter>) {
            program.run();
        }

        #[rebut::test]
        fn keeps_secrets(n: u8) {
            assert!(secret(n));
        }
    }
}
";

#[cfg(unix)]
#[test]
fn printed_tests_are_compiled_run_and_emitted_if_they_fail() {
    let package = with_properties("printed", PRINTED);
    let manifest = package.read("Cargo.toml").replace("[dev-dependencies]", "[dependencies]");
    write(&package.home.join("Cargo.toml"), &manifest);
    let arguments = ["test", "--time", "5s", "--cases", "300", "--out", "report.html", "--emit"];
    let said = |arguments: &[&str]| text(&package.run(arguments).stderr);
    let first = said(&arguments);
    for test in ["counts", "keeps_secrets"] {
        let confirmed = first.lines().filter(|line| line.starts_with("   Confirmed "));
        let fails = format!("counters__tests__{test}.rs: the regression test fails, as expected");
        assert!(confirmed.into_iter().any(|line| line.ends_with(&fails)), "{first}");
    }
    let secrets = "printed::counters::tests::keeps_secrets";
    assert!(first.contains("Created tests/rebut_counts.rs (fails, as expected)"), "{first}");
    let refused = format!(
        "warning: cannot write a test of {secrets} to `tests/`: there it does not compile: "
    );
    assert!(first.contains(&refused), "{first}");
    let emitted = package.read("tests/rebut_counts.rs");
    let head =
        "//! Written by `cargo rebut` for a failure of `printed::counters::tests::counts`.\n";
    assert!(emitted.starts_with(head), "{emitted}");
    for line in ["use printed::counters::*;", "use std::num::NonZero;", "#[test]"] {
        assert!(emitted.lines().any(|known| known == line), "{emitted}");
    }
    assert!(emitted.contains("    let mut counter = Counter::new();\n"), "{emitted}");
    assert!(!package.home.join("tests/rebut_keeps_secrets.rs").exists());

    // No test is written twice, and files of the user do not change.
    let line = first
        .lines()
        .find(|line| line.contains("REBUT_REPLAY=") && line.contains("counters::tests::counts"));
    let (_, after) = line.and_then(|line| line.split_once("REBUT_REPLAY=")).expect("a replay");
    let word = after.split(' ').next().expect("a word");
    let replay = ["replay", word, "counters::tests::counts", "--emit"];
    let again = said(&replay);
    assert!(again.contains("Unchanged tests/rebut_counts.rs"), "{again}");
    write(&package.home.join("tests/rebut_counts.rs"), "// mine\n");
    let beside = said(&replay);
    assert!(beside.contains("Created tests/rebut_counts_2.rs (fails, as expected)"), "{beside}");
    assert_eq!(package.read("tests/rebut_counts.rs"), "// mine\n");
}

const NOT_LISTED: &str = "
#![forbid(arithmetic_overflow)]
#[cfg(test)]
mod tests {
    #[rebut::test]
    fn hours_are_few(hours: u8) {
        assert!(hours < 24);
    }

    #[rebut::test]
    fn sums_are_large(n: u8) {
        assert!(n + 200 > 0);
    }
}
";

#[cfg(unix)]
#[test]
fn confirmed_tests_compile_where_they_are_pasted() {
    let package = with_properties("not-listed", NOT_LISTED);
    let manifest = package.read("Cargo.toml").replace("[package]", "[package]\nautotests = false");
    write(&package.home.join("Cargo.toml"), &manifest);
    let test = |arguments: &[&str]| {
        let all = [&["test", "--cases", "300", "--emit"], arguments].concat();
        text(&package.run(&all).stderr)
    };
    // The crate forbids what the regression test needs.
    let said = test(&["sums_are_large"]);
    assert!(said.contains("tests::sums_are_large does not compile: "), "{said}");
    assert!(!said.contains("Confirmed"), "{said}");

    for status in ["Created", "Unchanged"] {
        let said = test(&["hours_are_few"]);
        let expected = format!(
            "{status} tests/rebut_hours_are_few.rs (not run)\n\
             warning: cargo does not build this file, because the package has `autotests = false`\n\
             help: add these lines to Cargo.toml:\n\n[[test]]\nname = \"rebut_hours_are_few\"\n"
        );
        assert!(
            said.contains("hours_are_few.rs: the regression test fails, as expected"),
            "{said}"
        );
        assert!(said.contains(&expected), "{said}");
    }
    // With these lines, the test is built, and fails.
    let manifest = format!("{manifest}\n[[test]]\nname = \"rebut_hours_are_few\"\n");
    write(&package.home.join("Cargo.toml"), &manifest);
    let said = test(&["--test", "rebut_hours_are_few"]);
    assert!(said.contains("tests/rebut_hours_are_few.rs:"), "{said}");
}

#[cfg(unix)]
const SLOW: &str = "
#[cfg(test)]
mod tests {
    use std::io::Write as _;

    #[rebut::test]
    fn a_is_small(number: u32) {
        assert!(number < 1000);
    }

    #[rebut::test]
    fn b_takes_forever(number: u64) {
        // The harness does not capture this.
        let line = format!(\"RUNNING {}\\n\", std::process::id());
        std::io::stderr().write_all(line.as_bytes()).unwrap();
        loop {
            std::thread::park_timeout(std::time::Duration::from_secs(number % 2 + 1));
        }
    }
}
";

#[cfg(unix)]
#[test]
fn a_signal_ends_a_campaign_with_its_report() {
    use std::io::{BufRead as _, BufReader, Read as _};

    let package = with_properties("interrupted", SLOW);
    write(&package.home.join("rebut.toml"), "deadline = \"1h\"\n");
    for (signal, code) in [("-TERM", 143), ("-INT", 130)] {
        let arguments = ["test", "--time", "10min", "--jobs", "1", "--out", "report.html"];
        let _ = std::fs::remove_file(package.home.join("report.html"));
        // A run that was killed would first be explained, with the case that takes forever.
        let _ = std::fs::remove_dir_all(package.home.join(".rebut"));
        let mut command = package.command(&arguments);
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
        let mut child = command.spawn().expect("the command");
        let mut stderr = BufReader::new(child.stderr.take().expect("a pipe"));
        let mut said = String::new();
        let running = loop {
            let before = said.len();
            assert_ne!(stderr.read_line(&mut said).expect("UTF-8"), 0, "{said}");
            if let Some(process) = said[before..].strip_prefix("RUNNING ") {
                break process.trim().to_owned();
            }
        };
        let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
        assert!(sent.expect("kill").success());
        stderr.read_to_string(&mut said).expect("UTF-8");
        let output = child.wait_with_output().expect("the command");
        assert_eq!(output.status.code(), Some(code), "{said}");
        let listed = text(&output.stdout);
        assert!(listed.contains("FAIL  interrupted::tests::a_is_small"), "{listed}\n{said}");
        assert!(said.contains("note: interrupted; "), "{said}");
        assert!(package.read("report.html").contains("u32</span> = 1000"), "{listed}");
        let state = std::fs::read_to_string(format!("/proc/{running}/stat")).unwrap_or_default();
        assert!(state.is_empty() || state.contains(") Z "), "{state}");
    }
}
