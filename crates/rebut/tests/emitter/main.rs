//! What a failing property prints for its author to keep compiles and fails, exactly as printed.
//!
//! A seeded generator writes crates of all editions: random types, parameters, bodies and results,
//! in random modules. Their properties run, and the `test:` file, the `keep:` attribute and the
//! `replay:` command of each report are pasted where the guide says. Each must compile without a
//! warning and fail with the message of the property.
//!
//! `EMITTER_PROPERTIES` sets the number of properties, `EMITTER_SEED` the seed.

#![cfg(unix)]

mod bodies;
mod corpus;
mod pasted;
mod random;
mod report;
mod types;
mod workspace;

use corpus::Subject;
use pasted::Findings;
use random::Random;
use workspace::Workspace;

/// The number of properties of a usual run: about a minute of one core, most of it for the compiler.
const PROPERTIES: usize = 60;

fn variable(name: &str, usual: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

#[test]
fn printed_artifacts_compile_and_fail_as_the_properties_do() {
    let mut random = Random::new(variable("EMITTER_SEED", 1) as u64);
    let count = variable("EMITTER_PROPERTIES", PROPERTIES);
    let mut subjects: Vec<Subject> = (0..count).map(|id| corpus::draw(&mut random, id)).collect();
    subjects.extend(bodies::all(count));
    let workspace = Workspace::new("random");
    let findings = pasted::check(&workspace, &subjects, &|text| text);
    assert!(findings.wrong.is_empty(), "{findings}");
    assert!(findings.artifacts > count / 2, "{findings}");
}

/// The canary: emitted tests that name a type that is not there, or that do not fail, are found.
#[test]
fn wrong_artifacts_are_found() {
    let subjects: Vec<Subject> = (0..40)
        .map(|id| corpus::draw(&mut Random::new(1000 + id as u64), id))
        .filter(|subject| subject.is_sure && subject.text.contains(corpus::KEEP))
        .take(4)
        .collect();
    let workspace = Workspace::new("canary");
    let broken = |text: String| text.replacen("let ", "let _unused = Missing; let ", 1);
    let findings = pasted::check(&workspace, &subjects, &broken);
    let tests = findings.tests;
    let found = findings.wrong.iter().filter(|wrong| wrong.contains("Missing")).count();
    assert!(tests > 0 && found == tests, "{findings}");
    let passing = |text: String| {
        text.replace("() {", "() { return; ")
            .replace("(), String> {", "(), String> { return Ok(());")
    };
    let findings = pasted::check(&workspace, &subjects, &passing);
    assert!(!findings.wrong.is_empty(), "{findings}");
    drop(Findings::default());
}
