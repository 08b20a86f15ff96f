//! The bugs of the service are found, early and under every seed.

#![expect(clippy::unwrap_used, reason = "tests")]

use rebut_colon_path_example::{paths, resolve, resolve_later};
use std::panic::{catch_unwind, set_hook};

const SEEDS: u64 = 100;

/// At which path, counted from one, a service crashes.
fn crash(service: fn(&str) -> Vec<String>, paths: &[String]) -> Option<usize> {
    let crashes = |path: &String| catch_unwind(|| service(path)).is_err();
    paths.iter().position(crashes).map(|at| at + 1)
}

fn latest(service: fn(&str) -> Vec<String>, outline: &str) -> Option<usize> {
    // What the service says when it crashes is expected, and would be printed a hundred times.
    set_hook(Box::new(|_| ()));
    let places = (0..SEEDS).map(|seed| crash(service, &paths(outline, seed).unwrap()));
    places.collect::<Option<Vec<_>>>().and_then(|places| places.into_iter().max())
}

#[test]
fn paths_that_cover_the_pattern_find_underscores_within_five() {
    let place = latest(resolve, "covering");
    assert!(place.is_some_and(|place| place <= 5), "{place:?}");
}

#[test]
fn paths_that_cover_the_pattern_find_later_underscores_within_thirty() {
    let place = latest(resolve_later, "covering");
    assert!(place.is_some_and(|place| place <= 30), "{place:?}");
}

#[test]
fn a_covering_path_that_crashes_is_one_character() {
    for seed in 0..SEEDS {
        let paths = paths("covering", seed).unwrap();
        let crash = crash(resolve, &paths).unwrap();
        assert_eq!(paths[crash - 1], "_");
    }
}

#[test]
fn an_unknown_outline_is_an_error() {
    assert!(paths("missing", 1).unwrap_err().contains("missing"));
}
