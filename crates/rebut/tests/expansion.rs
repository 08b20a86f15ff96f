//! What `#[rebut::test]` tells the runner: read through a facade whose `run_test` only listens.

mod listening {
    use std::cell::Cell;

    use rebut::__private::Test;

    thread_local! {
        static HEARD: Cell<Option<Test>> = const { Cell::new(None) };
    }

    /// The description `test` hands to the runner.
    pub(crate) fn hear(test: fn()) -> Test {
        test();
        HEARD.take().expect("a test calls the runner")
    }

    pub(crate) mod __private {
        pub(crate) use rebut::__private::*;

        pub(crate) fn run_test(test: &Test) {
            super::HEARD.set(Some(*test));
        }
    }
}

use std::time::Duration;

use listening::hear;
use rebut::__private::mined;
use rebut::Check;
use rebut::any;
use rebut::prelude::*;
use rebut::report::{ShownValue, Verdict};
use rebut::settings::{Isolation, Settings, Verbosity};

/// The values that are shown for the first failure.
fn shown(run: fn(&mut Case) -> Option<String>) -> Vec<ShownValue> {
    let report = Check::new("shown").cases(1).run(|case| run(case).map_or(Ok(()), Err));
    match report.verdict {
        Verdict::Failed(found) => found[0].values.clone(),
        verdict => panic!("expected a failure, found {verdict:?}"),
    }
}

#[rebut::test(crate = crate::listening)]
#[rustfmt::skip]
fn documented(mut list: Vec<u8>, (a, b): (u8, Option<i32>)) -> Result<(), String> {
    // Comments are kept,
    list.push(a); /* all of them */
    if b == Some(7_321) { return Err("no".to_owned()) }
    Ok(())
}

#[test]
fn overflow_checks_are_known_without_a_panic() {
    let sum = |a: u8, b: u8| a + b;
    let panics = std::panic::catch_unwind(|| sum(std::hint::black_box(255), 1)).is_err();
    assert_eq!(rebut::__private::overflow_checks!(), Some(panics));
    assert_eq!(rebut::__private::cargo_target!().checks_overflows, Some(panics));
}

#[test]
fn the_source_is_kept_as_written() {
    let test = hear(documented);
    assert_eq!(test.path, "expansion::documented");
    assert!(test.file.ends_with("tests/expansion.rs"), "{}", test.file);
    assert!(test.target.manifest_dir.ends_with("rebut"));
    assert_eq!(test.return_type, "-> Result<(), String>");
    assert_eq!(
        test.body,
        "
    // Comments are kept,
    list.push(a); /* all of them */
    if b == Some(7_321) { return Err(\"no\".to_owned()) }
    Ok(())
"
    );
    let file = include_str!("expansion.rs");
    let line = file.lines().nth(test.line as usize - 1).expect("the line");
    assert!(line.starts_with("fn documented"), "{line}");
}

macro_rules! property {
    ($name:ident, $bound:literal) => {
        #[rebut::test(crate = crate::listening)]
        fn $name(n: u8) -> bool {
            n <= $bound
        }
    };
}
property!(from_a_macro, 9);

#[test]
fn the_source_of_a_macro_is_what_it_makes() {
    let test = hear(from_a_macro);
    assert_eq!(test.body.replace(' ', "").trim(), "n<=9");
}

#[rebut::test(
    crate = crate::listening,
    cases = 2 * 100,
    seed = 7,
    deadline = "500ms",
    time_budget = Duration::from_secs(2),
    isolate = never,
    memory = "512MB",
    shrink_max = 10,
    failures = 3,
    explain = false,
    verbosity = trace,
    database = false,
    rejections_max = 4
)]
fn with_settings() {}

#[test]
fn every_setting_reaches_the_runner() {
    let test = hear(with_settings);
    let mut settings = Settings::default();
    (test.configure)(&mut settings);
    let mut expected = Settings::default();
    expected.cases = Some(200);
    expected.seed = Some(7);
    expected.deadline = Duration::from_millis(500);
    expected.time_budget = Some(Duration::from_secs(2));
    expected.isolate = Isolation::Never;
    expected.memory_max = 512 << 20;
    expected.shrink_max = 10;
    expected.failures_max = 3;
    expected.explain = false;
    expected.verbosity = Verbosity::Trace;
    expected.database = false;
    expected.rejections_max = 4;
    assert_eq!(settings, expected);
}

#[test]
fn literals_of_the_file_are_mined_but_not_settings_and_messages() {
    let constants = mined(hear(documented).constants);
    assert!(constants.integers.contains(&7321));
    assert!(constants.texts.iter().any(|text| text == "no"));
    assert!(!constants.texts.iter().any(|text| text.contains('{')));
    let _ = 12_345;
    assert!(constants.integers.contains(&12345));
    assert!(constants.integers.len() <= 256 && constants.texts.len() <= 64);
}

#[derive(Debug, PartialEq)]
struct Point(i8, i8);

#[rebut::test(crate = crate::listening)]
#[example(1, "a", &[1, 2], &mut vec!['x'], "owned", Point(3, 4))]
#[example(u8::MAX, &"b".repeat(2), &Vec::new(), &mut Vec::new(), String::new(), Point(0, 0))]
fn with_examples(
    n: u8,
    text: &str,
    list: &[u16],
    changed: &mut Vec<char>,
    owned: String,
    #[from(from_fn(|source| Point(any().draw(source), 0)))] point: Point,
) -> bool {
    changed.push('y');
    n == 7 && text.len() + list.len() + owned.len() > 1000 && point == Point(1, 1)
}

#[test]
fn examples_are_run_with_their_values() {
    let test = hear(with_examples);
    let written: Vec<_> = test.examples.iter().map(|example| example.written).collect();
    assert_eq!(
        written,
        [
            r#"1, "a", &[1, 2], &mut vec!['x'], "owned", Point(3, 4)"#,
            r#"u8::MAX, &"b".repeat(2), &Vec::new(), &mut Vec::new(), String::new(), Point(0, 0)"#,
        ]
    );
    assert_eq!(test.examples[1].line, test.examples[0].line + 1);
    let values = shown(test.examples[0].run);
    let found: Vec<_> =
        values.iter().map(|v| format!("{}: {} = {}", v.name, v.type_name, v.code)).collect();
    assert_eq!(
        found,
        [
            "n: u8 = 1",
            "text: &str = \"a\"",
            "list: &[u16] = &[1, 2]",
            "changed: &mut Vec<char> = &mut vec!['x']",
            "owned: String = \"owned\".to_string()",
            "point: Point = Point(3, 4)",
        ]
    );
}

#[test]
fn drawn_values_are_shown_as_code_by_pattern_and_type() {
    let values = shown(hear(with_examples).run);
    let found: Vec<_> =
        values.iter().map(|v| format!("{}: {} = {}", v.name, v.type_name, v.code)).collect();
    assert_eq!(
        found,
        [
            "n: u8 = 0",
            "text: &str = \"\"",
            "list: &[u16] = &[]",
            "changed: &mut Vec<char> = &mut vec![]",
            "owned: String = \"\".to_string()",
            "point: Point = Point(0, 0)",
        ]
    );
}
