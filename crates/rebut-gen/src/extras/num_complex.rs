//! Complex numbers: types of the crate `num-complex`.

use num_complex::Complex;
use rebut_choice::{Label, Source};

use crate::{Code, Generate, ToCode};

/// Shrinks toward `0 + 0i`, if the parts shrink toward zero.
impl<T: Generate> Generate for Complex<T> {
    fn generate(source: &mut Source) -> Self {
        source.span(Label::group("Complex"), |source| Complex {
            re: T::generate(source),
            im: T::generate(source),
        })
    }
}

impl<T: ToCode> ToCode for Complex<T> {
    fn to_code(&self, code: &mut Code) {
        code.call("num_complex::Complex::new", &[&self.re, &self.im]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{drawn, prints_as, replays, shrinks_to};
    use crate::{any, simplest};

    #[test]
    fn both_parts_are_drawn_in_their_whole_range() {
        let all = drawn(&any::<Complex<f64>>(), 1000);
        assert!(all.iter().any(|number| number.re.is_nan() && !number.im.is_nan()));
        assert!(all.iter().any(|number| number.im == f64::INFINITY));
        assert!(all.iter().any(|number| number.re == number.im && number.re != 0.0));
        replays(&any::<Complex<i8>>());
    }

    #[test]
    fn each_part_shrinks_toward_zero() {
        assert_eq!(simplest(&any::<Complex<f32>>()), Complex::new(0.0, 0.0));
        shrinks_to(&Complex::new(0, 4), |number: &Complex<i32>| number.im > 3);
        shrinks_to(&Complex::new(0.0, 1.0), |number: &Complex<f64>| number.im > 0.0);
    }

    #[test]
    fn complex_numbers_are_printed_as_their_parts() {
        prints_as!(Complex<f64>, num_complex::Complex::new(1.0, -0.5));
        prints_as!(Complex<u8>, num_complex::Complex::new(1, 2));
    }
}
