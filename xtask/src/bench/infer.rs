//! `cargo xtask bench infer`: tests from an implementation, and from unit tests.
//!
//! The types of `examples/infer` stand for those of AxiomMeister's table (Tillmann, Chen and
//! Schulte 2006); the unit tests are those of published crates, as cargo downloads them. The
//! time is the CPU time of the command itself, without that of cargo and of the tests it runs.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use super::report::circumstances;
use crate::{cargo, root, run as step};

/// A type, and the row of its class in the paper's table.
struct Class {
    name: &'static str,
    theirs: [u32; 4],
}

/// Methods, paths, tests and seconds.
const CLASSES: [Class; 3] = [
    Class { name: "Stack", theirs: [6, 7, 6, 2] },
    Class { name: "ArrayList", theirs: [13, 142, 26, 29] },
    Class { name: "Hashtable", theirs: [9, 835, 14, 276] },
];

const SECONDS_MAX: f64 = 5.0;

const NO_TEST: &str = "no test of";

/// The paper's specification of `ArrayList.Add`: a guard, and the claims under it.
const SPECS: [(&[&str], &[&str]); 3] = [
    (&[], &["assert_eq!(array_list.count(), old_count + 1);"]),
    (
        &["array_list.count() == array_list.capacity()"],
        &["assert!(array_list.capacity() > old_capacity);"],
    ),
    (
        &["array_list.count() != array_list.capacity()"],
        &["assert_eq!(array_list.capacity(), old_capacity);"],
    ),
];

/// Published crates whose unit tests are generalized, and the files these are in: a container with
/// many tests of values, a type of two variants with few, most of them of its traits, and those
/// that [`RULE`] chooses.
const PUBLISHED: [(&str, &str, &[&str]); 5] = [
    ("slab", "0.4.12", &["tests/slab.rs"]),
    ("either", "1.19.0", &["src/lib.rs"]),
    ("autocfg", "1.5.1", &["tests/tests.rs"]),
    ("ciborium-io", "0.2.2", &["src/lib.rs"]),
    ("cranelift-srcgen", "0.135.8", &["src/lib.rs"]),
];

/// How crates were chosen before any of them was tried, so that none is there because it suits.
const RULE: &str = "The last three crates were chosen by a rule before they were tried, and not \
    replaced afterward: in alphabetical order, the first packages in the cargo cache of this machine \
    that had not been used before, with optional dependencies only, no dev-dependencies, no \
    build script and at least five tests with literals in one file, and that build both for \
    this machine and for WebAssembly. Of their 33 tests, the first run generalized none and \
    made one a table. The defects that this showed have been fixed since, so these rows show \
    how the command handles known crates, not unseen ones.";

/// The headings of the parts that are measured apart, and of what both miss.
const PARTS: [&str; 3] =
    ["## AxiomMeister's table", "## Unit tests of published crates", "## Goals"];

/// Measures, and writes the tables to `bench/results/infer.md`. Words that are not options name
/// parts: `classes`, `published`; both if none is named.
pub(super) fn run(arguments: &[&str]) -> Result<(), String> {
    let known = ["--check", "classes", "published"];
    if let Some(other) = arguments.iter().find(|argument| !known.contains(argument)) {
        return Err(format!(
            "`bench infer` takes `--check`, `classes` and `published`, not `{other}`"
        ));
    }
    let is_wanted = |part: &str| {
        arguments.contains(&part) || arguments.iter().all(|argument| argument.starts_with("--"))
    };
    step(&mut cargo(&["build", "--release", "--quiet", "-p", "cargo-rebut"]))?;
    let path = root().join("bench/results/infer.md");
    let before = fs::read_to_string(&path).unwrap_or_default();
    let mut text = "# infer\n\nEach part says when it was measured.\n".to_owned();
    let mut missed = Vec::new();
    if is_wanted("classes") {
        classes(&mut text, &mut missed)?;
    } else {
        text.push_str(&part_of(&before, PARTS[0]));
    }
    if is_wanted("published") {
        published(&mut text)?;
    } else {
        text.push_str(&part_of(&before, PARTS[1]));
    }
    if is_wanted("classes") {
        text.push_str("\n## Goals\n\n");
        match missed.as_slice() {
            [] => text.push_str("All are met.\n"),
            _ => missed.iter().for_each(|goal| {
                let _ = writeln!(text, "- MISSED: {goal}");
            }),
        }
    } else {
        text.push_str(&part_of(&before, PARTS[2]));
    }
    eprintln!("{text}");
    fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    let is_checked = arguments.contains(&"--check");
    if is_checked && !missed.is_empty() { Err(missed.join("; ")) } else { Ok(()) }
}

/// A part of an earlier table, which is not measured in this run.
fn part_of(text: &str, heading: &str) -> String {
    let Some((_, rest)) = text.split_once(heading) else { return String::new() };
    let end = rest.find("\n## ").map_or(rest.len(), |end| end + 1);
    format!("\n{heading}{}\n", rest[..end].trim_end())
}

/// The output of a run of the command, and its own CPU seconds.
struct Measured {
    output: String,
    seconds: f64,
}

