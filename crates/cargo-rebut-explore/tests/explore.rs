//! `cargo rebut explore`, as it is called from a shell, on the crate in `testdata/explored`.
//!
//! The tests need a compiler for WebAssembly.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// What the command ends with if there is no compiler.
const MISSING: i32 = 6;

/// A copy of the crate.
struct Shop {
    home: PathBuf,
}

impl Shop {
    fn new() -> Shop {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("shop");
        for old in ["src", "tests", ".rebut"] {
            let _ = std::fs::remove_dir_all(home.join(old));
        }
        std::fs::create_dir_all(home.join("src")).expect("a folder");
        let rebut = here.join("../rebut").display().to_string();
        for file in ["Cargo.toml", "src/lib.rs"] {
            let text = std::fs::read_to_string(here.join("testdata/explored").join(file));
            let text = text.expect("a file").replace("REBUT", &rebut);
            std::fs::write(home.join(file), text).expect("a file");
        }
        // With the versions of this workspace nothing has to be looked up.
        std::fs::copy(here.join("../../Cargo.lock"), home.join("Cargo.lock")).expect("a file");
        Shop { home }
    }

    fn call(&self, program: &str, arguments: &[&str]) -> Output {
        let mut command = Command::new(program);
        rebut_testkit::clean(&mut command);
        command.env("CARGO_TARGET_DIR", self.home.join("target"));
        command.current_dir(&self.home).args(arguments).output().expect("the command")
    }

