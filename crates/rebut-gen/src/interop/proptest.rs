//! Strategies of proptest as generators.
//!
//! A strategy makes a tree from random numbers, and the tree simplifies its value in steps that
//! only the strategy knows. Here the random numbers come from one choice, a seed, and the steps are
//! a [trail](Source::trail). So a value shrinks as in proptest, and a tape still describes it.
//!
//! The random numbers could be choices themselves. But a strategy may use thousands of them, and it is
//! unknown which of them belong to one part of the value.

use std::fmt;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, Reason, RngAlgorithm, TestRng, TestRunner};
use rebut_choice::{Label, Source};

use super::SIMPLIFICATIONS_MAX;
use crate::Generator;

/// Generates the values of a strategy of proptest. They shrink as in proptest.
///
/// Use it to keep strategies that you have, including those of `prop_compose!`, `prop_oneof!` and
/// `#[derive(Arbitrary)]`. For a type with proptest's `Arbitrary`, pass `any::<T>()`. Needs the
/// feature `proptest`.
///
/// # Examples
/// ```test_harness
/// use proptest::prelude::{Strategy, any};
/// use rebut::strategies;
///
/// fn even_numbers() -> impl Strategy<Value = u32> {
///     any::<u32>().prop_map(|number| number & !1)
/// }
///
/// #[rebut::test]
/// fn half_of_an_even_number_is_exact(#[from(strategies(even_numbers()))] number: u32) {
///     assert_eq!(number / 2 * 2, number);
/// }
/// ```
#[must_use]
pub fn strategies<S: Strategy>(strategy: S) -> Strategies<S> {
    Strategies { strategy, config: Config::default() }.config(Config::default())
}

/// `prop_flat_map` generates its second value again up to `cases` times when it shrinks the first
/// one. This is the default of proptest. Here, each time also repeats all earlier ones.
const REGENERATIONS_MAX: u32 = 256;

/// The generator that [`strategies`] returns.
///
/// # Examples
/// ```
/// use proptest::collection::vec;
/// use rebut::generators::Strategies;
/// use rebut::{Generator, find, strategies};
///
/// let lists: Strategies<_> = strategies(vec(0..1000u32, 0..20));
/// let sums = lists.map(|list| list.iter().sum::<u32>());
/// assert_eq!(find(sums, |&sum| sum >= 300), Some(300));
/// ```
pub struct Strategies<S> {
    strategy: S,
    config: Config,
}

impl<S: Strategy> Strategies<S> {
    /// Sets the configuration of proptest. Strategies use `max_local_rejects` and
    /// `max_flat_map_regens` of it.
    ///
    /// # Examples
    /// ```
    /// use proptest::prelude::{ProptestConfig, Strategy, any};
    /// use rebut::{simplest, strategies};
    ///
    /// let config = ProptestConfig { max_local_rejects: 10, ..ProptestConfig::default() };
    /// let odd = strategies(any::<u8>().prop_filter("odd", |n| n % 2 == 1)).config(config);
    /// assert_eq!(simplest(&odd), 1);
    /// ```
    #[must_use]
    pub fn config(mut self, config: Config) -> Self {
        let cases = config.cases.min(REGENERATIONS_MAX);
        self.config = Config { failure_persistence: None, cases, ..config };
        self
    }

    fn tree(&self, seed: u64) -> Result<S::Tree, Reason> {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
        self.strategy.new_tree(&mut TestRunner::new_with_rng(self.config.clone(), rng))
    }

    /// Returns a tree with a simple value: of some trees that cannot be simplified further, the one
    /// whose value prints with the fewest characters. Filters stop some trees at a large value.
    fn simplest_tree(&self) -> Result<S::Tree, Reason> {
        let mut best: Option<(usize, S::Tree)> = None;
        for nth in 0..SIMPLEST_OF {
            // No other seed is as large.
            let mut tree = match (self.tree(u64::MAX - nth), best.is_some()) {
                (Ok(tree), _) => tree,
                (Err(_), true) => continue,
                (Err(reason), false) => return Err(reason),
            };
            let mut left = SIMPLIFICATIONS_MAX;
            while left > 0 && tree.simplify() {
                left -= 1;
            }
            let size = printed_size(&tree.current());
            if best.as_ref().is_none_or(|(best, _)| size < *best) {
                best = Some((size, tree));
            }
        }
        best.map(|(_, tree)| tree).ok_or_else(|| "no value".into())
    }
}

