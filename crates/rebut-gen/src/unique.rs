//! Collections of distinct elements.
//!
//! The length is drawn first, then the elements with [`Source::distinct`]. So the tape has only
//! distinct elements. If no new element turns up, the whole collection is drawn again, with at most
//! the length reached before: a small domain of unknown size does not reject case after case.
//!
//! If all possible elements are known and few, the length is limited to their number.

use std::collections::HashSet;
use std::fmt;
use std::hash::Hash;

use rebut_choice::{DistinctKeys, Label, Source};

use crate::misuse::misuse;
use crate::size::Sizes;
use crate::{AsGenerator, Generator, Vecs};

const REJECTION_REASON: &str = "no further element differs from those that are there";

/// A collection with distinct keys.
pub(crate) trait Distinct<K> {
    /// Whether an element has more than its key.
    const HAS_MORE: bool;
    /// Whether the same elements in another order are the same collection.
    const ANY_ORDER: bool;

    /// Returns whether the collection contains the key.
    fn has(&self, key: &K) -> bool;

    /// Adds a new key, and draws the rest of the element.
    fn add(&mut self, source: &mut Source, key: K);

    /// Removes all elements.
    fn clear(&mut self);

    /// Returns the number of elements.
    fn len(&self) -> usize;
}

/// Draws a collection with distinct keys.
pub(crate) fn draw_distinct<K, C: Distinct<K>>(
    source: &mut Source,
    builder: &str,
    sizes: Sizes,
    members: impl Fn() -> Option<Vec<K>>,
    mut key: impl FnMut(&mut Source) -> K,
    collection: &mut C,
) {
    let known = members().map(|members| members.len());
    let (min, mut max) = match known {
        Some(known) => sizes.bounds_within(builder, known),
        None => sizes.bounds(builder),
    };
    source.attempt(REJECTION_REASON, |source| {
        collection.clear();
        source.span(Label::SEQUENCE, |source| {
            let length = source.length(min, max);
            let mut keys = DistinctKeys::new(C::ANY_ORDER, known.is_some());
            for found in 0..length {
                if !draw_element(source, &mut keys, &mut key, collection) {
                    max = found.max(min);
                    return None;
                }
            }
            // A key that the collection did not contain makes it longer, if `Eq`, `Ord` and `Hash`
            // of the elements are consistent. These can be code of the user.
            if collection.len() != length {
                misuse(
                    builder,
                    &format_args!("({length} distinct elements became {})", collection.len()),
                    "elements whose `Eq`, `Ord` and `Hash` are consistent",
                );
            }
            Some(())
        })
    });
}

/// Draws the key and the rest of one element. Returns whether there was a new key.
fn draw_element<K, C: Distinct<K>>(
    source: &mut Source,
    keys: &mut DistinctKeys,
    key: &mut dyn FnMut(&mut Source) -> K,
    collection: &mut C,
) -> bool {
    let mut draw = |source: &mut Source| {
        let key = source.distinct(keys, key, &|key| !collection.has(key));
        key.map(|key| collection.add(source, key)).is_some()
    };
    if C::HAS_MORE { source.span(Label::ELEMENT, draw) } else { draw(source) }
}

impl<G: AsGenerator> Vecs<G> {
    /// Generates only vectors with distinct elements.
    ///
    /// # Examples
    /// ```
    /// use rebut::{find, vecs};
    ///
    /// let lists = vecs(0..=9u8).unique();
    /// assert_eq!(find(lists, |list| list.len() == 3), Some(vec![0, 1, 2]));
    /// ```
    #[must_use]
    pub fn unique(self) -> UniqueVecs<G, impl Fn(&G::Value) -> G::Value>
    where
        G::Value: Hash + Eq + Clone,
    {
        self.unique_by(G::Value::clone)
    }

