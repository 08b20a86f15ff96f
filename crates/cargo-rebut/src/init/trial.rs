//! Tries claims out: builds the tests that state them, runs them, and measures what they reach.
//!
//! All candidates stand in one file, each in a module of its own. The compiler says which of
//! them do not compile; these are left out, and the rest is built again. So a few builds decide
//! about dozens of guesses. Each test then runs in a process of its own, with limits on time and
//! memory, and reports to an event file how many inputs it rejected.

mod run;

pub(super) use run::{Measured, Outcome, Runner};

use super::draft::{CHANGE, Consumer, PROBE};
use super::package::{Package, Place};
use crate::words::cargo_not_started;
use crate::words::init as words;
use rebut_cli::exit::{Exit, Failure};
use rebut_cli::runs::cargo;
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The first line of a file of candidates, which never stays.
pub(super) const MARK: &str = "//! `cargo rebut init` is trying out tests; this file is temporary.";

/// Some code of a file, and whether it is still part of it.
#[derive(Clone, Debug)]
struct Part {
    /// The name of its module.
    module: String,
    code: String,
    is_dropped: bool,
}

/// A file of candidates.
#[derive(Clone, Debug, Default)]
pub(super) struct Candidates {
    parts: Vec<Part>,
    consumers: Vec<(Consumer, String)>,
}

/// The number of a candidate in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Number(pub(super) usize);

/// What came of a build.
#[derive(Debug)]
pub(super) enum Built {
    /// The test binary.
    Binary(PathBuf),
    /// Something else than the candidates does not build; what the compiler or cargo said.
    Broken(String),
    /// No candidate compiles.
    Nothing,
}

/// The compiler stops at the first kind of error, so that dropping what it names can take
/// several builds: names, types, borrows, lints.
const BUILDS_MAX: usize = 8;

impl Candidates {
    /// Adds a test with what it needs beside it; its number.
    pub(super) fn test(&mut self, test: &str, helpers: &[String]) -> Number {
        let mut code = String::new();
        for helper in helpers {
            code.push_str(helper);
        }
        code.push_str(&probed(test));
        self.part(code)
    }

    /// Adds a question: whether something accepts a text.
    pub(super) fn consumer(&mut self, consumer: Consumer, expression: &str) {
        let code = format!("pub(super) fn accepts(text: &str) -> bool {{ {expression} }}\n");
        let number = self.part(code);
        self.consumers.push((consumer, self.parts[number.0].module.clone()));
    }

    /// Adds code that compiles only if something is so.
    pub(super) fn fact(&mut self, code: &str) -> Number {
        self.part(code.to_owned())
    }

    fn part(&mut self, code: String) -> Number {
        let number = self.parts.len();
        self.parts.push(Part { module: format!("part_{number}"), code, is_dropped: false });
        Number(number)
    }

    pub(super) fn is_dropped(&self, number: Number) -> bool {
        self.parts[number.0].is_dropped
    }

    pub(super) fn module(&self, number: Number) -> &str {
        &self.parts[number.0].module
    }

    /// The consumers that are left, with their indexes in questions.
    pub(super) fn consumers(&self) -> Vec<Consumer> {
        self.left().map(|(consumer, _)| consumer.clone()).collect()
    }

    fn left(&self) -> impl Iterator<Item = &(Consumer, String)> {
        self.consumers.iter().filter(|(_, module)| {
            self.parts.iter().any(|part| part.module == *module && !part.is_dropped)
        })
    }

