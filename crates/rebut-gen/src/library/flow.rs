//! Small enumerations of the standard library.

use std::cmp::Ordering;
use std::convert::Infallible;
use std::ops::{Bound, ControlFlow};
use std::task::Poll;

use rebut_choice::{Label, Source};

use crate::{Code, Generate, ToCode};

const ORDERINGS: [Ordering; 3] = [Ordering::Equal, Ordering::Less, Ordering::Greater];

impl Generate for Ordering {
    #[inline]
    fn generate(source: &mut Source) -> Ordering {
        ORDERINGS[source.alternative(ORDERINGS.len(), &[], ORDERINGS.len())]
    }

    #[inline]
    fn members() -> Option<Vec<Ordering>> {
        Some(ORDERINGS.to_vec())
    }

    #[inline]
    fn is_single() -> bool {
        true
    }
}

impl ToCode for Ordering {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        code.format(format_args!("std::cmp::Ordering::{self:?}"));
    }
}

/// A type without values. Types that contain it in one of several variants never draw it.
impl Generate for Infallible {
    #[inline]
    fn generate(source: &mut Source) -> Infallible {
        source.reject("`Infallible` has no values; `#[generate(skip)]` skips a variant with it")
    }

    #[inline]
    fn members() -> Option<Vec<Infallible>> {
        Some(Vec::new())
    }

    #[inline]
    fn has_values() -> bool {
        false
    }
}

impl ToCode for Infallible {
    #[inline]
    fn to_code(&self, _code: &mut Code) {
        match *self {}
    }
}

/// Draws one of `count` variants and its contents.
pub(super) fn draw_variant<T>(
    source: &mut Source,
    label: Label,
    count: usize,
    payload: impl FnOnce(&mut Source, usize) -> T,
) -> T {
    source.span(label, |source| {
        let variant = source.alternative(count, &[], count);
        source.span(Label::ALTERNATIVE, |source| payload(source, variant))
    })
}

impl<T: Generate> Generate for Bound<T> {
    fn generate(source: &mut Source) -> Bound<T> {
        draw_variant(source, Label::group("Bound"), 3, |source, variant| match variant {
            0 => Bound::Unbounded,
            1 => Bound::Included(T::generate(source)),
            _ => Bound::Excluded(T::generate(source)),
        })
    }
}

impl<T: ToCode> ToCode for Bound<T> {
    fn to_code(&self, code: &mut Code) {
        match self {
            Bound::Unbounded => code.push("std::ops::Bound::Unbounded"),
            Bound::Included(value) => code.call("std::ops::Bound::Included", &[value]),
            Bound::Excluded(value) => code.call("std::ops::Bound::Excluded", &[value]),
        }
    }
}

impl<B: Generate, C: Generate> Generate for ControlFlow<B, C> {
    fn generate(source: &mut Source) -> ControlFlow<B, C> {
        match (C::has_values(), B::has_values()) {
            (true, false) => ControlFlow::Continue(C::generate(source)),
            (false, true) => ControlFlow::Break(B::generate(source)),
            _ => {
                draw_variant(
                    source,
                    Label::group("ControlFlow"),
                    2,
                    |source, variant| match variant {
                        0 => ControlFlow::Continue(C::generate(source)),
                        _ => ControlFlow::Break(B::generate(source)),
                    },
                )
            }
        }
    }
}

impl<B: ToCode, C: ToCode> ToCode for ControlFlow<B, C> {
    fn to_code(&self, code: &mut Code) {
        match self {
            ControlFlow::Continue(value) => {
                code.call("std::ops::ControlFlow::Continue", &[value]);
            }
            ControlFlow::Break(value) => code.call("std::ops::ControlFlow::Break", &[value]),
        }
    }
}

impl<T: Generate> Generate for Poll<T> {
    fn generate(source: &mut Source) -> Poll<T> {
        source.span(Label::group("Poll"), |source| {
            if source.presence(1, 1) { Poll::Ready(T::generate(source)) } else { Poll::Pending }
        })
    }
}

impl<T: ToCode> ToCode for Poll<T> {
    fn to_code(&self, code: &mut Code) {
        match self {
            Poll::Pending => code.push("std::task::Poll::Pending"),
            Poll::Ready(value) => code.call("std::task::Poll::Ready", &[value]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::any;
    use crate::testing::exhausted;

    #[test]
    fn every_variant_is_drawn() {
        assert_eq!(exhausted(&any::<Ordering>()), ORDERINGS);
        assert_eq!(exhausted(&any::<Bound<bool>>()).len(), 5);
        assert_eq!(exhausted(&any::<ControlFlow<bool, ()>>()).len(), 3);
        assert_eq!(exhausted(&any::<ControlFlow<Infallible, bool>>()).len(), 2);
        assert_eq!(exhausted(&any::<Poll<bool>>()).len(), 3);
    }

    #[test]
    fn variants_are_written_with_their_paths() {
        assert_eq!(Code::of(&Ordering::Less), "std::cmp::Ordering::Less");
        assert_eq!(Code::of(&Bound::Included(1)), "std::ops::Bound::Included(1)");
        let flow: ControlFlow<(), u8> = ControlFlow::Continue(2);
        assert_eq!(Code::of(&flow), "std::ops::ControlFlow::Continue(2)");
        assert_eq!(Code::of(&Poll::Ready('x')), "std::task::Poll::Ready('x')");
    }
}
