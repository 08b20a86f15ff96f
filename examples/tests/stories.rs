//! Runs each story and looks for what it must find.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Runs an example from the root of the workspace, where readers run it.
fn run(example: &str, arguments: &[&str]) -> Output {
    let binary = std::env::current_exe().expect("the path of this test");
    let target = binary.ancestors().nth(3).map(PathBuf::from).expect("the target folder");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the root of the workspace");
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.env("CARGO_TARGET_DIR", target).env("CARGO_NET_OFFLINE", "true").current_dir(root);
    cargo.args(["run", "--quiet", "--example", example, "--"]).args(arguments);
    cargo.output().expect("cargo")
}

/// An example prints all of this.
#[track_caller]
fn check(example: &str, parts: &[&str]) {
    let output = run(example, &[]);
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{printed}{}", String::from_utf8_lossy(&output.stderr));
    for part in parts {
        assert!(printed.contains(part), "{example} does not print {part:?}:\n{printed}");
    }
}

/// One line of each story, and what comes after them.
#[cfg(unix)]
#[test]
fn tour_shows_what_each_engine_finds() {
    check(
        "tour",
        &[
            "let text: &str = \"\\u{80}\";",
            "65536 inputs",
            "let list: Vec<u8> = vec![",
            "lru.on_evict(Box::new(",
            "late: 3 of 10; proved: no others",
            "overflowed its stack",
            "run `cargo xtask tour`",
        ],
    );
}

#[test]
fn tour_lists_its_questions() {
    let output = run("tour", &["--list"]);
    let printed = String::from_utf8_lossy(&output.stdout);
    let numbers: Vec<&str> = printed.lines().filter_map(|line| line.split(' ').nth(1)).collect();
    assert_eq!(numbers, ["1", "2", "3", "4", "5", "6"], "{printed}");
}

#[test]
fn tour_rejects_stories_that_it_does_not_have() {
    let output = run("tour", &["--story", "7"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(said.contains("`--story` expects one of 1, 2, 3, 4, 5, 6"), "{said}");
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
