//! Builds and runs candidates for tests, and measures their inputs.
//!
//! All candidates are in one file, each in its own module. Those that do not compile are dropped,
//! and the file is built again. A few builds thus decide about dozens of guesses. Each test then
//! runs in its own process, with limits on time and memory, and writes its result to a file of
//! events.

mod run;

pub(super) use run::{Runner, TestEnd, TrialResult};

use super::draft::{CHANGE, PROBE, TextConsumer};
use super::package::{Package, PropertyFile};
use crate::words::cargo_not_started;
use crate::words::init as words;
use rebut_cli::exit::{Exit, Failure};
use rebut_cli::runs::cargo;
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The first line of a file of candidates. Such a file is always temporary.
pub(super) const MARK: &str = "//! `cargo rebut init` is trying out tests; this file is temporary.";

/// The code of one candidate, and whether it was dropped from the file.
#[derive(Clone, Debug)]
struct CandidateCode {
    /// The name of its module.
    module: String,
    code: String,
    is_dropped: bool,
}

/// A file of candidates.
#[derive(Clone, Debug, Default)]
pub(super) struct CandidateFile {
    candidates: Vec<CandidateCode>,
    consumers: Vec<(TextConsumer, String)>,
}

/// The number of a candidate in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CandidateId(pub(super) usize);

/// The result of building a file of candidates.
#[derive(Debug)]
pub(super) enum TrialBuild {
    /// The test binary.
    Binary(PathBuf),
    /// Something other than the candidates does not build: the error of the compiler or cargo.
    Broken(String),
    /// No candidate compiles.
    Nothing,
}

/// The maximum number of builds of one file. The compiler stops after the first phase with errors
/// (names, types, borrows, lints), so each phase may need a build; twice that is arbitrary. At the
/// limit, no candidate counts as built.
const BUILDS_MAX: usize = 8;

impl CandidateFile {
    /// Adds a test with its helpers.
    pub(super) fn add_test(&mut self, test: &str, helpers: &[String]) -> CandidateId {
        let mut code = String::new();
        for helper in helpers {
            code.push_str(helper);
        }
        code.push_str(&with_probes(test));
        self.add(code)
    }

    /// Adds a function that tests whether a parser accepts a string.
    pub(super) fn add_consumer(&mut self, consumer: TextConsumer, expression: &str) {
        let code = format!("pub(super) fn accepts(text: &str) -> bool {{ {expression} }}\n");
        let number = self.add(code);
        self.consumers.push((consumer, self.candidates[number.0].module.clone()));
    }

    /// Adds code that compiles only if a fact is true.
    pub(super) fn add_fact(&mut self, code: &str) -> CandidateId {
        self.add(code.to_owned())
    }

    fn add(&mut self, code: String) -> CandidateId {
        let number = self.candidates.len();
        self.candidates.push(CandidateCode {
            module: format!("part_{number}"),
            code,
            is_dropped: false,
        });
        CandidateId(number)
    }

    pub(super) fn is_dropped(&self, number: CandidateId) -> bool {
        self.candidates[number.0].is_dropped
    }

    pub(super) fn module(&self, number: CandidateId) -> &str {
        &self.candidates[number.0].module
    }

    /// The consumers that compile, in the order of their numbers in questions.
    pub(super) fn consumers(&self) -> Vec<TextConsumer> {
        self.compiling_consumers().map(|(consumer, _)| consumer.clone()).collect()
    }

    fn compiling_consumers(&self) -> impl Iterator<Item = &(TextConsumer, String)> {
        self.consumers.iter().filter(|(_, module)| {
            self.candidates
                .iter()
                .any(|candidate| candidate.module == *module && !candidate.is_dropped)
        })
    }

    /// The text of the file, and the lines of each candidate.
    fn text(&self, is_edition_2015: bool) -> (String, Vec<Range<usize>>) {
        let mut text = format!("{MARK}\n");
        // In edition 2015, `use` starts at the root, and the root must declare other crates.
        let prelude = match is_edition_2015 {
            true => "use super::rebut::prelude::*;\n",
            false => "use rebut::prelude::*;\n",
        };
        if is_edition_2015 {
            text.push_str("extern crate rebut;\n");
        }
        let modules: Vec<&str> =
            self.compiling_consumers().map(|(_, module)| module.as_str()).collect();
        if !modules.is_empty() {
            text.push_str(&questions_test(&modules));
        }
        if self
            .candidates
            .iter()
            .any(|candidate| !candidate.is_dropped && candidate.code.contains("super::bucket"))
        {
            text.push_str(BUCKET);
        }
        let mut lines = Vec::new();
        for candidate in &self.candidates {
            let first = text.lines().count() + 1;
            if !candidate.is_dropped {
                let prelude = if needs_prelude(&candidate.code) { prelude } else { "" };
                let _ =
                    write!(text, "mod {} {{\n{prelude}{}}}\n", candidate.module, candidate.code);
            }
            lines.push(first..text.lines().count() + 1);
        }
        (text, lines)
    }

