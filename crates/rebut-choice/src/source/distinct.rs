//! Draws the keys of a collection, which differ from each other.
//!
//! A key is recorded as its generator draws it, whatever the other keys are. So an element means
//! the same after others were deleted, and every engine sees the choices that it knows from the
//! same key elsewhere. The road not taken is an index into the keys that are left: it is never
//! taken twice, but it means another key as soon as an earlier element changes.
//!
//! If a key is there already, the driver decides:
//!
//! - A random driver draws again, a few times.
//! - Otherwise the next key in the order of the enumeration takes its place on the tape. So an
//!   edited tape is repaired, and a full domain needs no luck.
//! - The enumeration itself skips the case, because the next key has a case of its own. In a
//!   collection without an order, it also skips keys that come before the previous one, because
//!   the same collection was drawn in another order.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use super::{Source, State};
use crate::{AnyDriver, Exhaustive, Stop, Token};

/// The maximum number of times that a random driver draws a key until it is new. After that, the
/// next key is taken. Arbitrary: if half of all keys are in the collection, this happens once in 17
/// million (`2^24`). 12 and 48 change nothing in `bench find`.
const TRIES_MAX: usize = 24;

/// The maximum number of keys to try in the order of the enumeration. Arbitrary: four times as many
/// as the largest number of keys that a generator knows. Different choices can lead to the same key,
/// so a domain can be used up long before its choices are.
const WALK_MAX: usize = 4096;

/// Like [`WALK_MAX`], if it is not known whether a further key exists. Arbitrary.
const BLIND_WALK_MAX: usize = 64;

const REJECTION_REASON: &str = "no further element differs from those that are there";

/// The keys that a collection has drawn so far.
///
/// # Examples
/// ```
/// use rebut_choice::{DistinctKeys, Source, Tape};
/// let mut source = Source::replay(&Tape::from_text("(g1 i7 ) (g1 i7 )").unwrap());
/// let (mut keys, mut list) = (DistinctKeys::new(true, true), Vec::new());
/// for _ in 0..2 {
///     let is_new = |key: &i128| !list.contains(key);
///     let key = source.distinct(&mut keys, &mut |source| source.integer(0, 9), &is_new);
///     list.extend(key);
/// }
/// assert_eq!(list, [7, 8]);
/// ```
#[derive(Debug)]
pub struct DistinctKeys {
    any_order: bool,
    are_known: bool,
    count: u32,
    /// The part of the path of an enumeration that led to the last key.
    last: Range<usize>,
    /// The choices of the last key that was there already, and the walk from it to a new one. If
    /// the same choices come again, as in a tape of zeros, the walk goes on from there.
    walked: Option<(Vec<Token>, Exhaustive)>,
}

impl DistinctKeys {
    /// Starts an empty collection. In a collection with `any_order`, the order in which the keys
    /// are drawn does not matter. `are_known` is true if the collection is not longer than the
    /// number of different keys.
    ///
    /// # Examples
    /// See [`DistinctKeys`].
    #[must_use]
    pub fn new(any_order: bool, are_known: bool) -> DistinctKeys {
        DistinctKeys { any_order, are_known, count: 0, last: 0..0, walked: None }
    }
}

impl Source {
    /// Draws a key that `is_new`. Returns `None` if it finds no such key.
    ///
    /// # Examples
    /// See [`DistinctKeys`].
    pub fn distinct<T>(
        &mut self,
        keys: &mut DistinctKeys,
        draw: &mut dyn FnMut(&mut Source) -> T,
        is_new: &dyn Fn(&T) -> bool,
    ) -> Option<T> {
        let mut drawn = None;
        let is_found = self.draw_distinct(keys, &mut |source| {
            let key = draw(source);
            let is_new_key = is_new(&key);
            drawn = Some(key);
            is_new_key
        });
        drawn.filter(|_| is_found)
    }

    /// Draws until the key is new, which `draw` returns. This code is compiled once for all types.
    fn draw_distinct(
        &mut self,
        keys: &mut DistinctKeys,
        draw: &mut dyn FnMut(&mut Source) -> bool,
    ) -> bool {
        let mut tries = 0;
        self.attempt(REJECTION_REASON, |source| {
            tries += 1;
            let from = source.position();
            let mut is_new = draw(source);
            source.check_order(keys, &from, is_new);
            if !is_new {
                if tries < TRIES_MAX && source.state.borrow().driver.can_retry() {
                    return None;
                }
                is_new = source.next_new(keys, &from, draw);
            }
            source.count_key(keys, &from);
            Some(is_new)
        })
    }

