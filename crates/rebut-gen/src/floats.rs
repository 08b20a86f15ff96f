//! Floating-point numbers.
//!
//! A float is one choice: its position in the total order, where -0.0 comes right before 0.0 and
//! NaN right after infinity. So bounds, infinities and NaN only determine the range of the choice.
//! A range cannot have holes, so excluded values inside of it become the nearest zero: a subnormal
//! becomes the zero of its sign, as on hardware that flushes subnormals, and -0.0 becomes 0.0.

use std::fmt;
use std::ops::{Bound, RangeBounds};

use rebut_choice::{ChoiceKind, Domain, Request, Role, Source, float, internal_assert};

use crate::misuse::{crossed, misuse};
use crate::{Generate, Generator};

/// Generates floats. Shrinks toward zero and toward integers.
///
/// Without bounds, it generates all floats, with infinities, NaN, subnormals and both zeros. With
/// a bound, it does not generate NaN.
///
/// # Examples
/// ```
/// use rebut::{floats, sample, simplest};
///
/// let percent = floats::<f64>().min_value(0.0).max_value(100.0);
/// assert!((0.0..=100.0).contains(&sample(&percent, 1)));
/// assert_eq!(simplest(&floats::<f32>().min_value(0.3).max_value(0.7)), 0.5);
/// ```
#[must_use]
pub fn floats<T: Float>() -> Floats<T> {
    Floats {
        min: None,
        max: None,
        exclude_min: false,
        exclude_max: false,
        nan: None,
        infinity: true,
        subnormal: true,
        negative_zero: true,
    }
}

/// The generator that [`floats`] returns.
///
/// # Examples
/// ```
/// use rebut::generators::Floats;
/// use rebut::{floats, simplest};
///
/// fn probabilities() -> Floats<f64> {
///     floats().in_range(0.0..=1.0)
/// }
/// assert_eq!(simplest(&probabilities()), 0.0);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Floats<T> {
    min: Option<T>,
    max: Option<T>,
    exclude_min: bool,
    exclude_max: bool,
    nan: Option<bool>,
    infinity: bool,
    subnormal: bool,
    negative_zero: bool,
}

impl<T: Float> Floats<T> {
    /// Sets the smallest value. -0.0 is below 0.0.
    ///
    /// # Examples
    /// ```
    /// use rebut::{floats, simplest};
    ///
    /// assert_eq!(simplest(&floats::<f64>().min_value(2.5)), 3.0);
    /// ```
    #[must_use]
    pub fn min_value(mut self, min_value: T) -> Self {
        self.min = Some(min_value);
        self
    }

    /// Sets the largest value. -0.0 is below 0.0.
    ///
    /// # Examples
    /// ```
    /// use rebut::{floats, simplest};
    ///
    /// assert_eq!(simplest(&floats::<f64>().max_value(-2.5)), -3.0);
    /// ```
    #[must_use]
    pub fn max_value(mut self, max_value: T) -> Self {
        self.max = Some(max_value);
        self
    }

    /// Excludes the minimum itself.
    ///
    /// # Examples
    /// ```
    /// use rebut::{floats, simplest};
    ///
    /// assert_eq!(simplest(&floats::<f64>().min_value(5.0).exclude_min()), 6.0);
    /// ```
    #[must_use]
    pub fn exclude_min(mut self) -> Self {
        self.exclude_min = true;
        self
    }

    /// Excludes the maximum itself.
    ///
    /// # Examples
    /// ```
    /// use rebut::{floats, simplest};
    ///
    /// assert_eq!(simplest(&floats::<f64>().max_value(-5.0).exclude_max()), -6.0);
    /// ```
    #[must_use]
    pub fn exclude_max(mut self) -> Self {
        self.exclude_max = true;
        self
    }

    /// Generates only the floats in a range.
    ///
    /// # Examples
    /// ```
    /// use rebut::{floats, sample};
    ///
    /// assert!(sample(&floats::<f64>().in_range(0.0..1.0), 1) < 1.0);
    /// ```
    #[must_use]
    pub fn in_range(mut self, range: impl RangeBounds<T>) -> Self {
        (self.min, self.exclude_min) = match range.start_bound() {
            Bound::Included(&start) => (Some(start), false),
            Bound::Excluded(&start) => (Some(start.signed_zero(0)), true),
            Bound::Unbounded => (self.min, self.exclude_min),
        };
        (self.max, self.exclude_max) = match range.end_bound() {
            Bound::Included(&end) => (Some(end), false),
            Bound::Excluded(&end) => (Some(end.signed_zero(-1)), true),
            Bound::Unbounded => (self.max, self.exclude_max),
        };
        self
    }