    /// The text of the file, and the lines of each part.
    fn text(&self, is_edition_2015: bool) -> (String, Vec<Range<usize>>) {
        let mut text = format!("{MARK}\n");
        // In this edition, `use` begins at the root, and the root has to declare other crates.
        let prelude = match is_edition_2015 {
            true => "use super::rebut::prelude::*;\n",
            false => "use rebut::prelude::*;\n",
        };
        if is_edition_2015 {
            text.push_str("extern crate rebut;\n");
        }
        let modules: Vec<&str> = self.left().map(|(_, module)| module.as_str()).collect();
        if !modules.is_empty() {
            text.push_str(&questions(&modules));
        }
        if self.parts.iter().any(|part| !part.is_dropped && part.code.contains("super::bucket")) {
            text.push_str(BUCKET);
        }
        let mut lines = Vec::new();
        for part in &self.parts {
            let first = text.lines().count() + 1;
            if !part.is_dropped {
                let prelude = if needs_prelude(&part.code) { prelude } else { "" };
                let _ = write!(text, "mod {} {{\n{prelude}{}}}\n", part.module, part.code);
            }
            lines.push(first..text.lines().count() + 1);
        }
        (text, lines)
    }

    /// Builds the file, without the candidates that do not compile.
    pub(super) fn build(&mut self, package: &Package, place: &Place) -> Result<Built, Failure> {
        for _ in 0..BUILDS_MAX {
            if self.parts.iter().all(|part| part.is_dropped) {
                return Ok(Built::Nothing);
            }
            let (text, lines) = self.text(package.is_edition_2015);
            place.write(&text)?;
            let errors = match build(package, place)? {
                Compiled::Binary(binary) => return Ok(Built::Binary(binary)),
                Compiled::Broken(said) => return Ok(Built::Broken(said)),
                Compiled::Errors(errors) => errors,
            };
            let mut is_any = false;
            for (part, lines) in self.parts.iter_mut().zip(&lines) {
                let is_named = errors.iter().any(|line| lines.contains(line));
                is_any |= is_named && !part.is_dropped;
                part.is_dropped |= is_named;
            }
            if !is_any {
                let said = words::no_candidate_to_blame();
                return Ok(Built::Broken(said));
            }
        }
        Ok(Built::Nothing)
    }
}

/// Whether code uses names of Rebut's prelude.
pub(super) fn needs_prelude(code: &str) -> bool {
    ["assume!(", "#[from(", "Generator<", "Generate)]"].iter().any(|word| code.contains(word))
}

/// Whether code uses patterns.
pub(super) fn needs_regex(code: &str) -> bool {
    code.contains("strings_matching(")
}

