//! Ten wrong functions, each with one property that fails. The property is compiled twice:
//! with the macro of proptest, and with `rebut::proptest!`.
//!
//! A property fails with the size of its input in the message, so that both reports can be compared.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// A property to compare.
pub struct Bug {
    /// Its name.
    pub name: &'static str,
    /// Runs it under proptest.
    pub proptest: fn(ProptestConfig),
    /// Runs it under Rebut.
    pub rebut: fn(ProptestConfig),
}

/// The size of an input, and the input.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// How large the input is. Each bug defines what that means.
    pub size: f64,
    /// The input, as `Debug` prints it.
    pub input: String,
}

/// Runs a property and returns the input that it reports, or `None` if it passes.
///
/// # Panics
/// If the message of the failure does not have the expected form.
pub fn found(run: fn(ProptestConfig), seed: u64) -> Option<Found> {
    let config = ProptestConfig {
        rng_seed: RngSeed::Fixed(seed),
        failure_persistence: None,
        cases: 10_000,
        max_shrink_iters: 20_000,
        ..ProptestConfig::default()
    };
    let payload = catch_unwind(AssertUnwindSafe(|| run(config))).err()?;
    let message = payload.downcast_ref::<String>().expect("a message");
    let (_, rest) = message.split_once("size<").expect("a size");
    let (size, rest) = rest.split_once("> input<").expect("an input");
    let (input, _) = rest.split_once("> end").expect("the end of the input");
    Some(Found { size: size.parse().expect("a number"), input: input.to_owned() })
}

/// A value that contains others.
#[derive(Clone, Debug)]
pub enum Json {
    /// A number.
    Number(u8),
    /// A list.
    List(Vec<Json>),
}

impl Json {
    fn depth(&self) -> u32 {
        match self {
            Json::Number(_) => 1,
            Json::List(list) => 1 + list.iter().map(Json::depth).max().unwrap_or(0),
        }
    }

    fn size(&self) -> f64 {
        match self {
            Json::Number(number) => 1.0 + f64::from(*number) / 1000.0,
            Json::List(list) => 1.0 + list.iter().map(Json::size).sum::<f64>(),
        }
    }
}

fn json() -> impl Strategy<Value = Json> {
    let numbers = any::<u8>().prop_map(Json::Number);
    numbers.prop_recursive(4, 40, 5, |inner| vec(inner, 0..5).prop_map(Json::List))
}

/// A command of a stack.
#[derive(Clone, Debug)]
pub enum Command {
    /// Removes the last number.
    Pop,
    /// Adds a number.
    Push(u16),
    /// Removes all numbers but some.
    Keep {
        /// The number of numbers to keep.
        first: usize,
    },
}

fn commands() -> impl Strategy<Value = Vec<Command>> {
    let command = prop_oneof![
        Just(Command::Pop),
        any::<u16>().prop_map(Command::Push),
        (0..5usize).prop_map(|first| Command::Keep { first }),
    ];
    vec(command, 0..30)
}

fn stack_of(commands: &[Command]) -> Vec<u16> {
    let mut stack = Vec::new();
    for command in commands {
        match command {
            Command::Pop => drop(stack.pop()),
            Command::Push(number) => stack.push(*number),
            Command::Keep { first } => stack.truncate(*first),
        }
    }
    stack
}