    /// What the command prints; none if there is no compiler.
    fn explore(&self, arguments: &[&str]) -> Option<String> {
        let all = [&["explore"], arguments].concat();
        let output = self.call(env!("CARGO_BIN_EXE_cargo-rebut-explore"), &all);
        let said = String::from_utf8_lossy(&output.stderr);
        if output.status.code() == Some(MISSING) {
            rebut_testkit::missing("a compiler for WebAssembly", &said);
            return None;
        }
        assert!(matches!(output.status.code(), Some(0 | 100)), "{said}");
        Some(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Runs tests of the crate natively.
    fn test(&self, arguments: &[&str]) -> Output {
        self.call("cargo", &[&["test", "--quiet"], arguments].concat())
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.home.join(name)).expect("a file")
    }
}

fn decisions(line: &Value) -> Vec<&str> {
    let tree = line["tree"].as_array().expect("a tree");
    tree.iter().filter_map(|decision| decision["condition"].as_str()).collect()
}

/// One test, because it is one build.
#[test]
fn an_exploration_is_shown_in_terms_of_the_source_and_kept_as_tests() {
    let shop = Shop::new();
    let arguments = ["nothing_costs", "--format", "json", "--report", "--emit", "tests"];
    let Some(text) = shop.explore(&arguments) else { return };
    let line: Value = serde_json::from_str(&text).expect("a line of JSON");

    // Conditions have the names of parameters, and places.
    assert_eq!(line["verdict"], "proved");
    let conditions = decisions(&line);
    for expected in ["price == 0", "amount == 0", "price * price % 3 != 2", "amount < 11"] {
        assert!(conditions.contains(&expected), "{expected} is not in {conditions:?}");
    }
    let first = &line["tree"][0];
    assert_eq!(first["place"]["file"], "src/lib.rs");
    assert_eq!(first["place"]["line"], 5);
    assert_eq!(first["source"], "if price == 0 || amount == 0 {");
    let values = &line["paths"][0]["values"];
    assert_eq!([&values[0]["name"], &values[1]["name"]], ["price", "amount"]);

    // Lines that no input reaches are told, with the reason.
    assert_eq!(line["coverage"]["proof"], "all");
    let lines = line["coverage"]["files"][0]["lines"].as_array().expect("lines");
    let of = |number: u64| lines.iter().find(|line| line["line"] == number).expect("a line");
    assert_eq!(of(9)["reached"], true);
    assert_eq!(of(10)["why"], "no input gets here: the decision in line 9 goes one way only");
    assert_eq!(of(17)["why"], "no input gets here: the function is not called");
    assert!(shop.read("target/rebut/report.html").contains("no input gets here"));

    // The tests that were written compile and pass.
    let emitted = shop.read("tests/rebut_nothing_costs_nothing_paths.rs");
    assert!(emitted.contains("let price: u8 = "), "{emitted}");
    let output = shop.test(&["--test", "rebut_nothing_costs_nothing_paths"]);
    assert!(output.status.success(), "{output:?}");

    // Examples compile where they are pasted, and the failing one fails.
    let Some(text) = shop.explore(&["every_order", "--coverage", "--emit", "examples"]) else {
        return;
    };
    // What words a panic is not among the lines.
    let told = text.lines().filter_map(|line| line.strip_prefix("      "));
    let unreached: Vec<&str> = told.filter_map(|line| Some(line.split_once(": no")?.0)).collect();
    assert_eq!(unreached, ["10", "16-19"], "{text}");
    let examples: Vec<&str> = text.lines().filter(|line| line.starts_with("#[example(")).collect();
    assert!(examples.contains(&"#[example(1, 77)]"), "{text}");
    let source = shop.read("src/lib.rs");
    let function = "#[ignore = \"fails: 77\"]";
    assert!(source.contains(function));
    let source = source.replace(function, &examples.join("\n"));
    std::fs::write(shop.home.join("src/lib.rs"), source).expect("a file");
    // The failure is stored by now, and would be found before any example.
    let _ = std::fs::remove_dir_all(shop.home.join(".rebut"));
    let output = shop.test(&["--lib", "every_order"]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("no parcel for 77") && said.contains("found by: example"), "{said}");

    limits_that_a_person_sets_are_named(&shop);
    #[cfg(unix)]
    an_interrupted_exploration_says_what_is_known(&shop);
}

/// The options of a test with more paths than anyone waits for.
const ENDLESS: [&str; 7] =
    ["is_sorted_by_hand", "--length", "64", "--runs", "100000000", "--terms", "100000000000"];

fn limits_that_a_person_sets_are_named(shop: &Shop) {
    for (limits, named) in [
        (&["--effort", "0"][..], "unknown: no failure on 1 path; stopped because its effort was"),
        (&["--effort", "1000000", "--time", "1ms"], "unknown: not explored because the time is"),
    ] {
        let arguments = [&["explore"], &ENDLESS[..], limits].concat();
        let output = shop.call(env!("CARGO_BIN_EXE_cargo-rebut-explore"), &arguments);
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8_lossy(&text);
        assert!(text.contains(named), "{text}");
    }
}

#[cfg(unix)]
fn an_interrupted_exploration_says_what_is_known(shop: &Shop) {
    use std::io::{BufRead as _, Read as _};
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-rebut-explore"));
    rebut_testkit::clean(&mut command);
    command.env("CARGO_TARGET_DIR", shop.home.join("target")).current_dir(&shop.home);
    command.arg("explore").args(ENDLESS).args(["--effort", "1000000"]);
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let mut child = command.spawn().expect("the command");
    let stderr = std::io::BufReader::new(child.stderr.take().expect("a pipe"));
    let mut said = stderr.lines().map_while(Result::ok);
    // Without a terminal, a line now and then says what goes on.
    assert!(said.any(|line| line.contains("is_sorted_by_hand: exploring, ")));
    let id = child.id().to_string();
    let killed = Command::new("kill").args(["-INT", &id]).status().expect("kill");
    assert!(killed.success());
    let mut text = String::new();
    let mut stdout = child.stdout.take().expect("a pipe");
    stdout.read_to_string(&mut text).expect("all of it");
    assert_eq!(child.wait().expect("an end").code(), Some(130), "{text}");
    assert!(text.contains("is_sorted_by_hand: unknown: "), "{text}");
    assert!(text.contains("it was interrupted"), "{text}");
}