/// Runs the command that was built.
fn measured(arguments: &[&str]) -> Result<Measured, String> {
    let directory = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let program = directory.unwrap_or_else(|| root().join("target")).join("release/cargo-rebut");
    let mut command = Command::new(&program);
    command.current_dir(root()).arg("rebut").args(arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::inherit());
    let failed = |error: std::io::Error| format!("{}: {error}", program.display());
    let mut child = command.spawn().map_err(failed)?;
    let mut stdout = child.stdout.take();
    let reader = thread::spawn(move || {
        let mut output = String::new();
        if let Some(stdout) = &mut stdout {
            let _ = stdout.read_to_string(&mut output);
        }
        output
    });
    // A process that has ended keeps its times until its parent waits for it.
    let mut seconds = 0.0;
    while let Some((now, has_ended)) = own_time(child.id()) {
        seconds = now;
        if has_ended {
            break;
        }
        thread::sleep(Duration::from_millis(20));
    }
    let status = child.wait().map_err(failed)?;
    let output = reader.join().unwrap_or_default();
    // A finding is not a failure of the bench.
    match status.code() {
        Some(0 | 8) => Ok(Measured { output, seconds }),
        _ => Err(format!("`cargo rebut {}` ended with {status}", arguments.join(" "))),
    }
}

/// The CPU seconds of a process without its children, and whether it has ended.
fn own_time(process: u32) -> Option<(f64, bool)> {
    const TICKS: f64 = 100.0;
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let fields: Vec<&str> = text.rsplit_once(") ")?.1.split(' ').collect();
    let ticks = fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?;
    Some((ticks / TICKS, *fields.first()? == "Z"))
}

fn classes(text: &mut String, missed: &mut Vec<String>) -> Result<(), String> {
    let _ = writeln!(text, "\n{}\n\n{}.\n", PARTS[0], circumstances());
    text.push_str(
        "`cargo rebut infer` on the types of `examples/infer`, compared with the figures that \
         the paper reports for the .NET classes they are modeled on (other classes, another \
         machine, another year). CPU seconds cover the command itself: compiling probes to \
         machine code, exploring, inferring and writing, but not cargo.\n\n\
         | class | methods | theirs | paths | theirs | tests | theirs | CPU s | theirs |\n\
         | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    for class in &CLASSES {
        let arguments = ["infer", class.name, "-p", "infer-examples", "--format", "json"];
        let Measured { output, seconds } = measured(&arguments)?;
        let found: Value = serde_json::from_str(&output).map_err(|error| error.to_string())?;
        let count = |name: &str| found[name].as_array().map_or(0, Vec::len);
        let methods = count("observers") + count("modifiers");
        let [their_methods, their_paths, their_tests, their_seconds] = class.theirs;
        let _ = writeln!(
            text,
            "| {} | {methods} | {their_methods} | {} | {their_paths} | {} | {their_tests} | \
             {seconds:.2} | {their_seconds} |",
            class.name,
            found["paths"],
            count("tests"),
        );
        if seconds > SECONDS_MAX {
            missed
                .push(format!("{} takes {seconds:.2} CPU s, more than {SECONDS_MAX}", class.name));
        }
        if class.name == "ArrayList" {
            for (guard, claims) in SPECS {
                if !has_spec(&found, guard, claims) {
                    missed.push(format!("{NO_TEST} `add` under {guard:?} says {claims:?}"));
                }
            }
        }
    }
    if !missed.iter().any(|goal| goal.starts_with(NO_TEST)) {
        text.push_str(
            "\nAmong the tests of ArrayList are those of the paper: `add` makes the count one \
             greater; where the count is the capacity, the capacity grows; otherwise it stays.\n",
        );
    }
    Ok(())
}

/// Whether a test of `add` has this guard and these claims.
fn has_spec(found: &Value, guard: &[&str], claims: &[&str]) -> bool {
    let texts = |value: &Value| -> Vec<String> {
        let all = value.as_array().map(Vec::as_slice).unwrap_or_default();
        all.iter().filter_map(|text| text.as_str().map(str::to_owned)).collect()
    };
    let tests = found["tests"].as_array().map(Vec::as_slice).unwrap_or_default();
    tests.iter().any(|test| {
        let written = texts(&test["claims"]);
        test["function"] == "add"
            && texts(&test["guard"]) == guard
            && claims.iter().all(|claim| written.iter().any(|one| one == claim))
    })
}

