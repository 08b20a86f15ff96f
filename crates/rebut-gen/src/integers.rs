//! Integers.
//!
//! Every type except `u128` is one choice whose number is the value. A `u128` can exceed the range
//! of a choice. It then takes two choices: the high half, and a low half whose range depends on the
//! high one. Signed `NonZero` numbers have a gap at zero. Their positive values are drawn as one
//! less, which closes the gap, so nothing is ever rejected.

use std::fmt;
use std::num::NonZero;
use std::ops::{Bound, RangeBounds};

use rebut_choice::{ChoiceKind, Domain, Label, Request, Role, Source, internal_assert};

use crate::misuse::{crossed, misuse};
use crate::{Generate, Generator};

/// The maximum length of the list that `members` returns. A generator with more values has no list,
/// so filters try again and sets draw until an element is new. Arbitrary: it covers all bytes, and
/// their pairs with a `bool`.
pub(crate) const MEMBERS_MAX: u128 = 1024;

/// Generates integers. Shrinks toward zero, or toward the bound nearest to zero.
///
/// Without bounds, it generates every value of the type.
///
/// # Examples
/// ```
/// use rebut::{find, integers, simplest};
///
/// let ages = integers::<u8>().min_value(18).max_value(120);
/// assert_eq!(simplest(&ages), 18);
/// assert_eq!(find(ages, |&age| age > 65), Some(66));
/// ```
#[must_use]
pub fn integers<T: Integer>() -> Integers<T> {
    Integers { min: T::MIN, max: T::MAX, origin: None }
}

/// The generator that [`integers`] returns.
///
/// # Examples
/// ```
/// use rebut::generators::Integers;
/// use rebut::{integers, simplest};
///
/// fn percentages() -> Integers<u8> {
///     integers().max_value(100)
/// }
/// assert_eq!(simplest(&percentages()), 0);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Integers<T> {
    min: T,
    max: T,
    origin: Option<T>,
}

impl<T: Integer> Integers<T> {
    /// Sets the smallest value.
    ///
    /// # Examples
    /// ```
    /// use rebut::{integers, simplest};
    ///
    /// assert_eq!(simplest(&integers::<i32>().min_value(5)), 5);
    /// ```
    #[must_use]
    pub fn min_value(mut self, min_value: T) -> Self {
        self.min = min_value;
        self
    }

    /// Sets the largest value.
    ///
    /// # Examples
    /// ```
    /// use rebut::{integers, simplest};
    ///
    /// assert_eq!(simplest(&integers::<i32>().max_value(-5)), -5);
    /// ```
    #[must_use]
    pub fn max_value(mut self, max_value: T) -> Self {
        self.max = max_value;
        self
    }

    /// Generates only the integers in a range.
    ///
    /// # Examples
    /// ```
    /// use rebut::{Generator, integers};
    ///
    /// let digits = integers::<u8>().in_range(0..3);
    /// assert_eq!(digits.members(), Some(vec![0, 1, 2]));
    /// ```
    #[must_use]
    pub fn in_range(mut self, range: impl RangeBounds<T>) -> Self {
        // Excluding the last value of the type leaves nothing. Crossed bounds record that, and
        // `draw` reports it.
        match range.start_bound() {
            Bound::Included(&start) => self.min = start,
            Bound::Excluded(&start) => match start.after() {
                Some(first) => self.min = first,
                None => (self.min, self.max) = (T::MAX, T::MIN),
            },
            Bound::Unbounded => {}
        }
        match range.end_bound() {
            Bound::Included(&end) => self.max = end,
            Bound::Excluded(&end) => match end.before() {
                Some(last) => self.max = last,
                None => (self.min, self.max) = (T::MAX, T::MIN),
            },
            Bound::Unbounded => {}
        }
        self
    }

    /// Sets the value that the integers shrink toward, instead of zero.
    ///
    /// # Examples
    /// ```
    /// use rebut::{integers, simplest};
    ///
    /// let years = integers::<u16>().in_range(1900..=2100).origin(2000);
    /// assert_eq!(simplest(&years), 2000);
    /// ```
    #[must_use]
    pub fn origin(mut self, origin: T) -> Self {
        self.origin = Some(origin);
        self
    }