/// The number of trees from which the simplest value is taken. Arbitrary: one is enough without
/// filters.
const SIMPLEST_OF: u64 = 8;

/// Returns the length of the `Debug` output. It does not depend on the order of a hash map.
fn printed_size(value: &impl fmt::Debug) -> usize {
    struct Length(usize);
    impl fmt::Write for Length {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0 += text.len();
            Ok(())
        }
    }
    let mut length = Length(0);
    // Counting cannot fail.
    let _ = fmt::write(&mut length, format_args!("{value:?}"));
    length.0
}

impl<S: Strategy> Generator for Strategies<S> {
    type Value = S::Value;

    fn draw(&self, source: &mut Source) -> S::Value {
        source.open(Label::group(std::any::type_name::<S::Value>()));
        let seed = source.seed();
        let tree = |source: &mut Source| {
            let tree = if seed == 0 { self.simplest_tree() } else { self.tree(seed) };
            tree.unwrap_or_else(|reason| source.reject(reason.message().to_owned()))
        };
        let mut value = tree(source);
        let mut taken = Vec::new();
        let is_followed = source.trail(&mut |turns| {
            let is_taken = take(&mut value, turns);
            taken.extend(is_taken.then_some(turns));
            is_taken
        });
        source.close();
        if !is_followed {
            // The tree has no way back from a step that it could not take.
            value = tree(source);
            for turns in taken {
                take(&mut value, turns);
            }
        }
        value.current()
    }
}

/// Simplifies the value once, and takes back a part of that as often as requested. Returns whether
/// the tree could do all of it.
fn take(tree: &mut impl ValueTree, turns: usize) -> bool {
    tree.simplify() && (0..turns).all(|_| tree.complicate())
}

impl<S> fmt::Debug for Strategies<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("strategies(..)")
    }
}

/// The items that the expansion of `rebut::proptest!` names.
pub mod expansion {
    pub use proptest::arbitrary::any;
    use proptest::strategy::Strategy;
    use proptest::test_runner::RngSeed;
    pub use proptest::test_runner::{Config, TestCaseError, TestCaseResult, contextualize_config};
    use rebut_choice::Stop;

    use super::Strategies;

    /// Returns the generator of a parameter.
    #[must_use]
    pub fn strategies<S: Strategy>(strategy: S, config: Config) -> Strategies<S> {
        super::strategies(strategy).config(config)
    }

    /// Returns the failure of a property, if any. Ends a rejected case.
    #[must_use]
    pub fn outcome(result: TestCaseResult) -> Option<String> {
        match result {
            Ok(()) => None,
            Err(TestCaseError::Fail(reason)) => Some(reason.message().to_owned()),
            Err(TestCaseError::Reject(reason)) => {
                Stop::Rejected(reason.message().to_owned().into()).raise()
            }
        }
    }

    /// The parts of a configuration that Rebut has too, if they differ from the default of proptest.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Limits {
        /// The number of cases.
        pub cases: Option<u64>,
        /// The maximum number of executions to shrink one failure.
        pub shrink_max: Option<u64>,
        /// The time limit of a case, in milliseconds.
        pub deadline_ms: Option<u64>,
        /// The seed.
        pub seed: Option<u64>,
        /// Whether failures are saved.
        pub is_kept: bool,
    }

    /// Returns what a configuration and the environment variables of proptest set.
    #[must_use]
    pub fn limits(config: Config) -> Limits {
        /// The number of cases that proptest runs by default. It is unknown whether a user wrote
        /// it.
        const CASES: u32 = 256;
        let config = contextualize_config(config);
        let set = |number: u32, default: u32| (number != default).then_some(u64::from(number));
        Limits {
            cases: set(config.cases, CASES),
            shrink_max: set(config.max_shrink_iters, u32::MAX),
            deadline_ms: set(config.timeout(), 0),
            seed: match config.rng_seed {
                RngSeed::Fixed(seed) => Some(seed),
                RngSeed::Random => None,
            },
            is_kept: config.failure_persistence.is_some(),
        }
    }
}
