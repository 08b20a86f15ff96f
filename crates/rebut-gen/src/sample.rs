//! Generating values outside of a test.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use rebut_choice::{AnyDriver, Random, Source, Stop, Tape};

use crate::AsGenerator;

/// The maximum number of seeds to try if a filter rejects the value. After that, `sample` panics.
/// Arbitrary: a generator that rejects 9 of 10 cases fails once in 38,000 calls (`0.9^100`).
const SEEDS_MAX: u64 = 100;

/// Generates one random value from a seed.
///
/// Use it in examples, or to see what a generator generates. In a test, use parameters.
///
/// # Panics
/// If a filter rejects every value that was tried, or if the generator has invalid arguments.
///
/// # Examples
/// ```
/// use rebut::{integers, sample};
///
/// let die = integers::<u8>().in_range(1..=6);
/// assert!((1..=6).contains(&sample(&die, 7)));
/// assert_eq!(sample(&die, 7), sample(&die, 7));
/// ```
pub fn sample<G: AsGenerator>(generator: &G, seed: u64) -> G::Value {
    let mut again = 0;
    loop {
        let driver = Random::new(seed.wrapping_add(again << 32));
        let mut source = Source::new(AnyDriver::Random(Box::new(driver)));
        match catch_unwind(AssertUnwindSafe(|| generator.draw_value(&mut source))) {
            Ok(value) => return value,
            Err(payload) => {
                let rejected =
                    matches!(payload.downcast_ref(), Some(Stop::Rejected(_) | Stop::TooLarge));
                again += 1;
                if !rejected || again >= SEEDS_MAX {
                    resume_unwind(payload);
                }
            }
        }
    }
}

/// Returns the simplest value of a generator, which is what a test shrinks to if every value fails.
///
/// # Examples
/// ```
/// use rebut::{integers, simplest, vecs};
///
/// assert_eq!(simplest(&vecs(integers::<i32>()).min_size(2)), [0, 0]);
/// ```
pub fn simplest<G: AsGenerator>(generator: &G) -> G::Value {
    generator.draw_value(&mut Source::replay(&Tape::default()))
}
