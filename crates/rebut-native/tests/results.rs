//! Each kind of result, from tests of this very program that end as a variable asks them to.

use rebut_native::{RunOptions, TestName, TestProgram, TestResult};
use rebut_protocol::verdicts::VerdictCode;
use std::path::Path;
use std::time::Duration;

/// How the tests below end; unset in an ordinary run, in which they pass.
const ENDING: &str = "NATIVE_ENDING";

fn ending() -> String {
    std::env::var(ENDING).unwrap_or_default()
}

#[test]
fn plain() {
    match ending().as_str() {
        "panic" => panic!("asked to"),
        "abort" => std::process::abort(),
        "hang" => loop {
            std::thread::park();
        },
        _ => {}
    }
}

#[rebut::test]
fn property(n: u8, word: String) {
    match ending().as_str() {
        "panic" => assert!(n < 7, "{word} is too much"),
        "reject" => rebut::assume!(u16::from(n) > 255),
        "cover" => rebut::cover!(u16::from(n) > 255),
        "kinds" => {
            rebut::assume!(n != 1);
            match n {
                2 => panic!("two is too much"),
                3 => std::process::abort(),
                4 => std::process::exit(0),
                5 => end_on_a_stack(&[n; 64]),
                6 if word.is_empty() => loop {
                    std::thread::park();
                },
                _ => {}
            }
        }
        _ => {}
    }
}

/// Calls itself until the stack is full.
fn end_on_a_stack(bytes: &[u8]) {
    if bytes.is_empty() {
        return;
    }
    let more = [bytes[0]; 1024];
    end_on_a_stack(std::hint::black_box(&more));
    std::hint::black_box(more);
}

#[rebut::contract]
#[ensures(result < 7)]
fn limited(n: u8) -> u8 {
    n
}

#[rebut::test]
fn contracted(n: u8) {
    if ending() == "contract" {
        limited(n);
    }
}

fn program() -> TestProgram {
    let path = std::env::current_exe().expect("a path");
    TestProgram::new(&path, Path::new(env!("CARGO_MANIFEST_DIR")), "rebut-native")
}

fn options(ending: &str) -> RunOptions {
    RunOptions::default()
        .without_settings()
        .variable(ENDING, ending)
        .variable("REBUT_DATABASE", "false")
        .variable("REBUT_SEED", "1")
}

fn run(test: &str, ending: &str) -> TestResult {
    let time_max = Duration::from_secs(if ending == "hang" { 1 } else { 60 });
    let options = options(ending).time_max(time_max);
    program().run(&TestName::from(test), &options).expect("a result")
}

#[test]
fn plain_tests_report_by_their_exit_code() {
    assert!(matches!(run("plain", ""), TestResult::Passed));
    let TestResult::Failed(failure) = run("plain", "panic") else { panic!("it fails") };
    assert_eq!((failure.verdict, failure.inputs.len()), (None, 0));
    assert!(failure.report.contains("asked to"), "{}", failure.report);
}

#[cfg(unix)]
#[test]
fn a_process_that_dies_has_crashed() {
    assert!(matches!(run("plain", "abort"), TestResult::Crashed { .. }));
}

#[test]
fn a_process_that_does_not_end_hangs() {
    assert!(matches!(run("plain", "hang"), TestResult::Hung));
}

#[test]
fn a_test_that_is_not_listed_is_missing() {
    assert!(matches!(run("plai", ""), TestResult::Missing));
}

#[test]
fn properties_report_by_their_events() {
    assert!(matches!(run("property", ""), TestResult::Passed));
    let TestResult::Failed(failure) = run("property", "panic") else { panic!("it fails") };
    assert_eq!(failure.verdict, Some(VerdictCode::Failed));
    assert_eq!(failure.declarations(), ["let n: u8 = 7", "let word: String = \"\".to_string()"]);
    let input = &failure.inputs[0];
    assert_eq!(input.message, " is too much");
    assert!(input.replay.as_ref().is_some_and(|replay| replay.starts_with("r1.")));
    assert!(failure.report.starts_with("error[R001]: `property` failed\n"), "{}", failure.report);
}

#[test]
fn a_replayed_case_has_a_result_too() {
    let TestResult::Failed(failure) = run("property", "panic") else { panic!("it fails") };
    let replay = failure.inputs[0].replay.clone().expect("a replay string");
    let options = options("reject").variable("REBUT_REPLAY", replay);
    let result = program().run(&TestName::from("property"), &options).expect("a result");
    let TestResult::Rejected(rejection) = result else { panic!("it is rejected: {result:?}") };
    assert_eq!(rejection.assumption.as_deref(), Some("u16::from(n) > 255"));
}