    /// Builds the file, without the candidates that do not compile.
    pub(super) fn build(
        &mut self,
        package: &Package,
        file: &PropertyFile,
    ) -> Result<TrialBuild, Failure> {
        for _ in 0..BUILDS_MAX {
            if self.candidates.iter().all(|candidate| candidate.is_dropped) {
                return Ok(TrialBuild::Nothing);
            }
            let (text, lines) = self.text(package.is_edition_2015);
            file.write(&text)?;
            let errors = match build(package, file)? {
                Compilation::Binary(binary) => return Ok(TrialBuild::Binary(binary)),
                Compilation::Broken(error) => return Ok(TrialBuild::Broken(error)),
                Compilation::Errors(errors) => errors,
            };
            let mut has_dropped = false;
            for (candidate, lines) in self.candidates.iter_mut().zip(&lines) {
                let is_named = errors.iter().any(|line| lines.contains(line));
                has_dropped |= is_named && !candidate.is_dropped;
                candidate.is_dropped |= is_named;
            }
            if !has_dropped {
                return Ok(TrialBuild::Broken(words::no_candidate_to_blame()));
            }
        }
        Ok(TrialBuild::Nothing)
    }
}

/// Whether code uses names of Rebut's prelude.
pub(super) fn needs_prelude(code: &str) -> bool {
    ["assume!(", "#[from(", "Generator<", "Generate)]"].iter().any(|word| code.contains(word))
}

/// Whether code uses regular expressions.
pub(super) fn needs_regex(code: &str) -> bool {
    code.contains("strings_matching(")
}

/// The test with its probes turned into labels, for a trial.
fn with_probes(test: &str) -> String {
    let mut code = String::new();
    for line in test.lines() {
        let Some(probe) = line.trim_start().strip_prefix(PROBE) else {
            let _ = writeln!(code, "{line}");
            continue;
        };
        let _ = match (probe.strip_prefix(CHANGE), probe.starts_with("let ")) {
            (Some(condition), _) => {
                writeln!(code, "    if {condition} {{ rebut::label!(\"{CHANGED}\"); }}")
            }
            (None, true) => writeln!(code, "    {probe}"),
            (None, false) => {
                writeln!(code, "    rebut::label!(\"{{}}\", super::bucket(&({probe})));")
            }
        };
    }
    code
}

/// The label of cases in which a function changed something.
const CHANGED: &str = "changed";

/// Whether a trial of this test must have cases with a change.
pub(super) fn expects_change(test: &str) -> bool {
    test.contains(&format!("{PROBE}{CHANGE}"))
}

/// The test without probes, as it is written for the user.
pub(super) fn without_probes(test: &str) -> String {
    let lines = test.lines().filter(|line| !line.trim_start().starts_with(PROBE));
    lines.map(|line| format!("{line}\n")).collect()
}

/// Maps values to a few labels. Different values mostly have different labels.
const BUCKET: &str = "\
fn bucket<T: std::fmt::Debug + ?Sized>(value: &T) -> u64 {
    use std::hash::{Hash as _, Hasher as _};
    let mut hasher = std::collections::hash_map::DefaultHasher::new();
    format!(\"{:?}\", value).hash(&mut hasher);
    hasher.finish() % 16
}
";

