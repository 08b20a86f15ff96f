//! The inputs that Rebut reports are at least as small as those of proptest.
//!
//! `cargo test -- --nocapture 2> /dev/null` prints the figures.

use compat_proptest::{BUGS, found};

const SEEDS: std::ops::Range<u64> = 1..11;

#[test]
fn shrunk_inputs_are_at_least_as_small_as_in_proptest() {
    let mut larger = Vec::new();
    println!("| bug | proptest: mean | largest | time | Rebut: mean | largest | time |");
    println!("|---|---|---|---|---|---|---|");
    for bug in BUGS {
        let sizes = |run| {
            let all: Vec<_> = SEEDS.map(|seed| found(run, seed).expect("a failure")).collect();
            let mean = all.iter().map(|one| one.size).sum::<f64>() / all.len() as f64;
            let largest = all.iter().max_by(|a, b| a.size.total_cmp(&b.size)).expect("one");
            (mean, largest.clone())
        };
        let start = std::time::Instant::now();
        let (theirs, their_largest) = sizes(bug.proptest);
        let middle = std::time::Instant::now();
        let (ours, our_largest) = sizes(bug.rebut);
        let (their_time, our_time) = (middle - start, middle.elapsed());
        println!(
            "| {} | {theirs} | {} `{}` | {their_time:.0?} | {ours} | {} `{}` | {our_time:.0?} |",
            bug.name, their_largest.size, their_largest.input, our_largest.size, our_largest.input
        );
        if ours > theirs || our_largest.size > their_largest.size {
            larger.push(bug.name);
        }
    }
    assert!(larger.is_empty(), "larger than in proptest: {larger:?}");
}
