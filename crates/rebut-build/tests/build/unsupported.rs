//! Finds unsupported calls in the modules that are built.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::support;
use rebut_build::{Module, Request, Target, Toolchain, unsupported_call};
use wasmparser::{KnownCustom, Name, Operator, Parser, Payload, TypeRef};

/// The reasons of the unsupported calls that each test of a module reaches.
fn unsupported_calls(module: &Module) -> BTreeMap<String, BTreeSet<&'static str>> {
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
    let calls_of_entry = |name: &String| {
        let test = name.trim_start_matches("rebut_test_").rsplit_once('_').expect("a number").0;
        (test.to_owned(), reasons(test, &calls, &names))
    };
    module.entries.iter().map(calls_of_entry).collect()
}

/// The reasons of the unsupported calls that the body of a test reaches.
fn reasons(
    test: &str,
    calls: &[Vec<u32>],
    names: &BTreeMap<u32, String>,
) -> BTreeSet<&'static str> {
    let is_body = |name: &str| name.contains(&format!("6bodies{}{test}", test.len()));
    let mut open: Vec<u32> =
        names.iter().filter(|(_, name)| is_body(name)).map(|(&index, _)| index).collect();
    assert!(!open.is_empty(), "{test} has no body");
    let mut seen = BTreeSet::new();
    let mut reasons = BTreeSet::new();
    while let Some(index) = open.pop() {
        if !seen.insert(index) {
            continue;
        }
        match names.get(&index).and_then(|name| unsupported_call(name)) {
            Some(reason) => _ = reasons.insert(reason),
            None => open.extend(&calls[index as usize]),
        }
    }
    reasons
}

#[test]
fn every_unsupported_call_is_found() {
    let Some(toolchain) = support::toolchain() else { return };
    let built = support::build(&toolchain, "unsupported", Request::default()).expect("it builds");
    let module = support::module(&built, &Target::Lib);
    let found: BTreeMap<String, Vec<&str>> = unsupported_calls(module)
        .into_iter()
        .map(|(test, reasons)| (test, reasons.into_iter().collect()))
        .collect();
    let calls = |test: &str| found.get(test).cloned().unwrap_or_else(|| panic!("no {test}"));
    for test in ["nothing", "prints", "hashes"] {
        assert_eq!(calls(test), [""; 0], "{test}");
    }
    for (reason, tests) in EXPECTED {
        for test in *tests {
            if is_visible(&toolchain, test) {
                let calls = calls(test);
                // How much of a refusal is inlined depends on the optimizer.
                let is_found = calls.contains(reason) || calls == ["needs an operating system"];
                assert!(is_found, "{test}: {calls:?}");
            }
        }
    }
}

/// Whether the call of a test is not inlined: a prebuilt standard library inlines some.
fn is_visible(toolchain: &Toolchain, test: &str) -> bool {
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
