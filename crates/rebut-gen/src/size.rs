//! The bounds on the sizes of collections.

use crate::misuse::crossed;

/// The default maximum size of a collection, counted from its `min_size`.
///
/// This is the limit, not the usual size: random runs generate far smaller collections.
///
/// # Examples
/// ```
/// use rebut::__private::SIZE_MAX;
/// use rebut::{sample, strings};
///
/// assert!(sample(&strings(), 1).chars().count() <= SIZE_MAX);
/// ```
pub const SIZE_MAX: usize = 10_000;

/// The maximum number of elements to reserve memory for before they are drawn. Under exploration
/// it is zero, because the reserved size must not depend on a choice.
pub(crate) const CAPACITY_MAX: usize =
    if cfg!(all(target_family = "wasm", target_os = "unknown")) { 0 } else { 1024 };

/// The bounds of a builder.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sizes {
    pub(crate) min: usize,
    pub(crate) max: Option<usize>,
}

impl Sizes {
    /// Returns both bounds. Ends the run if they are crossed.
    #[inline]
    pub(crate) fn bounds(self, builder: &str) -> (usize, usize) {
        let max = self.max.unwrap_or_else(|| self.min.saturating_add(SIZE_MAX));
        if self.min > max {
            crossed(builder, &self.min, &max);
        }
        (self.min, max)
    }

    /// Returns both bounds if there are only `available` distinct elements.
    pub(crate) fn bounds_within(self, builder: &str, available: usize) -> (usize, usize) {
        let (min, max) = self.bounds(builder);
        let max = max.min(available);
        if min > max {
            crossed(builder, &min, &max);
        }
        (min, max)
    }
}

/// Defines the methods of a builder with a field `sizes`.
macro_rules! sized {
    ($name:ident $(<$($parameter:ident),*>)?) => {
        impl$(<$($parameter),*>)? $name$(<$($parameter),*>)? {
            /// Sets the minimum size.
            ///
            /// # Examples
            /// ```
            /// use rebut::{simplest, strings, vecs};
            ///
            /// assert_eq!(simplest(&vecs(1..10).min_size(2)), [1, 1]);
            /// assert_eq!(simplest(&strings().min_size(2)), "aa");
            /// ```
            #[must_use]
            pub fn min_size(mut self, min_size: usize) -> Self {
                self.sizes.min = min_size;
                self
            }

            /// Sets the maximum size.
            ///
            /// # Examples
            /// ```
            /// use rebut::{sample, strings, vecs};
            ///
            /// assert!(sample(&vecs(1..10).max_size(3), 1).len() <= 3);
            /// assert!(sample(&strings().max_size(3), 1).chars().count() <= 3);
            /// ```
            #[must_use]
            pub fn max_size(mut self, max_size: usize) -> Self {
                self.sizes.max = Some(max_size);
                self
            }

            /// Sets the exact size.
            ///
            /// # Examples
            /// ```
            /// use rebut::{sample, strings, vecs};
            ///
            /// assert_eq!(sample(&vecs(1..10).size(3), 1).len(), 3);
            /// assert_eq!(sample(&strings().size(3), 1).chars().count(), 3);
            /// ```
            #[must_use]
            pub fn size(self, size: usize) -> Self {
                self.min_size(size).max_size(size)
            }
        }
    };
}
pub(crate) use sized;
