//! Hash maps and sets: types of the crate `hashbrown`.

use std::hash::{BuildHasher, Hash};

use hashbrown::{HashMap, HashSet};
use rebut_choice::Source;

use crate::code::collections::{Entry, sorted};
use crate::maps::draw_map;
use crate::size::Sizes;
use crate::unique::draw_distinct;
use crate::{Code, Generate, ToCode};

entries!(unordered HashMap<K, V, S>, K: Hash + Eq, S: BuildHasher + Default);
distinct!(unordered HashSet<T, S>, T: Hash + Eq, S: BuildHasher);

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

impl<K: ToCode, V: ToCode, S> ToCode for HashMap<K, V, S> {
    fn to_code(&self, code: &mut Code) {
        code.push("hashbrown::HashMap::from_iter(");
        let entries: Vec<Entry<'_, K, V>> = self.iter().map(|(k, v)| Entry(k, v)).collect();
        sorted(code, &entries);
        code.push(")");
    }
}

impl<T: Generate + Hash + Eq, S: BuildHasher + Default> Generate for HashSet<T, S> {
    fn generate(source: &mut Source) -> Self {
        let (mut set, sizes) = (HashSet::default(), Sizes::default());
        draw_distinct(source, "HashSet", sizes, T::members, T::generate, &mut set);
        set
    }
}

impl<T: ToCode, S> ToCode for HashSet<T, S> {
    fn to_code(&self, code: &mut Code) {
        code.push("hashbrown::HashSet::from_iter(");
        sorted(code, self);
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

    type Map = HashMap<String, i8, RandomState>;
    type Set = HashSet<bool, BuildHasherDefault<DefaultHasher>>;

    #[test]
    fn sets_of_few_possible_elements_are_drawn_whole() {
        assert!(drawn(&any::<Set>(), 100).iter().any(|set| set.len() == 2));
        replays(&any::<Map>());
        replays(&any::<Set>());
    }

    #[test]
    fn unneeded_entries_are_deleted() {
        let map = rebut::find(rebut::any::<Map>(), |map| map.values().any(|&value| value < 0));
        assert_eq!(map, Some(Map::from_iter([(String::new(), -1)])));
        assert_eq!(rebut::find(rebut::any::<Set>(), |_| true), Some(Set::default()));
    }

    #[test]
    fn maps_and_sets_are_printed_in_a_fixed_order() {
        prints_as!(Set, hashbrown::HashSet::from_iter([]));
        prints_as!(Set, hashbrown::HashSet::from_iter([true, false]));
        prints_as!(
            HashMap<u8, i8, RandomState>,
            hashbrown::HashMap::from_iter([(1, 2), (3, 4), (10, 0)])
        );
    }
}