/// A test that prints which strings are accepted. It reads lines `number text` from a file, with
/// the text in hexadecimal digits, and prints a line for each.
fn questions_test(modules: &[&str]) -> String {
    let table: Vec<String> = modules.iter().map(|module| format!("{module}::accepts")).collect();
    format!(
        "#[test]
fn rebut_init_questions() {{
    let table: &[fn(&str) -> bool] = &[{}];
    let path = std::env::var(\"INIT_QUESTIONS\").unwrap();
    let questions = std::fs::read_to_string(path).unwrap();
    std::panic::set_hook(Box::new(|_| ()));
    for question in questions.lines() {{
        let mut parts = question.split(' ');
        let number: usize = parts.next().unwrap().parse().unwrap();
        let digits = parts.next().unwrap();
        let byte = |at: usize| u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).unwrap();
        let bytes: Vec<u8> = (0..digits.len() / 2).map(byte).collect();
        let text = String::from_utf8(bytes).unwrap();
        let accepts = std::panic::catch_unwind(|| table[number](&text)).unwrap_or(false);
        println!(\"init-answer {{}}\", u8::from(accepts));
    }}
}}
",
        table.join(", ")
    )
}

/// The result of one call of the compiler.
enum Compilation {
    Binary(PathBuf),
    /// The lines of the file with errors.
    Errors(Vec<usize>),
    Broken(String),
}

/// Builds the test target of a file.
fn build(package: &Package, file: &PropertyFile) -> Result<Compilation, Failure> {
    let mut command = cargo();
    command.args(["test", "--no-run", "--quiet", "--message-format=json", "-p", &package.spec]);
    command.args(&file.target).arg("--manifest-path").arg(&package.manifest);
    let output = command
        .output()
        .map_err(|error| Failure::new(Exit::MissingTool, cargo_not_started(error)))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let messages: Vec<Value> =
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    if output.status.success() {
        let found = messages.iter().filter_map(|message| executable(message, file)).next();
        return Ok(found.map_or_else(
            || Compilation::Broken(words::not_among_targets(&file.path)),
            Compilation::Binary,
        ));
    }
    let mut lines = Vec::new();
    let mut rendered = Vec::new();
    for message in messages.iter().filter(|message| message["reason"] == "compiler-message") {
        let error = &message["message"];
        if error["level"] != "error" {
            continue;
        }
        let before = lines.len();
        for span in error["spans"].as_array().into_iter().flatten() {
            add_lines(span, package, &file.path, &mut lines);
        }
        if lines.len() == before {
            rendered.push(error["rendered"].as_str().unwrap_or_default());
        }
    }
    if lines.is_empty() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        // The first error suffices; `cargo build` shows all of them.
        let first = rendered.first().map(|first| (*first).to_owned());
        return Ok(Compilation::Broken(first.unwrap_or_else(|| stderr.into_owned())));
    }
    Ok(Compilation::Errors(lines))
}

/// Builds the file unchanged. Returns the binary, or the lines with errors.
pub(super) fn build_written(
    package: &Package,
    file: &PropertyFile,
) -> Result<Result<PathBuf, Vec<usize>>, Failure> {
    match build(package, file)? {
        Compilation::Binary(binary) => Ok(Ok(binary)),
        Compilation::Errors(lines) => Ok(Err(lines)),
        Compilation::Broken(error) => {
            crate::words::say(&error);
            Err(Failure::new(Exit::Build, words::others_do_not_build()))
        }
    }
}

fn executable(message: &Value, file: &PropertyFile) -> Option<PathBuf> {
    let is_test = message["profile"]["test"].as_bool() == Some(true);
    let path = PathBuf::from(message["executable"].as_str().filter(|_| is_test)?);
    let source = Path::new(message["target"]["src_path"].as_str()?);
    let expected = file.program.as_deref().unwrap_or(&file.path);
    is_same_file(source, expected).then_some(path)
}

/// Adds the lines of a file that a message points to, also through macros.
fn add_lines(span: &Value, package: &Package, path: &Path, lines: &mut Vec<usize>) {
    let file = span["file_name"].as_str().unwrap_or_default();
    let is_here =
        [&package.root, &package.folder].iter().any(|root| is_same_file(&root.join(file), path));
    if is_here && let Some(line) = span["line_start"].as_u64() {
        lines.extend(usize::try_from(line));
    }
    if span["expansion"].is_object() {
        add_lines(&span["expansion"]["span"], package, path, lines);
    }
}

pub(super) fn is_same_file(one: &Path, other: &Path) -> bool {
    one == other || matches!((one.canonicalize(), other.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// Whether a file is left from an interrupted trial.
pub(super) fn is_left_behind(path: &Path) -> bool {
    fs::read_to_string(path).is_ok_and(|text| text.starts_with(MARK))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_have_line_ranges_and_probes() {
        let mut candidates = CandidateFile::default();
        let test = "#[rebut::test]\nfn f(a: u8) {\n    //~ a\n    assert!(a == a);\n}\n";
        let first = candidates.add_test(test, &[]);
        let second = candidates.add_test(test, &["struct Helper;\n".to_owned()]);
        let (text, lines) = candidates.text(false);
        let code = |number: CandidateId| {
            let lines = &lines[number.0];
            let lines = text.lines().skip(lines.start - 1).take(lines.len());
            lines.collect::<Vec<_>>().join("\n")
        };
        assert!(code(first).starts_with("mod part_0 {"), "{text}");
        assert!(code(second).contains("struct Helper;") && code(second).ends_with('}'), "{text}");
        assert!(text.contains("rebut::label!(\"{}\", super::bucket(&(a)));"), "{text}");
        assert_eq!(without_probes(test), test.replace("    //~ a\n", ""));
        candidates.candidates[0].is_dropped = true;
        assert!(!candidates.text(false).0.contains("part_0"));
    }

    #[test]
    fn the_questions_test_is_valid_rust() {
        let mut candidates = CandidateFile::default();
        candidates.add_consumer(TextConsumer::Function("f".to_owned()), "f(text).is_ok()");
        let (text, _) = candidates.text(true);
        syn::parse_file(&text).expect("Rust");
        assert!(text.contains("[part_0::accepts]"), "{text}");
    }
}
