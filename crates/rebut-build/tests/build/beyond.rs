//! What there is not in WebAssembly is seen in the modules that are built.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::support;
use rebut_build::{Module, Request, Target, Toolchain, beyond};
use wasmparser::{KnownCustom, Name, Operator, Parser, Payload, TypeRef};

/// What the tests of a module reach by calls, in words, by the name of the test.
fn reached(module: &Module) -> BTreeMap<String, BTreeSet<&'static str>> {
    let bytes = fs::read(&module.path).expect("the module");
    let mut names: BTreeMap<u32, String> = BTreeMap::new();
    let mut calls: Vec<Vec<u32>> = Vec::new();
    for payload in Parser::new(0).parse_all(&bytes) {
        match payload.expect("a module") {
            Payload::ImportSection(section) => {
                let imports = section.into_imports().flatten();
                let functions = imports.filter(|import| matches!(import.ty, TypeRef::Func(_)));
                calls.extend(functions.map(|_| Vec::new()));
            }
            Payload::CodeSectionEntry(body) => {
                let operators = body.get_operators_reader().expect("code").into_iter().flatten();
                calls.push(
                    operators
                        .filter_map(|operator| match operator {
                            Operator::Call { function_index } => Some(function_index),
                            _ => None,
                        })
                        .collect(),
                );
            }
            Payload::CustomSection(section) => {
                if let KnownCustom::Name(section) = section.as_known() {
                    for subsection in section.into_iter().flatten() {
                        if let Name::Function(map) = subsection {
                            let all = map.into_iter().flatten();
                            names.extend(all.map(|name| (name.index, name.name.to_owned())));
                        }
                    }
                }
            }
            _ => {}
        }
    }
    let of_entry = |name: &String| {
        let test = name.trim_start_matches("rebut_test_").rsplit_once('_').expect("a number").0;
        (test.to_owned(), words(test, &calls, &names))
    };
    module.entries.iter().map(of_entry).collect()
}

/// What is reached from the body of a test, which is a function of its own.
fn words(test: &str, calls: &[Vec<u32>], names: &BTreeMap<u32, String>) -> BTreeSet<&'static str> {
    let is_body = |name: &str| name.contains(&format!("6bodies{}{test}", test.len()));
    let mut open: Vec<u32> =
        names.iter().filter(|(_, name)| is_body(name)).map(|(&index, _)| index).collect();
    assert!(!open.is_empty(), "{test} has no body");
    let mut seen = BTreeSet::new();
    let mut words = BTreeSet::new();
    while let Some(index) = open.pop() {
        if !seen.insert(index) {
            continue;
        }
        match names.get(&index).and_then(|name| beyond(name)) {
            Some(word) => _ = words.insert(word),
            None => open.extend(&calls[index as usize]),
        }
    }
    words
}

#[test]
fn every_call_of_what_there_is_not_is_seen() {
    let Some(toolchain) = support::toolchain() else { return };
    let built = support::build(&toolchain, "beyond", Request::default()).expect("it builds");
    let module = support::module(&built, &Target::Lib);
    let told: BTreeMap<String, Vec<&str>> = reached(module)
        .into_iter()
        .map(|(test, words)| (test, words.into_iter().collect()))
        .collect();
    let seen = |test: &str| told.get(test).cloned().unwrap_or_else(|| panic!("no {test}"));
    for test in ["nothing", "prints", "hashes"] {
        assert_eq!(seen(test), [""; 0], "{test}");
    }
    for (word, tests) in EXPECTED {
        for test in *tests {
            if is_seen_by(&toolchain, test) {
                assert!(seen(test).contains(word), "{test}: {:?}", seen(test));
            }
        }
    }
}

/// A library that was delivered hides what it has inlined.
fn is_seen_by(toolchain: &Toolchain, test: &str) -> bool {
    toolchain.sees_all_calls() || test.contains("spawns") || test.contains("clock")
}

const EXPECTED: &[(&str, &[&str])] = &[
    ("starts a thread", &["spawns", "builds_thread", "spawns_in_scope"]),
    ("waits for time to pass", &["sleeps"]),
    ("reads the clock", &["reads_clock", "reads_date"]),
    (
        "uses the file system",
        &[
            "reads_file",
            "reads_text",
            "opens_file",
            "creates_file",
            "writes_file",
            "lists_folder",
            "asks_for_file",
            "removes_file",
        ],
    ),
    (
        "looks at the environment of the process",
        &[
            "reads_variable",
            "reads_os_variable",
            "lists_variables",
            "lists_arguments",
            "asks_for_folder",
        ],
    ),
    ("uses the network", &["connects", "listens"]),
    ("starts a process", &["runs_program"]),
    ("ends the process", &["exits"]),
    ("reads the standard input", &["reads_input"]),
];
