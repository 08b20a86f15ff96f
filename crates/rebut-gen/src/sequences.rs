//! Sequences: a length, then the elements.
//!
//! The length is drawn first, in a span that is marked as a sequence. An element that is a single
//! choice is directly on the tape, and every other element has its own span. So engines delete,
//! copy and move elements without knowing their types.

use std::collections::{BinaryHeap, LinkedList, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use rebut_choice::{Label, Source};

use crate::size::{CAPACITY_MAX, SIZE_MAX, Sizes, sized};
use crate::{AsGenerator, Generate, Generator};

/// Draws a length and that number of elements.
#[inline]
pub(crate) fn draw_sequence<T>(
    source: &mut Source,
    (min, max): (usize, usize),
    is_single: bool,
    mut draw: impl FnMut(&mut Source) -> T,
) -> Vec<T> {
    source.open(Label::SEQUENCE);
    let length = source.length(min, max);
    let mut elements = Vec::with_capacity(length.min(CAPACITY_MAX));
    for _ in 0..length {
        elements.push(draw_element(source, is_single, &mut draw));
    }
    source.close();
    elements
}

/// Draws one element of a sequence, in a span if it is not a single choice.
#[inline]
fn draw_element<T>(
    source: &mut Source,
    is_single: bool,
    draw: &mut impl FnMut(&mut Source) -> T,
) -> T {
    if is_single {
        return draw(source);
    }
    source.open(Label::ELEMENT);
    let element = draw(source);
    source.close();
    element
}

/// Generates vectors. Shrinks to the empty vector, or to the minimum size.
///
/// Shrinking removes elements and then simplifies each one.
///
/// # Examples
/// ```
/// use rebut::{find, integers, simplest, vecs};
///
/// let lists = vecs(integers::<u8>());
/// assert!(simplest(&lists).is_empty());
/// assert_eq!(find(lists, |list| list.len() == 2 && list[1] > 3), Some(vec![0, 4]));
/// ```
#[must_use]
pub fn vecs<G: AsGenerator>(elements: G) -> Vecs<G> {
    Vecs { elements, sizes: Sizes::default() }
}

/// The generator that [`vecs`] returns.
///
/// # Examples
/// ```
/// use rebut::generators::{Any, Vecs};
/// use rebut::{any, simplest, vecs};
///
/// fn keys() -> Vecs<Any<u8>> {
///     vecs(any()).size(4)
/// }
/// assert_eq!(simplest(&keys()), [0, 0, 0, 0]);
/// ```
#[derive(Clone, Debug)]
pub struct Vecs<G> {
    pub(crate) elements: G,
    pub(crate) sizes: Sizes,
}

sized!(Vecs<G>);

impl<G: AsGenerator> Generator for Vecs<G> {
    type Value = Vec<G::Value>;

    fn draw(&self, source: &mut Source) -> Vec<G::Value> {
        let sizes = self.sizes.bounds("vecs()");
        let is_single = self.elements.is_single_choice();
        draw_sequence(source, sizes, is_single, |source| self.elements.draw_value(source))
    }
}

impl<T: Generate> Generate for Vec<T> {
    fn generate(source: &mut Source) -> Vec<T> {
        draw_sequence(source, (0, size_max::<T>()), T::is_single(), T::generate)
    }
}

/// Returns the maximum size of a collection of these elements.
fn size_max<T: Generate>() -> usize {
    if T::has_values() { SIZE_MAX } else { 0 }
}

/// Defines a collection that is drawn as a vector and converted.
macro_rules! from_vec {
    (
        $function:ident, $builder:ident, $type:ident, $what:literal, $make:expr
        $(, where T: $bound:ident)?
    ) => {
        #[doc = concat!("Generates ", $what, ". Shrinks to the minimum size.")]
        ///
        /// # Examples
        /// ```
        #[doc = concat!("use rebut::{any, sample, simplest, ", stringify!($function), "};")]
        ///
        #[doc = concat!(
            "let values = ", stringify!($function), "(any::<u8>()).min_size(2).max_size(3);"
        )]
        /// assert!((2..=3).contains(&sample(&values, 1).len()));
        /// assert!(simplest(&values).into_iter().eq([0, 0]));
        /// ```
        #[must_use]
        pub fn $function<G: AsGenerator>(elements: G) -> $builder<G> {
            $builder { elements, sizes: Sizes::default() }
        }

        #[doc = concat!("The generator that [`", stringify!($function), "`] returns.")]
        ///
        /// # Examples
        /// ```
        #[doc = concat!("use rebut::generators::{Any, ", stringify!($builder), "};")]
        #[doc = concat!("use rebut::{any, simplest, ", stringify!($function), "};")]
        ///
        #[doc = concat!("let values: ", stringify!($builder), "<Any<u8>> = ",
            stringify!($function), "(any());")]
        /// assert!(simplest(&values).is_empty());
        /// ```
        #[derive(Clone, Debug)]
        pub struct $builder<G> {
            elements: G,
            sizes: Sizes,
        }

        sized!($builder<G>);

        impl<G: AsGenerator> Generator for $builder<G>
        $(where G::Value: $bound)?
        {
            type Value = $type<G::Value>;

            fn draw(&self, source: &mut Source) -> Self::Value {
                let sizes = self.sizes.bounds(concat!(stringify!($function), "()"));
                let is_single = self.elements.is_single_choice();
                ($make)(draw_sequence(source, sizes, is_single, |source| self.elements.draw_value(source)))
            }
        }

        impl<T: Generate $(+ $bound)?> Generate for $type<T> {
            fn generate(source: &mut Source) -> Self {
                ($make)(draw_sequence(source, (0, size_max::<T>()), T::is_single(), T::generate))
            }
        }
    };
}

