//! Collections whose elements differ from each other.
//!
//! The length is drawn first, then each element until it is a new one. Where all possible
//! elements are known and few, the length stays within their number; and where most of them
//! are wanted, each is picked among those that are left, because drawing until a new one
//! turns up would take too long.

use std::collections::HashSet;
use std::fmt;
use std::hash::Hash;

use rebut_choice::{Label, Source};

use crate::size::Sizes;
use crate::{Generator, Vecs};

const WHY: &str = "no further element differs from those that are there";

/// Draws a sequence. `add` takes an element, draws what belongs to it, and says no if the
/// collection has it already.
pub(crate) fn draw_unique<T>(
    source: &mut Source,
    builder: &str,
    sizes: Sizes,
    members: Option<Vec<T>>,
    mut draw: impl FnMut(&mut Source) -> T,
    mut add: impl FnMut(&mut Source, T) -> bool,
) {
    let (min, max) = match &members {
        Some(members) => sizes.bounds_within(builder, members.len()),
        None => sizes.bounds(builder),
    };
    source.span(Label::SEQUENCE, |source| {
        let length = source.length(min, max);
        match members {
            Some(members) if 2 * length > members.len() => {
                pick_unique(source, (min, length), members, add);
            }
            _ => {
                for _ in 0..length {
                    source.attempt(WHY, |source| {
                        let element = draw(source);
                        add(source, element).then_some(())
                    });
                }
            }
        }
    });
}

/// Picks elements among those that are left. Members can be equal to each other, so there
/// may be fewer than were wanted.
fn pick_unique<T>(
    source: &mut Source,
    (min, length): (usize, usize),
    mut members: Vec<T>,
    mut add: impl FnMut(&mut Source, T) -> bool,
) {
    let mut found = 0;
    while found < length && !members.is_empty() {
        let added = source.span(Label::ELEMENT, |source| {
            let index = source.index(members.len());
            let member = members.remove(index);
            add(source, member)
        });
        found += usize::from(added);
    }
    if found < min {
        source.reject(WHY);
    }
}

impl<G: Generator> Vecs<G> {
    /// Vectors without equal elements.
    ///
    /// # Example
    /// ```
    /// use rebut_gen::{integers, sample, vecs};
    /// let mut drawn = sample(&vecs(integers::<u8>().max_value(9)).size(10).unique(), 1);
    /// drawn.sort();
    /// assert_eq!(drawn, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    /// ```
    #[must_use]
    pub fn unique(self) -> UniqueVecs<G, impl Fn(&G::Value) -> G::Value>
    where
        G::Value: Hash + Eq + Clone,
    {
        self.unique_by(G::Value::clone)
    }

    /// Vectors without elements whose keys are equal.
    ///
    /// # Example
    /// ```
    /// use rebut_gen::{any, sample, vecs};
    /// let by_id = vecs(any::<(u16, String)>()).min_size(2).unique_by(|(id, _)| *id);
    /// let drawn = sample(&by_id, 1);
    /// assert_ne!(drawn[0].0, drawn[1].0);
    /// ```
    #[must_use]
    pub fn unique_by<K: Hash + Eq, F: Fn(&G::Value) -> K>(self, key: F) -> UniqueVecs<G, F> {
        UniqueVecs { vecs: self, key }
    }
}

/// See [`Vecs::unique`].
#[derive(Clone)]
pub struct UniqueVecs<G, F> {
    vecs: Vecs<G>,
    key: F,
}

impl<G, F> UniqueVecs<G, F> {
    /// At least so many elements.
    #[must_use]
    pub fn min_size(mut self, min_size: usize) -> Self {
        self.vecs = self.vecs.min_size(min_size);
        self
    }

    /// At most so many elements.
    #[must_use]
    pub fn max_size(mut self, max_size: usize) -> Self {
        self.vecs = self.vecs.max_size(max_size);
        self
    }

    /// Exactly so many elements.
    #[must_use]
    pub fn size(self, size: usize) -> Self {
        self.min_size(size).max_size(size)
    }
}

impl<G: Generator, K: Hash + Eq, F: Fn(&G::Value) -> K> Generator for UniqueVecs<G, F> {
    type Value = Vec<G::Value>;

    fn draw(&self, source: &mut Source) -> Vec<G::Value> {
        let Vecs { elements, sizes } = &self.vecs;
        let mut seen = HashSet::new();
        let mut list = Vec::new();
        let draw = |source: &mut Source| elements.draw(source);
        draw_unique(source, "vecs().unique()", *sizes, elements.members(), draw, |_, element| {
            let is_new = seen.insert((self.key)(&element));
            if is_new {
                list.push(element);
            }
            is_new
        });
        list
    }
}

impl<G, F> fmt::Debug for UniqueVecs<G, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("UniqueVecs")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{drawn, exhausted, misuse_of, replays};
    use crate::{any, integers, vecs};

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
    fn fewer_are_taken_if_members_turn_out_to_be_equal() {
        let halves = integers::<u8>().max_value(9).map(|n| n / 5);
        assert!(drawn(&vecs(&halves).min_size(2).unique(), 50).iter().all(|l| l.len() == 2));
        assert!(drawn(&vecs(&halves).max_size(9).unique(), 50).iter().any(|l| l.len() == 2));
    }

    #[test]
    fn more_than_there_are_is_refused() {
        let text = misuse_of(&vecs(any::<bool>()).min_size(3).unique());
        assert!(text.contains("minimum is 3 and the maximum is 2"), "{text}");
    }
}
