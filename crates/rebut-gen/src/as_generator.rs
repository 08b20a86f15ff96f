//! Values that can be used as generators: ranges, arrays, regular expressions, tuples.
//!
//! The road not taken: `impl Generator for Range<T>`. A range is an iterator, so with
//! `Generator` in scope `(0..10).map(..)` would be ambiguous and no longer compile.
//! [`AsGenerator`] shares no method name with iterators.

use std::fmt::Debug;
use std::ops::{Bound, Range, RangeFrom, RangeInclusive, RangeTo, RangeToInclusive};

use rebut_choice::{Source, Stop};

use crate::{Chars, Floats, Generator, Integer, Integers, chars, sampled_from_slice};
use crate::{floats, integers};

/// Marks everything that can be used as a generator.
///
/// All functions and attributes that take a generator accept these:
///
/// | value | generates |
/// |---|---|
/// | a generator | its values |
/// | a range of numbers or characters: `1..10`, `0.0..=1.0`, `'a'..='z'`, `1..`, `..=9` | the values in the range |
/// | an array or slice: `["GET", "PUT"]` | one of its elements |
/// | a string: `"[a-z]+"` | strings that match this regular expression; needs the feature `regex` |
/// | a tuple of these: `(1..10, 'a'..='z')` | tuples of values |
///
/// A range shrinks to the value nearest to zero, an array to its first element. A range has the
/// methods of an iterator, not those of a generator. To map or filter it, write
/// `integers().in_range(1..10).map(..)`.
///
/// # Examples
/// ```
/// use rebut::{sample, simplest, vecs};
///
/// assert!((10..20).contains(&sample(&(10..20), 1)));
/// assert_eq!(simplest(&(-9..=-3)), -3);
/// assert_eq!(simplest(&vecs((["no", "yes"], 'x'..='z')).size(1)), [("no", 'x')]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a generator",
    label = "expected a generator, a range of numbers or characters such as `1..10`, or an array such as `[1, 2, 3]`",
    note = "for any value of a type write `rebut::any::<T>()`; for a single value `rebut::just(value)`; for a closure `rebut::from_fn(|source| ..)`",
    note = "to map or filter a range, start with a generator: `rebut::integers().in_range(1..10).map(..)`",
    note = "a string is a regular expression if `rebut` has the feature `regex`: `cargo add rebut --dev --features regex`"
)]
pub trait AsGenerator {
    /// The type of the generated values.
    type Value;

    /// Generates a value; see [`Generator::draw`].
    ///
    /// # Examples
    /// ```
    /// use rebut::{AsGenerator, Source, Tape};
    ///
    /// let mut simplest = Source::replay(&Tape::default());
    /// assert_eq!((5..10).draw_value(&mut simplest), 5);
    /// ```
    fn draw_value(&self, source: &mut Source) -> Self::Value;

    /// See [`Generator::members`].
    #[doc(hidden)]
    fn known_members(&self) -> Option<Vec<Self::Value>>;

    /// See [`Generator::member`].
    #[doc(hidden)]
    fn known_member(&self, index: usize) -> Option<Self::Value>;

    /// See [`Generator::is_single`].
    #[doc(hidden)]
    fn is_single_choice(&self) -> bool;
}

/// Implements the methods by calling the generator that the expression returns.
macro_rules! stands_for {
    (|$self:ident| $generator:expr) => {
        #[inline]
        fn draw_value(&$self, source: &mut Source) -> Self::Value {
            $generator.draw(source)
        }

        #[inline]
        fn known_members(&$self) -> Option<Vec<Self::Value>> {
            $generator.members()
        }

        #[inline]
        fn known_member(&$self, index: usize) -> Option<Self::Value> {
            $generator.member(index)
        }

        #[inline]
        fn is_single_choice(&$self) -> bool {
            $generator.is_single()
        }
    };
}

#[diagnostic::do_not_recommend]
impl<G: Generator + ?Sized> AsGenerator for G {
    type Value = G::Value;

    stands_for!(|self| self);
}

#[diagnostic::do_not_recommend]
impl<T: Clone, const N: usize> AsGenerator for [T; N] {
    type Value = T;

    stands_for!(|self| sampled_from_slice(self));
}

#[diagnostic::do_not_recommend]
impl<T: Clone, const N: usize> AsGenerator for &[T; N] {
    type Value = T;

    stands_for!(|self| sampled_from_slice(*self));
}

#[diagnostic::do_not_recommend]
impl<T: Clone> AsGenerator for &[T] {
    type Value = T;

    stands_for!(|self| sampled_from_slice(self));
}

#[cfg(feature = "regex")]
#[diagnostic::do_not_recommend]
impl AsGenerator for &str {
    type Value = String;

    stands_for!(|self| crate::strings_matching(self));
}

