//! Keeps README.md honest.
//!
//! The code of its stories is put into a crate, a file for each, and built; each command that
//! it shows is run there, and what it prints must be what README.md says. To write what is
//! printed now into README.md, look at it, and keep it:
//!
//! ```console
//! $ UPDATE_EXPECT=1 cargo test -p rebut-examples --test readme
//! ```
//!
//! A block of code belongs to the story that is named in a comment before it,
//! `<!-- story: shorten -->`. What is compared are the blocks that begin with a command:
//! `$ REBUT_SEED=1 cargo test shorten`, or `$ cat` with the path of a file that Rebut wrote, or
//! `$ cargo rebut generate` with a file that is named in a comment before its block,
//! `<!-- file: shift.rebut -->`.
//! Of what `cargo test` prints, the reports are shown and nothing else.

#![cfg(unix)]

use rebut_spec::{Options, Program, Verdict, output};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Where README.md pretends to be run.
const PRETENDED: &str = "/home/me/demo";

#[test]
fn readme_shows_what_its_commands_print() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let readme = fs::read_to_string(&path).expect("README.md");
    let demo = Demo::build(&readme);
    let mut updated = String::new();
    let mut rest = readme.as_str();
    while let Some((before, block)) = rest.split_once("\n```console\n$ ") {
        let (block, after) = block.split_once("\n```\n").expect("the end of a block");
        let (command, shown) = block.split_once('\n').unwrap_or((block, ""));
        let printed = match command.strip_prefix("cargo rebut generate ") {
            _ if shown.is_empty() => String::new(),
            Some(arguments) => generated(&readme, arguments),
            None => demo.run(command),
        };
        updated += &format!("{before}\n```console\n$ {}\n```\n", join(command, &printed));
        rest = after;
    }
    updated += rest;
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(path, updated).expect("README.md can be written");
    } else {
        assert_same(&readme, &updated);
    }
}

/// What the command prints of a file that README.md shows: models, a line each, or the plan.
fn generated(readme: &str, arguments: &str) -> String {
    let mut words = arguments.split(' ');
    let name = words.next().unwrap_or_default();
    let options: Vec<&str> = words.collect();
    let block = format!("<!-- file: {name} -->\n```rebut\n");
    let (_, rest) = readme.split_once(&block).expect("a file");
    let (text, _) = rest.split_once("```\n").expect("its end");
    let program = Program::parse(name, text);
    assert!(program.diagnostics.is_empty(), "{:?}", program.diagnostics);
    let environment = &program.environments[0];
    match options.as_slice() {
        ["--explain-plan"] => {
            rebut_spec::explain(environment, &Options::default()).trim_end().to_owned()
        }
        ["--format", "jsonl"] => {
            let outcome = rebut_spec::generate(environment, &Options::default()).expect("models");
            assert_eq!(outcome.verdict, Verdict::Complete);
            let line = |model| output::json(environment, model).to_string();
            outcome.models.iter().map(line).collect::<Vec<_>>().join("\n")
        }
        other => panic!("{other:?} is shown as `--explain-plan` or `--format jsonl`"),
    }
}

fn join(command: &str, printed: &str) -> String {
    if printed.is_empty() { command.to_owned() } else { format!("{command}\n{printed}") }
}

fn assert_same(readme: &str, updated: &str) {
    let differing = readme.lines().zip(updated.lines()).find(|(shown, printed)| shown != printed);
    if let Some((shown, printed)) = differing {
        panic!(
            "README.md says\n  {shown}\nwhere it should say\n  {printed}\n\
             see UPDATE_EXPECT at the top of this file; all of it:\n{updated}"
        );
    }
    assert_eq!(readme, updated);
}

#[test]
fn links_lead_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folders = ["", "docs/guide", "bench"].map(|folder| root.join(folder));
    let entries = folders.iter().flat_map(|folder| fs::read_dir(folder).expect("a folder"));
    let paths = entries.map(|entry| entry.expect("an entry").path());
    for path in paths.filter(|path| path.extension().is_some_and(|of| of == "md")) {
        let text = fs::read_to_string(&path).expect("text");
        let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for link in links.filter(|link| !link.starts_with("http")) {
            let file = link.split('#').next().unwrap_or_default();
            let there = file.is_empty() || path.with_file_name(file).exists();
            assert!(there, "{} has a link to {link}, which is not there", path.display());
        }
    }
}

/// The crate with the stories of README.md.
struct Demo {
    home: PathBuf,
    target: PathBuf,
    binary: PathBuf,
}

const MANIFEST: &str = "\
[package]
name = \"demo\"
version = \"0.0.0\"
edition = \"2024\"
publish = false

