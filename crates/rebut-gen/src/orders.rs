//! Given values in another order, or some of them.

use rebut_choice::{Domain, Label, Request, Role, Source};

use crate::Generator;
use crate::size::Sizes;

/// The given values in any order; the given order is the simplest.
///
/// # Examples
/// ```
/// use rebut::{permutations, sample, simplest};
/// let mut drawn = sample(&permutations([1, 2, 3]), 1);
/// drawn.sort();
/// assert_eq!(drawn, [1, 2, 3]);
/// assert_eq!(simplest(&permutations(["b", "a"])), ["b", "a"]);
/// ```
#[must_use]
pub fn permutations<T: Clone>(values: impl IntoIterator<Item = T>) -> Permutations<T> {
    Permutations { values: values.into_iter().collect() }
}

/// See [`permutations`].
#[derive(Clone, Debug)]
pub struct Permutations<T> {
    values: Vec<T>,
}

const PERMUTATION: Label = Label::group("permutation");

/// Each place takes one of the values that are left (Fisher and Yates 1938).
impl<T: Clone> Generator for Permutations<T> {
    type Value = Vec<T>;

    fn draw(&self, source: &mut Source) -> Vec<T> {
        let mut values = self.values.clone();
        source.span(PERMUTATION, |source| {
            for place in 0..values.len().saturating_sub(1) {
                let other = place + source.index(values.len() - place);
                values[place..=other].rotate_right(1);
            }
        });
        values
    }
}

/// Some of the given values in the given order; none is the simplest.
///
/// # Examples
/// ```
/// use rebut::{sample, subsequences};
/// let drawn = sample(&subsequences(1..=9).min_size(2), 1);
/// assert!(drawn.len() >= 2 && drawn.is_sorted());
/// ```
#[must_use]
pub fn subsequences<T: Clone>(values: impl IntoIterator<Item = T>) -> Subsequences<T> {
    Subsequences { values: values.into_iter().collect(), sizes: Sizes::default() }
}

/// See [`subsequences`].
#[derive(Clone, Debug)]
pub struct Subsequences<T> {
    values: Vec<T>,
    sizes: Sizes,
}

crate::size::sized!(Subsequences<T>);

impl<T: Clone> Generator for Subsequences<T> {
    type Value = Vec<T>;

    /// A length, then for each place how far to go on: so every subsequence has one tape.
    fn draw(&self, source: &mut Source) -> Vec<T> {
        let count = self.values.len();
        let (min, max) = self.sizes.bounds_within("subsequences()", count);
        source.span(Label::SEQUENCE, |source| {
            let length = source.length(min, max);
            let mut next = 0;
            (0..length)
                .map(|taken| {
                    let last = count - (length - taken);
                    let range = Domain::integers(next as i128, last as i128);
                    let place = source.choose(&Request::plain(range.with_role(Role::Index)));
                    next = place as usize + 1;
                    self.values[place as usize].clone()
                })
                .collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{exhausted, misuse_of, replays};

    #[test]
    fn every_order_is_drawn_once_and_the_given_one_first() {
        let all = exhausted(&permutations([1, 2, 3]));
        assert_eq!(all.len(), 6);
        assert_eq!(all[0], [1, 2, 3]);
        assert!((1..6).all(|n| !all[..n].contains(&all[n])));
        assert_eq!(exhausted(&permutations(Vec::<u8>::new())), [[0u8; 0]]);
        replays(&permutations(0..20));
    }

    #[test]
    fn every_subsequence_is_drawn_once() {
        let all = exhausted(&subsequences([1, 2, 3]));
        assert_eq!(all.len(), 8);
        assert!(all.iter().all(|list| list.is_sorted()));
        assert_eq!(exhausted(&subsequences([1, 2, 3]).size(2)), [[1, 2], [1, 3], [2, 3]]);
        replays(&subsequences(0..20));
    }

    #[test]
    fn more_than_there_are_is_refused() {
        assert!(misuse_of(&subsequences([1, 2]).min_size(3)).contains("maximum is 2"));
    }
}
