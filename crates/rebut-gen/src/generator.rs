//! The two traits and the combinators every generator has.

use std::cell::OnceCell;
use std::fmt;
use std::marker::PhantomData;
use std::rc::Rc;

use rebut_choice::{Label, Source};

use crate::AsGenerator;

/// A description of values that can be drawn.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a generator",
    label = "expected a generator, a range of numbers or characters such as `1..10`, or an array such as `[1, 2, 3]`",
    note = "for any value of a type write `rebut::any::<T>()`; for a single value `rebut::just(value)`; for a closure `rebut::compose(|source| ..)`",
    note = "to map or filter what is in a range, begin with a generator: `rebut::integers().in_range(1..10).map(..)`",
    note = "a string is a regular expression if `rebut` has the feature `regex`: `cargo add rebut --dev --features regex`"
)]
pub trait Generator {
    /// What is drawn.
    type Value;

    /// Draws a value.
    fn draw(&self, source: &mut Source) -> Self::Value;

    /// All values this generator can draw, simplest first, if there are few and no choice is
    /// needed to know them. Filters use it to never reject.
    fn members(&self) -> Option<Vec<Self::Value>> {
        None
    }

    /// The member at a place of the list that [`members`](Generator::members) gives, made
    /// without making the others where that is possible.
    fn member(&self, index: usize) -> Option<Self::Value> {
        self.members()?.into_iter().nth(index)
    }

    /// Whether every draw is exactly one choice outside of any span. Such elements of a
    /// sequence stand on their own; others get a span each.
    fn is_single(&self) -> bool {
        false
    }

    /// Values made from the drawn ones.
    ///
    /// # Example
    /// ```
    /// use rebut_gen::{Generator, integers, simplest};
    /// let even = integers::<u32>().in_range(3..=50).map(|n| n * 2);
    /// assert_eq!(simplest(&even), 6);
    /// ```
    fn map<T, F: Fn(Self::Value) -> T>(self, function: F) -> Map<Self, F>
    where
        Self: Sized,
    {
        Map { inner: self, function }
    }

    /// Values drawn by a generator that depends on an earlier value.
    ///
    /// # Example
    /// ```
    /// use rebut_gen::{Generator, any, integers, sample, vecs};
    /// let square = integers::<usize>().in_range(1..=4).flat_map(|n| {
    ///     vecs(vecs(any::<u8>()).size(n)).size(n)
    /// });
    /// let drawn = sample(&square, 1);
    /// assert!(drawn.iter().all(|row| row.len() == drawn.len()));
    /// ```
    fn flat_map<G: AsGenerator, F: Fn(Self::Value) -> G>(self, function: F) -> FlatMap<Self, F>
    where
        Self: Sized,
    {
        FlatMap { inner: self, function }
    }

    /// Only the values for which `predicate` is true. Where a value is one choice among few,
    /// none is ever rejected; else drawing is repeated, and if that does not help the case is
    /// given up. Prefer bounds (`min_value`, `max_size`) where there are some.
    ///
    /// # Example
    /// ```
    /// use rebut_gen::{Generator, any, sample, simplest};
    /// let odd = any::<u8>().filter(|n| n % 2 == 1);
    /// assert_eq!(simplest(&odd), 1);
    /// assert!((0..100).all(|seed| sample(&odd, seed) % 2 == 1));
    /// ```
    fn filter<F: Fn(&Self::Value) -> bool>(self, predicate: F) -> Filter<Self, F>
    where
        Self: Sized,
    {
        Filter { inner: self, predicate, passing: OnceCell::new() }
    }

    /// The same values, with a say in what a search takes for near: `step` gives, for a value
    /// and a temperature from 0 to 1, the generator of its neighbors. A search then also takes
    /// such steps, within the neighborhood that it makes by itself for the rest of the case.
    /// Cases that no search asked for take none.
    ///
    /// A step must lead to a value that the generator can draw by itself: what holds for all
    /// of its values was tried without steps.
    ///
    /// # Example
    /// ```
    /// use rebut_gen::{Generator, integers, sample};
    /// // Multiples of 10, which are near if one is a few tens from the other.
    /// let tens = integers::<i32>().in_range(0..=100).map(|n| n * 10).neighbors(|&n, temperature| {
    ///     let reach = 1 + (9.0 * temperature) as i32;
    ///     integers::<i32>().in_range(-reach..=reach).map(move |by| (n + by * 10).clamp(0, 1000))
    /// });
    /// assert_eq!(sample(&tens, 1) % 10, 0);
    /// ```
    fn neighbors<G, F>(self, step: F) -> Neighbors<Self, F>
    where
        G: AsGenerator<Value = Self::Value>,
        F: Fn(&Self::Value, f64) -> G,
        Self: Sized,
    {
        Neighbors { inner: self, step }
    }

    /// The generator behind a pointer, so that generators of different types can meet.
    ///
    /// # Example
    /// ```
    /// use rebut_gen::{Generator, booleans, just, one_of, simplest};
    /// let either = one_of([just("no").boxed(), booleans().map(|_| "yes").boxed()]);
    /// assert_eq!(simplest(&either), "no");
    /// ```
    fn boxed<'a>(self) -> Boxed<'a, Self::Value>
    where
        Self: Sized + 'a,
    {
        Boxed::new(self)
    }
}

