//! Collections with a fixed capacity and without an allocator: types of the crate `heapless`.

use std::hash::{BuildHasher, Hash};

use heapless::binary_heap::Kind;
use heapless::{
    BinaryHeap, Deque, HistoryBuf, IndexMap, IndexSet, LenType, LinearMap, String, Vec,
};
use rebut_choice::Source;

use super::fixed_capacity::{draw_elements, draw_text_in_bytes};
use crate::code::collections::{Entry, brackets, sorted};
use crate::maps::draw_map;
use crate::size::{SIZE_MAX, Sizes};
use crate::unique::draw_distinct;
use crate::{Code, Generate, ToCode};

/// Generates up to `N` elements.
impl<T: Generate, L: LenType, const N: usize> Generate for Vec<T, N, L> {
    fn generate(source: &mut Source) -> Self {
        draw_elements(source, N).into_iter().collect()
    }
}

impl<T: ToCode, L: LenType, const N: usize> ToCode for Vec<T, N, L> {
    fn to_code(&self, code: &mut Code) {
        code.push("heapless::Vec::from_iter(");
        brackets(code, self);
        code.push(")");
    }
}

/// Generates strings of up to `N` bytes.
impl<L: LenType, const N: usize> Generate for String<N, L> {
    fn generate(source: &mut Source) -> Self {
        let mut text = String::new();
        draw_text_in_bytes(source, N, |character| {
            let _ = text.push(character);
        });
        text
    }
}

impl<L: LenType, const N: usize> ToCode for String<N, L> {
    fn to_code(&self, code: &mut Code) {
        code.call("heapless::String::try_from", &[&self.as_str()]);
        code.push(".unwrap()");
    }
}

/// Generates up to `N` elements.
impl<T: Generate, const N: usize> Generate for Deque<T, N> {
    fn generate(source: &mut Source) -> Self {
        let mut deque = Deque::new();
        deque.extend(draw_elements(source, N));
        deque
    }
}

impl<T: ToCode, const N: usize> ToCode for Deque<T, N> {
    fn to_code(&self, code: &mut Code) {
        code.push("heapless::Deque::try_from(");
        brackets(code, self);
        // The error contains the elements, which need not have `Debug`.
        code.push(").ok().unwrap()");
    }
}

/// Generates up to `N` elements. None of them was overwritten.
impl<T: Generate, const N: usize> Generate for HistoryBuf<T, N> {
    fn generate(source: &mut Source) -> Self {
        let mut buffer = HistoryBuf::new();
        buffer.extend(draw_elements::<T>(source, N));
        buffer
    }
}

impl<T: ToCode, const N: usize> ToCode for HistoryBuf<T, N> {
    fn to_code(&self, code: &mut Code) {
        code.push("{ let mut buffer = heapless::HistoryBuf::new(); buffer.extend(");
        brackets(code, self.oldest_ordered());
        code.push("); buffer }");
    }
}

/// Generates up to `N` elements.
impl<T: Generate + Ord, K: Kind, const N: usize> Generate for BinaryHeap<T, K, N> {
    fn generate(source: &mut Source) -> Self {
        let mut heap = BinaryHeap::new();
        for element in draw_elements(source, N) {
            let _ = heap.push(element);
        }
        heap
    }
}

impl<T: ToCode + Ord, K: Kind, const N: usize> ToCode for BinaryHeap<T, K, N> {
    fn to_code(&self, code: &mut Code) {
        if self.is_empty() {
            return code.push("heapless::BinaryHeap::new()");
        }
        sorted(code, self);
        code.push(".into_iter().fold(heapless::BinaryHeap::new(), ");
        code.push("|mut heap, element| { let _ = heap.push(element); heap })");
    }
}

/// Returns the sizes of a collection with this capacity.
fn sizes(capacity: usize) -> Sizes {
    Sizes { min: 0, max: Some(capacity.min(SIZE_MAX)) }
}

fn write_entries<'a, K: ToCode + 'a, V: ToCode + 'a>(
    code: &mut Code,
    function: &str,
    entries: impl Iterator<Item = (&'a K, &'a V)>,
) {
    let entries: std::vec::Vec<Entry<'_, K, V>> = entries.map(|(k, v)| Entry(k, v)).collect();
    code.push(function);
    code.push("(");
    brackets(code, &entries);
    code.push(")");
}

entries!(ordered IndexMap<K, V, S, N>, K: Hash + Eq, S: BuildHasher + Default; const N);
entries!(ordered LinearMap<K, V, N>, K: Eq; const N);
distinct!(ordered IndexSet<T, S, N>, T: Hash + Eq, S: BuildHasher; const N);

/// Generates up to `N` entries. `FnvIndexMap` is one of these maps.
impl<K, V, S, const N: usize> Generate for IndexMap<K, V, S, N>
where
    K: Generate + Hash + Eq,
    V: Generate,
    S: BuildHasher + Default,
{
    fn generate(source: &mut Source) -> Self {
        draw_map(source, "IndexMap", sizes(N), K::members, K::generate, V::generate)
    }
}

impl<K: ToCode, V: ToCode, S, const N: usize> ToCode for IndexMap<K, V, S, N> {
    fn to_code(&self, code: &mut Code) {
        write_entries(code, "heapless::IndexMap::from_iter", self.iter());
    }
}

/// Generates up to `N` entries.
impl<K: Generate + Eq, V: Generate, const N: usize> Generate for LinearMap<K, V, N> {
    fn generate(source: &mut Source) -> Self {
        draw_map(source, "LinearMap", sizes(N), K::members, K::generate, V::generate)
    }
}

