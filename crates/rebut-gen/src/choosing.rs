//! One of several: alternatives, samples, a value that is always the same.

use std::fmt;

use rebut_choice::{Label, Source};

use crate::integers::MEMBERS_MAX;
use crate::misuse::misuse;
use crate::{AsGenerator, Boxed, Generator};

/// What one of several generators draws. The first is the simplest.
///
/// Generators of different types are boxed first; the macro of the same name,
/// `one_of![a, b, 3 => c]`, does it, and takes weights.
///
/// # Example
/// ```
/// use rebut_gen::{integers, one_of, sample};
/// let ports = one_of([integers::<u16>().in_range(80..=80), integers().in_range(8000..=8999)]);
/// let port = sample(&ports, 1);
/// assert!(port == 80 || (8000..9000).contains(&port));
///
/// let ports = one_of![integers::<u16>().in_range(8000..=8999), 5 => rebut_gen::just(80)];
/// let port = sample(&ports, 1);
/// assert!(port == 80 || (8000..9000).contains(&port));
/// ```
#[must_use]
pub fn one_of<G: AsGenerator>(alternatives: impl IntoIterator<Item = G>) -> OneOf<G> {
    OneOf { alternatives: alternatives.into_iter().collect(), weights: Vec::new() }
}

/// What one of several generators draws, with weights where wanted: `one_of![a, 3 => b]`
/// takes `b` three times as often as `a` in random runs. The first is the simplest.
///
/// # Example
/// ```
/// use rebut_gen::{any, just, one_of, sample, strings};
/// let texts = one_of![just(String::new()), 4 => strings().min_size(1)];
/// let _: String = sample(&texts, 1);
/// ```
#[macro_export]
macro_rules! one_of {
    ($($first:expr $(=> $second:expr)?),+ $(,)?) => {
        $crate::one_of([$($crate::one_of!(@generator $first $(=> $second)?)),+])
            .weights([$($crate::one_of!(@weight $first $(=> $second)?)),+])
    };
    (@generator $generator:expr) => { $crate::Boxed::new($generator) };
    (@generator $weight:expr => $generator:expr) => { $crate::Boxed::new($generator) };
    (@weight $generator:expr) => { 1 };
    (@weight $weight:expr => $generator:expr) => { $weight };
}

/// See [`one_of`](fn@one_of).
#[derive(Clone, Debug)]
pub struct OneOf<G> {
    alternatives: Vec<G>,
    weights: Vec<u32>,
}

impl<G> OneOf<G> {
    /// How often each alternative is taken, relative to the others: a hint to random runs.
    ///
    /// # Example
    /// ```
    /// use rebut_gen::{just, one_of, sample};
    /// let mostly = one_of([just('a'), just('b')]).weights([1, 9]);
    /// assert!((0..100).filter(|&seed| sample(&mostly, seed) == 'b').count() > 60);
    /// ```
    #[must_use]
    pub fn weights(mut self, weights: impl IntoIterator<Item = u32>) -> Self {
        self.weights = weights.into_iter().collect();
        if self.weights.iter().all(|&weight| weight == 1) && self.fits() {
            self.weights.clear();
        }
        self
    }

    fn fits(&self) -> bool {
        self.weights.len() == self.alternatives.len()
    }

    fn check(&self) {
        if self.alternatives.is_empty() {
            misuse("one_of()", &"an empty list", "a list of one or more generators");
        }
        let weighted = !self.weights.is_empty();
        if weighted && (!self.fits() || self.weights.iter().all(|&weight| weight == 0)) {
            let count = self.alternatives.len();
            let accepted = format!("a weight for each of {count}, of which one is above zero");
            misuse("one_of().weights", &self.weights, &accepted);
        }
    }
}

const ONE_OF: Label = Label::group("one_of");

impl<G: AsGenerator> Generator for OneOf<G> {
    type Value = G::Value;

    fn draw(&self, source: &mut Source) -> G::Value {
        self.check();
        let count = self.alternatives.len();
        source.span(ONE_OF, |source| {
            let index = source.alternative(count, &self.weights, count);
            source.span(Label::ALTERNATIVE, |source| self.alternatives[index].draw_value(source))
        })
    }

    fn members(&self) -> Option<Vec<G::Value>> {
        let mut all = Vec::new();
        for alternative in &self.alternatives {
            all.extend(alternative.known_members()?);
            if all.len() as u128 > MEMBERS_MAX {
                return None;
            }
        }
        Some(all)
    }
}

impl<'a, T: 'a> FromIterator<Boxed<'a, T>> for OneOf<Boxed<'a, T>> {
    fn from_iter<I: IntoIterator<Item = Boxed<'a, T>>>(alternatives: I) -> Self {
        one_of(alternatives)
    }
}

