//! Compares the public API of `rebut` with the list in `public-api.txt`.
//!
//! The list has a line for every public item that can be reached through `rebut`, with its kind
//! and signature. A change of the API therefore shows in the diff of a commit. The source is the
//! JSON output of rustdoc. It is unstable, so the test sets `RUSTC_BOOTSTRAP`; nothing else
//! depends on it.

#![cfg(target_os = "linux")]

mod crates;
mod listing;
mod signature;

use std::collections::BTreeSet;
use std::path::Path;

use crates::Crates;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/public-api.txt");

const UPDATE: &str = "UPDATE_EXPECT=1 cargo test -p rebut --test public_api";

#[test]
fn the_public_api_is_the_one_in_the_list() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("public-api");
    let crates = Crates::document(&folder).unwrap_or_else(|error| panic!("{error}"));
    let actual = listing::lines(&crates);
    for item in ["rebut::check: fn", "rebut::report::Verdict::Failed: variant", "rebut::one_of: "] {
        assert!(actual.iter().any(|line| line.starts_with(item)), "`{item}` is missing");
    }
    assert!(!actual.iter().any(|line| line.contains("__private")));
    if is_update() {
        let text: String = actual.iter().map(|line| format!("{line}\n")).collect();
        std::fs::write(FILE, text).expect("the list can be written");
        return;
    }
    let differences = differences(&listed(), &actual);
    assert!(
        differences.is_empty(),
        "the public API differs from `crates/rebut/public-api.txt` (`-` listed, `+` actual):\n\n\
         {}\n\nIf the change is wanted, run `{UPDATE}`, and add it to CHANGELOG.md.",
        differences.join("\n")
    );
}

#[test]
fn a_line_that_is_removed_is_a_difference() {
    if is_update() {
        return; // The other test is writing the file.
    }
    let listed = listed();
    assert!(listed.len() > 500, "only {} lines", listed.len());
    assert!(differences(&listed, &listed).is_empty());
    let is_code = |line: &&String| line.starts_with("rebut::report::Verdict::code: fn");
    let removed = listed.iter().position(|line| is_code(&line)).expect("it is public");
    let mut shorter = listed.clone();
    let line = shorter.remove(removed);
    assert_eq!(differences(&shorter, &listed), [format!("+ {line}")]);
    assert_eq!(differences(&listed, &shorter), [format!("- {line}")]);
}

fn is_update() -> bool {
    std::env::var_os("UPDATE_EXPECT").is_some()
}

fn listed() -> Vec<String> {
    let text = std::fs::read_to_string(FILE)
        .unwrap_or_else(|error| panic!("{FILE}: {error}; to write it, run `{UPDATE}`"));
    text.lines().map(str::to_owned).collect()
}

/// Returns the lines of only one of the lists, sorted by item.
fn differences(listed: &[String], actual: &[String]) -> Vec<String> {
    let [old, new] = [listed, actual].map(|lines| lines.iter().collect::<BTreeSet<_>>());
    let mut differences: Vec<_> = old.symmetric_difference(&new).collect();
    differences.sort();
    let sign = |line: &String| if old.contains(line) { '-' } else { '+' };
    differences.iter().map(|line| format!("{} {line}", sign(line))).collect()
}