/// The same properties, run by one of the macros.
macro_rules! properties {
    ($module:ident, $($macro:ident)::+) => {
        mod $module {
            use super::*;
            use $($macro)::+ as run;

            pub(super) fn lists(config: ProptestConfig) {
                run!(config, |(list in vec(any::<u16>(), 0..50))| {
                    let sum: f64 = list.iter().map(|&n| f64::from(n)).sum();
                    let fails = list.iter().filter(|&&n| n >= 300).count() >= 2;
                    prop_assert!(!fails, "size<{}> input<{:?}> end", list.len() as f64 * 1e6 + sum, list);
                });
            }

            pub(super) fn strings(config: ProptestConfig) {
                run!(config, |(text in "[ -~]{0,40}")| {
                    let capitals = text.chars().filter(char::is_ascii_uppercase).count();
                    let size = text.len();
                    prop_assert!(capitals < 3, "size<{}> input<{:?}> end", size, text);
                });
            }

            pub(super) fn maps(config: ProptestConfig) {
                run!(config, |(map in btree_map(any::<u8>(), any::<i32>(), 0..20))| {
                    let map: BTreeMap<u8, i32> = map;
                    let fails = map.iter().any(|(&key, &value)| key > 20 && value < -5);
                    let values: f64 = map.values().map(|&n| f64::from(n).abs()).sum();
                    let keys: f64 = map.keys().map(|&n| f64::from(n)).sum();
                    let size = map.len() as f64 * 1e12 + keys + values;
                    prop_assert!(!fails, "size<{}> input<{:?}> end", size, map);
                });
            }

            pub(super) fn trees(config: ProptestConfig) {
                run!(config, |(tree in json())| {
                    prop_assert!(tree.depth() < 4, "size<{}> input<{:?}> end", tree.size(), tree);
                });
            }

            pub(super) fn lengths(config: ProptestConfig) {
                let lists = (0..20usize).prop_flat_map(|n| (Just(n), vec(any::<u8>(), n)));
                run!(config, |((n, list) in lists)| {
                    let fails = n >= 3 && list[1] > 10;
                    let sum: u32 = list.iter().map(|&n| u32::from(n)).sum();
                    let size = n * 100_000 + sum as usize;
                    prop_assert!(!fails, "size<{}> input<{:?}> end", size, (n, &list));
                });
            }

            pub(super) fn filters(config: ProptestConfig) {
                let even = any::<u32>().prop_filter("even", |n| n % 2 == 0);
                run!(config, |(number in even)| {
                    prop_assert!(number < 1001, "size<{}> input<{:?}> end", number, number);
                });
            }

            pub(super) fn signed(config: ProptestConfig) {
                run!(config, |(number in -100_000..100_000i32, other: i16)| {
                    let fails = number <= -77 && i32::from(other) < number / 10;
                    let size = number.abs() + i32::from(other).abs();
                    prop_assert!(!fails, "size<{}> input<{:?}> end", size, (number, other));
                });
            }

            pub(super) fn pairs(config: ProptestConfig) {
                run!(config, |((a, b) in (0..10_000u32, 0..10_000u32), c in 0..10_000u32)| {
                    let fails = a >= b + 500 && c >= a;
                    prop_assert!(!fails, "size<{}> input<{:?}> end", a + b + c, (a, b, c));
                });
            }

            pub(super) fn enums(config: ProptestConfig) {
                run!(config, |(commands in commands())| {
                    let stack = stack_of(&commands);
                    let fails = stack.len() > 2 && stack[0] > 9;
                    let sum: f64 = stack.iter().map(|&n| f64::from(n)).sum();
                    let size = commands.len() as f64 * 1e6 + sum;
                    prop_assert!(!fails, "size<{}> input<{:?}> end", size, commands);
                });
            }

            pub(super) fn floats(config: ProptestConfig) {
                // Proptest shrinks a float to 0, or not at all.
                run!(config, |(list in vec(-1000.0..1000.0f64, 0..20), y: f64)| {
                    let fails = list.iter().filter(|x| **x > 2.5).count() >= 2;
                    let size = list.len() + list.iter().chain([&y]).filter(|x| **x != 0.0).count();
                    prop_assert!(!fails, "size<{}> input<{:?}> end", size, (&list, y));
                });
            }
        }
    };
}

properties!(theirs, proptest::proptest);
properties!(ours, rebut::proptest);

macro_rules! bugs {
    ($($name:ident)*) => {
        &[$(Bug { name: stringify!($name), proptest: theirs::$name, rebut: ours::$name }),*]
    };
}

/// All bugs.
pub const BUGS: &[Bug] = bugs! {
    lists strings maps trees lengths filters signed pairs enums floats
};