/// A type that has a generator of its own. Usually derived.
#[diagnostic::on_unimplemented(
    message = "cannot generate values of type `{Self}`",
    label = "no generator for this type",
    note = "if the type is yours, add `#[derive(rebut::Generate)]` to it",
    note = "if it is not, say how to generate it: `#[from(generator)]` before a parameter, `#[generate(generator)]` before a field"
)]
pub trait Generate: Sized {
    /// Draws any value of the type.
    fn generate(source: &mut Source) -> Self;

    /// See [`Generator::members`].
    fn members() -> Option<Vec<Self>> {
        None
    }

    /// See [`Generator::member`].
    fn member(index: usize) -> Option<Self> {
        Self::members()?.into_iter().nth(index)
    }

    /// See [`Generator::is_single`].
    fn is_single() -> bool {
        false
    }
}

/// The generator of a type: draws any value of it.
///
/// # Example
/// ```
/// use rebut_gen::{any, simplest};
/// assert_eq!(simplest(&any::<(bool, Vec<u8>)>()), (false, vec![]));
/// ```
#[must_use]
pub fn any<T: Generate>() -> Any<T> {
    Any { value: PhantomData }
}

/// See [`any`].
pub struct Any<T> {
    value: PhantomData<fn() -> T>,
}

impl<T> Clone for Any<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Any<T> {}

impl<T> fmt::Debug for Any<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "any::<{}>()", std::any::type_name::<T>())
    }
}

impl<T: Generate> Generator for Any<T> {
    type Value = T;

    #[inline]
    fn draw(&self, source: &mut Source) -> T {
        T::generate(source)
    }

    fn members(&self) -> Option<Vec<T>> {
        T::members()
    }

    fn member(&self, index: usize) -> Option<T> {
        T::member(index)
    }

    fn is_single(&self) -> bool {
        T::is_single()
    }
}

/// A generator written as code: draw what you need from the source and build the value.
///
/// # Example
/// ```
/// # use rebut_choice::{Source, Tape};
/// use rebut_gen::{Generator, compose, integers};
/// let ordered = compose(|source| {
///     let low = integers::<u8>().draw(source);
///     let high = integers().min_value(low).draw(source);
///     (low, high)
/// });
/// assert_eq!(ordered.draw(&mut Source::replay(&Tape::default())), (0, 0));
/// ```
pub fn compose<T, F: Fn(&mut Source) -> T>(draw: F) -> FromFn<F> {
    FromFn { draw }
}

/// See [`compose`].
#[derive(Clone, Copy)]
pub struct FromFn<F> {
    draw: F,
}

impl<T, F: Fn(&mut Source) -> T> Generator for FromFn<F> {
    type Value = T;

    fn draw(&self, source: &mut Source) -> T {
        source.span(COMPOSE, &self.draw)
    }
}

const COMPOSE: Label = Label::group("compose");

/// See [`Generator::map`].
#[derive(Clone, Copy)]
pub struct Map<G, F> {
    inner: G,
    function: F,
}

impl<G: Generator, T, F: Fn(G::Value) -> T> Generator for Map<G, F> {
    type Value = T;

    #[inline]
    fn draw(&self, source: &mut Source) -> T {
        (self.function)(self.inner.draw(source))
    }

    fn members(&self) -> Option<Vec<T>> {
        Some(self.inner.members()?.into_iter().map(&self.function).collect())
    }

    fn member(&self, index: usize) -> Option<T> {
        self.inner.member(index).map(&self.function)
    }

    fn is_single(&self) -> bool {
        self.inner.is_single()
    }
}

/// See [`Generator::flat_map`].
#[derive(Clone, Copy)]
pub struct FlatMap<G, F> {
    inner: G,
    function: F,
}

impl<G: Generator, H: AsGenerator, F: Fn(G::Value) -> H> Generator for FlatMap<G, F> {
    type Value = H::Value;

    fn draw(&self, source: &mut Source) -> H::Value {
        source.span(FLAT_MAP, |source| {
            let first = self.inner.draw(source);
            (self.function)(first).draw_value(source)
        })
    }
}

const FLAT_MAP: Label = Label::group("flat_map");

/// See [`Generator::filter`].
#[derive(Clone)]
pub struct Filter<G, F> {
    inner: G,
    predicate: F,
    /// The places of those members that pass, once somebody asked; `None` if the members
    /// are not known, or are made of several choices: one number in their stand would say
    /// nothing about the parts, and to shrink or to search would be to grope.
    passing: OnceCell<Option<Box<[u32]>>>,
}

impl<G: Generator, F: Fn(&G::Value) -> bool> Filter<G, F> {
    fn passing(&self) -> Option<&[u32]> {
        let find = || {
            if !self.inner.is_single() {
                return None;
            }
            let members = self.inner.members()?;
            let places = (0..).zip(&members).filter(|(_, member)| (self.predicate)(member));
            Some(places.map(|(place, _)| place).collect())
        };
        self.passing.get_or_init(find).as_deref()
    }
}