    fn position(&self) -> Position {
        let state = self.state.borrow();
        let walked = match &state.driver {
            AnyDriver::Exhaustive(walk) => walk.depth(),
            _ => 0,
        };
        Position { tokens: state.tokens.len(), choices: state.choices, depth: state.depth, walked }
    }

    /// Ends the case if an enumeration has a collection with the same keys elsewhere.
    fn check_order(&self, keys: &mut DistinctKeys, from: &Position, is_new: bool) {
        let is_repeated = {
            let state = &mut *self.state.borrow_mut();
            let AnyDriver::Exhaustive(walk) = &mut state.driver else { return };
            let this = from.walked..walk.depth();
            let is_later = !keys.any_order || keys.count == 0 || walk.is_later(&this, &keys.last);
            keys.last = this;
            let is_repeated = !is_new || !is_later;
            if is_repeated {
                walk.skip();
            }
            is_repeated
        };
        if is_repeated {
            Stop::Rejected(REJECTION_REASON.into()).raise()
        }
    }

    /// Replaces the key by the next one in the order of the enumeration that is new. Returns whether
    /// there is one.
    fn next_new(
        &mut self,
        keys: &mut DistinctKeys,
        from: &Position,
        draw: &mut dyn FnMut(&mut Source) -> bool,
    ) -> bool {
        let tail = match self.state.borrow().tokens.get(from.tokens..) {
            Some(tail) => tail.to_vec(),
            None => return false,
        };
        let walk = match keys.walked.take() {
            Some((start, walk)) if start == tail => walk,
            _ => Exhaustive::at(&tail),
        };
        let Some(mut walking) = Walking::begin(self, walk, tail.len()) else { return false };
        let steps = if keys.are_known { WALK_MAX } else { BLIND_WALK_MAX };
        let mut is_found = false;
        for _ in 0..steps {
            walking.advance(from);
            is_found = match catch_unwind(AssertUnwindSafe(|| draw(self))) {
                Ok(is_new) => is_new,
                // A filter inside the key rejects it.
                Err(stop) if matches!(stop.downcast_ref(), Some(Stop::Rejected(_))) => continue,
                Err(stop) => resume_unwind(stop),
            };
            if is_found || self.state.borrow().tokens[from.tokens..] == tail {
                break;
            }
        }
        keys.walked = walking.end(from).map(|walk| (tail, *walk));
        is_found
    }

    /// Records what the key contributes to [`Source::combinations`].
    fn count_key(&self, keys: &mut DistinctKeys, from: &Position) {
        let state = &mut *self.state.borrow_mut();
        let tail = state.tokens.get(from.tokens..).unwrap_or_default();
        let domain = product_of_sizes(tail) as f64;
        let taken = f64::from(keys.count);
        let orders = if keys.any_order { taken + 1.0 } else { 1.0 };
        keys.count += 1;
        // More keys than choices can make means that the choices are not all there is.
        if domain > taken {
            state.repeats.push((state.tokens.len(), (domain - taken) / (domain * orders)));
        }
    }
}

/// Returns the number of ways to choose the numbers of these choices.
pub(super) fn product_of_sizes(tokens: &[Token]) -> u128 {
    tokens.iter().fold(1, |product: u128, token| match token {
        Token::Choice(choice) if !choice.domain.role.is_walk() => {
            product.saturating_mul(choice.domain.size())
        }
        _ => product,
    })
}

/// Where a key begins.
struct Position {
    tokens: usize,
    choices: usize,
    depth: usize,
    /// The number of choices of an enumeration.
    walked: usize,
}

/// A source that follows an enumeration until [`Walking::end`], or until a panic ends the case.
struct Walking {
    source: Source,
    outer: Option<AnyDriver>,
}

impl Walking {
    /// Returns `None` if the driver does not accept other answers than its own for a key of this
    /// many tokens.
    fn begin(source: &Source, walk: Exhaustive, key_length: usize) -> Option<Walking> {
        let state = &mut *source.state.borrow_mut();
        if !state.driver.accepts_replacement(key_length) {
            return None;
        }
        let walk = AnyDriver::Exhaustive(Box::new(walk));
        let outer = Some(std::mem::replace(&mut state.driver, walk));
        Some(Walking { source: source.clone(), outer })
    }

    /// Removes the key from the tape, and moves on to the next one.
    fn advance(&mut self, from: &Position) {
        let state = &mut *self.source.state.borrow_mut();
        state.truncate(from.tokens);
        state.choices = from.choices;
        state.depth = from.depth;
        if let AnyDriver::Exhaustive(walk) = &mut state.driver
            && !walk.advance()
        {
            **walk = Exhaustive::default();
        }
    }