    /// Returns whether the bounds leave no value.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.min > self.max
    }

    fn bounds(&self) -> (T, T, T) {
        if self.is_empty() {
            crossed("integers()", &self.min, &self.max);
        }
        let origin = match self.origin {
            None => T::ORIGIN.clamp(self.min, self.max),
            Some(origin) if self.min <= origin && origin <= self.max => origin,
            Some(origin) => {
                let accepted = format!("a number from {:?} to {:?}", self.min, self.max);
                misuse("integers().origin", &origin, &accepted)
            }
        };
        (self.min, self.max, origin)
    }

    fn count(&self) -> u128 {
        if self.is_empty() {
            return 0;
        }
        (self.max.key().wrapping_sub(self.min.key()) as u128).saturating_add(1)
    }
}

impl<T: Integer> Generator for Integers<T> {
    type Value = T;

    #[inline]
    fn draw(&self, source: &mut Source) -> T {
        let (min, max, origin) = self.bounds();
        T::draw_between(source, min, max, origin)
    }

    fn members(&self) -> Option<Vec<T>> {
        let count = self.count();
        if count == 0 || count > MEMBERS_MAX {
            return None;
        }
        (0..count as usize).map(|index| self.member(index)).collect()
    }

    fn member(&self, index: usize) -> Option<T> {
        if index as u128 >= self.count() {
            return None;
        }
        let (min, max, origin) = self.bounds();
        Some(T::from_key(nearest(index as u128, min.key(), max.key(), origin.key())))
    }

    fn is_single(&self) -> bool {
        T::is_single_up_to(self.max)
    }
}

/// Returns the number at `index` in the order: origin, one above, one below, two above, and so on.
/// Once one side is used up, the other side continues alone.
fn nearest(index: u128, min: i128, max: i128, origin: i128) -> i128 {
    let above = max.wrapping_sub(origin) as u128;
    let below = origin.wrapping_sub(min) as u128;
    let both = above.min(below);
    let (up, distance) = if index <= 2 * both {
        (index % 2 == 1, index.div_ceil(2))
    } else {
        (above > below, index - both)
    };
    if up { origin.wrapping_add(distance as i128) } else { origin.wrapping_sub(distance as i128) }
}

/// Draws one choice.
#[inline]
fn draw_number(source: &mut Source, min: i128, max: i128, origin: i128) -> i128 {
    let domain = Domain { min, max, origin, kind: ChoiceKind::Integer, role: Role::Value };
    source.choose(&Request::plain(domain))
}

mod private {
    pub trait Sealed {}
}

/// Marks the types that [`integers`] generates: the built-in integers and their `NonZero` forms.
///
/// # Examples
/// ```
/// use std::num::NonZero;
/// use rebut::{Generator, Integer, integers, simplest};
///
/// fn pairs<T: Integer>() -> impl Generator<Value = (T, T)> {
///     (integers(), integers())
/// }
/// assert_eq!(simplest(&pairs::<i8>()), (0, 0));
/// assert_eq!(simplest(&pairs::<NonZero<u64>>()).0.get(), 1);
/// ```
pub trait Integer: Copy + Ord + fmt::Debug + private::Sealed + 'static {
    /// The smallest value.
    const MIN: Self;
    /// The largest value.
    const MAX: Self;
    /// The simplest value.
    const ORIGIN: Self;

    /// Returns a number in the same order as the values, without gaps.
    #[doc(hidden)]
    fn key(self) -> i128;

    #[doc(hidden)]
    fn from_key(key: i128) -> Self;

    /// Draws a value from `min` to `max`. Requires `min <= origin <= max`.
    #[doc(hidden)]
    #[inline]
    fn draw_between(source: &mut Source, min: Self, max: Self, origin: Self) -> Self {
        Self::from_key(draw_number(source, min.key(), max.key(), origin.key()))
    }

    /// Returns whether a value up to `max` is one choice.
    #[doc(hidden)]
    fn is_single_up_to(_max: Self) -> bool {
        true
    }

    /// Returns the next larger value.
    #[doc(hidden)]
    fn after(self) -> Option<Self> {
        (self < Self::MAX).then(|| Self::from_key(self.key() + 1))
    }

    /// Returns the next smaller value.
    #[doc(hidden)]
    fn before(self) -> Option<Self> {
        (self > Self::MIN).then(|| Self::from_key(self.key() - 1))
    }
}

