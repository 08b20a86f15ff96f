//! Compiles the tests and runs them natively before they are shown. What does not compile, and
//! what does not hold there (with 64 bits, and of longer collections), is taken out.

use super::emit::{self, Place, Test};
use super::explored::request;
use super::subject::Subject;
use crate::words;
use rebut_build::{NativePackage, TestPrograms};
use rebut_cli::arguments::Infer;
use rebut_cli::block;
use rebut_cli::exit::{Exit, Failure};
use rebut_explore::problem;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;

/// The name of the module of tests while they are tried. One of the usual name may be there.
const MODULE: &str = "rebut_inferred";

/// How often tests are written anew without what is wrong.
const ROUNDS_MAX: usize = 6;

/// The settings of the native runs: what is shown does not change from run to run, and nothing is
/// written.
const SETTINGS: &[(&str, &str)] = &[
    ("REBUT_CASES", "200"),
    ("REBUT_DATABASE", "false"),
    ("REBUT_EVENTS", "off"),
    ("REBUT_EXPLAIN", "false"),
    ("REBUT_SEED", "1"),
    ("REBUT_SHRINK_MAX", "500"),
];

/// A test of which more cases are rejected for one that is not may do so with other seeds, too.
const STRICT: &str = "5";

/// Takes out what does not compile or hold; in words, what that is.
pub(crate) fn check(
    arguments: &Infer,
    package: &str,
    subject: &Subject,
    tests: &mut Vec<Test>,
) -> Result<Vec<String>, Failure> {
    let mut notes = Vec::new();
    for _ in 0..ROUNDS_MAX {
        if tests.is_empty() {
            break;
        }
        let (text, lines) = emit::module(subject, MODULE, tests);
        let first = subject.module.text[..subject.module.end].lines().count();
        let before = &subject.module.text[..subject.module.end];
        // Text that is put behind half a line begins in that line.
        let offset = if before.is_empty() || before.ends_with('\n') { first } else { first - 1 };
        let place = |line: usize| {
            let line = line.checked_sub(offset + 1)?;
            lines.get(line).copied().flatten()
        };
        let request = request(arguments, package, subject, &text);
        let native = NativePackage::prepare(&request).map_err(problem)?;
        let built = native.build(&mut |_| {}).map_err(problem)?;
        let wrong = if built.errors.is_empty() {
            failures(&native, &built, tests, &place)?
        } else {
            errors(&built, &place)?
        };
        if wrong.is_empty() {
            break;
        }
        take_out(tests, wrong, &mut notes);
    }
    Ok(notes)
}

/// What is wrong with a test, or a claim of it.
struct Wrong {
    test: usize,
    claim: Option<usize>,
    why: String,
    /// Cases were rejected too often; more may be allowed.
    is_rare: bool,
}

/// Where errors of the compiler belong.
fn errors(
    built: &TestPrograms,
    place: &dyn Fn(usize) -> Option<Place>,
) -> Result<Vec<Wrong>, Failure> {
    let mut wrong: Vec<Wrong> = Vec::new();
    for error in &built.errors {
        let found = error.spans.iter().find_map(|span| place(span.line));
        let Some((test, claim)) = found else {
            let message = format!("{}\n{}", error.rendered, words::not_built());
            return Err(Failure::new(Exit::Build, message));
        };
        let why = format!("it does not compile: {}", error.message);
        wrong.push(Wrong { test, claim, why, is_rare: false });
    }
    Ok(wrong)
}

/// Runs all tests; those that fail, by the place of the failure. A test whose cases are rejected
/// often is told to be patient, and runs once more: it has to pass with any seed.
fn failures(
    native: &NativePackage,
    built: &TestPrograms,
    tests: &[Test],
    place: &dyn Fn(usize) -> Option<Place>,
) -> Result<Vec<Wrong>, Failure> {
    let mut wrong = Vec::new();
    for program in built.programs.values() {
        let strict = reports(&run(native, program, &[format!("{MODULE}::")], true)?);
        let rare: Vec<String> = tests
            .iter()
            .filter(|test| test.is_rare)
            .map(|test| format!("{MODULE}::{}", test.name))
            .collect();
        let patient = match rare.as_slice() {
            [] => BTreeMap::new(),
            names => reports(&run(native, program, names, false)?),
        };
        for (nth, test) in tests.iter().enumerate() {
            let own = if test.is_rare { &patient } else { &strict };
            let Some(report) = own.get(&test.name) else { continue };
            if matches!(block::code(report), Some("R003" | "R004")) && !test.is_rare {
                let why = String::new();
                wrong.push(Wrong { test: nth, claim: None, why, is_rare: true });
                continue;
            }
            let claim = places(report).filter_map(place).find(|(of, _)| *of == nth);
            let claim = claim.and_then(|(_, claim)| claim);
            wrong.push(Wrong { test: nth, claim, why: reason(report), is_rare: false });
        }
    }
    Ok(wrong)
}