impl<G: Generator, F: Fn(&G::Value) -> bool> Generator for Filter<G, F> {
    type Value = G::Value;

    fn draw(&self, source: &mut Source) -> G::Value {
        let Some(passing) = self.passing() else {
            return source.attempt("a filter was not met", |source| {
                Some(self.inner.draw(source)).filter(&self.predicate)
            });
        };
        if passing.is_empty() {
            source.reject("a filter that no value passes");
        }
        let index = source.index(passing.len());
        match self.member(index) {
            Some(value) => value,
            None => source.reject("a filter whose generator forgot its members"),
        }
    }

    fn members(&self) -> Option<Vec<G::Value>> {
        let mut members = self.inner.members()?;
        members.retain(|value| (self.predicate)(value));
        Some(members)
    }

    fn member(&self, index: usize) -> Option<G::Value> {
        self.inner.member(*self.passing()?.get(index)? as usize)
    }

    fn is_single(&self) -> bool {
        self.passing().is_some()
    }
}

/// See [`Generator::neighbors`].
#[derive(Clone, Copy)]
pub struct Neighbors<G, F> {
    inner: G,
    step: F,
}

impl<G, H, F> Generator for Neighbors<G, F>
where
    G: Generator,
    H: AsGenerator<Value = G::Value>,
    F: Fn(&G::Value, f64) -> H,
{
    type Value = G::Value;

    fn draw(&self, source: &mut Source) -> G::Value {
        source.span(NEIGHBORS, |source| {
            let mut value = self.inner.draw(source);
            source.span(Label::SEQUENCE, |source| {
                for _ in 0..source.steps(STEPS_MAX) {
                    value = source.span(Label::ELEMENT, |source| {
                        let temperature = source.temperature();
                        (self.step)(&value, temperature).draw_value(source)
                    });
                }
            });
            value
        })
    }
}

const NEIGHBORS: Label = Label::group("neighbors");

/// A value is at most so many steps away from the one that was drawn first.
const STEPS_MAX: usize = 1000;

/// See [`Generator::boxed`].
pub struct Boxed<'a, T> {
    inner: Rc<dyn AsGenerator<Value = T> + 'a>,
}

impl<'a, T> Boxed<'a, T> {
    /// As [`Generator::boxed`], also for what stands for a generator.
    #[must_use]
    pub fn new(generator: impl AsGenerator<Value = T> + 'a) -> Boxed<'a, T> {
        Boxed { inner: Rc::new(generator) }
    }
}

impl<T> Clone for Boxed<'_, T> {
    fn clone(&self) -> Self {
        Boxed { inner: Rc::clone(&self.inner) }
    }
}

impl<T> Generator for Boxed<'_, T> {
    type Value = T;

    fn draw(&self, source: &mut Source) -> T {
        self.inner.draw_value(source)
    }

    fn members(&self) -> Option<Vec<T>> {
        self.inner.known_members()
    }

    fn member(&self, index: usize) -> Option<T> {
        self.inner.known_member(index)
    }

    fn is_single(&self) -> bool {
        self.inner.is_single_choice()
    }
}

impl<G: Generator + ?Sized> Generator for &G {
    type Value = G::Value;

    fn draw(&self, source: &mut Source) -> G::Value {
        (**self).draw(source)
    }

    fn members(&self) -> Option<Vec<G::Value>> {
        (**self).members()
    }

    fn member(&self, index: usize) -> Option<G::Value> {
        (**self).member(index)
    }

    fn is_single(&self) -> bool {
        (**self).is_single()
    }
}

macro_rules! opaque_debug {
    ($($name:ident<$($parameter:tt),*>),*) => {$(
        impl<$($parameter),*> fmt::Debug for $name<$($parameter),*> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($name))
            }
        }
    )*};
}
opaque_debug!(FromFn<F>, Map<G, F>, FlatMap<G, F>, Filter<G, F>, Neighbors<G, F>, Boxed<'a, T>);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{drawn, random};
    use crate::{booleans, integers};

    #[test]
    fn a_filter_over_few_values_asks_its_predicate_once_for_each() {
        let asked = std::cell::Cell::new(0);
        let odd = integers::<u8>().filter(|n| {
            asked.set(asked.get() + 1);
            n % 2 == 1
        });
        let mut source = random(1);
        assert!((0..200).all(|_| odd.draw(&mut source) % 2 == 1));
        assert_eq!(asked.get(), 256);
        assert_eq!(source.into_tape().len(), 200);
    }

    #[test]
    fn a_filter_over_many_values_tries_again() {
        let even = integers::<i64>().filter(|n| n % 2 == 0);
        assert!(drawn(&even, 100).iter().all(|n| n % 2 == 0));
        assert!(even.members().is_none() && !even.is_single());
    }

    #[test]
    fn members_pass_through_maps_and_filters() {
        let digits = integers::<u32>().max_value(9).map(|n| n + 1).filter(|n| n % 3 == 0);
        assert_eq!(digits.members(), Some(vec![3, 6, 9]));
        assert_eq!(digits.member(1), Some(6));
        assert!(digits.is_single() && booleans().is_single());
    }
}
