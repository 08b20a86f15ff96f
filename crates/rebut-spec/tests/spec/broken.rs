//! Broken files never cause a panic, and every diagnostic has a location in the file.

use crate::common::files;
use rebut::any;
use rebut::prelude::*;
use rebut_spec::{Options, Program, Severity, explain, generate};
use std::sync::OnceLock;

/// All programs of the test data.
fn programs() -> &'static [(String, String)] {
    static PROGRAMS: OnceLock<Vec<(String, String)>> = OnceLock::new();
    PROGRAMS.get_or_init(|| {
        let all = ["paper", "coupled", "errors", "frontends"].into_iter().flat_map(files);
        let named = |path: std::path::PathBuf| {
            let end = path.extension()?.to_string_lossy().into_owned();
            Some((format!("broken.{end}"), std::fs::read_to_string(path).ok()?))
        };
        all.filter_map(named).collect()
    })
}

/// Words that are inserted into a file to break it.
const WORDS: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "\"",
    "?",
    "'",
    "#rx\"",
    "#|",
    "|#",
    "#;",
    "\\",
    "$",
    "$time",
    ".",
    "-",
    "0",
    "-1",
    "99999999999999999999999999999999999999999",
    "1/0",
    "1e99",
    "(declare ",
    "(specify ",
    "(generate g 3 ",
    "(define (f x) (f x))",
    "(f 1)",
    "never",
    "not-equal",
    "?(List ",
    "?(Option ",
    "?(Enum a a)",
    "?Integer",
    "λ",
    "(λ (x) x)",
    "(match ",
    "(enumerate* ",
    "(re-repeat r 1 999999)",
    "(map f ",
    "item.",
    ".x",
    "\u{0}",
    "ä",
    "#t",
];

#[derive(Clone, Debug, Generate)]
enum Edit {
    Delete { at: u16, length: u8 },
    Insert { at: u16, word: u8 },
    Copy { from: u16, length: u8, to: u16 },
}

fn char_boundary(text: &str, at: u16) -> usize {
    let mut at = usize::from(at) % (text.len() + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn apply(text: &mut String, edit: &Edit) {
    let end = |text: &str, at: usize, length: u8| {
        let mut end = (at + usize::from(length)).min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        end.max(at)
    };
    match edit {
        Edit::Delete { at, length } => {
            let at = char_boundary(text, *at);
            let end = end(text, at, *length);
            text.replace_range(at..end, "");
        }
        Edit::Insert { at, word } => {
            let at = char_boundary(text, *at);
            text.insert_str(at, WORDS[usize::from(*word) % WORDS.len()]);
        }
        Edit::Copy { from, length, to } => {
            let from = char_boundary(text, *from);
            let part = text[from..end(text, from, *length)].to_owned();
            let to = char_boundary(text, *to);
            text.insert_str(to, &part);
        }
    }
}

#[rebut::test(cases = 600)]
fn reading_broken_files_never_panics(
    which: u8,
    #[from(vecs(any::<Edit>()).min_size(1).max_size(6))] edits: Vec<Edit>,
) {
    let programs = programs();
    let (name, text) = &programs[usize::from(which) % programs.len()];
    let mut text = text.clone();
    for edit in &edits {
        apply(&mut text, edit);
    }
    let program = Program::parse(name, &text);
    assert_eq!(program.has_errors(), program.environments.is_empty());
    for diagnostic in &program.diagnostics {
        assert!(diagnostic.span.start <= diagnostic.span.end);
        assert!(diagnostic.span.end as usize <= text.len(), "{diagnostic:?}");
        assert!(!diagnostic.message.is_empty());
        assert!(matches!(diagnostic.severity, Severity::Error | Severity::Warning));
    }
}

/// Files that are changed a little and still valid: the evaluator accepts all models.
#[rebut::test(cases = 200)]
fn changed_files_generate_valid_models(
    which: u8,
    #[from(vecs(any::<Edit>()).min_size(1).max_size(2))] edits: Vec<Edit>,
) {
    let programs = programs();
    let (name, text) = &programs[usize::from(which) % programs.len()];
    let mut text = text.clone();
    for edit in &edits {
        apply(&mut text, edit);
    }
    let program = Program::parse(name, &text);
    for environment in &program.environments {
        let options = Options { count: Some(5), ..Options::default() };
        if let Err(refused) = generate(environment, &options) {
            panic!("{refused}\n{text}");
        }
        assert!(!explain(environment, &options).is_empty());
    }
}

#[rebut::test(cases = 600)]
fn reading_any_string_never_panics(text: String) {
    let _program = Program::parse("any.rebut", &text);
    let _schema = Program::parse("any.json", &text);
    let _yaml = Program::parse("any.yaml", &text);
}
