//! Maps and sets that keep the order of insertion: types of the crate `indexmap`.

use std::hash::{BuildHasher, Hash};

use indexmap::{IndexMap, IndexSet};
use rebut_choice::Source;

use crate::code::collections::{Entry, brackets};
use crate::maps::draw_map;
use crate::size::Sizes;
use crate::unique::draw_distinct;
use crate::{Code, Generate, ToCode};

entries!(ordered IndexMap<K, V, S>, K: Hash + Eq, S: BuildHasher + Default);
distinct!(ordered IndexSet<T, S>, T: Hash + Eq, S: BuildHasher);

impl<K, V, S> Generate for IndexMap<K, V, S>
where
    K: Generate + Hash + Eq,
    V: Generate,
    S: BuildHasher + Default,
{
    fn generate(source: &mut Source) -> Self {
        draw_map(source, "IndexMap", Sizes::default(), K::members, K::generate, V::generate)
    }
}

impl<K: ToCode, V: ToCode, S> ToCode for IndexMap<K, V, S> {
    fn to_code(&self, code: &mut Code) {
        code.push("indexmap::IndexMap::from_iter(");
        let entries: Vec<Entry<'_, K, V>> = self.iter().map(|(k, v)| Entry(k, v)).collect();
        brackets(code, &entries);
        code.push(")");
    }
}

impl<T: Generate + Hash + Eq, S: BuildHasher + Default> Generate for IndexSet<T, S> {
    fn generate(source: &mut Source) -> Self {
        let (mut set, sizes) = (IndexSet::default(), Sizes::default());
        draw_distinct(source, "IndexSet", sizes, T::members, T::generate, &mut set);
        set
    }
}

impl<T: ToCode, S> ToCode for IndexSet<T, S> {
    fn to_code(&self, code: &mut Code) {
        code.push("indexmap::IndexSet::from_iter(");
        brackets(code, self);
        code.push(")");
    }
}

#[cfg(test)]
mod tests {
    use std::collections::hash_map::RandomState;
    use std::hash::{BuildHasherDefault, DefaultHasher};

    use super::*;
    use crate::any;
    use crate::testing::{drawn, prints_as, replays};

    type Map = IndexMap<u8, bool, RandomState>;
    type Set = IndexSet<u8, BuildHasherDefault<DefaultHasher>>;

    #[test]
    fn entries_are_in_any_order() {
        let maps = drawn(&any::<Map>(), 200);
        assert!(maps.iter().any(|map| map.len() > 1 && map.keys().is_sorted()));
        assert!(maps.iter().any(|map| !map.keys().is_sorted()));
        let sets = drawn(&any::<IndexSet<bool, RandomState>>(), 200);
        assert!(sets.iter().any(|set| set.iter().eq(&[true, false])));
        replays(&any::<Map>());
        replays(&any::<Set>());
    }

    #[test]
    fn unneeded_entries_are_deleted() {
        let map = rebut::find(rebut::any::<Map>(), |map| map.values().any(|&value| value));
        assert_eq!(map, Some(Map::from_iter([(0, true)])));
        let set = rebut::find(rebut::any::<Set>(), |set| !set.iter().is_sorted());
        assert!(set.is_some_and(|set| set.iter().eq(&[1, 0])));
    }

    #[test]
    fn maps_and_sets_are_printed_in_their_order() {
        prints_as!(Map, indexmap::IndexMap::from_iter([]));
        prints_as!(Map, indexmap::IndexMap::from_iter([(2, true), (1, false)]));
        prints_as!(Set, indexmap::IndexSet::from_iter([2, 1]));
        prints_as!(Set, indexmap::IndexSet::from_iter([]));
    }
}