    /// Sets whether to generate NaN. The default is `true` if there are no bounds.
    ///
    /// NaN cannot be combined with a finite maximum.
    ///
    /// # Examples
    /// ```
    /// use rebut::{find, floats};
    ///
    /// assert!(find(floats::<f64>(), |x| x.is_nan()).is_some());
    /// assert_eq!(find(floats::<f64>().allow_nan(false), |x| x.is_nan()), None);
    /// ```
    #[must_use]
    pub fn allow_nan(mut self, allow: bool) -> Self {
        self.nan = Some(allow);
        self
    }

    /// Sets whether to generate infinities within the bounds. The default is `true`.
    ///
    /// # Examples
    /// ```
    /// use rebut::{find, floats};
    ///
    /// let finite = floats::<f64>().allow_nan(false).allow_infinity(false);
    /// assert_eq!(find(finite, |x| !x.is_finite()), None);
    /// ```
    #[must_use]
    pub fn allow_infinity(mut self, allow: bool) -> Self {
        self.infinity = allow;
        self
    }

    /// Sets whether to generate subnormal numbers. The default is `true`.
    ///
    /// # Examples
    /// ```
    /// use rebut::{find, floats};
    ///
    /// let normal = floats::<f32>().allow_subnormal(false);
    /// assert_eq!(find(normal, |x| x.is_subnormal()), None);
    /// ```
    #[must_use]
    pub fn allow_subnormal(mut self, allow: bool) -> Self {
        self.subnormal = allow;
        self
    }

    /// Sets whether to generate -0.0. The default is `true`.
    ///
    /// # Examples
    /// ```
    /// use rebut::{find, floats};
    ///
    /// let positive = floats::<f64>().min_value(-0.0).allow_negative_zero(false);
    /// assert_eq!(find(positive, |x| x.is_sign_negative()), None);
    /// ```
    #[must_use]
    pub fn allow_negative_zero(mut self, allow: bool) -> Self {
        self.negative_zero = allow;
        self
    }

    /// Returns whether the bounds leave no value.
    pub(crate) fn is_empty(&self) -> bool {
        let is_nan = |bound: Option<T>| bound.is_some_and(is_nan);
        if is_nan(self.min) || is_nan(self.max) {
            return true;
        }
        let (min, max) = self.ends();
        min > max
    }

    /// Returns the first and the last number of the total order that can be drawn.
    fn bounds(&self) -> (i128, i128) {
        let (min, max) = self.ends();
        if min > max {
            let (min, max) = (T::from_number(min), T::from_number(max));
            crossed("floats()", &min, &max);
        }
        // A number between the bounds that is not allowed becomes zero, so zero must be there too.
        let is_allowed = |number: i128| {
            (self.subnormal || !is_subnormal::<T>(number)) && (self.negative_zero || number != -1)
        };
        internal_assert!(
            is_allowed(min) && is_allowed(max),
            "the bounds {min} and {max} of floats are not allowed"
        );
        (min, max)
    }

    /// Like [`Floats::bounds`], without a check that they are in order.
    fn ends(&self) -> (i128, i128) {
        let infinity = T::INFINITY_NUMBER;
        let limit = if self.infinity { infinity } else { infinity - 1 };
        let nan = self.nan.unwrap_or(self.min.is_none() && self.max.is_none());
        let mut min = match self.min {
            None => -1 - limit,
            Some(min) => {
                (bound("floats().min_value", min) + i128::from(self.exclude_min)).max(-1 - limit)
            }
        };
        let mut max = match self.max {
            None => limit,
            Some(max) => {
                (bound("floats().max_value", max) - i128::from(self.exclude_max)).min(limit)
            }
        };
        if nan {
            if max != infinity {
                let accepted = "false where infinity is not in the range";
                misuse("floats().allow_nan", &true, accepted);
            }
            max = infinity + 1;
        }
        // The bounds move inward, each to the next float that is allowed. Toward zero, -0.0 follows
        // the subnormals; away from zero, the subnormals follow -0.0.
        if !self.negative_zero {
            max = if max == -1 { -2 } else { max };
        }
        if !self.subnormal {
            min = without_subnormals(min, T::NORMAL_NUMBER, true);
            max = without_subnormals(max, T::NORMAL_NUMBER, false);
        }
        if !self.negative_zero {
            min = if min == -1 { 0 } else { min };
        }
        (min, max)
    }
}