impl<K: ToCode + Eq, V: ToCode, const N: usize> ToCode for LinearMap<K, V, N> {
    fn to_code(&self, code: &mut Code) {
        write_entries(code, "heapless::LinearMap::from_iter", self.iter());
    }
}

/// Generates up to `N` elements. `FnvIndexSet` is one of these sets.
impl<T, S, const N: usize> Generate for IndexSet<T, S, N>
where
    T: Generate + Hash + Eq,
    S: BuildHasher + Default,
{
    fn generate(source: &mut Source) -> Self {
        let mut set = IndexSet::default();
        draw_distinct(source, "IndexSet", sizes(N), T::members, T::generate, &mut set);
        set
    }
}

impl<T: ToCode + Hash + Eq, S: BuildHasher, const N: usize> ToCode for IndexSet<T, S, N> {
    fn to_code(&self, code: &mut Code) {
        code.push("heapless::IndexSet::from_iter(");
        brackets(code, self);
        code.push(")");
    }
}

#[cfg(test)]
mod tests {
    use heapless::binary_heap::{Max, Min};
    use heapless::index_map::FnvIndexMap;
    use heapless::index_set::FnvIndexSet;

    use super::*;
    use crate::any;
    use crate::testing::{drawn, prints_as, replays, shrinks_to};

    #[test]
    fn every_collection_is_empty_full_and_anything_between() {
        fn check<T: Generate>(length: impl Fn(&T) -> usize) {
            let all = drawn(&any::<T>(), 500);
            for expected in 0..=4 {
                let has_length = |value| length(value) == expected;
                assert!(all.iter().any(has_length), "{expected} {}", std::any::type_name::<T>());
            }
        }
        check::<Vec<i8, 4>>(|list| list.len());
        check::<Vec<i8, 4, u8>>(|list| list.len());
        check::<String<4>>(|text| text.len());
        check::<Deque<i8, 4>>(|deque| deque.len());
        check::<HistoryBuf<i8, 4>>(|buffer| buffer.len());
        check::<BinaryHeap<i8, Max, 4>>(|heap| heap.len());
        check::<FnvIndexMap<i8, bool, 4>>(|map| map.len());
        check::<LinearMap<i8, bool, 4>>(|map| map.len());
        check::<FnvIndexSet<i8, 4>>(|set| set.len());
        // Fewer elements exist than fit.
        assert!(drawn(&any::<FnvIndexSet<bool, 8>>(), 100).iter().any(|set| set.len() == 2));
    }

    #[test]
    fn every_collection_replays() {
        replays(&any::<Vec<std::string::String, 5>>());
        replays(&any::<String<9>>());
        replays(&any::<Deque<u8, 3>>());
        replays(&any::<HistoryBuf<u8, 3>>());
        replays(&any::<FnvIndexMap<u8, bool, 8>>());
        replays(&any::<FnvIndexSet<Option<u8>, 8>>());
    }

    #[test]
    fn unneeded_elements_are_deleted() {
        shrinks_to(&Vec::from_array([0, 0]), |list: &Vec<u8, 2>| list.is_full());
        shrinks_to(&Vec::from_array([7]), |list: &Vec<u8, 8>| list.contains(&7));
        let wide: String<4> = String::try_from("\u{800}").expect("three bytes");
        shrinks_to(&wide, |text: &String<4>| text.chars().any(|c| c.len_utf8() == 3));
        let map = FnvIndexMap::from_iter([(0, -1)]);
        shrinks_to(&map, |map: &FnvIndexMap<u8, i8, 8>| map.values().any(|value| *value < 0));
        shrinks_to(&FnvIndexSet::from_iter([0, 1]), |set: &FnvIndexSet<u8, 4>| set.len() == 2);
    }

    #[test]
    fn collections_are_printed_for_any_capacity() {
        prints_as!(Vec<u8, 4>, heapless::Vec::from_iter([]));
        prints_as!(Vec<u8, 4, u8>, heapless::Vec::from_iter([1, 2]));
        prints_as!(String<4>, heapless::String::try_from("ab").unwrap());
        prints_as!(String<4, u8>, heapless::String::try_from("").unwrap());
        prints_as!(Deque<u8, 4>, heapless::Deque::try_from([]).ok().unwrap());
        prints_as!(Deque<u8, 4>, heapless::Deque::try_from([1, 2]).ok().unwrap());
        prints_as!(HistoryBuf<u8, 4>, {
            let mut buffer = heapless::HistoryBuf::new();
            buffer.extend([1, 2]);
            buffer
        });
        prints_as!(BinaryHeap<u8, Max, 4>, heapless::BinaryHeap::new());
        #[rustfmt::skip]
        prints_as!(
            BinaryHeap<u8, Min, 4>,
            [1, 2].into_iter().fold(heapless::BinaryHeap::new(), |mut heap, element| { let _ = heap.push(element); heap })
        );
        prints_as!(FnvIndexMap<u8, bool, 4>, heapless::IndexMap::from_iter([]));
        prints_as!(
            FnvIndexMap<u8, bool, 4>,
            heapless::IndexMap::from_iter([(2, true), (1, false)])
        );
        prints_as!(LinearMap<u8, bool, 4>, heapless::LinearMap::from_iter([(2, true)]));
        prints_as!(FnvIndexSet<u8, 4>, heapless::IndexSet::from_iter([2, 1]));
    }
}
