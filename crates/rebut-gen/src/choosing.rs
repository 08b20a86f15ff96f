//! Choosing one of several generators or values, and generating a constant.

use std::fmt;

use rebut_choice::{Label, Source};

use crate::integers::MEMBERS_MAX;
use crate::misuse::misuse;
use crate::{AsGenerator, Boxed, Generator};

/// Picks one of several generators. Shrinks to the first.
///
/// The generators must have the same type. For different types, box them with
/// [`Generator::boxed`], or use the macro [`one_of!`](crate::one_of!), which also takes weights.
///
/// # Examples
/// ```
/// use rebut::{one_of, sample, simplest};
///
/// let ports = one_of([80..=80, 8000..=8999]);
/// let port = sample(&ports, 1);
/// assert!(port == 80 || (8000..9000).contains(&port));
/// assert_eq!(simplest(&ports), 80);
/// ```
#[must_use]
pub fn one_of<G: AsGenerator>(alternatives: impl IntoIterator<Item = G>) -> OneOf<G> {
    OneOf { alternatives: alternatives.into_iter().collect(), weights: Vec::new() }
}

/// Picks one of several generators, which may have different types. Shrinks to the first.
///
/// `one_of![a, 3 => b]` picks `b` three times as often as `a` in random runs.
///
/// # Examples
/// ```
/// use rebut::{just, one_of, simplest, strings};
///
/// let texts = one_of![just("none".to_string()), 4 => strings().min_size(1)];
/// assert_eq!(simplest(&texts), "none");
/// assert_eq!(rebut::find(texts, |text| text != "none"), Some("a".to_string()));
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

/// The generator that [`one_of`](fn@one_of) returns.
///
/// # Examples
/// ```
/// use rebut::generators::{Boxed, OneOf};
/// use rebut::{Generator, just, simplest};
///
/// let words: OneOf<Boxed<'_, &str>> = ["no", "yes"].map(|word| just(word).boxed()).into_iter().collect();
/// assert_eq!(simplest(&words), "no");
/// ```
#[derive(Clone, Debug)]
pub struct OneOf<G> {
    alternatives: Vec<G>,
    weights: Vec<u32>,
}

impl<G> OneOf<G> {
    /// Sets how often each alternative is picked, relative to the others.
    ///
    /// Weights are a hint to random runs. Give one for each alternative, at least one above zero.
    ///
    /// # Examples
    /// ```
    /// use rebut::{just, one_of, sample};
    ///
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

/// Picks one of the given values. Shrinks to the first.
///
/// # Examples
/// ```
/// use rebut::{find, sampled_from, simplest};
///
/// let methods = sampled_from(["GET", "PUT", "POST"]);
/// assert_eq!(simplest(&methods), "GET");
/// assert_eq!(find(methods, |method| method.len() > 3), Some("POST"));
/// ```
#[must_use]
pub fn sampled_from<T: Clone>(values: impl IntoIterator<Item = T>) -> SampledFrom<T> {
    SampledFrom { values: values.into_iter().collect() }
}

/// The generator that [`sampled_from`] returns.
///
/// # Examples
/// ```
/// use rebut::generators::SampledFrom;
/// use rebut::{sampled_from, simplest};
///
/// let primes: SampledFrom<u8> = sampled_from([2, 3, 5, 7]);
/// assert_eq!(simplest(&primes), 2);
/// ```
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

/// Picks one of the values in a slice, which it borrows. Shrinks to the first.
///
/// Use it for large tables of constants. [`sampled_from`] collects its values first.
///
/// # Examples
/// ```
/// use rebut::{sampled_from_slice, sample, simplest};
///
/// const PRIMES: [u32; 5] = [2, 3, 5, 7, 11];
/// assert!(PRIMES.contains(&sample(&sampled_from_slice(&PRIMES), 1)));
/// assert_eq!(simplest(&sampled_from_slice(&PRIMES)), 2);
/// ```
#[must_use]
pub fn sampled_from_slice<T: Clone>(values: &[T]) -> SampledFromSlice<'_, T> {
    SampledFromSlice { values }
}

/// The generator that [`sampled_from_slice`] returns.
///
/// # Examples
/// ```
/// use rebut::generators::SampledFromSlice;
/// use rebut::{sampled_from_slice, simplest};
///
/// static PRIMES: [u32; 3] = [2, 3, 5];
///
/// fn primes() -> SampledFromSlice<'static, u32> {
///     sampled_from_slice(&PRIMES)
/// }
/// assert_eq!(simplest(&primes()), 2);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SampledFromSlice<'a, T> {
    values: &'a [T],
}

impl<T: Clone> Generator for SampledFromSlice<'_, T> {
    type Value = T;

    fn draw(&self, source: &mut Source) -> T {
        draw_one(source, "sampled_from_slice()", self.values)
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

/// Always generates the given value.
///
/// # Examples
/// ```
/// use rebut::{just, sample};
///
/// assert_eq!(sample(&just(42), 1), 42);
/// ```
#[must_use]
pub fn just<T: Clone>(value: T) -> Just<T> {
    Just { value }
}

/// The generator that [`just`] returns.
///
/// # Examples
/// ```
/// use rebut::generators::Just;
/// use rebut::{just, one_of, simplest};
///
/// let limits: [Just<u64>; 2] = [just(0), just(u64::MAX)];
/// assert_eq!(simplest(&one_of(limits)), 0);
/// ```
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
    fn samples_are_indices_of_the_list() {
        assert_eq!(exhausted(&sampled_from(["x", "y"])), ["x", "y"]);
        assert_eq!(exhausted(&sampled_from_slice(&[3, 1, 2])), [3, 1, 2]);
        assert_eq!(sampled_from(0..5000).members(), None);
        assert_eq!(exhausted(&vecs(just('x')).max_size(2)).len(), 3);
    }

    #[test]
    fn lists_without_anything_to_choose_are_refused() {
        assert!(misuse_of(&sampled_from(Vec::<u8>::new())).contains("empty list"));
        assert!(misuse_of(&sampled_from_slice::<u8>(&[])).contains("`sampled_from_slice()`"));
        assert!(misuse_of(&one_of(Vec::<Just<u8>>::new())).contains("empty list"));
        let weights = misuse_of(&one_of([integers::<u8>()]).weights([0]));
        assert!(weights.contains("[0]"), "{weights}");
        assert!(misuse_of(&one_of([integers::<u8>()]).weights([1, 2])).contains("each of 1"));
    }
}