macro_rules! generate_members {
    ($type:ty) => {
        #[inline]
        fn members() -> Option<Vec<Self>> {
            integers::<$type>().members()
        }

        #[inline]
        fn member(index: usize) -> Option<Self> {
            integers::<$type>().member(index)
        }

        #[inline]
        fn is_single() -> bool {
            <$type>::is_single_up_to(<$type>::MAX)
        }
    };
}

macro_rules! narrow {
    ($($type:ident)*) => {$(
        impl private::Sealed for $type {}

        impl Integer for $type {
            const MIN: $type = $type::MIN;
            const MAX: $type = $type::MAX;
            const ORIGIN: $type = 0;

            #[inline]
            fn key(self) -> i128 {
                self as i128
            }

            #[inline]
            fn from_key(key: i128) -> $type {
                key as $type
            }
        }

        impl Generate for $type {
            #[inline]
            fn generate(source: &mut Source) -> $type {
                source.integer($type::MIN as i128, $type::MAX as i128) as $type
            }

            generate_members!($type);
        }
    )*};
}
narrow!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 usize);

macro_rules! non_zero_unsigned {
    ($($type:ident)*) => {$(
        impl private::Sealed for NonZero<$type> {}

        impl Integer for NonZero<$type> {
            const MIN: Self = NonZero::<$type>::MIN;
            const MAX: Self = NonZero::<$type>::MAX;
            const ORIGIN: Self = NonZero::<$type>::MIN;

            #[inline]
            fn key(self) -> i128 {
                self.get() as i128
            }

            #[inline]
            fn from_key(key: i128) -> Self {
                NonZero::new(key as $type).unwrap_or(Self::ORIGIN)
            }
        }
    )*};
}
non_zero_unsigned!(u8 u16 u32 u64 usize);

macro_rules! non_zero_signed {
    ($($type:ident)*) => {$(
        impl private::Sealed for NonZero<$type> {}

        impl Integer for NonZero<$type> {
            const MIN: Self = NonZero::<$type>::MIN;
            const MAX: Self = NonZero::<$type>::MAX;
            const ORIGIN: Self = match NonZero::new(1) {
                Some(one) => one,
                None => NonZero::<$type>::MAX,
            };

            #[inline]
            fn key(self) -> i128 {
                let number = self.get() as i128;
                if number < 0 { number } else { number - 1 }
            }

            #[inline]
            fn from_key(key: i128) -> Self {
                // Without a branch, so that exploration does not fork here.
                let number = key.wrapping_add(i128::from(key >= 0));
                NonZero::new(number as $type).unwrap_or(Self::ORIGIN)
            }
        }
    )*};
}
non_zero_signed!(i8 i16 i32 i64 i128 isize);

macro_rules! generate_non_zero {
    ($($type:ident)*) => {$(
        impl Generate for NonZero<$type> {
            #[inline]
            fn generate(source: &mut Source) -> Self {
                integers::<NonZero<$type>>().draw(source)
            }

            generate_members!(NonZero<$type>);
        }
    )*};
}
generate_non_zero!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

impl private::Sealed for u128 {}

impl Integer for u128 {
    const MIN: u128 = u128::MIN;
    const MAX: u128 = u128::MAX;
    const ORIGIN: u128 = 0;

    fn key(self) -> i128 {
        (self ^ (1 << 127)) as i128
    }

    fn from_key(key: i128) -> u128 {
        key as u128 ^ (1 << 127)
    }

    fn draw_between(source: &mut Source, min: u128, max: u128, origin: u128) -> u128 {
        if Self::is_single_up_to(max) {
            return draw_number(source, min as i128, max as i128, origin as i128) as u128;
        }
        source.span(WIDE, |source| {
            let half = |number: u128| (number >> 64) as i128;
            let high = draw_number(source, half(min), half(max), half(origin)) as u128;
            let lowest = min.max(high << 64);
            let highest = max.min(high << 64 | u128::from(u64::MAX));
            let nearest = origin.clamp(lowest, highest);
            let low = |number: u128| i128::from(number as u64);
            let low = draw_number(source, low(lowest), low(highest), low(nearest)) as u128;
            let number = high << 64 | low;
            internal_assert!(
                min <= number && number <= max,
                "the number {number} is not between {min} and {max}"
            );
            number
        })
    }

