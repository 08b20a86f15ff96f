//! The examples for other languages in `docs/guide/inputs.md` read what the command prints.

use std::path::{Path, PathBuf};
use std::process::Command;

fn documentation() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide/inputs.md");
    std::fs::read_to_string(path).expect("the documentation")
}

/// The only block of the page in a language.
fn block(language: &str) -> String {
    let text = documentation();
    let (_, rest) = text.split_once(&format!("\n```{language}\n")).expect("an example");
    let (block, _) = rest.split_once("\n```").expect("its end");
    block.to_owned() + "\n"
}

/// A directory with the inputs that the examples read.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("specs")).expect("a folder");
    std::fs::write(folder.join("specs/meeting.rebut"), block("rebut")).expect("a file");
    let documented = documentation();
    let line = documented.lines().find(|line| line.contains("--out ")).expect("a command");
    let arguments = line.trim_start_matches("$ cargo ").split(' ');
    let status = Command::new(env!("CARGO_BIN_EXE_cargo-rebut"))
        .args(arguments)
        .current_dir(&folder)
        .status();
    assert!(status.expect("the command").success());
    let lines = std::fs::read_to_string(folder.join("meetings.jsonl")).expect("the inputs");
    assert_eq!(lines.lines().count(), 20);
    folder
}

fn ran(command: &mut Command) -> (bool, String) {
    let output = command.output();
    let Ok(output) = output else { return (false, String::new()) };
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&text).into_owned())
}

#[test]
fn pytest_runs_a_case_for_each_input() {
    let folder = folder("pytest");
    if !ran(Command::new("python3").args(["-m", "pytest", "--version"])).0 {
        return rebut_testkit::missing("pytest", "the example for Python was not run");
    }
    std::fs::write(folder.join("test_meeting.py"), block("python")).expect("a file");
    let (is_well, said) =
        ran(Command::new("python3").args(["-m", "pytest", "-q"]).current_dir(&folder));
    assert!(is_well && said.contains("20 passed"), "{said}");
}

/// The variable has the path of the jars of JUnit's console and of Jackson.
#[test]
fn junit_runs_a_case_for_each_input() {
    let folder = folder("junit");
    let Ok(jars) = std::env::var("JUNIT_CLASSPATH") else {
        let details = "JUNIT_CLASSPATH is not set, so the example for Java was not run";
        return rebut_testkit::missing("JUnit", details);
    };
    std::fs::write(folder.join("MeetingTest.java"), block("java")).expect("a file");
    let (is_well, said) =
        ran(Command::new("javac").args(["-cp", &jars, "MeetingTest.java"]).current_dir(&folder));
    assert!(is_well, "{said}");
    let console = "org.junit.platform.console.ConsoleLauncher";
    let with_tests = format!("{jars}:.");
    let run = |word: &[&str]| {
        let mut java = Command::new("java");
        java.args(["-cp", &with_tests, console]).args(word);
        ran(java.args(["--select-class", "MeetingTest"]).current_dir(&folder))
    };
    // The console has had subcommands since 1.10.
    let (is_well, said) = match run(&["execute"]) {
        (false, said) if said.contains("Unmatched argument") => run(&[]),
        other => other,
    };
    assert!(is_well && said.contains("20 tests successful"), "{said}");
}
