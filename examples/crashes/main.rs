//! Failures that kill or block their process: `cargo run --example crashes`.
//!
//! Each claim is checked in a process of its own, because outside of a test harness nobody is
//! left to go on after a crash. Under `cargo test`, other tests go on.

#![expect(clippy::print_stdout, reason = "the story is what it prints")]

use std::hint::black_box;
use std::process::Command;

use rebut::prelude::*;
use rebut_examples::common_divisor;

/// The claims: a name, what it says, and what checks it.
const CLAIMS: [(&str, &str, fn()); 3] = [
    ("overflow", "Two numbers have a common divisor.", overflow),
    ("hang", "Halving an odd number down to one ends.", hang),
    ("abort", "The library takes every number.", abort),
];

fn overflow() {
    rebut::check(|case| {
        let a = case.draw_as("a", integers::<u64>().max_value(999));
        let b = case.draw_as("b", integers::<u64>().max_value(999));
        black_box(common_divisor(a, b));
    });
}

fn hang() {
    rebut::check(|case| {
        let start = case.draw_as("start", integers::<u32>().max_value(99));
        let mut number = start;
        // The mistake: below 6, this goes round in a circle.
        while number > 1 && start % 2 == 1 {
            number = if number % 2 == 0 { number / 2 } else { number + 5 };
        }
    });
}

fn abort() {
    rebut::check(|case| {
        let number = case.draw_as("number", integers::<u32>());
        // Stands for a library that ends the process if it does not like what it gets.
        if number.count_ones() > 4 {
            std::process::abort();
        }
    });
}

fn main() {
    if let Some(wanted) = std::env::args().nth(1) {
        let claim = CLAIMS.iter().find(|(name, ..)| *name == wanted);
        return claim.into_iter().for_each(|(.., check)| check());
    }
    let this = std::env::current_exe().expect("the path of this program");
    for (name, claim, _) in CLAIMS {
        println!("{claim}\n");
        let mut check = Command::new(&this);
        check.arg(name).env("REBUT_SEED", "1").env("REBUT_DATABASE", "false");
        check.env("REBUT_DEADLINE", "300ms").env_remove("RUST_BACKTRACE");
        let output = check.output().expect("this program can be started");
        println!("{}", String::from_utf8_lossy(&output.stderr));
    }
}
