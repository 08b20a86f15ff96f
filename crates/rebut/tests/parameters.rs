//! `#[rebut::test]` as users write it.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::future::Future;
use std::path::Path;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use rebut::prelude::*;

#[rebut::test]
fn no_parameters() {}

#[rebut::test]
fn one(n: u8) {
    assert_eq!(n.wrapping_add(0), n);
}

#[rebut::test(cases = 100)]
fn patterns(mut list: Vec<u8>, (a, b): (u8, u8), [c, d]: [bool; 2], _: char, _unused: u64) {
    list.push(a ^ b);
    assert!(!list.is_empty());
    assert_eq!(c && d, d && c);
}

#[rebut::test]
fn references(
    text: &str,
    list: &[u8],
    map: &BTreeMap<u8, bool>,
    changed: &mut Vec<u8>,
    path: &Path,
) {
    let before = changed.len();
    changed.extend_from_slice(list);
    assert_eq!(changed.len(), before + list.len());
    assert!(text.len() >= text.chars().count());
    assert!(map.len() <= 256 && path.components().count() < 10_000);
}

#[rebut::test]
fn lifetimes<'a>(left: &'a str, right: &'a str) -> bool {
    fn longer<'a>(left: &'a str, right: &'a str) -> &'a str {
        if left.len() > right.len() { left } else { right }
    }
    longer(left, right).len() == left.len().max(right.len())
}

#[rebut::test]
#[expect(clippy::too_many_arguments, reason = "one of each")]
fn generators(
    #[from(integers().max_value(9))] digit: u8,
    #[from(sampled_from(["a", "b"]))] name: &'static str,
    #[from(strings().max_size(3))] short: &str,
    #[from(integers().min_value(1))] positive: &u32,
    #[generate(min_value = -5, max_value = 5)] bounded: i32,
    #[generate(min_size = 1, max_size = 4)] list: Vec<bool>,
    #[generate(max_size = 2)] lent: &[u8],
    #[generate(matches = "[a-c]+")] letters: &str,
    #[generate(value = 42)] fixed: u8,
    #[generate(default)] empty: String,
) {
    assert!(digit <= 9 && *positive > 0 && (-5..=5).contains(&bounded) && fixed == 42);
    assert!(letters.bytes().all(|letter| (b'a'..=b'c').contains(&letter)));
    assert!(name == "a" || name == "b");
    assert!(short.chars().count() <= 3 && empty.is_empty());
    assert!((1..=4).contains(&list.len()) && lent.len() <= 2);
}

#[rebut::test]
fn later_generators_see_earlier_values(
    low: u8,
    #[from(integers().min_value(low))] high: u8,
    #[generate(min_size = low as usize % 3)] list: Vec<u8>,
) {
    assert!(low <= high && list.len() >= low as usize % 3);
}

#[rebut::test]
fn names_of_ours_can_be_used(case: u8, source: u8, value: u8, settings: u8, given: u8) -> bool {
    u64::from(case) + u64::from(source) + u64::from(value) + u64::from(settings) + u64::from(given)
        < 5 * 256
}

#[rebut::test]
fn answers_with_a_question_mark(n: u16) -> Result<(), std::num::ParseIntError> {
    let parsed: u16 = n.to_string().parse()?;
    if parsed == n {
        return Ok(());
    }
    unreachable!()
}

#[rebut::test]
fn answers_with_a_result_of_bool(n: u16) -> Result<bool, Box<dyn std::error::Error>> {
    Ok(n.to_string().parse::<u16>()? == n)
}

/// Kept.
#[rebut::test(database = false)]
#[should_panic]
pub fn attributes_stay() {
    panic!("as expected");
}

#[rebut::test(database = false, seed = 7)]
#[should_panic(expected = "the property failed")]
fn numbers_of_the_file_are_tried(n: u64) {
    assert_ne!(n, 987_654_321);
}

#[rebut::test(database = false, seed = 7)]
#[should_panic(expected = "the property failed")]
fn texts_of_the_file_are_tried(text: &str) -> bool {
    text != "xyzzy: nothing happens"
}

#[rebut::test(database = false, cases = 10)]
#[should_panic(expected = "the property failed")]
#[example(1_000_000_007)]
fn examples_are_always_tried(#[generate(max_value = 9)] n: u64) -> bool {
    n < 10
}

#[rebut::test]
#[cfg(any())]
fn not_compiled(n: DoesNotExist) {}

#[rebut::test(runtime = block_on)]
async fn waits(n: u8, text: &str) -> bool {
    let length = std::future::ready(text.len()).await;
    std::future::ready(n).await == n && length == text.len()
}

#[rebut::test(runtime = |future| block_on(async move { std::future::ready(()).await; future.await }))]
async fn waits_in_a_closure() -> Result<(), String> {
    Ok(())
}

fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
    }
}

#[rebut::test]
fn trait_objects(#[from(integers::<u8>())] shown: &dyn Debug) {
    assert!(!format!("{shown:?}").is_empty());
}

#[rebut::test]
fn says_things_about_itself(n: u32, list: Vec<u8>) {
    assume!(n != 1);
    assume!(n != 2, "two is special");
    note!("the list has {} elements", list.len());
    label!("{}", if n < 10 { "small" } else { "large" });
    cover!(n > 0);
    cover!(list.is_empty(), at_least 0.1 %);
    cover!("long", list.len() > 1);
    cover!("not empty", !list.is_empty(), at_least 10 %);
}

mod another_name {
    pub(crate) use rebut::__private;
}

#[rebut::test(crate = another_name)]
fn the_crate_can_have_another_name(n: u8) {
    assert_eq!(u8::from_str_radix(&format!("{n:x}"), 16), Ok(n));
}