    /// Generates only vectors whose elements have distinct keys.
    ///
    /// # Examples
    /// ```
    /// use rebut::{any, sample, vecs};
    ///
    /// let users = vecs(any::<(u16, String)>()).min_size(2).unique_by(|(id, _)| *id);
    /// let users = sample(&users, 1);
    /// assert_ne!(users[0].0, users[1].0);
    /// ```
    #[must_use]
    pub fn unique_by<K: Hash + Eq, F: Fn(&G::Value) -> K>(self, key: F) -> UniqueVecs<G, F> {
        UniqueVecs { vecs: self, key }
    }
}

/// The generator that [`Vecs::unique`] returns.
///
/// # Examples
/// ```
/// use rebut::generators::{Any, UniqueVecs};
/// use rebut::{any, simplest, vecs};
///
/// let words: UniqueVecs<Any<String>, fn(&String) -> usize> = vecs(any()).unique_by(String::len);
/// assert!(simplest(&words).is_empty());
/// ```
#[derive(Clone)]
pub struct UniqueVecs<G, F> {
    vecs: Vecs<G>,
    key: F,
}

impl<G, F> UniqueVecs<G, F> {
    /// Sets the minimum size.
    ///
    /// # Examples
    /// ```
    /// use rebut::{sample, vecs};
    ///
    /// assert!(sample(&vecs(0..=9).unique().min_size(2), 1).len() >= 2);
    /// ```
    #[must_use]
    pub fn min_size(mut self, min_size: usize) -> Self {
        self.vecs = self.vecs.min_size(min_size);
        self
    }

    /// Sets the maximum size.
    ///
    /// # Examples
    /// ```
    /// use rebut::{sample, vecs};
    ///
    /// assert!(sample(&vecs(0..=9).unique().max_size(3), 1).len() <= 3);
    /// ```
    #[must_use]
    pub fn max_size(mut self, max_size: usize) -> Self {
        self.vecs = self.vecs.max_size(max_size);
        self
    }

    /// Sets the exact size.
    ///
    /// # Examples
    /// ```
    /// use rebut::{sample, vecs};
    ///
    /// let mut all = sample(&vecs(0..=4).unique().size(5), 1);
    /// all.sort();
    /// assert_eq!(all, [0, 1, 2, 3, 4]);
    /// ```
    #[must_use]
    pub fn size(self, size: usize) -> Self {
        self.min_size(size).max_size(size)
    }
}

impl<G: AsGenerator, K: Hash + Eq, F: Fn(&G::Value) -> K> Generator for UniqueVecs<G, F> {
    type Value = Vec<G::Value>;

    fn draw(&self, source: &mut Source) -> Vec<G::Value> {
        let Vecs { elements, sizes } = &self.vecs;
        let mut list = ByKey { list: Vec::new(), seen: HashSet::new(), key: &self.key };
        draw_distinct(
            source,
            "vecs().unique()",
            *sizes,
            || elements.known_members(),
            |source| elements.draw_value(source),
            &mut list,
        );
        list.list
    }
}

/// A vector and the keys of its elements.
struct ByKey<'a, T, K, F> {
    list: Vec<T>,
    seen: HashSet<K>,
    key: &'a F,
}

impl<T, K: Hash + Eq, F: Fn(&T) -> K> Distinct<T> for ByKey<'_, T, K, F> {
    const HAS_MORE: bool = false;
    const ANY_ORDER: bool = false;

    fn has(&self, element: &T) -> bool {
        self.seen.contains(&(self.key)(element))
    }

    fn add(&mut self, _source: &mut Source, element: T) {
        self.seen.insert((self.key)(&element));
        self.list.push(element);
    }

    fn clear(&mut self) {
        self.seen.clear();
        self.list.clear();
    }

    fn len(&self) -> usize {
        self.list.len()
    }
}

