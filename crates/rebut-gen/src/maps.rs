//! Maps: distinct keys, each with a value.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, Hash};
use std::marker::PhantomData;

use rebut_choice::Source;

use crate::size::{Sizes, sized};
use crate::unique::{Distinct, draw_distinct};
use crate::{AsGenerator, Generate, Generator};

/// Draws a map. Each key is drawn until it is new, and then its value.
pub(crate) fn draw_map<K, V, M: Entries<K, V>>(
    source: &mut Source,
    builder: &str,
    sizes: Sizes,
    members: impl Fn() -> Option<Vec<K>>,
    key: impl FnMut(&mut Source) -> K,
    value: impl FnMut(&mut Source) -> V,
) -> M {
    let mut drawn = MapInProgress { map: M::default(), value, values: PhantomData };
    draw_distinct(source, builder, sizes, members, key, &mut drawn);
    drawn.map
}

/// A map and the function that draws its values.
struct MapInProgress<M, F, V> {
    map: M,
    value: F,
    values: PhantomData<V>,
}

impl<K, V, M: Entries<K, V>, F: FnMut(&mut Source) -> V> Distinct<K> for MapInProgress<M, F, V> {
    const HAS_MORE: bool = true;
    const ANY_ORDER: bool = M::ANY_ORDER;

    fn has(&self, key: &K) -> bool {
        self.map.has(key)
    }

    fn add(&mut self, source: &mut Source, key: K) {
        let value = (self.value)(source);
        self.map.add(key, value);
    }

    fn clear(&mut self) {
        self.map = M::default();
    }

    fn len(&self) -> usize {
        self.map.entries()
    }
}

/// The operations that all maps have.
pub(crate) trait Entries<K, V>: Default {
    /// Whether the same entries in another order are the same map.
    const ANY_ORDER: bool;

    fn has(&self, key: &K) -> bool;
    fn add(&mut self, key: K, value: V);
    fn entries(&self) -> usize;
}

/// Implements [`Entries`] for a map `$type` of `K` and `V`, which keeps the order of its entries or
/// not.
macro_rules! entries {
    (unordered $type:ty, $($rest:tt)+) => { entries!(@ true, $type, $($rest)+); };
    (ordered $type:ty, $($rest:tt)+) => { entries!(@ false, $type, $($rest)+); };
    (@ $any_order:literal, $type:ty, $($parameter:ident: $first:ident $(+ $bound:ident)*),+ $(; const $size:ident)?) => {
        impl<$($parameter: $first $(+ $bound)*,)+ V $(, const $size: usize)?>
            $crate::maps::Entries<K, V> for $type
        {
            const ANY_ORDER: bool = $any_order;

            fn has(&self, key: &K) -> bool {
                self.contains_key(key)
            }

            fn add(&mut self, key: K, value: V) {
                let _ = self.insert(key, value);
            }

            fn entries(&self) -> usize {
                self.len()
            }
        }
    };
}
entries!(unordered HashMap<K, V, S>, K: Hash + Eq, S: BuildHasher + Default);
entries!(unordered BTreeMap<K, V>, K: Ord);

macro_rules! maps {
    ($function:ident, $builder:ident, $type:ident, $what:literal, $($bound:ident)+) => {
        #[doc = concat!("Generates ", $what, " with keys and values of two generators. Shrinks to \
            the empty map.")]
        ///
        /// If there are few distinct keys, a map has at most one entry for each.
        ///
        /// # Examples
        /// ```
        #[doc = concat!("use rebut::{any, find, sample, ", stringify!($function), "};")]
        ///
        #[doc = concat!(
            "let maps = ", stringify!($function), "(any::<u8>(), any::<bool>()).min_size(2).max_size(3);"
        )]
        /// assert!((2..=3).contains(&sample(&maps, 1).len()));
        /// let found = find(maps, |map| map.len() == 3).unwrap();
        /// assert_eq!((found[&0], found[&1], found[&2]), (false, false, false));
        /// ```
        #[must_use]
        pub fn $function<K: AsGenerator, V: AsGenerator>(keys: K, values: V) -> $builder<K, V> {
            $builder { keys, values, sizes: Sizes::default() }
        }

        #[doc = concat!("The generator that [`", stringify!($function), "`] returns.")]
        ///
        /// # Examples
        /// ```
        #[doc = concat!("use rebut::generators::{Any, ", stringify!($builder), "};")]
        #[doc = concat!("use rebut::{any, simplest, ", stringify!($function), "};")]
        ///
        #[doc = concat!("let maps: ", stringify!($builder), "<Any<u8>, Any<bool>> = ",
            stringify!($function), "(any(), any());")]
        /// assert!(simplest(&maps).is_empty());
        /// ```
        #[derive(Clone, Debug)]
        pub struct $builder<K, V> {
            keys: K,
            values: V,
            sizes: Sizes,
        }

        sized!($builder<K, V>);

        impl<K: AsGenerator, V: AsGenerator> Generator for $builder<K, V>
        where
            K::Value: $($bound +)+,
        {
            type Value = $type<K::Value, V::Value>;

            fn draw(&self, source: &mut Source) -> Self::Value {
                draw_map(
                    source,
                    concat!(stringify!($function), "()"),
                    self.sizes,
                    || self.keys.known_members(),
                    |source| self.keys.draw_value(source),
                    |source| self.values.draw_value(source),
                )
            }
        }
    };
}
maps!(hash_maps, HashMaps, HashMap, "hash maps", Hash Eq);
maps!(btree_maps, BTreeMaps, BTreeMap, "ordered maps", Ord);

impl<K, V, S> Generate for HashMap<K, V, S>
where
    K: Generate + Hash + Eq,
    V: Generate,
    S: BuildHasher + Default,
{
    fn generate(source: &mut Source) -> Self {
        draw_map(source, "HashMap", Sizes::default(), K::members, K::generate, V::generate)
    }
}

impl<K: Generate + Ord, V: Generate> Generate for BTreeMap<K, V> {
    fn generate(source: &mut Source) -> Self {
        draw_map(source, "BTreeMap", Sizes::default(), K::members, K::generate, V::generate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{drawn, from_tape, misuse_of, replays};
    use crate::{any, simplest};

    #[test]
    fn maps_have_a_size_within_the_bounds() {
        let maps = drawn(&hash_maps(any::<u8>(), any::<u8>()).min_size(3).max_size(6), 100);
        assert!(maps.iter().all(|map| (3..=6).contains(&map.len())));
        assert_eq!(simplest(&btree_maps(any::<i8>(), any::<bool>())), BTreeMap::new());
    }

    #[test]
    fn maps_can_contain_all_of_a_few_keys() {
        let maps = drawn(&btree_maps(any::<bool>(), any::<u8>()).size(2), 20);
        assert!(maps.iter().all(|map| map.len() == 2));
        let text = misuse_of(&btree_maps(any::<bool>(), any::<u8>()).min_size(3));
        assert!(text.contains("maximum is 2"), "{text}");
    }

    #[test]
    fn an_entry_is_a_key_and_a_value() {
        let maps = btree_maps(any::<u64>(), any::<u8>());
        let map = from_tape(&maps, "(g0 (s1 i2 (g1 (g2 i7 ) i1 ) (g1 (g2 i9 ) i3 ) ) )");
        assert_eq!(map, BTreeMap::from([(7, 1), (9, 3)]));
        replays(&any::<HashMap<String, Vec<u8>>>());
        replays(&any::<BTreeMap<bool, String>>());
    }
}
