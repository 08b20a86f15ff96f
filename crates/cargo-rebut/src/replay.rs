//! `cargo rebut replay`: runs one case again.

use crate::cli::{Replay, Shape};
use crate::stale;
use crate::words::{self, say};
use rebut_cli::exit::{Exit, Failure};
use rebut_cli::output::pretty;
use rebut_cli::output::to_stdout;
use rebut_cli::runs::{TARGET_DIR, cargo};
use rebut_cli::status::status;
use rebut_native::{EventDirectory, FailedTest, check_regressions};
use rebut_protocol::{near_miss, settings};
use rebut_report::Property;
use serde_json::json;
use std::io::{BufRead as _, BufReader};
use std::process::Stdio;
use std::time::SystemTime;

pub(crate) fn run(arguments: &Replay) -> Result<Exit, Failure> {
    let ReplayCase { word, test, target, build: flags } = replay_case(arguments)?;
    let mut selection = arguments.selection.arguments();
    if !arguments.selection.names_targets() {
        selection.extend(target.iter().cloned());
    }
    if !arguments.selection.names_build() {
        selection.extend(flags);
    }
    let workspace = arguments.selection.location().workspace()?;
    let shown = (rebut_report::one_line(&word), rebut_report::one_line(&test));
    status("Replaying", format!("{} ({})", shown.1, shown.0));
    build(&selection)?;
    let begun = SystemTime::now();
    let mut command = cargo();
    command.args(["test", "--quiet"]).args(&selection);
    command.args(["--", "--exact", "--show-output", &test]);
    command.env(settings::REPLAY.variable, &word).env(TARGET_DIR, &workspace.target);
    let home = workspace.home();
    let no_events =
        |error| Failure::new(Exit::File, words::file_failed(&home, "write events to", error));
    let events = EventDirectory::new(&home).map_err(no_events)?;
    events.pass_to(&mut command);
    let not_started = |error| Failure::new(Exit::MissingTool, words::cargo_not_started(error));
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(not_started)?;
    for line in child.stdout.take().into_iter().flat_map(|out| BufReader::new(out).lines()) {
        let line = line.unwrap_or_default();
        // With `--show-output`, the harness prints this heading even if no test passed.
        if line != "successes:" {
            say(&line);
        }
    }
    let status = child.wait().map_err(not_started)?;
    let properties = events.read().map_err(no_events)?.properties;
    let has_run = properties.iter().any(|property| property.test_name() == Some(&test));
    if !has_run && status.success() {
        let (known, owner) = (known_tests(&selection), owner_of(&word, arguments));
        let nearest = nearest_test(&test, &known);
        let message = words::replay::no_such_test(&test, &word, nearest, owner.as_deref());
        return Err(Failure::new(Exit::Nothing, message));
    }
    if arguments.format == Shape::Json {
        to_stdout(&pretty(&json!({"test": test, "replay": word, "fails": !status.success()})))?;
    }
    if !status.success() {
        let failed = [FailedTest { test, selection: target }];
        check_regressions(&failed, begun, &selection, &workspace, arguments.emit)?;
    }
    Ok(if status.success() { Exit::Success } else { Exit::Failed })
}

/// The tests that cargo builds with these arguments.
fn known_tests(selection: &[String]) -> Vec<String> {
    let programs = rebut_native::build(selection).unwrap_or_default();
    let tests = programs.iter().flat_map(|built| built.program.tests());
    tests.map(|test| test.as_str().to_owned()).collect()
}

/// The test whose name is most similar to this one: as a whole, or in its last part.
fn nearest_test<'a>(test: &str, known: &'a [String]) -> Option<&'a str> {
    let last = |path: &'a str| path.rsplit("::").next().unwrap_or(path);
    let known: Vec<&str> = known.iter().map(String::as_str).filter(|one| *one != test).collect();
    let asked = test.rsplit("::").next().unwrap_or(test);
    near_miss::nearest(test, &known).or_else(|| {
        let names: Vec<&str> = known.iter().map(|one| last(one)).collect();
        let name = near_miss::nearest(asked, &names)?;
        known.iter().copied().find(|one| last(one) == name)
    })
}

/// The test to which a replay string belongs, if a recent run has printed a string of it.
fn owner_of(word: &str, arguments: &Replay) -> Option<String> {
    let identity = identity(word)?;
    let report = stale::report(&arguments.selection.location(), &[]).ok()?;
    let is_owner = |property: &&Property| {
        property
            .inputs()
            .any(|input| input.replay.as_deref().and_then(self::identity) == Some(identity))
    };
    report.properties.iter().find(is_owner)?.test_name().map(str::to_owned)
}

/// The part of a replay string that names its test.
fn identity(word: &str) -> Option<&str> {
    word.rsplit_once('.').filter(|(bare, _)| bare.contains('.')).map(|(_, identity)| identity)
}