    fn end(mut self, from: &Position) -> Option<Box<Exhaustive>> {
        let state = &mut *self.source.state.borrow_mut();
        let outer = self.outer.take()?;
        let walk = std::mem::replace(&mut state.driver, outer);
        if let (AnyDriver::Other(driver), [.., Token::Choice(last)]) =
            (&mut state.driver, state.tokens.as_slice())
        {
            driver.replace_last(from.tokens, *last);
        }
        match walk {
            AnyDriver::Exhaustive(walk) => Some(walk),
            _ => None,
        }
    }
}

impl Drop for Walking {
    fn drop(&mut self) {
        if let Some(outer) = self.outer.take()
            && let Ok(mut state) = self.source.state.try_borrow_mut()
        {
            state.driver = outer;
        }
    }
}

impl State {
    /// Removes the tokens from this index on.
    pub(super) fn truncate(&mut self, kept: usize) {
        self.tokens.truncate(kept);
        self.repeats.retain(|&(end, _)| end <= kept);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Label, Random, Tape};

    /// Draws numbers below 4 that differ, as many as the length says.
    fn numbers(source: &mut Source, any_order: bool) -> Vec<i128> {
        let mut list = Vec::new();
        source.span(Label::SEQUENCE, |source| {
            let mut keys = DistinctKeys::new(any_order, true);
            for _ in 0..source.length(0, 4) {
                let is_new = |key: &i128| !list.contains(key);
                let key = source.distinct(&mut keys, &mut |source| source.integer(0, 3), &is_new);
                list.extend(key);
            }
        });
        list
    }

    fn replayed(tape: &str) -> (Vec<i128>, String) {
        let mut source = Source::replay(&Tape::from_text(tape).expect("a valid tape"));
        let list = numbers(&mut source, true);
        let numbers: Vec<String> =
            source.into_tape().choices().map(|choice| choice.number.to_string()).collect();
        (list, numbers.join(" "))
    }

    #[test]
    fn a_key_that_is_there_becomes_the_next_on_the_tape() {
        let tape = "(s1 i3 (g1 i2 ) (g1 i2 ) (g1 i2 ) )";
        assert_eq!(replayed(tape), (vec![2, 3, 0], "3 2 3 0".to_owned()));
        let (list, numbers) = replayed("(s1 i4 )");
        assert_eq!((list, numbers.as_str()), (vec![0, 1, 2, 3], "4 0 1 2 3"));
    }

    #[test]
    fn a_deletion_does_not_change_the_other_keys() {
        assert_eq!(replayed("(s1 i4 (g1 i3 ) (g1 i1 ) (g1 i0 ) (g1 i2 ) )").0, [3, 1, 0, 2]);
        assert_eq!(replayed("(s1 i2 (g1 i3 ) (g1 i2 ) )").0, [3, 2]);
        assert_eq!(replayed("(s1 i1 (g1 i2 ) )").0, [2]);
    }

    /// Returns all lists that an enumeration does not skip, and the largest estimate.
    fn enumerated(any_order: bool) -> (Vec<Vec<i128>>, u128) {
        let (mut lists, mut estimate) = (Vec::new(), 0);
        let mut walk = Box::new(Exhaustive::default());
        loop {
            let mut source = Source::new(AnyDriver::Exhaustive(walk));
            let drawn = catch_unwind(AssertUnwindSafe(|| numbers(&mut source, any_order)));
            if drawn.is_ok() {
                estimate = estimate.max(source.combinations());
            }
            let AnyDriver::Exhaustive(back) = source.into_driver() else { unreachable!() };
            walk = back;
            assert_eq!(drawn.is_err(), walk.is_skipped());
            lists.extend(drawn);
            if !walk.advance() {
                return (lists, estimate);
            }
        }
    }

    #[test]
    fn an_enumeration_has_each_collection_once() {
        let (sets, estimate) = enumerated(true);
        assert_eq!((sets.len(), estimate), (16, 5 * 6));
        assert!(sets.iter().all(|set| set.is_sorted()));
        let (lists, estimate) = enumerated(false);
        assert_eq!((lists.len(), estimate), (1 + 4 + 12 + 24 + 24, 5 * 24));
    }

    #[test]
    fn random_keys_replay() {
        for seed in 0..100 {
            let mut source = Source::new(AnyDriver::Random(Box::new(Random::new(seed))));
            let list = numbers(&mut source, true);
            assert_eq!(list, numbers(&mut Source::replay(&source.into_tape()), true));
        }
    }
}
