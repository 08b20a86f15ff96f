//! Floats with a total order: types of the crate `ordered-float`.

use ordered_float::{NotNan, OrderedFloat};
use rebut_choice::Source;

use crate::misuse::expected;
use crate::{Code, Generate, Generator, ToCode, floats};

/// Generates all floats, also NaN. Shrinks as the float does.
impl<T: Generate> Generate for OrderedFloat<T> {
    #[inline]
    fn generate(source: &mut Source) -> Self {
        OrderedFloat(T::generate(source))
    }

    #[inline]
    fn is_single() -> bool {
        T::is_single()
    }
}

impl<T: ToCode> ToCode for OrderedFloat<T> {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        code.call("ordered_float::OrderedFloat", &[&self.0]);
    }
}

/// Generates all floats but NaN.
macro_rules! not_nan {
    ($($type:ident)*) => {$(
        impl Generate for NotNan<$type> {
            #[inline]
            fn generate(source: &mut Source) -> Self {
                expected(NotNan::new(floats().allow_nan(false).draw(source)).ok(), "a number")
            }

            #[inline]
            fn is_single() -> bool {
                true
            }
        }

        impl ToCode for NotNan<$type> {
            #[inline]
            fn to_code(&self, code: &mut Code) {
                code.call("ordered_float::NotNan::new", &[&self.into_inner()]);
                code.push(".unwrap()");
            }
        }
    )*};
}
not_nan!(f32 f64);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{drawn, prints_as, replays, shrinks_to};
    use crate::{any, simplest};

    #[test]
    fn special_floats_are_drawn_where_they_are_allowed() {
        let all = drawn(&any::<OrderedFloat<f64>>(), 1000);
        assert!(all.iter().any(|float| float.is_nan()));
        let all = drawn(&any::<NotNan<f32>>(), 1000);
        assert!(all.iter().any(|float| **float == f32::INFINITY));
        assert!(all.iter().any(|float| **float == 0.0 && float.is_sign_negative()));
        replays(&any::<(OrderedFloat<f32>, NotNan<f64>)>());
    }

    #[test]
    fn floats_shrink_to_simple_ones() {
        assert_eq!(simplest(&any::<NotNan<f32>>()), 0.0);
        shrinks_to(&OrderedFloat(3.0), |float: &OrderedFloat<f64>| float.0 > 2.5);
        let minimal = NotNan::new(f64::NEG_INFINITY).expect("a number");
        shrinks_to(&minimal, |float: &NotNan<f64>| **float < f64::MIN);
        shrinks_to(&vec![OrderedFloat(f32::NAN)], |list: &Vec<OrderedFloat<f32>>| {
            list.iter().any(|float| float.is_nan())
        });
    }

    #[test]
    fn floats_are_printed_with_their_wrapper() {
        prints_as!(OrderedFloat<f64>, ordered_float::OrderedFloat(-0.0));
        prints_as!(OrderedFloat<f32>, ordered_float::OrderedFloat(f32::NAN));
        prints_as!(NotNan<f32>, ordered_float::NotNan::new(f32::INFINITY).unwrap());
        prints_as!(NotNan<f64>, ordered_float::NotNan::new(1.5).unwrap());
    }
}