impl<G, F> fmt::Debug for UniqueVecs<G, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("UniqueVecs")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;
    use crate::testing::{drawn, exhausted, misuse_of, random, replays};
    use crate::{Generate, any, from_fn, integers, simplest, vecs};

    #[test]
    fn unique_lists_have_no_equal_elements() {
        for list in drawn(&vecs(any::<u8>()).unique(), 300) {
            assert_eq!(list.iter().collect::<HashSet<_>>().len(), list.len());
        }
        replays(&vecs(any::<i64>()).unique());
        replays(&vecs(any::<bool>()).unique());
    }

    #[test]
    fn a_domain_can_be_used_up() {
        for mut list in drawn(&vecs(any::<u8>()).size(256).unique(), 5) {
            list.sort_unstable();
            assert!(list.into_iter().eq(0..=255));
        }
        let all = exhausted(&vecs(any::<bool>()).unique());
        assert_eq!(all.len(), 5, "{all:?}");
    }

    #[test]
    fn the_simplest_collection_of_a_minimum_size_has_the_simplest_elements() {
        assert_eq!(simplest(&vecs(any::<u8>()).min_size(3).unique()), [0, 1, 2]);
        assert_eq!(simplest(&vecs(any::<String>()).min_size(2).unique()), ["", "a"]);
        let sets = simplest(&vecs(any::<BTreeSet<bool>>()).min_size(4).unique());
        assert_eq!(
            sets,
            [vec![], vec![false], vec![true], vec![false, true]].map(BTreeSet::from_iter)
        );
        replays(&any::<BTreeSet<BTreeSet<bool>>>());
    }

    #[test]
    fn fewer_are_taken_if_members_turn_out_to_be_equal() {
        let halves = integers::<u8>().max_value(9).map(|n| n / 5);
        assert!(drawn(&vecs(&halves).min_size(2).unique(), 50).iter().all(|l| l.len() == 2));
        assert!(drawn(&vecs(&halves).max_size(9).unique(), 50).iter().any(|l| l.len() == 2));
        replays(&vecs(&halves).max_size(9).unique());
    }

    /// A collection that loses every second element: a bug in Rebut, made on purpose.
    #[derive(Default)]
    struct Leaky {
        kept: Vec<u8>,
        is_lost: bool,
    }

    impl Distinct<u8> for Leaky {
        const HAS_MORE: bool = false;
        const ANY_ORDER: bool = false;

        fn has(&self, element: &u8) -> bool {
            self.kept.contains(element)
        }

        fn add(&mut self, _source: &mut Source, element: u8) {
            self.is_lost = !self.is_lost;
            if self.is_lost {
                self.kept.push(element);
            }
        }

        fn clear(&mut self) {
            *self = Leaky::default();
        }

        fn len(&self) -> usize {
            self.kept.len()
        }
    }

    #[test]
    fn elements_with_an_inconsistent_order_are_a_misuse() {
        let leaky = from_fn(|source| {
            let sizes = Sizes { min: 4, max: Some(4) };
            let mut leaky = Leaky::default();
            draw_distinct(source, "leaky()", sizes, || None, u8::generate, &mut leaky);
        });
        let message = misuse_of(&leaky);
        assert!(message.starts_with("invalid `leaky()` (4 distinct elements became "), "{message}");
        assert!(message.contains("`Eq`, `Ord` and `Hash` are consistent"), "{message}");
    }

    #[test]
    fn a_small_domain_of_unknown_size_rejects_nothing() {
        let pairs = from_fn(|source| (bool::generate(source), bool::generate(source)));
        let lists = vecs(pairs).unique();
        let mut rejected = 0;
        for seed in 0..200 {
            let mut source = random(seed);
            match catch_unwind(AssertUnwindSafe(|| lists.draw(&mut source))) {
                Ok(list) => assert!(list.len() <= 4),
                Err(_) => rejected += 1,
            }
        }
        assert!(rejected < 5, "{rejected} of 200 were rejected");
        replays(&lists);
    }

    #[test]
    fn sizes_above_the_number_of_values_are_refused() {
        let text = misuse_of(&vecs(any::<bool>()).min_size(3).unique());
        assert!(text.contains("minimum is 3 and the maximum is 2"), "{text}");
    }
}
