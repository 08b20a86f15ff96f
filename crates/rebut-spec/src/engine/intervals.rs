//! Sets of integers.
//!
//! Invariant: intervals are sorted, not empty, do not touch, and lie within `MIN..=MAX`.

use super::order::Permutation;

/// A set of integers. Each pair is the first and the last number of an interval.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Intervals(Vec<(i128, i128)>);

/// The least number of a set. A quarter of the range of `i128`, so that sums and differences of
/// two members cannot overflow. Larger bounds are cut.
const MIN: i128 = i128::MIN / 4;

/// The greatest number of a set.
const MAX: i128 = i128::MAX / 4;

impl Intervals {
    pub(crate) fn all() -> Self {
        Self(vec![(MIN, MAX)])
    }

    pub(crate) fn none() -> Self {
        Self(Vec::new())
    }

    /// The numbers from `min` to `max`, both included.
    pub(crate) fn between(min: i128, max: i128) -> Self {
        let (min, max) = (min.max(MIN), max.min(MAX));
        Self(if min <= max { vec![(min, max)] } else { Vec::new() })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn contains(&self, number: i128) -> bool {
        let at = self.0.partition_point(|(_, max)| *max < number);
        self.0.get(at).is_some_and(|(min, _)| *min <= number)
    }

    pub(crate) fn parts(&self) -> &[(i128, i128)] {
        &self.0
    }

    /// The number of members.
    pub(crate) fn size(&self) -> u128 {
        self.0.iter().map(|(min, max)| max.abs_diff(*min) + 1).sum()
    }

    /// Returns the member at an index, in ascending order.
    pub(crate) fn nth(&self, mut index: u128) -> Option<i128> {
        for (min, max) in &self.0 {
            let size = max.abs_diff(*min) + 1;
            if index < size {
                return Some(min + index as i128);
            }
            index -= size;
        }
        None
    }

    pub(crate) fn intersection(&self, other: &Self) -> Self {
        let mut parts = Vec::new();
        let (mut left, mut right) = (self.0.iter().peekable(), other.0.iter().peekable());
        while let (Some((a, b)), Some((c, d))) = (left.peek(), right.peek()) {
            let (min, max) = (*a.max(c), *b.min(d));
            if min <= max {
                parts.push((min, max));
            }
            if b < d {
                left.next();
            } else {
                right.next();
            }
        }
        Self(parts)
    }

    pub(crate) fn complement(&self) -> Self {
        let mut parts = Vec::new();
        let mut from = MIN;
        for (min, max) in &self.0 {
            if from < *min {
                parts.push((from, min - 1));
            }
            from = max + 1;
        }
        if from <= MAX {
            parts.push((from, MAX));
        }
        Self(parts)
    }

    pub(crate) fn union(&self, other: &Self) -> Self {
        self.complement().intersection(&other.complement()).complement()
    }

    /// Lists all members, each once: zero and its neighbors, a few round numbers and the bounds
    /// first, then numbers spread over the whole set.
    pub(crate) fn spread(&self, seed: u64) -> impl Iterator<Item = i128> + use<> {
        let first = self.interesting();
        let size = self.size();
        let set = self.clone();
        let skip = first.clone();
        let rest = Permutation::new(size, seed).filter_map(move |index| set.nth(index));
        first.into_iter().chain(rest.filter(move |number| !skip.contains(number)))
    }

    /// The members that often matter: small numbers, powers of ten and the bounds.
    fn interesting(&self) -> Vec<i128> {
        let mut interesting: Vec<i128> = Vec::new();
        let ends =
            self.0.first().into_iter().chain(self.0.last()).flat_map(|(min, max)| [*min, *max]);
        let few = [0, 1, -1, 2, 10, 100, -100];
        for number in few.into_iter().chain(ends) {
            if self.contains(number) && !interesting.contains(&number) {
                interesting.push(number);
            }
        }
        interesting
    }

    /// Returns the least member that is at least `number`.
    pub(crate) fn next_from(&self, number: i128) -> Option<i128> {
        let at = self.0.partition_point(|(_, max)| *max < number);
        self.0.get(at).map(|(min, _)| *min.max(&number))
    }

    /// Returns a largest set of members, any two of which are at least `distance` apart.
    ///
    /// Always taking the least number that is far enough from the last one is optimal: any
    /// other choice is larger and leaves less room. The proof that `List` asks for: the ranges
    /// `taken..taken + distance` cover the set, and no two numbers of a range are far enough
    /// apart.
    pub(crate) fn steps(&self, distance: u128) -> Steps {
        let mut runs: Vec<(i128, u128)> = Vec::new();
        let mut from = MIN;
        for (min, max) in &self.0 {
            let start = from.max(*min);
            if start <= *max {
                let count = max.abs_diff(start) / distance.max(1) + 1;
                runs.push((start, count));
                let step = i128::try_from(distance.saturating_mul(count)).unwrap_or(MAX);
                from = start.saturating_add(step);
            }
        }
        Steps { runs, distance }
    }
}

/// Numbers at a distance from each other: runs of equal steps, each with its first number and
/// its length.
#[derive(Clone, Debug)]
pub(crate) struct Steps {
    runs: Vec<(i128, u128)>,
    distance: u128,
}

impl Steps {
    /// The number of members.
    pub(crate) fn count(&self) -> u128 {
        self.runs.iter().map(|(_, count)| count).sum()
    }

    fn nth(&self, mut index: u128) -> Option<i128> {
        for (start, count) in &self.runs {
            if index < *count {
                return start.checked_add(i128::try_from(index * self.distance).ok()?);
            }
            index -= count;
        }
        None
    }

    /// Lists all members, each once, spread out.
    pub(crate) fn spread(self, seed: u64) -> impl Iterator<Item = i128> {
        Permutation::new(self.count(), seed).filter_map(move |index| self.nth(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(parts: &[(i128, i128)]) -> Intervals {
        parts
            .iter()
            .fold(Intervals::none(), |set, (min, max)| set.union(&Intervals::between(*min, *max)))
    }

    #[test]
    fn set_operations_keep_intervals_normal() {
        let (a, b) = (set(&[(0, 9), (20, 29)]), set(&[(5, 24)]));
        assert_eq!(a.intersection(&b), set(&[(5, 9), (20, 24)]));
        assert_eq!(a.union(&b), set(&[(0, 29)]));
        assert_eq!(a.complement().complement(), a);
        assert!(a.intersection(&a.complement()).is_empty());
    }

    #[test]
    fn spread_lists_each_number_once() {
        let numbers = set(&[(-3, 3), (100, 104)]);
        let mut spread: Vec<i128> = numbers.spread(1).collect();
        assert_eq!(spread.len(), 12);
        spread.sort_unstable();
        spread.dedup();
        assert_eq!(spread.len(), 12);
    }

    #[test]
    fn steps_are_as_many_as_fit() {
        assert_eq!(set(&[(0, 120)]).steps(10).count(), 13);
        assert_eq!(set(&[(0, 5), (8, 9), (14, 20)]).steps(10).count(), 2);
        let mut steps: Vec<i128> = set(&[(0, 5), (8, 9), (14, 20)]).steps(6).spread(3).collect();
        steps.sort_unstable();
        assert_eq!(steps, [0, 8, 14, 20]);
    }
}