/// The case to run again.
struct ReplayCase {
    /// Its choices.
    word: String,
    /// The name of the test.
    test: String,
    /// The flags that select the target of the test for cargo; empty if they are unknown.
    target: Vec<String>,
    /// The flags for its features, profile and triple.
    build: Vec<String>,
}

/// The case from the arguments: a replay string with its test, or the number of an input.
fn replay_case(arguments: &Replay) -> Result<ReplayCase, Failure> {
    let usage = |message: String| Failure::new(Exit::Usage, message);
    if let Some(test) = &arguments.test {
        // The harness would take such a name for an option.
        if test.starts_with('-') {
            return Err(usage(words::replay::no_test_name(test)));
        }
        let word = arguments.case.clone();
        let report = stale::report(&arguments.selection.location(), &[]).ok();
        let properties = report.map(|report| report.properties).unwrap_or_default();
        let (test, target) = match listed(test, &properties) {
            Some(property) => property,
            None => (test.clone(), Vec::new()),
        };
        return Ok(ReplayCase { word, test, target, build: Vec::new() });
    }
    let Ok(number) = arguments.case.parse::<usize>() else {
        return Err(usage(words::replay::no_number(&arguments.case)));
    };
    let report = stale::report(&arguments.selection.location(), &[])?;
    let (property, input) =
        report.input(number).ok_or_else(|| usage(words::replay::no_such_input(number)))?;
    match (&input.replay, property.test_name()) {
        (Some(word), Some(test)) => {
            let target = property.selection().unwrap_or_default();
            let target = target.into_iter().map(str::to_owned).collect();
            let build = build_flags(input.command.as_deref().unwrap_or_default());
            Ok(ReplayCase { word: word.clone(), test: test.to_owned(), target, build })
        }
        _ => {
            let command = property.replay_command(input);
            Err(usage(words::replay::cannot_be_replayed(number, command.as_deref())))
        }
    }
}

/// The name of a test in its harness and the flags that select its target, if `name` is how `cargo
/// rebut list` calls it: with its crate.
fn listed(name: &str, properties: &[Property]) -> Option<(String, Vec<String>)> {
    // In a harness, a module may have the name of a crate.
    if properties.iter().any(|property| property.test_name() == Some(name)) {
        return None;
    }
    let property = properties.iter().find(|property| property.name == name)?;
    let target = property.selection().unwrap_or_default().into_iter().map(str::to_owned);
    Some((property.test_name()?.to_owned(), target.collect()))
}

/// The flags in the command of a failure that select features, a profile and a triple.
fn build_flags(command: &str) -> Vec<String> {
    let mut flags = Vec::new();
    let mut words = command.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            // The rest is for the test binary.
            "--" => break,
            "--release" | "--no-default-features" => flags.push(word.to_owned()),
            "--features" | "--profile" | "--target" => {
                flags.extend(words.next().map(|value| format!("{word}={value}")));
            }
            "--cargo-profile" => {
                flags.extend(words.next().map(|value| format!("--profile={value}")));
            }
            _ => {}
        }
    }
    flags
}

/// Builds the tests. A failed build is not the failure of a property, so it has its own exit code.
pub(crate) fn build(arguments: &[String]) -> Result<(), Failure> {
    let status = cargo()
        .args(["test", "--no-run", "--quiet"])
        .args(arguments)
        .stdout(Stdio::from(std::io::stderr()))
        .status()
        .map_err(|error| Failure::new(Exit::MissingTool, words::cargo_not_started(error)))?;
    if status.success() { Ok(()) } else { Err(Failure::new(Exit::Build, words::not_built())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_tests_are_found_by_their_path_or_their_name() {
        let known = ["tests::sorts_numbers", "other::adds_up"].map(str::to_owned);
        for (asked, expected) in [
            ("tests::sort_numbers", Some("tests::sorts_numbers")),
            ("adds_up", Some("other::adds_up")),
            ("tests::adds_up", Some("other::adds_up")),
            ("tests::nosuch", None),
        ] {
            assert_eq!(nearest_test(asked, &known), expected, "{asked}");
        }
    }

    #[test]
    fn replays_use_the_build_of_the_failure() {
        let flags = |command: &str| build_flags(command).join(" ");
        assert_eq!(flags("cargo test -p a --lib b -- --exact"), "");
        assert_eq!(
            flags("cargo test -p a --lib --features x,y --release --target t b -- --release"),
            "--features=x,y --release --target=t"
        );
        assert_eq!(flags("cargo nextest run --cargo-profile ci b"), "--profile=ci");
        assert_eq!(flags("cargo test --no-default-features --profile"), "--no-default-features");
    }
}
