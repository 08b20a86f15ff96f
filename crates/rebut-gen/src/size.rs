//! How many elements a collection may have.

use crate::misuse::crossed;

/// The largest size of a collection whose `max_size` is not given, counted from its
/// `min_size`. It bounds what is allowed and not what is usual: drivers draw far smaller
/// ones.
pub const SIZE_MAX: usize = 10_000;

/// No collection reserves room for more elements than this before it has drawn them. Where it
/// is explored none does: how much is reserved must not depend on a choice.
pub(crate) const CAPACITY_MAX: usize =
    if cfg!(all(target_family = "wasm", target_os = "unknown")) { 0 } else { 1024 };

/// The bounds a builder was given.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sizes {
    pub(crate) min: usize,
    pub(crate) max: Option<usize>,
}

impl Sizes {
    /// Both bounds; raises a misuse if they cross.
    #[inline]
    pub(crate) fn bounds(self, builder: &str) -> (usize, usize) {
        let max = self.max.unwrap_or_else(|| self.min.saturating_add(SIZE_MAX));
        if self.min > max {
            crossed(builder, &self.min, &max);
        }
        (self.min, max)
    }

    /// Both bounds where there are only `available` different elements.
    pub(crate) fn bounds_within(self, builder: &str, available: usize) -> (usize, usize) {
        let (min, max) = self.bounds(builder);
        let max = max.min(available);
        if min > max {
            crossed(builder, &min, &max);
        }
        (min, max)
    }
}

/// The methods of every builder with a field `sizes`.
macro_rules! sized {
    ($name:ident $(<$($parameter:ident),*>)?) => {
        impl$(<$($parameter),*>)? $name$(<$($parameter),*>)? {
            /// At least so many elements.
            #[must_use]
            pub fn min_size(mut self, min_size: usize) -> Self {
                self.sizes.min = min_size;
                self
            }

            /// At most so many elements.
            #[must_use]
            pub fn max_size(mut self, max_size: usize) -> Self {
                self.sizes.max = Some(max_size);
                self
            }

            /// Exactly so many elements.
            #[must_use]
            pub fn size(self, size: usize) -> Self {
                self.min_size(size).max_size(size)
            }
        }
    };
}
pub(crate) use sized;