/// Returns the number of a bound. Ends the run if it is NaN.
fn bound<T: Float>(argument: &str, value: T) -> i128 {
    if is_nan(value) {
        misuse(argument, &value, "any float but NaN");
    }
    value.number()
}

fn is_subnormal<T: Float>(number: i128) -> bool {
    (0 < number && number < T::NORMAL_NUMBER) || (-1 - T::NORMAL_NUMBER < number && number < -1)
}

fn is_nan<T: Float>(value: T) -> bool {
    value.number() > T::INFINITY_NUMBER
}

/// Moves a subnormal bound inward: up if it is the minimum, otherwise down.
fn without_subnormals(number: i128, normal: i128, up: bool) -> i128 {
    match number {
        n if 0 < n && n < normal => {
            if up {
                normal
            } else {
                0
            }
        }
        n if -1 - normal < n && n < -1 => {
            if up {
                -1
            } else {
                -1 - normal
            }
        }
        n => n,
    }
}

impl<T: Float> Generator for Floats<T> {
    type Value = T;

    fn draw(&self, source: &mut Source) -> T {
        let (min, max) = self.bounds();
        let origin = simplest_number::<T>(min, max);
        let domain = Domain { min, max, origin, kind: T::KIND, role: Role::Value };
        let mut number = source.choose(&Request::plain(domain));
        if !self.subnormal && is_subnormal::<T>(number) {
            number = if number < 0 { -1 } else { 0 };
        }
        if !self.negative_zero && number == -1 {
            number = 0;
        }
        T::from_number(number)
    }

    fn is_single(&self) -> bool {
        true
    }
}

/// Returns the simplest float of a range: zero, otherwise the integer nearest to zero, otherwise
/// the number with the fewest binary digits after the point.
fn simplest_number<T: Float>(min: i128, max: i128) -> i128 {
    if min <= 0 && max >= 0 {
        return 0;
    }
    let negative = max < 0;
    let (near, far) = if negative { (-1 - max, -1 - min) } else { (min, max) };
    let (low, high) = (T::from_number(near).wide(), T::from_number(far).wide());
    let mut scale = 1.0;
    while scale < SCALE_MAX {
        let candidate = (low * scale).ceil() / scale;
        if candidate.is_finite() && low <= candidate && candidate <= high {
            let number = T::narrowed(candidate).number();
            let number = if negative { -1 - number } else { number };
            if min <= number && number <= max {
                return number;
            }
        }
        scale *= 2.0;
    }
    if negative { max } else { min }
}

/// The largest denominator to try. Without a fraction up to it, the bound nearest to zero is the
/// simplest number. Arbitrary: the loop takes one step for each power of two.
const SCALE_MAX: f64 = (1u64 << 60) as f64;

/// Marks the types that [`floats`] generates: `f32` and `f64`.
///
/// # Examples
/// ```
/// use rebut::{Float, Generator, floats, simplest};
///
/// fn points<T: Float>() -> impl Generator<Value = (T, T)> {
///     (floats(), floats())
/// }
/// assert_eq!(simplest(&points::<f32>()), (0.0, 0.0));
/// ```
pub trait Float: Copy + fmt::Debug + PartialOrd + private::Sealed + 'static {
    #[doc(hidden)]
    const KIND: ChoiceKind;
    /// The number of infinity in the total order. NaN is the next one.
    #[doc(hidden)]
    const INFINITY_NUMBER: i128;
    /// The number of the smallest positive normal float.
    #[doc(hidden)]
    const NORMAL_NUMBER: i128;

    #[doc(hidden)]
    fn number(self) -> i128;
    #[doc(hidden)]
    fn from_number(number: i128) -> Self;
    /// Returns the zero with this number if the value is either zero, and the value otherwise. A
    /// range that excludes one zero excludes both, because they are equal.
    #[doc(hidden)]
    fn signed_zero(self, number: i128) -> Self {
        if matches!(self.number(), -1 | 0) { Self::from_number(number) } else { self }
    }
    #[doc(hidden)]
    fn wide(self) -> f64;
    #[doc(hidden)]
    fn narrowed(wide: f64) -> Self;
}

mod private {
    pub trait Sealed {}
}

