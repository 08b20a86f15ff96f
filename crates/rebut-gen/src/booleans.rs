//! Booleans.

use rebut_choice::Source;

use crate::{Generate, Generator};

/// Generates booleans. Shrinks to `false`.
///
/// # Examples
/// ```
/// use rebut::{booleans, simplest};
///
/// assert_eq!(simplest(&booleans()), false);
/// ```
#[must_use]
pub fn booleans() -> Booleans {
    Booleans
}

/// The generator that [`booleans`] returns.
///
/// # Examples
/// ```
/// use rebut::generators::Booleans;
/// use rebut::{Generator, booleans};
///
/// let flags: Booleans = booleans();
/// assert_eq!(flags.members(), Some(vec![false, true]));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Booleans;

impl Generator for Booleans {
    type Value = bool;

    #[inline]
    fn draw(&self, source: &mut Source) -> bool {
        source.boolean()
    }

    fn members(&self) -> Option<Vec<bool>> {
        bool::members()
    }

    fn member(&self, index: usize) -> Option<bool> {
        bool::member(index)
    }

    fn is_single(&self) -> bool {
        true
    }
}

impl Generate for bool {
    #[inline]
    fn generate(source: &mut Source) -> bool {
        source.boolean()
    }

    #[inline]
    fn members() -> Option<Vec<bool>> {
        Some(vec![false, true])
    }

    #[inline]
    fn member(index: usize) -> Option<bool> {
        (index < 2).then_some(index == 1)
    }

    #[inline]
    fn is_single() -> bool {
        true
    }
}
