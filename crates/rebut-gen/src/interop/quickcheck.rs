//! Types with the `Arbitrary` of QuickCheck as generators.
//!
//! As for proptest, a seed is one choice, and the values that `shrink` returns are the steps of a
//! [trail](Source::trail).

use std::fmt;
use std::marker::PhantomData;

use quickcheck::{Arbitrary, Gen};
use rebut_choice::{Label, Source};

use super::SIMPLIFICATIONS_MAX;
use crate::Generator;

/// Generates values of a type that implements QuickCheck's `Arbitrary`. They shrink by its `shrink`.
///
/// Use it to keep implementations of `Arbitrary` that you have. Needs the feature `quickcheck`.
///
/// A saved failure replays only if `shrink` always returns the same values in the same order. That
/// of `HashMap` and `HashSet` does not.
///
/// # Examples
/// ```test_harness
/// use quickcheck::{Arbitrary, Gen};
/// use rebut::quickcheck_values;
///
/// #[derive(Clone, Debug)]
/// struct Even(u32);
///
/// impl Arbitrary for Even {
///     fn arbitrary(g: &mut Gen) -> Even {
///         Even(u32::arbitrary(g) & !1)
///     }
/// }
///
/// #[rebut::test]
/// fn half_of_an_even_number_is_exact(#[from(quickcheck_values())] number: Even) {
///     assert_eq!(number.0 / 2 * 2, number.0);
/// }
/// ```
#[must_use]
pub fn quickcheck_values<T: Arbitrary>() -> QuickcheckValues<T> {
    QuickcheckValues { size: SIZE, value: PhantomData }
}

/// The default size of QuickCheck (`Gen::DEFAULT_SIZE`).
const SIZE: usize = 100;

/// The generator that [`quickcheck_values`] returns.
///
/// # Examples
/// ```
/// use rebut::generators::QuickcheckValues;
/// use rebut::{find, quickcheck_values};
///
/// let lists: QuickcheckValues<Vec<u32>> = quickcheck_values();
/// assert_eq!(find(lists, |list| list.contains(&7) || list.len() > 2), Some(vec![0, 0, 0]));
/// ```
pub struct QuickcheckValues<T> {
    size: usize,
    value: PhantomData<fn() -> T>,
}

impl<T: Arbitrary> QuickcheckValues<T> {
    /// Sets the size that the implementation of `Arbitrary` gets from `Gen::size`, such as the
    /// maximum length of lists. The default is 100.
    ///
    /// # Examples
    /// ```
    /// use rebut::{quickcheck_values, sample};
    ///
    /// let short = quickcheck_values::<Vec<u8>>().size(3);
    /// assert!((0..50).all(|seed| sample(&short, seed).len() <= 3));
    /// ```
    #[must_use]
    pub fn size(mut self, size: usize) -> Self {
        self.size = size;
        self
    }
}

impl<T: Arbitrary> Generator for QuickcheckValues<T> {
    type Value = T;

    fn draw(&self, source: &mut Source) -> T {
        source.open(Label::group(std::any::type_name::<T>()));
        let seed = source.seed();
        let mut value = T::arbitrary(&mut Gen::from_size_and_seed(self.size, seed));
        let mut take = |nth: usize| {
            let simpler = value.shrink().nth(nth);
            let is_taken = simpler.is_some();
            value = simpler.unwrap_or_else(|| value.clone());
            is_taken
        };
        if seed == 0 {
            let mut left = SIMPLIFICATIONS_MAX;
            while left > 0 && take(0) {
                left -= 1;
            }
        }
        source.trail(&mut take);
        source.close();
        value
    }
}

impl<T> fmt::Debug for QuickcheckValues<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("quickcheck_values()")
    }
}
