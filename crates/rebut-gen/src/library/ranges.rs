//! Ranges.

use std::ops::{Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};

use rebut_choice::Source;

use crate::{AsGenerator, Code, Generate, Generator, ToCode};

/// Generates ranges whose start is not above their end.
///
/// `any::<Range<T>>()` also generates ranges that run backward and are empty.
///
/// # Examples
/// ```
/// use rebut::{ranges, sample, simplest};
///
/// let slices = ranges(0..=10usize);
/// let slice = sample(&slices, 1);
/// assert!(slice.start <= slice.end && slice.end <= 10);
/// assert_eq!(simplest(&slices), 0..0);
/// ```
#[must_use]
pub fn ranges<G: AsGenerator>(bounds: G) -> Ranges<G>
where
    G::Value: PartialOrd,
{
    Ranges { bounds }
}

/// The generator that [`ranges`] returns.
///
/// # Examples
/// ```
/// use rebut::generators::{Any, Ranges};
/// use rebut::{any, ranges, simplest};
///
/// let spans: Ranges<Any<u32>> = ranges(any());
/// assert_eq!(simplest(&spans), 0..0);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Ranges<G> {
    bounds: G,
}

impl<G: AsGenerator> Generator for Ranges<G>
where
    G::Value: PartialOrd,
{
    type Value = Range<G::Value>;

    fn draw(&self, source: &mut Source) -> Range<G::Value> {
        let (first, second) = (self.bounds.draw_value(source), self.bounds.draw_value(source));
        if first <= second { first..second } else { second..first }
    }
}

impl<T: Generate> Generate for Range<T> {
    fn generate(source: &mut Source) -> Range<T> {
        T::generate(source)..T::generate(source)
    }
}

impl<T: Generate> Generate for RangeInclusive<T> {
    fn generate(source: &mut Source) -> RangeInclusive<T> {
        T::generate(source)..=T::generate(source)
    }
}

impl<T: Generate> Generate for RangeFrom<T> {
    fn generate(source: &mut Source) -> RangeFrom<T> {
        T::generate(source)..
    }
}

impl<T: Generate> Generate for RangeTo<T> {
    fn generate(source: &mut Source) -> RangeTo<T> {
        ..T::generate(source)
    }
}

impl<T: Generate> Generate for RangeToInclusive<T> {
    fn generate(source: &mut Source) -> RangeToInclusive<T> {
        ..=T::generate(source)
    }
}

impl Generate for RangeFull {
    #[inline]
    fn generate(_source: &mut Source) -> RangeFull {
        ..
    }
}

fn write(code: &mut Code, start: Option<&dyn ToCode>, operator: &str, end: Option<&dyn ToCode>) {
    code.operand(|code| {
        if let Some(start) = start {
            start.to_code(code);
        }
        code.push(operator);
        if let Some(end) = end {
            end.to_code(code);
        }
    });
}

impl<T: ToCode> ToCode for Range<T> {
    fn to_code(&self, code: &mut Code) {
        write(code, Some(&self.start), "..", Some(&self.end));
    }
}

impl<T: ToCode> ToCode for RangeInclusive<T> {
    fn to_code(&self, code: &mut Code) {
        write(code, Some(self.start()), "..=", Some(self.end()));
    }
}

impl<T: ToCode> ToCode for RangeFrom<T> {
    fn to_code(&self, code: &mut Code) {
        write(code, Some(&self.start), "..", None);
    }
}

impl<T: ToCode> ToCode for RangeTo<T> {
    fn to_code(&self, code: &mut Code) {
        write(code, None, "..", Some(&self.end));
    }
}

impl<T: ToCode> ToCode for RangeToInclusive<T> {
    fn to_code(&self, code: &mut Code) {
        write(code, None, "..=", Some(&self.end));
    }
}

impl ToCode for RangeFull {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        write(code, None, "..", None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::any;
    use crate::testing::{drawn, replays};

    #[test]
    fn ordered_ranges_are_ordered_and_others_need_not_be() {
        assert!(drawn(&ranges(any::<i32>()), 200).iter().all(|range| range.start <= range.end));
        let any_ranges = drawn(&any::<Range<i32>>(), 200);
        assert!(any_ranges.iter().any(|range| range.start > range.end));
        replays(&any::<(RangeInclusive<u8>, RangeFrom<u8>, RangeTo<i8>, RangeToInclusive<i8>)>());
    }

    #[test]
    fn ranges_are_written_with_their_operator() {
        assert_eq!(Code::of(&(1..2)), "(1..2)");
        assert_eq!(Code::of(&(-1..=2)), "(-1..=2)");
        assert_eq!(
            [Code::of(&(1..)), Code::of(&(..1)), Code::of(&(..=1))],
            ["(1..)", "(..1)", "(..=1)"]
        );
    }

    #[test]
    fn ranges_have_parentheses_only_as_operands() {
        assert_eq!(Code::of(&&(1..2)), "&(1..2)");
        assert_eq!(Code::of(&((1..2)..(3..4))), "((1..2)..(3..4))");
        assert_eq!(Code::of(&Some(1..2)), "Some(1..2)");
        assert_eq!(Code::of(&vec![(1..2, 1..)]), "vec![(1..2, 1..)]");
    }
}
