//! `#[rebut::test]` as users write it.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;
use std::future::Future;
use std::path::Path;
use std::pin::pin;
use std::process::{ExitCode, Termination};
use std::sync::Arc;
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

#[rebut::test(cases = 100)]
#[expect(clippy::too_many_arguments, reason = "one of each")]
fn references_inside_of_other_types<'a>(
    list: Vec<&str>,
    slice: &[&'a str],
    (text, bytes): (&'a str, &[u8]),
    map: HashMap<&str, Vec<&[u8]>>,
    cow: Cow<'_, [u8]>,
    path: Option<&Path>,
    #[generate(max_size = 3)] short: &'static str,
    pairs: Vec<Pair<'_>>,
) {
    assert!(list.iter().chain(slice).all(|text| text.len() >= text.chars().count()));
    assert!(text.len() + bytes.len() + cow.len() + map.len() < 1 << 20);
    assert!(
        path.is_none_or(|path| path.components().count() < 10_000) && short.chars().count() <= 3
    );
    assert!(pairs.iter().all(|pair| pair.right.chars().count() <= 2));
}

#[derive(Clone, Debug, Generate)]
struct Pair<'a> {
    left: Cow<'a, str>,
    #[generate(max_size = 2)]
    right: &'a str,
}

#[rebut::test(cases = 100)]
#[expect(clippy::too_many_arguments, clippy::type_complexity, reason = "one of each")]
fn functions_are_pure(
    plain: impl Fn(u8) -> u64,
    mut changing: impl FnMut(&str) -> u64 + Clone + Send + 'static,
    once: impl FnOnce() -> u64,
    lent: &dyn Fn(u8, u8) -> u64,
    lent_mutably: &mut dyn FnMut(u8) -> u64,
    boxed: Box<dyn Fn(&[u8]) -> u64>,
    sent: Arc<dyn Fn(u8) -> u64 + Send + Sync>,
    jobs: Vec<Box<dyn FnOnce() -> u64 + Send>>,
    pointers: [fn(u8, char, bool) -> u64; 2],
) {
    assert_eq!(plain(1), plain(1));
    assert_eq!(changing("a"), changing("a"));
    assert_eq!([once()].len(), 1);
    assert_eq!(lent(1, 2), lent(1, 2));
    assert_eq!(lent_mutably(1), lent_mutably(1));
    assert_eq!(boxed(&[1]), boxed(&[1]));
    assert_eq!(sent(1), Arc::clone(&sent)(1));
    let answers: Vec<u64> = jobs.into_iter().map(|job| job()).collect();
    assert!(answers.len() < 1 << 20);
    assert_eq!(pointers.map(|f| f(1, 'a', true)), pointers.map(|f| f(1, 'a', true)));
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

const PRIMES: [u16; 4] = [2, 3, 5, 7];

#[rebut::test]
#[expect(clippy::too_many_arguments, reason = "one of each")]
fn ranges_lists_and_patterns(
    #[from(1..10)] digit: u8,
    #[from(-28..=28)] lent: &i64,
    #[from(0.0..1.0)] ratio: f32,
    #[from('a'..='z')] letter: char,
    #[from(5..)] large: u128,
    #[from(..=9)] small: i16,
    #[from(["GET", "PUT"])] method: &'static str,
    #[from(["a", "b"])] owned: String,
    #[from(PRIMES)] prime: u16,
    #[from(&PRIMES)] lent_prime: &u16,
    #[from("[a-c]+")] word: &str,
    #[from("(?-u)\\xFF+")] bytes: &[u8],
    #[from((0..3, ["x"], vecs('p'..'r').max_size(2)))] parts: (u8, &'static str, Vec<char>),
    #[generate(10..20)] other: usize,
) {
    assert!((1..10).contains(&digit) && lent.abs() <= 28 && (0.0..1.0).contains(&ratio));
    assert!(letter.is_ascii_lowercase() && large >= 5 && small <= 9);
    assert!(["GET", "PUT"].contains(&method) && ["a", "b"].contains(&owned.as_str()));
    assert!(PRIMES.contains(&prime) && PRIMES.contains(lent_prime));
    assert!(!word.is_empty() && word.bytes().all(|letter| (b'a'..=b'c').contains(&letter)));
    assert!(!bytes.is_empty() && bytes.iter().all(|byte| *byte == 0xFF));
    assert!(parts.0 < 3 && parts.1 == "x" && parts.2.iter().all(|c| ['p', 'q'].contains(c)));
    assert!((10..20).contains(&other));
}

#[test]
#[expect(clippy::reversed_empty_ranges, reason = "this is what is tested")]
fn an_empty_range_is_a_misuse_and_not_a_counterexample() {
    let report = rebut::Check::new("empty").run(|case| case.draw_as("n", 9..3) > 0);
    let rebut::report::Verdict::Misuse(what) = report.verdict else { panic!("{report}") };
    assert!(what.starts_with("the range `9..3` is empty"), "{what}");
}

#[rebut::test]
fn ranges_stay_iterators_in_bodies(#[from(0..9)] n: usize) {
    assert_eq!((0..n).map(|k| k + 1).filter(|k| *k > 0).count(), n);
}

#[rebut::test]
fn later_generators_see_earlier_values(
    low: u8,
    #[from(low..)] high: u8,
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

fn limit() -> u8 {
    3
}

#[rebut::test]
fn name(name: String) {
    assert_eq!(name, name.clone());
}

#[rebut::test]
#[example(vec![1], 9, limit(), "9")]
fn list(
    list: Vec<u8>,
    limit: u8,
    #[from(just(limit.max(limit())))] larger: u8,
    #[from(just(format!("{limit}")))] text: String,
) {
    assert!(list.len() < 100_000 && larger >= 3);
    assert_eq!(text, limit.to_string());
}

#[rebut::test]
fn vecs_of_indices(
    #[from(vecs(0..9_u8))] vecs: Vec<u8>,
    #[from(vecs(0..=vecs.len()))] indices: Vec<usize>,
) {
    assert!(indices.iter().all(|index| vecs.get(..*index).is_some()));
}

struct Ending(u8);

impl Termination for Ending {
    fn report(self) -> ExitCode {
        ExitCode::from(self.0)
    }
}

#[rebut::test]
fn exit_codes(n: u8) -> ExitCode {
    if n / 2 < 128 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[rebut::test]
fn results_of_values(n: u8) -> Result<u8, std::num::ParseIntError> {
    n.to_string().parse()
}

#[rebut::test]
#[should_panic(expected = "ExitCode")]
fn types_that_end_a_process(n: u8) -> Ending {
    Ending(n / 200)
}

#[rebut::test]
fn opaque_types_that_end_a_process(n: u8) -> impl Termination {
    Ending(n / 128 / 2)
}

#[test]
fn exit_codes_are_reported_in_one_sentence() {
    let report = rebut::Check::new("code").run(|_| ExitCode::FAILURE).to_string();
    assert!(report.contains("\n  returned an error:\n    ExitCode("), "{report}");
}

#[test]
fn closures_can_change_what_they_capture() {
    let mut seen = Vec::new();
    rebut::check(|case| seen.push(case.draw(integers::<u8>())));
    assert!(seen.len() > 100);
}

#[rebut::test]
#[case(1, "a")]
#[should_panic(expected = "more than one")]
#[case::two(2, "b")]
#[example(vec![1, 2])]
fn rows(#[case] n: usize, list: Vec<u8>, #[case] text: String) {
    assert_eq!(text.len(), 1);
    assert!(n < 2 || list.len() < n, "more than one");
}

#[rebut::test]
fn products(#[values(1, 2)] a: u8, #[values(Some(3), None)] b: Option<u8>, #[from(..a)] c: u8) {
    assert!(c < a && b != Some(c));
}

#[rebut::test]
#[test_case(1, "x"; "one x")]
#[test_case(2, "xx")]
fn rows_of_test_case(n: usize, text: &str, list: &[u8]) {
    assert_eq!(text.len(), n);
    assert!(list.len() < 100_000);
}

#[rebut::test]
#[cfg_attr(feature = "regex", example(1, 2))]
#[cfg_attr(not(feature = "regex"), example(1))]
fn conditional_parameters(
    n: u8,
    #[cfg(feature = "regex")]
    #[cfg_attr(feature = "regex", from(2..9))]
    m: u8,
    #[cfg(not(feature = "regex"))] other: NoSuchType,
) {
    assert!(n < m || n >= 2);
}