/// A test for a trial: its probes count what they see.
fn probed(test: &str) -> String {
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

/// Whether a trial of this test has to see changes.
pub(super) fn expects_change(test: &str) -> bool {
    test.contains(&format!("{PROBE}{CHANGE}"))
}

/// A test as it stays: without probes.
pub(super) fn plain(test: &str) -> String {
    let kept = test.lines().filter(|line| !line.trim_start().starts_with(PROBE));
    kept.map(|line| format!("{line}\n")).collect()
}

/// Different values are mostly counted under different names, of which there are few.
const BUCKET: &str = "\
fn bucket<T: std::fmt::Debug + ?Sized>(value: &T) -> u64 {
    use std::hash::{Hash as _, Hasher as _};
    let mut hasher = std::collections::hash_map::DefaultHasher::new();
    format!(\"{:?}\", value).hash(&mut hasher);
    hasher.finish() % 16
}
";

/// A test that answers which texts are accepted. It reads `number text` from one file, one
/// question a line, the text in hexadecimal digits, and prints an answer a line.
fn questions(modules: &[&str]) -> String {
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

/// What the compiler made of a file.
enum Compiled {
    Binary(PathBuf),
    /// The lines of the file with errors.
    Errors(Vec<usize>),
    Broken(String),
}

/// Builds the test target of a place.
fn build(package: &Package, place: &Place) -> Result<Compiled, Failure> {
    let mut command = cargo();
    command.args(["test", "--no-run", "--quiet", "--message-format=json", "-p", &package.spec]);
    command.args(&place.target).arg("--manifest-path").arg(&package.manifest);
    let output = command
        .output()
        .map_err(|error| Failure::new(Exit::MissingTool, cargo_not_started(error)))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let messages: Vec<Value> =
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    if output.status.success() {
        let found = messages.iter().filter_map(|message| executable(message, place)).next();
        return Ok(found.map_or_else(
            || Compiled::Broken(words::not_among_targets(&place.path)),
            Compiled::Binary,
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
            spans(span, package, &place.path, &mut lines);
        }
        if lines.len() == before {
            rendered.push(error["rendered"].as_str().unwrap_or_default());
        }
    }
    if lines.is_empty() {
        let said = String::from_utf8_lossy(&output.stderr);
        // The first error is enough to know what to do; cargo shows all of them.
        let first = rendered.first().map(|first| (*first).to_owned());
        return Ok(Compiled::Broken(first.unwrap_or_else(|| said.into_owned())));
    }
    Ok(Compiled::Errors(lines))
}

/// Builds a file that is written already; the binary, or what the compiler said.
pub(super) fn build_written(
    package: &Package,
    place: &Place,
) -> Result<Result<PathBuf, Vec<usize>>, Failure> {
    match build(package, place)? {
        Compiled::Binary(binary) => Ok(Ok(binary)),
        Compiled::Errors(lines) => Ok(Err(lines)),
        Compiled::Broken(said) => {
            crate::words::say(&said);
            Err(Failure::new(Exit::Build, words::others_do_not_build()))
        }
    }
}

fn executable(message: &Value, place: &Place) -> Option<PathBuf> {
    let is_test = message["profile"]["test"].as_bool() == Some(true);
    let path = PathBuf::from(message["executable"].as_str().filter(|_| is_test)?);
    let source = Path::new(message["target"]["src_path"].as_str()?);
    let wanted = place.program.as_deref().unwrap_or(&place.path);
    is_same(source, wanted).then_some(path)
}

/// The lines of a file that a message points at, also through macros.
fn spans(span: &Value, package: &Package, path: &Path, lines: &mut Vec<usize>) {
    let file = span["file_name"].as_str().unwrap_or_default();
    let is_here =
        [&package.root, &package.folder].iter().any(|root| is_same(&root.join(file), path));
    if is_here && let Some(line) = span["line_start"].as_u64() {
        lines.extend(usize::try_from(line));
    }
    if span["expansion"].is_object() {
        spans(&span["expansion"]["span"], package, path, lines);
    }
}

pub(super) fn is_same(one: &Path, other: &Path) -> bool {
    one == other || matches!((one.canonicalize(), other.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// Whether a file was left behind by a trial that did not end.
pub(super) fn is_left_behind(path: &Path) -> bool {
    fs::read_to_string(path).is_ok_and(|text| text.starts_with(MARK))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_know_their_lines_and_probes_are_for_trials() {
        let mut candidates = Candidates::default();
        let test = "#[rebut::test]\nfn f(a: u8) {\n    //~ a\n    assert!(a == a);\n}\n";
        let first = candidates.test(test, &[]);
        let second = candidates.test(test, &["struct Helper;\n".to_owned()]);
        let (text, lines) = candidates.text(false);
        let of = |number: Number| {
            let lines = &lines[number.0];
            let taken = text.lines().skip(lines.start - 1).take(lines.len());
            taken.collect::<Vec<_>>().join("\n")
        };
        assert!(of(first).starts_with("mod part_0 {"), "{text}");
        assert!(of(second).contains("struct Helper;") && of(second).ends_with('}'), "{text}");
        assert!(text.contains("rebut::label!(\"{}\", super::bucket(&(a)));"), "{text}");
        assert_eq!(plain(test), test.replace("    //~ a\n", ""));
        candidates.parts[0].is_dropped = true;
        assert!(!candidates.text(false).0.contains("part_0"));
    }

    #[test]
    fn questions_are_rust() {
        let mut candidates = Candidates::default();
        candidates.consumer(Consumer::Function("f".to_owned()), "f(text).is_ok()");
        let (text, _) = candidates.text(true);
        syn::parse_file(&text).expect("Rust");
        assert!(text.contains("[part_0::accepts]"), "{text}");
    }
}
