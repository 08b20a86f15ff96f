//! What a program can ask about its machine.

use rebut::prelude::*;
use std::path::Path;

#[rebut::test]
fn target_processors(wanted: u8) {
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    assert!(usize::from(wanted) / processors <= 255);
}

#[rebut::test]
fn target_path(letter: bool) {
    let path = if letter { "/a" } else { "a" };
    assert!(Path::new(path).is_absolute() == letter || !letter || !Path::new(path).is_absolute());
}

#[rebut::test]
fn paths_with_roots(letter: bool) {
    let path = if letter { "/a" } else { "a" };
    assert!(Path::new(path).has_root() == letter);
    assert!(Path::new("b").join(path).ends_with("a"));
}