macro_rules! ranges {
    ($($type:ident, |$range:ident| $start:expr, $end:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: Ranged> AsGenerator for $type<T> {
            type Value = T;

            stands_for!(|self| {
                let $range = self;
                InRange { start: $start, end: $end }
            });
        }
    )*};
}
ranges! {
    Range, |range| Bound::Included(range.start), Bound::Excluded(range.end);
    RangeInclusive, |range| Bound::Included(*range.start()), Bound::Included(*range.end());
    RangeFrom, |range| Bound::Included(range.start), Bound::Unbounded;
    RangeTo, |range| Bound::Unbounded, Bound::Excluded(range.end);
    RangeToInclusive, |range| Bound::Unbounded, Bound::Included(range.end);
}

/// Marks the types whose ranges are generators: integers, floats and characters.
///
/// # Examples
/// ```
/// use std::ops::Range;
/// use rebut::{AsGenerator, Ranged, simplest};
///
/// fn first<T: Ranged>(range: Range<T>) -> T {
///     simplest(&range)
/// }
/// assert_eq!(first(3..9u8), 3);
/// assert_eq!(first('x'..'z'), 'x');
/// ```
#[diagnostic::on_unimplemented(
    message = "a range of `{Self}` is not a generator",
    label = "ranges of numbers and characters are generators",
    note = "`rebut::just(range)` generates the range itself"
)]
pub trait Ranged: Copy + Debug {
    #[doc(hidden)]
    type Generator: Generator<Value = Self>;

    #[doc(hidden)]
    fn between(bounds: (Bound<Self>, Bound<Self>)) -> Self::Generator;

    #[doc(hidden)]
    fn is_empty(generator: &Self::Generator) -> bool;
}

impl<T: Integer> Ranged for T {
    type Generator = Integers<T>;

    #[inline]
    fn between(bounds: (Bound<T>, Bound<T>)) -> Integers<T> {
        integers().in_range(bounds)
    }

    #[inline]
    fn is_empty(generator: &Integers<T>) -> bool {
        generator.is_empty()
    }
}

macro_rules! ranged {
    ($($type:ty, $generator:ty, $all:expr;)*) => {$(
        impl Ranged for $type {
            type Generator = $generator;

            fn between(bounds: (Bound<$type>, Bound<$type>)) -> $generator {
                $all.in_range(bounds)
            }

            fn is_empty(generator: &$generator) -> bool {
                generator.is_empty()
            }
        }
    )*};
}
ranged! {
    f32, Floats<f32>, floats();
    f64, Floats<f64>, floats();
    char, Chars, chars();
}

/// A range of any kind.
struct InRange<T> {
    start: Bound<T>,
    end: Bound<T>,
}

impl<T: Ranged> InRange<T> {
    #[inline]
    fn values(&self) -> T::Generator {
        T::between((self.start, self.end))
    }
}

impl<T: Ranged> Generator for InRange<T> {
    type Value = T;

    #[inline]
    fn draw(&self, source: &mut Source) -> T {
        let values = self.values();
        if T::is_empty(&values) {
            let (end, operator) = match &self.end {
                Bound::Included(end) => (written(end), "..="),
                Bound::Excluded(end) => (written(end), ".."),
                Bound::Unbounded => (None, ".."),
            };
            let start = match &self.start {
                Bound::Included(start) | Bound::Excluded(start) => written(start),
                Bound::Unbounded => None,
            };
            empty_range(start, operator, end);
        }
        values.draw(source)
    }

    fn members(&self) -> Option<Vec<T>> {
        self.values().members()
    }

    fn member(&self, index: usize) -> Option<T> {
        self.values().member(index)
    }

    #[inline]
    fn is_single(&self) -> bool {
        self.values().is_single()
    }
}

fn written(bound: &impl Debug) -> Option<&dyn Debug> {
    Some(bound)
}