    fn is_single_up_to(max: u128) -> bool {
        max <= i128::MAX as u128
    }
}

const WIDE: Label = Label::group("u128");

impl Generate for u128 {
    #[inline]
    fn generate(source: &mut Source) -> u128 {
        u128::draw_between(source, 0, u128::MAX, 0)
    }
}

impl private::Sealed for NonZero<u128> {}

impl Integer for NonZero<u128> {
    const MIN: Self = NonZero::<u128>::MIN;
    const MAX: Self = NonZero::<u128>::MAX;
    const ORIGIN: Self = NonZero::<u128>::MIN;

    fn key(self) -> i128 {
        self.get().key()
    }

    fn from_key(key: i128) -> Self {
        NonZero::new(u128::from_key(key)).unwrap_or(Self::ORIGIN)
    }

    fn draw_between(source: &mut Source, min: Self, max: Self, origin: Self) -> Self {
        let number = u128::draw_between(source, min.get(), max.get(), origin.get());
        NonZero::new(number).unwrap_or(Self::ORIGIN)
    }

    fn is_single_up_to(max: Self) -> bool {
        u128::is_single_up_to(max.get())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{drawn, exhausted, from_tape, misuse_of, replays};
    use crate::{any, simplest};

    #[test]
    fn numbers_stay_in_their_range() {
        let numbers = drawn(&integers::<i16>().in_range(-300..700), 200);
        assert!(numbers.iter().all(|n| (-300..700).contains(n)));
        assert!(numbers.iter().any(|&n| n < 0) && numbers.iter().any(|&n| n > 0));
    }

    #[test]
    fn numbers_shrink_to_the_origin() {
        assert_eq!(simplest(&integers::<i32>().max_value(-5)), -5);
        assert_eq!(simplest(&integers::<i32>().min_value(5)), 5);
        assert_eq!(simplest(&integers::<u128>().origin(1 << 100)), 1 << 100);
        assert_eq!(simplest(&any::<NonZero<i8>>()).get(), 1);
    }

    #[test]
    fn members_begin_with_the_nearest_to_the_origin() {
        let members = |range| integers::<i8>().in_range(range).members();
        assert_eq!(members(-2..=4), Some(vec![0, 1, -1, 2, -2, 3, 4]));
        assert_eq!(members(5..=7), Some(vec![5, 6, 7]));
        assert_eq!(members(-7..=-5), Some(vec![-5, -6, -7]));
        assert_eq!(any::<i8>().members().map(|all| all.len()), Some(256));
        assert_eq!(any::<u16>().members(), None);
    }

    #[test]
    fn wide_numbers_are_two_choices_within_any_bounds() {
        let wide = integers::<u128>().in_range((3 << 64) + 7..=u128::MAX - 9);
        for number in drawn(&wide, 500) {
            assert!(((3 << 64) + 7..=u128::MAX - 9).contains(&number));
        }
        assert_eq!(from_tape(&any::<u128>(), "i5 i6"), (5 << 64) + 6);
        assert_eq!(from_tape(&integers::<u128>().max_value(9), "i5"), 5);
        replays(&wide);
    }

    #[test]
    fn nonzero_numbers_leave_out_zero_alone() {
        let all: Vec<i8> = exhausted(&any::<NonZero<i8>>()).iter().map(|n| n.get()).collect();
        assert_eq!(all.len(), 255);
        assert!(!all.contains(&0) && all.contains(&i8::MIN) && all.contains(&i8::MAX));
        assert_eq!(exhausted(&any::<NonZero<u8>>()).len(), 255);
        assert!(drawn(&any::<NonZero<u128>>(), 200).iter().any(|n| n.get() > 1 << 127));
    }

    #[test]
    fn crossed_bounds_and_outer_origins_are_refused() {
        let crossed = misuse_of(&integers::<u8>().min_value(9).max_value(3));
        assert!(crossed.contains("minimum is 9 and the maximum is 3"), "{crossed}");
        assert!(misuse_of(&integers::<u8>().in_range(0..0)).contains("has no values"));
        let origin = misuse_of(&integers::<u8>().max_value(9).origin(10));
        assert_eq!(origin, "invalid `integers().origin` 10; expected a number from 0 to 9");
    }
}
