//! Strings from files, names and arguments that try to act on a terminal.

use rebut_protocol::terminal::is_invisible;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Clears the screen, writes to the clipboard, reverses text, returns, rings, and begins a line.
const HOSTILE: &str =
    "x\u{1b}[2J\u{1b}]52;c;aGk=\u{7}\u{202E}\r\u{9b}2J\u{7}\u{8}\u{2028}\u{e0041}\nFORGED";

const SAMPLE: &str = include_str!("../../rebut-report/testdata/sample.jsonl");

/// A package in which every file is hostile.
struct Package {
    home: PathBuf,
}

impl Package {
    fn new() -> Package {
        let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile");
        let _ = std::fs::remove_dir_all(&home);
        let package = Package { home };
        let manifest =
            "[package]\nname = \"demo\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n";
        package.write("Cargo.toml", manifest);
        package.write("src/lib.rs", "");
        let events: String = SAMPLE.lines().map(hostile_line).collect();
        package.write("target/rebut/runs/20261116T002114Z-sample/1.jsonl", &events);
        let case = format!("rebut case 1\ntest demo::gone::{}\n", HOSTILE.replace('\n', " "));
        package.write(".rebut/failures/demo__gone/1.case", &case);
        package
            .write("bad.rebut", &format!("(define {HOSTILE} (assert \"{HOSTILE}\"))\n{HOSTILE}"));
        package.write("bad.json", &format!("{{\"type\": \"{HOSTILE}\", \"{HOSTILE}\": 1}}"));
        package.write("type.json", &serde_json::json!({ "type": HOSTILE }).to_string());
        package.write("rebut.toml", &format!("{HOSTILE} = \"{HOSTILE}\"\n"));
        package
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.home.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }

    /// Runs the command. Returns what is wrong with its output.
    fn complaints(&self, arguments: &[&str]) -> Vec<String> {
        let mut complaints = Vec::new();
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-rebut"));
        rebut_testkit::clean(&mut command);
        command.env("CARGO_TARGET_DIR", self.home.join("target")).env("NO_COLOR", "1");
        let output = command.current_dir(&self.home).args(arguments).output().expect("the command");
        for bytes in [&output.stdout, &output.stderr] {
            let text = std::str::from_utf8(bytes).expect("UTF-8");
            if text.contains(is_invisible) {
                complaints.push(format!("{arguments:?}: {text:?}"));
            }
            // A name does not begin a line of its own.
            let is_name = arguments.iter().any(|argument| argument.contains("FORGED"));
            if is_name && text.contains("\nFORGED") {
                complaints.push(format!("{arguments:?}: a line of its own: {text}"));
            }
        }
        if matches!(output.status.code(), None | Some(1)) {
            complaints.push(format!("{arguments:?}: {:?}", output.status));
        }
        complaints
    }
}

/// A line of events with hostile strings in all values that do not select a format.
fn hostile_line(line: &str) -> String {
    let mut json: Value = serde_json::from_str(line).expect("JSON");
    for (key, value) in json.as_object_mut().into_iter().flatten() {
        if !["event", "verdict", "version", "start", "package", "target"].contains(&key.as_str()) {
            spoil(value);
        }
    }
    format!("{json}\n")
}

fn spoil(value: &mut Value) {
    match value {
        Value::String(text) => text.push_str(HOSTILE),
        Value::Array(values) => values.iter_mut().for_each(spoil),
        Value::Object(entries) => entries.values_mut().for_each(spoil),
        _ => {}
    }
}

#[test]
fn nothing_hostile_reaches_the_output_of_any_command() {
    let package = Package::new();
    let mut complaints = Vec::new();
    for arguments in [
        &["list"] as &[&str],
        &["list", "--format", "json"],
        &["list", "--stale"],
        &["list", "--stale", "--format", "json"],
        &["list", HOSTILE],
        &["list", "--manifest-path", HOSTILE],
        &["list", "--target-dir", HOSTILE],
        &["report", "--format", "junit"],
        &["report", "--format", "sarif"],
        &["report", "--format", "json"],
        &["report", "--format", "tyche"],
        &["report", "--format", HOSTILE],
        &["report", "--out", "report.html"],
        &["report", "--out", &format!("{HOSTILE}.html")],
        &["report", "--out", &format!("no/such/{HOSTILE}")],
        &["report", "--against", HOSTILE],
        &["report", HOSTILE],
        &["explain", HOSTILE],
        &["explain", "R001", HOSTILE],
        &["replay", HOSTILE],
        &["replay", "1"],
        &["replay", "2"],
        &["replay", "r1.AA", &format!("-{HOSTILE}")],
        &["replay", "r1.AA", HOSTILE, "--manifest-path", HOSTILE],
        &["generate", "bad.rebut"],
        &["generate", "bad.json"],
        &["generate", "type.json"],
        &["generate", HOSTILE],
        &["generate", "bad.rebut", HOSTILE],
        &["init", "--manifest-path", HOSTILE],
        &["test", "--manifest-path", HOSTILE],
        &["test", "--time", HOSTILE],
        &["explore", HOSTILE, "--manifest-path", HOSTILE],
        &["explore", HOSTILE],
        &["generalize", HOSTILE],
        &["generalize", HOSTILE, "--manifest-path", HOSTILE],
        &["infer", HOSTILE],
        &["infer", HOSTILE, "--manifest-path", HOSTILE],
        &["completions", HOSTILE],
        &["man", HOSTILE, HOSTILE],
        &[HOSTILE],
        &[&format!("--{HOSTILE}")],
    ] {
        complaints.extend(package.complaints(arguments));
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