/// Ends the run, because a range is empty.
#[cold]
fn empty_range(start: Option<&dyn Debug>, operator: &str, end: Option<&dyn Debug>) -> ! {
    let text = |bound: Option<&dyn Debug>| bound.map_or(String::new(), |it| format!("{it:?}"));
    Stop::Misuse(format!(
        "the range `{}{operator}{}` is empty; expected a range with at least one value",
        text(start),
        text(end),
    ))
    .raise()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::testing::{drawn, exhausted, misuse_of, replays};
    use crate::{
        arrays, btree_maps, hash_sets, just, one_of, options, simplest, strings, vec_deques, vecs,
    };

    #[test]
    fn ranges_of_every_form_contain_their_values() {
        fn check<T: Ranged + PartialOrd>(
            range: impl AsGenerator<Value = T> + std::ops::RangeBounds<T> + Debug,
        ) {
            for value in drawn(&range, 300) {
                assert!(range.contains(&value), "{value:?} of {range:?}");
            }
        }
        check(3..17u8);
        check(-300..=700i16);
        check(250u8..);
        check(..-100i8);
        check(..=9u128);
        check(0.0..1.0f32);
        check(-1.0..0.0f64);
        check(..0.0f64);
        check(0.0..=0.0f64);
        check(5.0f32..);
        check('a'..'f');
        check('x'..='é');
        check('\u{10_0000}'..);
    }

    #[test]
    fn ranges_shrink_to_the_bound_nearest_to_zero() {
        assert_eq!(simplest(&(5..10)), 5);
        assert_eq!(simplest(&(-9..-2)), -3);
        assert_eq!(simplest(&(-9..=9)), 0);
        assert_eq!(simplest(&(7u64..)), 7);
        assert_eq!(simplest(&(..=9i32)), 0);
        assert_eq!(simplest(&(2.5..9.5)), 3.0);
        assert_eq!(simplest(&('x'..='z')), 'x');
    }

    #[test]
    fn ranges_hold_each_value_about_as_often_and_their_bounds_most() {
        let mut counts = HashMap::new();
        for value in drawn(&vecs(0..10u32).size(100), 100).concat() {
            *counts.entry(value).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 10);
        assert!(counts.values().all(|count| (300..3000).contains(count)), "{counts:?}");
        let wide = drawn(&(-1_000_000..=1_000_000_000i64), 1000);
        assert!(wide.contains(&-1_000_000) && wide.contains(&1_000_000_000));
    }

    #[test]
    fn ranges_are_walked_and_replayed_as_bounded_generators_are() {
        assert_eq!(exhausted(&(-1..=2)), exhausted(&integers().in_range(-1..=2)));
        assert_eq!(exhausted(&('a'..'d')), ['a', 'b', 'c']);
        replays(&(-5..500i64));
        replays(&(0.5..1.5));
        replays(&vecs((1..10u8, 'a'..='z')));
    }

    #[test]
    fn empty_ranges_are_refused_with_the_range() {
        let accepted = "expected a range with at least one value";
        let check = |misuse: String, range: &str| {
            assert_eq!(misuse, format!("the range `{range}` is empty; {accepted}"));
        };
        #[expect(clippy::reversed_empty_ranges, reason = "this is what is tested")]
        {
            check(misuse_of(&(9..3u8)), "9..3");
            check(misuse_of(&(-1..=-2i64)), "-1..=-2");
            check(misuse_of(&('z'..='a')), "'z'..='a'");
        }
        check(misuse_of(&(4..4)), "4..4");
        check(misuse_of(&(..0u32)), "..0");
        check(misuse_of(&(..'\0')), "..'\\0'");
        check(misuse_of(&(1.0..1.0)), "1.0..1.0");
        check(misuse_of(&(-0.0..0.0f64)), "-0.0..0.0");
        check(misuse_of(&(0.0..f64::NAN)), "0.0..NaN");
        check(misuse_of(&(f32::NAN..)), "NaN..");
        check(misuse_of(&(..f32::NEG_INFINITY)), "..-inf");
    }

    #[test]
    fn arrays_and_slices_are_one_of_their_values() {
        const PRIMES: [u32; 3] = [2, 3, 5];
        assert_eq!(exhausted(&PRIMES), PRIMES);
        assert_eq!(exhausted(&&PRIMES), PRIMES);
        assert_eq!(exhausted(&&PRIMES[1..]), [3, 5]);
        assert_eq!(exhausted(&["a", "b"]), ["a", "b"]);
        assert!(misuse_of(&&PRIMES[..0]).contains("empty list"));
    }

    #[test]
    fn ranges_and_arrays_are_accepted_as_generators() {
        let lists: Vec<u8> = simplest(&vecs(1..10).size(2));
        assert_eq!(lists, [1, 1]);
        assert_eq!(simplest(&vec_deques([7]).size(1)), [7]);
        assert_eq!(simplest(&arrays::<2, _>('x'..)), ['x', 'x']);
        assert_eq!(drawn(&hash_sets(0..3).size(3), 1)[0].len(), 3);
        assert_eq!(simplest(&btree_maps(4.., ['x']).size(1))[&4], 'x');
        assert!(drawn(&options(1..3), 50).contains(&Some(2)));
        assert_eq!(simplest(&strings().alphabet('b'..='c').size(2)), "bb");
        assert_eq!(simplest(&one_of([3..5, 7..9])), 3);
        assert_eq!(simplest(&one_of![5..7, 2 => [1, 2], just(9)]), 5);
        let pairs = integers::<usize>().in_range(2..5).flat_map(|n| (0..n, [n]));
        assert_eq!(simplest(&pairs), (0, 2));
        assert_eq!(simplest(&(3..9, [1.5]).map(|(n, x)| f64::from(n) * x)), 4.5);
    }

    #[cfg(feature = "regex")]
    #[test]
    fn strings_are_regular_expressions() {
        assert!(drawn(&"[a-z]{3}", 50).iter().all(|text| text.len() == 3));
        assert_eq!(simplest(&vecs(("[x-z]", 1..4)).size(1)), [("x".to_owned(), 1)]);
        assert!(misuse_of(&"(").contains("pattern is not accepted"));
    }
}