pub(crate) fn run(
    native: &NativePackage,
    program: &Path,
    names: &[String],
    is_strict: bool,
) -> Result<String, Failure> {
    let mut command = native.command(program);
    command
        .args(names)
        .arg("--test-threads=2")
        .envs(SETTINGS.iter().copied())
        .env_remove("REBUT_REPLAY")
        .env_remove("REBUT_REJECTIONS_MAX")
        .stderr(Stdio::piped());
    if is_strict {
        command.env("REBUT_REJECTIONS_MAX", STRICT);
    }
    let output = command
        .output()
        .map_err(|error| Failure::new(Exit::MissingTool, words::cargo_not_started(error)))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// What the harness printed for tests that failed, by their last names.
pub(crate) fn reports(said: &str) -> BTreeMap<String, String> {
    let mut reports = BTreeMap::new();
    let mut current: Option<(String, String)> = None;
    for line in said.lines() {
        let header = line.strip_prefix("---- ").and_then(|line| line.strip_suffix(" stdout ----"));
        if let Some(path) = header {
            let name = path.rsplit("::").next().unwrap_or(path).to_owned();
            reports.extend(current.take());
            current = Some((name, String::new()));
        } else if line == "failures:" {
            reports.extend(current.take());
        } else if let Some((_, report)) = &mut current {
            report.push_str(line);
            report.push('\n');
        }
    }
    reports.extend(current);
    reports
}

/// The lines that a report names.
fn places(report: &str) -> impl Iterator<Item = usize> {
    report.split_whitespace().filter_map(|word| {
        let (_, rest) = word.split_once(".rs:")?;
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().ok()
    })
}

/// What a report says, in one line: what was given, and what came of it.
pub(crate) fn reason(report: &str) -> String {
    let values = block::values(report);
    let values: Vec<&str> = values.iter().map(|line| line.trim_end_matches(';')).collect();
    match values.as_slice() {
        [] => format!("it fails in a native run: {}", words::one_line(report.trim())),
        values => format!("it fails in a native run with `{}`", values.join("; ")),
    }
}

/// Takes out claims, and tests without any.
fn take_out(tests: &mut Vec<Test>, wrong: Vec<Wrong>, notes: &mut Vec<String>) {
    let mut claims: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let mut whole = Vec::new();
    for Wrong { test: nth, claim, why, is_rare } in wrong {
        let Some(test) = tests.get_mut(nth) else { continue };
        match claim {
            _ if is_rare => test.is_rare = true,
            Some(claim) => {
                let out = claims.entry(nth).or_default();
                if !out.contains(&claim) {
                    let text = test.claims[claim].statements.join(" ");
                    notes.push(words::claim_left_out(&test.name, &text, &why));
                    out.push(claim);
                }
            }
            None => {
                if !whole.contains(&nth) {
                    notes.push(words::test_left_out(&test.name, &why));
                    whole.push(nth);
                }
            }
        }
    }
    for (nth, out) in claims {
        let mut place = 0;
        tests[nth].claims.retain(|_| {
            place += 1;
            !out.contains(&(place - 1))
        });
    }
    let mut nth = 0;
    tests.retain(|test| {
        nth += 1;
        !whole.contains(&(nth - 1)) && !test.claims.is_empty()
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_told_apart() {
        let said = "\nrunning 2 tests\n\nfailures:\n\n---- stack::inferred::push stdout ----\n\
                    error[R001]: `push` failed\n  --> src/lib.rs:3:4\n\n    let x: u8 = 1;\n\n  \
                    panicked at src/lib.rs:31:5\n\n---- stack::inferred::pop stdout ----\nerror[R003]: pop\n\n\
                    failures:\n    stack::inferred::push\n";
        let reports = reports(said);
        assert_eq!(reports.keys().collect::<Vec<_>>(), ["pop", "push"]);
        assert_eq!(places(&reports["push"]).collect::<Vec<_>>(), [3, 31]);
        assert_eq!(reason(&reports["push"]), "it fails in a native run with `let x: u8 = 1`");
    }
}