/// One of the given values. The first is the simplest.
///
/// # Example
/// ```
/// use rebut_gen::{sample, sampled_from};
/// let methods = sampled_from(["GET", "PUT", "POST"]);
/// assert!(["GET", "PUT", "POST"].contains(&sample(&methods, 1)));
/// ```
#[must_use]
pub fn sampled_from<T: Clone>(values: impl IntoIterator<Item = T>) -> SampledFrom<T> {
    SampledFrom { values: values.into_iter().collect() }
}

/// See [`sampled_from`].
#[derive(Clone, Debug)]
pub struct SampledFrom<T> {
    values: Vec<T>,
}

impl<T: Clone> Generator for SampledFrom<T> {
    type Value = T;

    fn draw(&self, source: &mut Source) -> T {
        draw_one(source, "sampled_from()", &self.values)
    }

    fn members(&self) -> Option<Vec<T>> {
        (self.values.len() as u128 <= MEMBERS_MAX).then(|| self.values.clone())
    }

    fn member(&self, index: usize) -> Option<T> {
        self.values.get(index).cloned()
    }

    fn is_single(&self) -> bool {
        true
    }
}

/// One of the values in a slice, which stays where it is: for tables of constants.
///
/// # Example
/// ```
/// use rebut_gen::{constants, sample, simplest};
/// const PRIMES: [u32; 5] = [2, 3, 5, 7, 11];
/// assert!(PRIMES.contains(&sample(&constants(&PRIMES), 1)));
/// assert_eq!(simplest(&constants(&PRIMES)), 2);
/// ```
#[must_use]
pub fn constants<T: Clone>(values: &[T]) -> Constants<'_, T> {
    Constants { values }
}

/// See [`constants`].
#[derive(Clone, Copy, Debug)]
pub struct Constants<'a, T> {
    values: &'a [T],
}

impl<T: Clone> Generator for Constants<'_, T> {
    type Value = T;

    fn draw(&self, source: &mut Source) -> T {
        draw_one(source, "constants()", self.values)
    }

    fn members(&self) -> Option<Vec<T>> {
        (self.values.len() as u128 <= MEMBERS_MAX).then(|| self.values.to_vec())
    }

    fn member(&self, index: usize) -> Option<T> {
        self.values.get(index).cloned()
    }

    fn is_single(&self) -> bool {
        true
    }
}

fn draw_one<T: Clone>(source: &mut Source, argument: &str, values: &[T]) -> T {
    if values.is_empty() {
        misuse(argument, &"an empty list", "a list of one or more values");
    }
    values[source.index(values.len())].clone()
}

/// Always the same value, without any choice.
///
/// # Example
/// ```
/// use rebut_gen::{just, sample};
/// assert_eq!(sample(&just(42), 1), 42);
/// ```
#[must_use]
pub fn just<T: Clone>(value: T) -> Just<T> {
    Just { value }
}

/// See [`just`].
#[derive(Clone, Copy)]
pub struct Just<T> {
    value: T,
}

impl<T: Clone> Generator for Just<T> {
    type Value = T;

    fn draw(&self, _source: &mut Source) -> T {
        self.value.clone()
    }

    fn members(&self) -> Option<Vec<T>> {
        Some(vec![self.value.clone()])
    }
}

impl<T> fmt::Debug for Just<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("just(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{drawn, exhausted, misuse_of, replays};
    use crate::{any, integers, strings, vecs};

    #[test]
    fn every_alternative_is_drawn() {
        let either = one_of![just(-1i64), any::<u8>().map(i64::from), 2 => just(1000)];
        let values = drawn(&either, 200);
        assert!(values.contains(&-1) && values.contains(&1000));
        assert!(values.iter().any(|n| (0..256).contains(n)));
        assert_eq!(either.members().map(|all| all.len()), Some(258));
        replays(&one_of![strings(), vecs(any::<char>()).map(|c| c.into_iter().collect())]);
    }

    #[test]
    fn samples_are_places_in_the_list() {
        assert_eq!(exhausted(&sampled_from(["x", "y"])), ["x", "y"]);
        assert_eq!(exhausted(&constants(&[3, 1, 2])), [3, 1, 2]);
        assert_eq!(sampled_from(0..5000).members(), None);
        assert_eq!(exhausted(&vecs(just('x')).max_size(2)).len(), 3);
    }

    #[test]
    fn lists_without_anything_to_choose_are_refused() {
        assert!(misuse_of(&sampled_from(Vec::<u8>::new())).contains("empty list"));
        assert!(misuse_of(&constants::<u8>(&[])).contains("`constants()`"));
        assert!(misuse_of(&one_of(Vec::<Just<u8>>::new())).contains("empty list"));
        let weights = misuse_of(&one_of([integers::<u8>()]).weights([0]));
        assert!(weights.contains("[0]"), "{weights}");
        assert!(misuse_of(&one_of([integers::<u8>()]).weights([1, 2])).contains("each of 1"));
    }
}
