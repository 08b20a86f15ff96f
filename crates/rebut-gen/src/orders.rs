//! Permutations and subsequences of given values.

use rebut_choice::{Domain, Label, Request, Role, Source};

use crate::Generator;
use crate::size::Sizes;

/// Generates the given values in any order. Shrinks to the given order.
///
/// # Examples
/// ```
/// use rebut::{find, permutations, simplest};
///
/// let orders = permutations([1, 2, 3]);
/// assert_eq!(simplest(&orders), [1, 2, 3]);
/// assert_eq!(find(orders, |order| order[0] == 3), Some(vec![3, 1, 2]));
/// ```
#[must_use]
pub fn permutations<T: Clone>(values: impl IntoIterator<Item = T>) -> Permutations<T> {
    Permutations { values: values.into_iter().collect() }
}

/// The generator that [`permutations`] returns.
///
/// # Examples
/// ```
/// use rebut::generators::Permutations;
/// use rebut::{permutations, simplest};
///
/// let orders: Permutations<char> = permutations("abc".chars());
/// assert_eq!(simplest(&orders), ['a', 'b', 'c']);
/// ```
#[derive(Clone, Debug)]
pub struct Permutations<T> {
    values: Vec<T>,
}

const PERMUTATION: Label = Label::group("permutation");

/// Each position takes one of the remaining values (Fisher and Yates 1938).
impl<T: Clone> Generator for Permutations<T> {
    type Value = Vec<T>;

    fn draw(&self, source: &mut Source) -> Vec<T> {
        let mut values = self.values.clone();
        source.span(PERMUTATION, |source| {
            for index in 0..values.len().saturating_sub(1) {
                let other = index + source.index(values.len() - index);
                values[index..=other].rotate_right(1);
            }
        });
        values
    }
}

/// Generates some of the given values, in the given order. Shrinks to the first ones, and to none.
///
/// # Examples
/// ```
/// use rebut::{find, simplest, subsequences};
///
/// let some = subsequences(1..=9).min_size(2);
/// assert_eq!(simplest(&some), [1, 2]);
/// assert_eq!(find(some, |list| list[0] == 4), Some(vec![4, 5]));
/// ```
#[must_use]
pub fn subsequences<T: Clone>(values: impl IntoIterator<Item = T>) -> Subsequences<T> {
    Subsequences { values: values.into_iter().collect(), sizes: Sizes::default() }
}

/// The generator that [`subsequences`] returns.
///
/// # Examples
/// ```
/// use rebut::generators::Subsequences;
/// use rebut::{simplest, subsequences};
///
/// let options: Subsequences<&str> = subsequences(["-q", "-v"]);
/// assert!(simplest(&options).is_empty());
/// ```
#[derive(Clone, Debug)]
pub struct Subsequences<T> {
    values: Vec<T>,
    sizes: Sizes,
}

crate::size::sized!(Subsequences<T>);

impl<T: Clone> Generator for Subsequences<T> {
    type Value = Vec<T>;

    fn draw(&self, source: &mut Source) -> Vec<T> {
        let sizes = self.sizes.bounds_within("subsequences()", self.values.len());
        let mut taken = Vec::new();
        draw_subsequence(source, sizes, self.values.len(), |index| {
            taken.push(self.values[index].clone());
        });
        taken
    }
}

/// Draws a length, then the position of each element among those that leave enough for the rest.
/// So every subsequence has exactly one tape.
pub(crate) fn draw_subsequence(
    source: &mut Source,
    (min, max): (usize, usize),
    count: usize,
    mut take: impl FnMut(usize),
) {
    source.span(Label::SEQUENCE, |source| {
        let length = source.length(min, max);
        let mut next = 0;
        for taken in 0..length {
            let last = count - (length - taken);
            let range = Domain::integers(next as i128, last as i128);
            let index = source.choose(&Request::plain(range.with_role(Role::Index))) as usize;
            next = index + 1;
            take(index);
        }
    });
}

/// Returns all subsequences of `count` values, as bit masks, the shortest first. Returns `None` if
/// there are many.
#[cfg(any(feature = "bitflags", feature = "enumset"))]
pub(crate) fn all_subsequences(count: usize) -> Option<Vec<usize>> {
    if count > crate::integers::MEMBERS_MAX.ilog2() as usize {
        return None;
    }
    let mut masks: Vec<usize> = (0..1 << count).collect();
    masks.sort_by_key(|mask| mask.count_ones());
    Some(masks)
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
    fn sizes_above_the_number_of_values_are_refused() {
        assert!(misuse_of(&subsequences([1, 2]).min_size(3)).contains("maximum is 2"));
    }
}