[dev-dependencies]
rebut = { path = \"REBUT\" }

[workspace]

[profile.dev]
debug = false
";

impl Demo {
    fn build(readme: &str) -> Demo {
        let below = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let home = below.join("readme");
        // The tests of `rebut` build the same dependencies there.
        let target = below.join("fixture").join("target");
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let rebut = root.join("crates/rebut").canonicalize().expect("the crate");
        let _ = fs::remove_dir_all(home.join(".rebut"));
        write(&home.join("Cargo.toml"), &MANIFEST.replace("REBUT", &rebut.display().to_string()));
        // With the versions of this workspace nothing has to be looked up.
        let locked = fs::read_to_string(root.join("Cargo.lock")).expect("the lock file");
        if !home.join("Cargo.lock").exists() {
            write(&home.join("Cargo.lock"), &locked);
        }
        let mut modules = String::new();
        for (name, code) in stories(readme) {
            write(&home.join("src").join(format!("{name}.rs")), code);
            modules += &format!("#[cfg(test)]\nmod {name};\n");
        }
        write(&home.join("src/lib.rs"), &modules);
        let binary = build(&home, &target);
        Demo { home, target, binary }
    }

    fn run(&self, command: &str) -> String {
        let printed = match command.split_once(' ') {
            Some(("cat", path)) => self.read(path),
            Some(("tail", files)) => last_lines(files.split(' ').skip(1)),
            _ => reports(&self.test(command)),
        };
        let target = self.target.display().to_string();
        let printed = printed.replace(&target, &format!("{PRETENDED}/target"));
        without_thread_ids(&printed).trim_end().to_owned()
    }

    /// A file that Rebut wrote.
    fn read(&self, path: &str) -> String {
        let path = match path.strip_prefix("target/") {
            Some(path) => find(&self.target, path),
            None => find(&self.home, path),
        };
        fs::read_to_string(path).expect("text")
    }

    /// Runs `NAME=value .. cargo test ARGUMENTS`.
    fn test(&self, command: &str) -> String {
        let (variables, arguments) = command.split_once("cargo test").expect("a run of tests");
        let mut test = Command::new(&self.binary);
        clean(&mut test);
        test.current_dir(&self.home).stdin(Stdio::null()).arg("--test-threads=1");
        test.args(arguments.split_whitespace().filter(|argument| *argument != "--"));
        test.envs(variables.split_whitespace().filter_map(|variable| variable.split_once('=')));
        let output = test.output().expect("the tests can be run");
        [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes)).concat()
    }
}

/// `tail -qn 1` of files of this repository.
fn last_lines<'a>(files: impl Iterator<Item = &'a str>) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let texts = files.skip(1).map(|file| fs::read_to_string(root.join(file)).expect("a table"));
    texts.map(|text| format!("{}\n", text.trim_end().lines().last().unwrap_or_default())).collect()
}

/// Takes away the only part of a report that differs from run to run: Rust's message about a
/// stack overflow has the number of the thread.
fn without_thread_ids(text: &str) -> String {
    let line = |line: &str| match (line.find("' ("), line.find(") has overflowed")) {
        (Some(from), Some(to)) => format!("{}{}\n", &line[..=from], &line[to + 1..]),
        _ => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

/// Name and code of each story.
fn stories(readme: &str) -> Vec<(&str, &str)> {
    let parts = readme.split("<!-- story: ").skip(1);
    let stories = parts.map(|part| {
        let (name, rest) = part.split_once(" -->\n```rust\n").expect("a block of code");
        let (code, _) = rest.split_once("```\n").expect("its end");
        (name, code)
    });
    stories.collect()
}

fn build(home: &Path, target: &Path) -> PathBuf {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    clean(&mut cargo);
    cargo.current_dir(home).env("CARGO_TARGET_DIR", target).stdin(Stdio::null());
    cargo.args(["test", "--no-run", "--lib", "--offline", "--message-format=json"]);
    let output = cargo.output().expect("cargo");
    let messages = String::from_utf8_lossy(&output.stdout);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "the code of README.md cannot be built:\n{said}\n{messages}");
    let executable = messages.lines().rev().find_map(|line| line.split_once("\"executable\":\""));
    let (_, rest) = executable.expect("a message with the binary");
    PathBuf::from(rest.split('"').next().expect("the end of a string"))
}

/// Takes away what the environment of this test would set.
fn clean(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        let ours = ["REBUT_", "CARGO_", "NEXTEST", "RUST_"].iter().any(|p| text.starts_with(p));
        if (ours && text != "CARGO_HOME") || text == "CI" {
            command.env_remove(&name);
        }
    }
    command.env("NO_COLOR", "1");
}

/// What a test binary prints, without what the test harness says.
fn reports(printed: &str) -> String {
    let is_name = |line: &str| line.contains("::") && !line.contains([' ', '=', '(']);
    let is_said = |line: &str| {
        let begins = ["running ", "test ", "---- ", "failures:", "successes:"];
        begins.iter().any(|begin| line.starts_with(begin)) || is_name(line.trim_start())
    };
    let listed = printed.rsplit_once("\nfailures:\n").map_or(printed, |(before, _)| before);
    let mut text = String::new();
    for line in listed.lines().filter(|line| !is_said(line)) {
        if !(line.is_empty() && (text.is_empty() || text.ends_with("\n\n"))) {
            text += line;
            text.push('\n');
        }
    }
    text
}

/// The file of a path in which the last part may be `*.case`.
fn find(folder: &Path, pattern: &str) -> PathBuf {
    let path = folder.join(pattern);
    let Some(extension) = pattern.rsplit_once("*.").map(|(_, extension)| extension) else {
        return path;
    };
    let entries = fs::read_dir(path.parent().expect("a folder")).expect("a folder");
    let mut paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    paths.find(|path| path.extension().is_some_and(|of| of == extension)).expect("a file")
}

/// Writes a file unless it says so already: what did not change is not built again.
fn write(path: &Path, text: &str) {
    if fs::read_to_string(path).is_ok_and(|there| there == text) {
        return;
    }
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, text).expect("a file below `target`");
}
