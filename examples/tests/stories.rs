//! Runs each story and looks for what it must find.

use std::path::PathBuf;
use std::process::Command;

/// A story prints all of this.
#[track_caller]
fn check(example: &str, parts: &[&str]) {
    let binary = std::env::current_exe().expect("the path of this test");
    let target = binary.ancestors().nth(3).map(PathBuf::from).expect("the target folder");
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.env("CARGO_TARGET_DIR", target).current_dir(env!("CARGO_MANIFEST_DIR"));
    let output = cargo.args(["run", "--quiet", "--offline", "--example", example]).output();
    let output = output.expect("cargo");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{printed}{}", String::from_utf8_lossy(&output.stderr));
    for part in parts {
        assert!(printed.contains(part), "{example} does not print {part:?}:\n{printed}");
    }
}

#[test]
fn the_tour_shows_failures_and_a_proof() {
    check("tour", &["let text = \"\\u{80}\".to_string();", "proved (all 1024 inputs)"]);
}

#[test]
fn shapes_shrink_to_the_smallest_that_does_not_reach_zero() {
    check(
        "shapes",
        &["let shape = Shape::Moved { by: 1, shape: Box::new(Shape::Square { side: 1 }) };"],
    );
}

#[cfg(unix)]
#[test]
fn crashes_shrink_and_are_told() {
    let overflow = ["let a = 0;\n    let b = 1;", "overflowed its stack"];
    let hang = ["let start = 5;", "did not end within its deadline: 300ms"];
    let abort = ["let number = 31;", "aborted the process: SIGABRT"];
    check("crashes", &[overflow, hang, abort].concat());
}

#[test]
fn the_calendar_misses_times_without_a_space() {
    check("calendar", &["PM` in", "of 100"]);
}

#[test]
fn each_subcategory_has_items_with_prices_far_apart() {
    check("products", &["gets cheaper by postage", "socks: [1, 51, 101, 151]"]);
}

#[test]
fn usernames_cover_each_range_alone_and_in_front() {
    check("usernames", &["covered: ", "\"_\"", "longer: "]);
}

#[test]
fn paths_find_both_mistakes_soon() {
    check("colon-path", &["mistake A: input 4 ", "mistake B: input "]);
}
