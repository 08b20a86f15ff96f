//! Checks the guide. The programs of docs/guide/language.md must generate the models that it
//! shows, and it must mention each function of the language. The Rust code of
//! docs/guide/inputs.md must be the code of a test here.
//!
//! `UPDATE_EXPECT=1` writes the current models.

use rebut_spec::{BUILTINS, Options, Program, generate, output};
use std::fmt::Write;
use std::path::{Path, PathBuf};

fn reference() -> (PathBuf, String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide/language.md");
    let text = std::fs::read_to_string(&path).expect("docs/guide/language.md");
    (path, text)
}

fn models(text: &str) -> String {
    let program = Program::parse("language.md", text);
    assert!(program.diagnostics.is_empty(), "{text}\n{:?}", program.diagnostics);
    let environment = &program.environments[0];
    let outcome = generate(environment, &Options::default()).expect("models");
    let mut lines = String::new();
    for model in &outcome.models {
        let _ = writeln!(lines, "{}", output::json(environment, model));
    }
    let _ = writeln!(lines, "; {} models, {:?}", outcome.models.len(), outcome.verdict);
    lines
}

#[test]
fn the_reference_shows_the_models_of_its_programs() {
    let (path, text) = reference();
    let mut updated = String::new();
    let mut rest = text.as_str();
    while let Some((before, block)) = rest.split_once("```rebut\n") {
        let (program, after) = block.split_once("```\n").expect("the end of a program");
        let after = after.strip_prefix("```models\n").expect("models after a program");
        let (_, after) = after.split_once("```\n").expect("the end of models");
        let _ =
            write!(updated, "{before}```rebut\n{program}```\n```models\n{}```\n", models(program));
        rest = after;
    }
    updated += rest;
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, updated).expect("docs/guide/language.md can be written");
    } else {
        assert_eq!(text, updated, "run with UPDATE_EXPECT=1 and look at the changes");
    }
}

#[test]
fn the_reference_mentions_each_function() {
    let (_, text) = reference();
    for builtin in BUILTINS {
        let named = |name: &str| text.contains(name);
        assert!(
            builtin.names.iter().any(|name| named(name)),
            "{:?} is not in language.md",
            builtin.names
        );
    }
}

/// The Rust code of docs/guide/inputs.md.
fn built() -> Result<rebut_spec::builder::Inputs, Box<dyn std::error::Error>> {
    use rebut_spec::builder::{Specification, different_lengths, integers, texts};

    let inputs = Specification::new()
        .blank("hours", integers().between(0, 23))
        .blank("name", texts().matching("[A-Z][a-z]{2,6}"))
        .specify("(≠ hours (length name))")
        .differ("name", different_lengths())
        .generate(5)?;
    Ok(inputs)
}

#[test]
fn the_guide_shows_code_that_compiles() {
    assert_eq!(built().expect("inputs").models.len(), 5);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide/inputs.md");
    let guide = std::fs::read_to_string(path).expect("docs/guide/inputs.md");
    let (_, rest) = guide.split_once("```rust\nuse rebut_spec").expect("the code");
    let (code, _) = rest.split_once("```").expect("its end");
    let (_, rest) = include_str!("reference.rs").split_once("    use rebut_spec::").expect("it");
    let (own, _) = rest.split_once("    Ok(inputs)").expect("its end");
    let dedented: String = own.lines().map(|line| line.trim_start_matches("    ")).collect();
    let shown: String = code.trim_start_matches("::").lines().map(str::trim_start).collect();
    assert_eq!(dedented.replace("    ", ""), shown);
}
