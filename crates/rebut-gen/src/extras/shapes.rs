//! Arrays of several dimensions: their shape first, then their elements.

use rebut_choice::{Label, Source};

use crate::Generate;
use crate::sequences::draw_sequence;
use crate::size::SIZE_MAX;

/// The maximum length of every axis but the first, whose length is that of a list. Arbitrary: it
/// contains the widths that code treats as blocks, and the next larger ones.
const INNER_LENGTH_MAX: usize = 17;

/// Draws an array with this number of axes. Returns the lengths of the axes and the elements, the
/// last axis first.
///
/// The lengths of all axes but the first are numbers. Then the parts along the first axis are a
/// sequence, and each of them is a sequence of elements. So engines delete rows, and columns once
/// there is one row. Every axis can have the length zero.
pub(super) fn draw_grid<T: Generate>(source: &mut Source, axes: usize) -> (Vec<usize>, Vec<T>) {
    match axes {
        0 => (Vec::new(), vec![T::generate(source)]),
        1 => {
            let elements = Vec::generate(source);
            (vec![elements.len()], elements)
        }
        _ => source.span(Label::group("grid"), |source| {
            let mut shape = vec![0; axes];
            let mut part = 1;
            for length in &mut shape[1..] {
                // At most `SIZE_MAX` elements, whatever the other lengths are.
                let max = INNER_LENGTH_MAX.min(SIZE_MAX / part.max(1));
                *length = source.integer(0, max as i128) as usize;
                part *= *length;
            }
            let bounds = (0, SIZE_MAX / part.max(1));
            let parts = draw_sequence(source, bounds, false, |source| {
                draw_sequence(source, (part, part), T::is_single(), T::generate)
            });
            shape[0] = parts.len();
            (shape, parts.into_iter().flatten().collect())
        }),
    }
}