fn published(text: &mut String) -> Result<(), String> {
    let _ = writeln!(text, "\n{}\n\n{}.\n", PARTS[1], circumstances());
    text.push_str(
        "`cargo rebut generalize` on every `#[test]` of these files. A test counts as \
         generalized if its values became parameters that Rebut generates, and as a table if \
         only the inputs of its paths are checked. A test stays if Rebut only added tests of \
         its failures. Tests without values to promote are counted separately. Sides are those \
         of branches that depend on the promoted values, summed over the tests: first those \
         that the original test takes, then those that all of its paths take. Rebut built every \
         generalized test for this machine and ran it with 300 generated inputs.",
    );
    text.push_str(RULE);
    text.push_str(
        "\n\n\
         | crate | tests | with values | generalized | as a table | stay | paths | sides before | \
         sides after | findings | CPU s |\n\
         | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    let mut findings = Vec::new();
    for (name, version, files) in PUBLISHED {
        let directory = fetched(name, version)?;
        let mut row = Row::default();
        for file in files {
            let path = directory.join(file).display().to_string();
            let manifest = directory.join("Cargo.toml").display().to_string();
            let arguments = ["generalize", &path, "--manifest-path", &manifest, "--format", "json"];
            let Measured { output, seconds } = measured(&arguments)?;
            row.seconds += seconds;
            for line in output.lines() {
                let Ok(test) = serde_json::from_str::<Value>(line) else { continue };
                row.add(&test, &mut reasons, &mut findings);
            }
        }
        let _ = writeln!(text, "| {name} {version} {}", row.cells());
    }
    text.push_str("\nWhy tests stay unchanged:\n\n");
    let mut reasons: Vec<(String, usize)> = reasons.into_iter().collect();
    reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    for (reason, count) in &reasons {
        let _ = writeln!(text, "- {count}: {reason}");
    }
    if !findings.is_empty() {
        text.push_str("\nFindings:\n\n");
        findings.iter().for_each(|finding| {
            let _ = writeln!(text, "- {finding}");
        });
    }
    Ok(())
}

/// The results for the tests of a crate.
#[derive(Default)]
struct Row {
    tests: usize,
    with_values: usize,
    generalized: usize,
    tables: usize,
    paths: u64,
    before: u64,
    after: u64,
    findings: usize,
    seconds: f64,
}

impl Row {
    fn add(
        &mut self,
        test: &Value,
        reasons: &mut BTreeMap<String, usize>,
        findings: &mut Vec<String>,
    ) {
        if test["test"].is_null() {
            return;
        }
        let number = |value: &Value| value.as_u64().unwrap_or(0);
        self.tests += 1;
        self.with_values += usize::from(number(&test["values"]) > 0);
        self.paths += number(&test["paths"]["all"]);
        self.before += number(&test["sides"]["before"]);
        self.after += number(&test["sides"]["after"]);
        match test["status"].as_str() {
            Some("generalized") => self.generalized += 1,
            Some("table") => self.tables += 1,
            _ => {
                let why = test["why_not"].as_str().unwrap_or("no reason is given");
                *reasons.entry(why.to_owned()).or_default() += 1;
            }
        }
        for finding in test["findings"].as_array().map(Vec::as_slice).unwrap_or_default() {
            self.findings += 1;
            let message = finding["message"].as_str().unwrap_or_default().replace('\n', " ");
            let name = test["test"].as_str().unwrap_or_default();
            findings.push(format!("`{name}`: {message}, with {}", finding["input"]));
        }
    }

    fn cells(&self) -> String {
        let Row { tests, with_values, generalized, tables, .. } = self;
        let Row { paths, before, after, findings, seconds, .. } = self;
        let stay = tests - generalized - tables;
        format!(
            "| {tests} | {with_values} | {generalized} | {tables} | {stay} | {paths} | {before} | \
             {after} | {findings} | {seconds:.2} |"
        )
    }
}

/// The sources of a published crate, in a directory of their own.
fn fetched(name: &str, version: &str) -> Result<PathBuf, String> {
    let home = root().join("target/bench-infer");
    let directory = home.join(format!("{name}-{version}"));
    if directory.join("Cargo.toml").is_file() {
        return Ok(directory);
    }
    let asking = home.join("fetch");
    fs::create_dir_all(asking.join("src")).map_err(|error| error.to_string())?;
    let manifest = format!(
        "[package]\nname = \"fetch\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [dependencies]\n{name} = \"={version}\"\n\n[workspace]\n"
    );
    fs::write(asking.join("Cargo.toml"), manifest).map_err(|error| error.to_string())?;
    fs::write(asking.join("src/lib.rs"), "").map_err(|error| error.to_string())?;
    let mut metadata = cargo(&["metadata", "--format-version", "1", "--manifest-path"]);
    let output = metadata.arg(asking.join("Cargo.toml")).stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| format!("cannot start cargo: {error}"))?;
    let metadata: Value =
        serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
    let packages = metadata["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let package = packages.iter().find(|package| package["name"] == name);
    let from = package.and_then(|package| Path::new(package["manifest_path"].as_str()?).parent());
    let from = from.ok_or_else(|| format!("cargo cannot locate {name}"))?;
    copy(from, &directory).map_err(|error| format!("{}: {error}", from.display()))?;
    let manifest = directory.join("Cargo.toml");
    let text = fs::read_to_string(&manifest).map_err(|error| error.to_string())?;
    fs::write(&manifest, format!("{text}\n[workspace]\n")).map_err(|error| error.to_string())?;
    Ok(directory)
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (here, there) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type()?.is_dir() {
            copy(&here, &there)?;
        } else {
            fs::copy(&here, &there)?;
        }
    }
    Ok(())
}