/// The outcomes of `property` for these values of `n`, replayed in one process.
#[cfg(unix)]
fn replayed(numbers: &[i128]) -> Vec<String> {
    let tape = |n: &i128| rebut::Tape::from_text(&format!("i{n} i0")).expect("a tape");
    let inputs: Vec<String> = numbers.iter().map(|n| tape(n).to_replay_string()).collect();
    let options = options("kinds").variable("REBUT_DEADLINE", "300ms");
    let results = program().replay(&TestName::from("property"), &inputs, &options);
    let results = results.expect("results").into_iter();
    let told = results.map(|result| match result {
        Some(result) if result.kind.is_empty() => result.outcome,
        Some(result) => format!("{} {}", result.outcome, result.kind),
        None => "nothing".to_owned(),
    });
    told.collect()
}

#[cfg(unix)]
#[test]
fn a_list_of_inputs_is_replayed_in_one_process() {
    assert_eq!(replayed(&[0, 1, 2, 9]), ["passed", "rejected", "failed panic", "passed"]);
    assert_eq!(replayed(&[]), Vec::<String>::new());
}

#[cfg(unix)]
#[test]
fn an_input_that_kills_its_process_does_not_lose_the_others() {
    assert_eq!(
        replayed(&[0, 3, 2, 3, 9, 4, 1, 5, 0]),
        [
            "passed",
            "failed abort",
            "failed panic",
            "failed abort",
            "passed",
            "failed exit",
            "rejected",
            "failed stack-overflow",
            "passed"
        ]
    );
    assert_eq!(replayed(&[4, 9]), ["failed exit", "passed"]);
}

#[cfg(unix)]
#[test]
fn an_input_that_hangs_ends_the_list() {
    assert_eq!(replayed(&[0, 6, 9]), ["passed", "failed hang", "nothing"]);
}

#[test]
fn choices_are_compared_by_their_digest() {
    let tape = rebut::Tape::from_text("i7 i0").expect("a tape");
    let inputs = [tape.to_replay_string(), tape.to_replay_string(), "r1.AgQ".to_owned()];
    let results = program().replay(&TestName::from("property"), &inputs, &options(""));
    let digests: Vec<String> =
        results.expect("results").into_iter().flatten().map(|result| result.digest).collect();
    assert_eq!(digests.len(), 3);
    assert_eq!(digests[0], digests[1]);
    assert_ne!(digests[0], digests[2]);
}

#[test]
fn several_properties_run_in_one_process() {
    let tests = ["property", "contracted", "plain"].map(TestName::from);
    let runs = program().run_exactly(&tests, &options("panic").variable("REBUT_INPUTS_MAX", "300"));
    let runs = runs.expect("results");
    let codes: Vec<_> = runs.values().map(|run| run.code).collect();
    assert_eq!(codes, [Some(VerdictCode::Proved), Some(VerdictCode::Failed)]);
    assert_eq!(runs[&TestName::from("contracted")].cases, 256);
}

#[test]
fn rejections_and_missed_targets_are_no_failures() {
    assert!(matches!(run("property", "reject"), TestResult::Rejected(_)));
    assert!(matches!(run("property", "cover"), TestResult::NotCovered));
}

#[test]
fn several_properties_of_one_process_have_a_result_each() {
    let results = program().run_properties(&["property"], &options("panic")).expect("results");
    let names: Vec<&str> = results.keys().map(TestName::as_str).collect();
    assert_eq!(names, ["property"]);
    assert!(matches!(results[&TestName::from("property")], TestResult::Failed(_)));
}

#[test]
fn a_violated_contract_has_its_parts() {
    for isolate in ["auto", "always"] {
        let options = options("contract").variable("REBUT_ISOLATE", isolate);
        let result = program().run(&TestName::from("contracted"), &options).expect("a result");
        let TestResult::Failed(failure) = result else { panic!("it fails: {result:?}") };
        let contract = failure.inputs[0].contract.as_ref().expect("a contract");
        assert_eq!((contract.function.as_str(), contract.clause.as_str()), ("limited", "ensures"));
        assert_eq!(contract.condition, "result < 7");
        assert_eq!(
            (contract.party.as_str(), contract.at_fault.as_deref()),
            ("code", Some("limited"))
        );
        assert_eq!(contract.calls, ["limited"]);
    }
}