type BoxedSlice<T> = Box<[T]>;

from_vec!(vec_deques, VecDeques, VecDeque, "double-ended queues", VecDeque::from);
from_vec!(linked_lists, LinkedLists, LinkedList, "linked lists", LinkedList::from_iter);
from_vec!(binary_heaps, BinaryHeaps, BinaryHeap, "binary heaps", BinaryHeap::from, where T: Ord);
from_vec!(boxed_slices, BoxedSlices, BoxedSlice, "boxed slices", Vec::into_boxed_slice);

macro_rules! shared_slice {
    ($($type:ident)*) => {$(
        impl<T: Generate> Generate for $type<[T]> {
            fn generate(source: &mut Source) -> Self {
                Vec::generate(source).into()
            }
        }
    )*};
}
shared_slice!(Rc Arc);

/// Generates arrays. Each element shrinks on its own.
///
/// # Examples
/// ```
/// use rebut::{arrays, integers, simplest};
///
/// let points = arrays::<3, _>(integers::<i32>().min_value(1));
/// assert_eq!(simplest(&points), [1, 1, 1]);
/// ```
#[must_use]
pub fn arrays<const N: usize, G: AsGenerator>(elements: G) -> Arrays<G, N> {
    Arrays { elements }
}

/// The generator that [`arrays`] returns.
///
/// # Examples
/// ```
/// use rebut::generators::{Any, Arrays};
/// use rebut::{any, arrays, simplest};
///
/// let colors: Arrays<Any<u8>, 3> = arrays(any());
/// assert_eq!(simplest(&colors), [0, 0, 0]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Arrays<G, const N: usize> {
    elements: G,
}

impl<G: AsGenerator, const N: usize> Generator for Arrays<G, N> {
    type Value = [G::Value; N];

    fn draw(&self, source: &mut Source) -> [G::Value; N] {
        draw_array(source, self.elements.is_single_choice(), |source| {
            self.elements.draw_value(source)
        })
    }
}

impl<T: Generate, const N: usize> Generate for [T; N] {
    fn generate(source: &mut Source) -> [T; N] {
        draw_array(source, T::is_single(), T::generate)
    }

    fn has_values() -> bool {
        N == 0 || T::has_values()
    }
}

const ARRAY: Label = Label::group("array");

fn draw_array<T, const N: usize>(
    source: &mut Source,
    is_single: bool,
    mut draw: impl FnMut(&mut Source) -> T,
) -> [T; N] {
    source.span(ARRAY, |source| std::array::from_fn(|_| draw_element(source, is_single, &mut draw)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{drawn, from_tape, misuse_of, random, replays};
    use crate::{any, simplest, strings};

    #[test]
    fn lists_have_a_size_within_the_bounds() {
        let sizes = |list: &Vec<u8>| (2..=4).contains(&list.len());
        assert!(drawn(&vecs(any::<u8>()).min_size(2).max_size(4), 200).iter().all(sizes));
        assert_eq!(simplest(&vecs(any::<u8>()).size(2)), [0, 0]);
        assert!(simplest(&vecs(any::<u8>()).min_size(20_000)).len() == 20_000);
    }

    #[test]
    fn single_choices_are_bare_elements_and_others_have_a_span() {
        let mut source = random(1);
        let numbers = vecs(any::<i32>()).size(3).draw(&mut source);
        let texts = vecs(strings()).size(2).draw(&mut source);
        let tape = source.into_tape();
        let spans = tape.spans();
        assert_eq!(tape.children(&spans[0].tokens).len(), 1 + numbers.len());
        let second = spans.iter().filter(|span| span.parent.is_none()).nth(1).expect("a list");
        assert_eq!(tape.children(&second.tokens).len(), 1 + texts.len());
        assert_eq!(spans.iter().filter(|span| span.label == Label::ELEMENT).count(), 2);
    }

    #[test]
    fn every_list_replays() {
        replays(&any::<Vec<(u8, String)>>());
        replays(&any::<VecDeque<Option<i8>>>());
        replays(&any::<LinkedList<char>>());
        replays(&any::<Box<[u64]>>());
        replays(&any::<[Vec<bool>; 3]>());
        let heap = from_tape(&binary_heaps(any::<u8>()), "(s1 i3 i5 i9 i7 )");
        assert_eq!(heap.into_sorted_vec(), [5, 7, 9]);
    }

    #[test]
    fn arrays_draw_no_length() {
        assert_eq!(from_tape(&any::<[u8; 3]>(), "(g1 i1 i2 i3 )"), [1, 2, 3]);
        assert_eq!(simplest(&any::<[u8; 0]>()).len(), 0);
    }

    #[test]
    fn crossed_sizes_are_refused() {
        let text = misuse_of(&vec_deques(any::<u8>()).min_size(3).max_size(1));
        assert!(text.starts_with("`vec_deques()`"), "{text}");
    }
}
