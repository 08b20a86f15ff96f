//! Sets.

use std::collections::{BTreeSet, HashSet};
use std::hash::{BuildHasher, Hash};

use rebut_choice::Source;

use crate::size::{Sizes, sized};
use crate::unique::draw_distinct;
use crate::{AsGenerator, Generate, Generator};

macro_rules! sets {
    ($function:ident, $builder:ident, $type:ident, $what:literal, $($bound:ident)+) => {
        #[doc = concat!("Generates ", $what, ". Shrinks to the minimum size.")]
        ///
        /// If there are few distinct elements, a set has at most one of each.
        ///
        /// # Examples
        /// ```
        #[doc = concat!("use rebut::{any, find, sample, ", stringify!($function), "};")]
        ///
        #[doc = concat!(
            "let sets = ", stringify!($function), "(any::<u8>()).min_size(2).max_size(3);"
        )]
        /// assert!((2..=3).contains(&sample(&sets, 1).len()));
        /// assert_eq!(find(sets, |set| set.len() == 3), Some([0, 1, 2].into()));
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
        #[doc = concat!("let sets: ", stringify!($builder), "<Any<u8>> = ",
            stringify!($function), "(any());")]
        /// assert!(simplest(&sets).is_empty());
        /// ```
        #[derive(Clone, Debug)]
        pub struct $builder<G> {
            elements: G,
            sizes: Sizes,
        }

        sized!($builder<G>);

        impl<G: AsGenerator> Generator for $builder<G>
        where
            G::Value: $($bound +)+,
        {
            type Value = $type<G::Value>;

            fn draw(&self, source: &mut Source) -> Self::Value {
                let mut set = $type::new();
                draw_distinct(
                    source,
                    concat!(stringify!($function), "()"),
                    self.sizes,
                    || self.elements.known_members(),
                    |source| self.elements.draw_value(source),
                    &mut set,
                );
                set
            }
        }
    };
}
sets!(hash_sets, HashSets, HashSet, "hash sets", Hash Eq);
sets!(btree_sets, BTreeSets, BTreeSet, "ordered sets", Ord);

impl<T: Generate + Hash + Eq, S: BuildHasher + Default> Generate for HashSet<T, S> {
    fn generate(source: &mut Source) -> Self {
        let (mut set, sizes) = (HashSet::default(), Sizes::default());
        draw_distinct(source, "HashSet", sizes, T::members, T::generate, &mut set);
        set
    }
}

impl<T: Generate + Ord> Generate for BTreeSet<T> {
    fn generate(source: &mut Source) -> Self {
        let (mut set, sizes) = (BTreeSet::new(), Sizes::default());
        draw_distinct(source, "BTreeSet", sizes, T::members, T::generate, &mut set);
        set
    }
}

/// Implements [`Distinct`](crate::unique::Distinct) for a set `$type` of `T`, which keeps the order
/// of its elements or not.
macro_rules! distinct {
    (unordered $type:ty, $($rest:tt)+) => { distinct!(@ true, $type, $($rest)+); };
    (ordered $type:ty, $($rest:tt)+) => { distinct!(@ false, $type, $($rest)+); };
    (@ $any_order:literal, $type:ty, $($parameter:ident: $first:ident $(+ $bound:ident)*),+ $(; const $size:ident)?) => {
        impl<$($parameter: $first $(+ $bound)*,)+ $(const $size: usize)?>
            $crate::unique::Distinct<T> for $type
        {
            const HAS_MORE: bool = false;
            const ANY_ORDER: bool = $any_order;

            fn has(&self, element: &T) -> bool {
                self.contains(element)
            }

            fn add(&mut self, _source: &mut rebut_choice::Source, element: T) {
                let _ = self.insert(element);
            }

            fn clear(&mut self) {
                self.clear();
            }

            fn len(&self) -> usize {
                self.len()
            }
        }
    };
}
distinct!(unordered HashSet<T, S>, T: Hash + Eq, S: BuildHasher);
distinct!(unordered BTreeSet<T>, T: Ord);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{drawn, replays};
    use crate::{any, simplest, strings};

    #[test]
    fn sets_have_a_size_within_the_bounds() {
        let sets = drawn(&hash_sets(any::<i32>()).min_size(3).max_size(6), 100);
        assert!(sets.iter().all(|set| (3..=6).contains(&set.len())));
        let sets = drawn(&btree_sets(strings()).min_size(2), 100);
        assert!(sets.iter().all(|set| set.len() >= 2));
        assert!(simplest(&any::<HashSet<u8>>()).is_empty());
    }

    #[test]
    fn sets_of_few_possible_elements_are_drawn_whole() {
        assert_eq!(drawn(&btree_sets(any::<bool>()).min_size(2), 20)[7], [false, true].into());
        assert!(drawn(&any::<HashSet<bool>>(), 100).iter().any(|set| set.len() == 2));
    }

    #[test]
    fn sets_replay() {
        replays(&any::<HashSet<u8>>());
        replays(&any::<BTreeSet<Option<String>>>());
    }
}
