//! The two traits and the combinators every generator has.

use std::fmt;
use std::marker::PhantomData;
use std::rc::Rc;

use rebut_choice::{Label, Source};

/// A description of values that can be drawn.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a generator",
    label = "expected a generator such as `integers()`, `vecs(..)` or `any::<T>()`",
    note = "for the generator of a type write `rebut::any::<T>()`; for a closure `rebut::compose(|source| ..)`"
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

    /// Values made from the drawn ones.
    fn map<T, F: Fn(Self::Value) -> T>(self, function: F) -> Map<Self, F>
    where
        Self: Sized,
    {
        Map { inner: self, function }
    }

    /// Values drawn by a generator that depends on an earlier value.
    fn flat_map<G: Generator, F: Fn(Self::Value) -> G>(self, function: F) -> FlatMap<Self, F>
    where
        Self: Sized,
    {
        FlatMap { inner: self, function }
    }

    /// Only the values for which `predicate` is true. Where all values are known and few,
    /// none is ever rejected; else drawing is repeated, and if that does not help the case is
    /// given up. Prefer bounds (`min_value`, `max_size`) where there are some.
    fn filter<F: Fn(&Self::Value) -> bool>(self, predicate: F) -> Filter<Self, F>
    where
        Self: Sized,
    {
        Filter { inner: self, predicate }
    }

    /// The generator behind a pointer, so that generators of different types can meet.
    fn boxed<'a>(self) -> Boxed<'a, Self::Value>
    where
        Self: Sized + 'a,
    {
        Boxed { inner: Rc::new(self) }
    }
}

/// A type that has a generator of its own. Usually derived.
#[diagnostic::on_unimplemented(
    message = "Rebut does not know how to draw a `{Self}`",
    label = "no generator for this type",
    note = "if the type is yours, add `#[derive(rebut::Generate)]` to it",
    note = "if it is not, say how to draw it: `#[from(generator)]` before the parameter or field"
)]
pub trait Generate: Sized {
    /// Draws any value of the type.
    fn generate(source: &mut Source) -> Self;

    /// See [`Generator::members`].
    fn members() -> Option<Vec<Self>> {
        None
    }
}

/// The generator of a type: draws any value of it.
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
}

/// See [`Generator::flat_map`].
#[derive(Clone, Copy)]
pub struct FlatMap<G, F> {
    inner: G,
    function: F,
}

impl<G: Generator, H: Generator, F: Fn(G::Value) -> H> Generator for FlatMap<G, F> {
    type Value = H::Value;

    fn draw(&self, source: &mut Source) -> H::Value {
        source.span(FLAT_MAP, |source| {
            let first = self.inner.draw(source);
            (self.function)(first).draw(source)
        })
    }
}

const FLAT_MAP: Label = Label::group("flat_map");

/// See [`Generator::filter`].
#[derive(Clone, Copy)]
pub struct Filter<G, F> {
    inner: G,
    predicate: F,
}

impl<G: Generator, F: Fn(&G::Value) -> bool> Generator for Filter<G, F> {
    type Value = G::Value;

    fn draw(&self, source: &mut Source) -> G::Value {
        if let Some(mut members) = self.members() {
            if members.is_empty() {
                source.reject("a filter that no value passes");
            }
            let index = source.index(members.len());
            return members.swap_remove(index);
        }
        source.attempt("a filter was not met", |source| {
            Some(self.inner.draw(source)).filter(&self.predicate)
        })
    }

    fn members(&self) -> Option<Vec<G::Value>> {
        let mut members = self.inner.members()?;
        members.retain(|value| (self.predicate)(value));
        Some(members)
    }
}

/// See [`Generator::boxed`].
pub struct Boxed<'a, T> {
    inner: Rc<dyn Generator<Value = T> + 'a>,
}

impl<T> Clone for Boxed<'_, T> {
    fn clone(&self) -> Self {
        Boxed { inner: Rc::clone(&self.inner) }
    }
}

impl<T> Generator for Boxed<'_, T> {
    type Value = T;

    fn draw(&self, source: &mut Source) -> T {
        self.inner.draw(source)
    }

    fn members(&self) -> Option<Vec<T>> {
        self.inner.members()
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
opaque_debug!(FromFn<F>, Map<G, F>, FlatMap<G, F>, Filter<G, F>, Boxed<'a, T>);