macro_rules! float {
    ($type:ident, $kind:ident, $number:ident, $of:ident, $draw:ident) => {
        impl private::Sealed for $type {}

        impl Float for $type {
            const KIND: ChoiceKind = ChoiceKind::$kind;
            const INFINITY_NUMBER: i128 = $type::INFINITY.to_bits() as i128;
            const NORMAL_NUMBER: i128 = $type::MIN_POSITIVE.to_bits() as i128;

            fn number(self) -> i128 {
                float::$number(self)
            }

            fn from_number(number: i128) -> $type {
                float::$of(number)
            }

            fn wide(self) -> f64 {
                f64::from(self)
            }

            fn narrowed(wide: f64) -> $type {
                wide as $type
            }
        }

        impl Generate for $type {
            #[inline]
            fn generate(source: &mut Source) -> $type {
                source.$draw($type::NEG_INFINITY, $type::NAN)
            }

            #[inline]
            fn is_single() -> bool {
                true
            }
        }
    };
}
float!(f32, Float32, number_of_f32, f32_of, float32);
float!(f64, Float64, number_of_f64, f64_of, float64);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{drawn, from_tape, misuse_of};
    use crate::{any, simplest};

    #[test]
    fn anything_includes_every_special_float() {
        let all = drawn(&any::<f64>(), 3000);
        assert!(all.iter().any(|x| x.is_nan()));
        assert!(all.contains(&f64::INFINITY) && all.contains(&f64::NEG_INFINITY));
        assert!(all.iter().any(|x| x.is_subnormal()));
        assert!(all.iter().any(|&x| x == 0.0 && x.is_sign_negative()));
    }

    #[test]
    fn bounds_hold_and_leave_out_nan() {
        let unit = floats::<f32>().in_range(0.0..1.0);
        assert!(drawn(&unit, 500).iter().all(|x| (0.0..1.0).contains(x)));
        let above = floats::<f64>().min_value(5.0).exclude_min();
        assert!(drawn(&above, 500).iter().all(|&x| x > 5.0));
    }

    #[test]
    fn floats_that_are_not_allowed_are_not_drawn() {
        let tame = floats::<f64>()
            .allow_nan(false)
            .allow_infinity(false)
            .allow_subnormal(false)
            .allow_negative_zero(false);
        for x in drawn(&tame, 3000) {
            assert!(x.is_normal() || (x == 0.0 && x.is_sign_positive()), "{x:?}");
        }
        let tiny = floats::<f32>().in_range(-1e-40..=1e-37).allow_subnormal(false);
        assert!(drawn(&tiny, 500).iter().all(|x| !x.is_subnormal()));
    }

    #[test]
    fn an_excluded_zero_is_not_drawn_in_place_of_a_subnormal() {
        let negative = floats::<f64>()
            .max_value(0.0)
            .exclude_max()
            .allow_subnormal(false)
            .allow_negative_zero(false);
        assert_eq!(from_tape(&negative, "f-2"), -f64::MIN_POSITIVE);
        assert!(drawn(&negative, 500).iter().all(|&x| x < 0.0));
    }

    #[test]
    fn ranges_without_zero_shrink_to_a_simple_number() {
        let simplest_in = |min, max| simplest(&floats::<f64>().min_value(min).max_value(max));
        assert_eq!(simplest_in(2.5, 9.5), 3.0);
        assert_eq!(simplest_in(-9.5, -2.5), -3.0);
        assert_eq!(simplest_in(0.3, 0.7), 0.5);
        assert_eq!(simplest_in(-0.3, -0.2), -0.25);
        assert_eq!(simplest_in(0.1, 0.1), 0.1);
        assert_eq!(simplest_in(f64::MAX, f64::INFINITY), f64::MAX);
        assert_eq!(simplest_in(f64::INFINITY, f64::INFINITY), f64::INFINITY);
    }

    #[test]
    fn contradictory_bounds_are_refused() {
        assert!(misuse_of(&floats::<f64>().in_range(2.0..1.0)).contains("minimum is 2.0"));
        assert!(misuse_of(&floats::<f64>().in_range(1.0..1.0)).contains("has no values"));
        assert!(misuse_of(&floats::<f32>().min_value(f32::NAN)).contains("any float but NaN"));
        assert!(misuse_of(&floats::<f32>().max_value(1.0).allow_nan(true)).contains("allow_nan"));
    }
}
