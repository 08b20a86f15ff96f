//! A look at what a generator draws, outside of any test.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use rebut_choice::{Drive, Random, Source, Stop, Tape};

use crate::AsGenerator;

/// How many seeds are tried until one is not rejected by a filter.
const SEEDS_MAX: u64 = 100;

/// A value as a random run with this seed would draw it. For examples and for looking
/// around: a test takes its values as parameters.
///
/// # Panics
/// If a filter rejects what is drawn again and again, or the generator is misused.
///
/// # Examples
/// ```
/// use rebut::{integers, sample};
/// let die = integers::<u8>().in_range(1..=6);
/// assert!((1..=6).contains(&sample(&die, 7)));
/// assert_eq!(sample(&die, 7), sample(&die, 7));
/// ```
pub fn sample<G: AsGenerator>(generator: &G, seed: u64) -> G::Value {
    let mut again = 0;
    loop {
        let driver = Random::new(seed.wrapping_add(again << 32));
        let mut source = Source::new(Drive::Random(Box::new(driver)));
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

/// The simplest value of a generator: what a failure shrinks to if every value fails.
///
/// # Examples
/// ```
/// use rebut::{integers, simplest, vecs};
/// assert_eq!(simplest(&vecs(integers::<i32>()).min_size(2)), [0, 0]);
/// ```
pub fn simplest<G: AsGenerator>(generator: &G) -> G::Value {
    generator.draw_value(&mut Source::replay(&Tape::default()))
}
