//! The names of the command, its completions in a shell, and its manual.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn run(program: &str, arguments: &[&str]) -> Output {
    Command::new(program).args(arguments).env("NO_COLOR", "1").output().expect("the command")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

const REBUT: &str = env!("CARGO_BIN_EXE_rebut");
const CARGO_REBUT: &str = env!("CARGO_BIN_EXE_cargo-rebut");

#[test]
fn the_command_has_three_names() {
    let calls: [(&str, &[&str], &str); 4] = [
        (REBUT, &["explain", "R001"], ""),
        (REBUT, &["rebut", "explain", "R001"], ""),
        (CARGO_REBUT, &["rebut", "explain", "R001"], ""),
        (CARGO_REBUT, &["explain", "R001"], ""),
    ];
    for (program, arguments, said) in calls {
        let output = run(program, arguments);
        assert!(text(&output.stdout).starts_with("R001: the test failed\n"), "{arguments:?}");
        assert_eq!(text(&output.stderr), said);
    }
    let help = text(&run(REBUT, &["replay", "--help"]).stdout);
    assert!(help.contains("Usage: rebut replay [OPTIONS] <NUMBER|STRING> [TEST]"), "{help}");
    assert!(help.contains("\n  rebut replay 1 ") && !help.contains("cargo rebut"), "{help}");
    let help = text(&run(CARGO_REBUT, &["rebut", "replay", "--help"]).stdout);
    assert!(help.contains("Usage: cargo rebut replay "), "{help}");
    assert!(help.contains("\n  cargo rebut replay 1 "), "{help}");
}

/// The completions of bash for these words, with the script loaded.
fn offered(words: &[&str]) -> Vec<String> {
    let script = text(&run(REBUT, &["completions", "bash"]).stdout);
    let function = if words[0] == "cargo" { "_rebut_or_cargo" } else { "_rebut" };
    let last = words.len() - 1;
    let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    let asks = format!(
        "{script}\nCOMP_WORDS=({})\nCOMP_CWORD={last}\n{function} {} '{}' '{}'\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"\n",
        quoted.join(" "),
        words[0],
        words[last],
        words[last - 1],
    );
    let output = run("bash", &["--norc", "-c", &asks]);
    assert!(output.stderr.is_empty(), "{}", text(&output.stderr));
    text(&output.stdout).lines().map(str::to_owned).collect()
}

#[test]
fn bash_completes_commands_and_options_also_after_cargo() {
    if Command::new("bash").arg("--version").output().is_err() {
        return rebut_testkit::missing("bash", "its completions are not tested");
    }
    assert_eq!(offered(&["rebut", "exp"]), ["explain", "explore"]);
    assert_eq!(offered(&["cargo", "rebut", "exp"]), ["explain", "explore"]);
    assert_eq!(offered(&["cargo", "rebut", "report", "--ag"]), ["--against"]);
    let formats = ["html", "json", "junit", "sarif", "tyche"];
    assert_eq!(offered(&["cargo", "rebut", "report", "--format", ""]), formats);
    assert_eq!(offered(&["cargo", "bui"]), [""], "cargo's own are not there");
}

#[test]
fn manual_pages_are_written() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("man1");
    let _ = fs::remove_dir_all(&folder);
    let output = run(REBUT, &["man", &folder.display().to_string(), "--format", "json"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let files = json["files"].as_array().expect("files");
    let help = text(&run(REBUT, &["--help"]).stdout);
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands: Vec<&str> = commands
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .filter(|command| *command != "help")
        .collect();
    assert!(commands.contains(&"init") && commands.len() >= 10, "{commands:?}");
    for command in &commands {
        let page = folder.join(format!("cargo-rebut-{command}.1"));
        assert!(files.iter().any(|file| *file == page.display().to_string()), "{command}");
        let page = fs::read_to_string(page).expect("a page");
        assert!(page.starts_with(".ie") && page.contains(".SH EXAMPLES"), "{page}");
    }
    let first = text(&run(REBUT, &["man"]).stdout);
    assert_eq!(first, fs::read_to_string(folder.join("cargo-rebut.1")).expect("a page"));
    let denied = run(REBUT, &["man", "/dev/null/man1"]);
    assert_eq!(denied.status.code(), Some(7), "{}", text(&denied.stderr));
}
