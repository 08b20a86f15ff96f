//! The traits [`Generator`] and [`Generate`], and the combinators of every generator.

use std::cell::OnceCell;
use std::fmt;
use std::marker::PhantomData;
use std::rc::Rc;

use rebut_choice::{Label, Source};

use crate::AsGenerator;

/// Describes how to generate values of one type.
///
/// Functions such as [`integers`](crate::integers) return generators, and the methods of this
/// trait combine them. To write one from scratch, use [`from_fn`].
///
/// # Examples
/// ```
/// use rebut::{Generator, find, integers, vecs};
///
/// let even = integers::<u32>().max_value(100).map(|n| n * 2);
/// let found = find(vecs(even), |list| list.iter().sum::<u32>() > 9);
/// assert_eq!(found, Some(vec![10]));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a generator",
    label = "expected a generator, a range of numbers or characters such as `1..10`, or an array such as `[1, 2, 3]`",
    note = "for any value of a type write `rebut::any::<T>()`; for a single value `rebut::just(value)`; for a closure `rebut::from_fn(|source| ..)`",
    note = "to map or filter a range, start with a generator: `rebut::integers().in_range(1..10).map(..)`",
    note = "a string is a regular expression if `rebut` has the feature `regex`: `cargo add rebut --dev --features regex`"
)]
pub trait Generator {
    /// The type of the generated values.
    type Value;

    /// Draws choices from the source and builds a value from them.
    ///
    /// Call it inside of [`from_fn`] or of an implementation of [`Generate`]. In a test, use
    /// parameters, or `case.draw(..)`.
    ///
    /// # Examples
    /// ```
    /// use rebut::{Generator, Source, Tape, booleans};
    ///
    /// let mut simplest = Source::replay(&Tape::default());
    /// assert_eq!(booleans().draw(&mut simplest), false);
    /// ```
    fn draw(&self, source: &mut Source) -> Self::Value;

    /// Returns all values of the generator, simplest first.
    ///
    /// Returns `None` if there are many, or if they are not known without drawing choices.
    /// Filters use the list so that they never reject a value.
    ///
    /// # Examples
    /// ```
    /// use rebut::{Generator, integers};
    ///
    /// assert_eq!(integers::<i8>().in_range(-1..=1).members(), Some(vec![0, 1, -1]));
    /// assert_eq!(integers::<i64>().members(), None);
    /// ```
    fn members(&self) -> Option<Vec<Self::Value>> {
        None
    }

    /// Returns one element of [`members`](Generator::members), if possible without computing the
    /// others.
    ///
    /// # Examples
    /// ```
    /// use rebut::{Generator, sampled_from};
    ///
    /// assert_eq!(sampled_from(["GET", "PUT"]).member(1), Some("PUT"));
    /// assert_eq!(sampled_from(["GET", "PUT"]).member(2), None);
    /// ```
    fn member(&self, index: usize) -> Option<Self::Value> {
        self.members()?.into_iter().nth(index)
    }

    /// Returns whether every value is exactly one choice outside of any span.
    ///
    /// Sequences put such elements directly on the tape, and every other element in a span of its
    /// own.
    ///
    /// # Examples
    /// ```
    /// use rebut::{Generator, booleans, strings};
    ///
    /// assert!(booleans().is_single());
    /// assert!(!strings().is_single());
    /// ```
    fn is_single(&self) -> bool {
        false
    }

    /// Applies a function to every generated value.
    ///
    /// The result shrinks as the original value does.
    ///
    /// # Examples
    /// ```
    /// use rebut::{Generator, integers, simplest};
    ///
    /// let even = integers::<u32>().in_range(3..=50).map(|n| n * 2);
    /// assert_eq!(simplest(&even), 6);
    /// ```
    fn map<T, F: Fn(Self::Value) -> T>(self, function: F) -> Map<Self, F>
    where
        Self: Sized,
    {
        Map { inner: self, function }
    }

    /// Generates a value, then a second one with a generator that depends on the first.
    ///
    /// # Examples
    /// ```
    /// use rebut::{Generator, any, integers, sample, vecs};
    ///
    /// let squares = integers::<usize>().in_range(1..=4).flat_map(|n| {
    ///     vecs(vecs(any::<u8>()).size(n)).size(n)
    /// });
    /// let square = sample(&squares, 1);
    /// assert!(square.iter().all(|row| row.len() == square.len()));
    /// ```
    fn flat_map<G: AsGenerator, F: Fn(Self::Value) -> G>(self, function: F) -> FlatMap<Self, F>
    where
        Self: Sized,
    {
        FlatMap { inner: self, function }
    }

    /// Generates only the values for which `predicate` returns `true`.
    ///
    /// If a value is one choice among few, nothing is ever rejected. Otherwise the generator tries
    /// again, and rejects the case after several attempts. Prefer bounds (`min_value`, `max_size`)
    /// to a filter.
    ///
    /// # Examples
    /// ```
    /// use rebut::{Generator, any, sample, simplest};
    ///
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

    /// Generates the same values, and defines which of them are neighbors in a targeted search.
    ///
    /// `step` takes a value and a temperature from 0 to 1, and returns the generator of its
    /// neighbors. A search then takes such steps in addition to the neighborhood that it derives
    /// for the rest of the case. Without a search, nothing changes.
    ///
    /// A step must lead to a value that the generator can also generate without steps. Otherwise
    /// the test runs with values that no random case has.
    ///
    /// # Examples
    /// ```
    /// use rebut::{Generator, integers, sample};
    ///
    /// // Multiples of 10. A neighbor is a few tens away.
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

    /// Boxes the generator, so that generators of different types fit in one list.
    ///
    /// # Examples
    /// ```
    /// use rebut::{Generator, booleans, just, one_of, simplest};
    ///
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

/// Generates any value of a type.
///
/// Usually derived: `#[derive(rebut::Generate)]`. Types that implement it can be parameters of a
/// test without `#[from(..)]`.
///
/// # Examples
/// ```
/// use rebut::{Generate, Source, any, simplest};
///
/// #[derive(Debug, PartialEq)]
/// struct Even(u32);
///
/// impl Generate for Even {
///     fn generate(source: &mut Source) -> Even {
///         Even(u32::generate(source) / 2 * 2)
///     }
/// }
///
/// assert_eq!(simplest(&any::<Vec<Even>>()), []);
/// assert_eq!(rebut::find(any::<Even>(), |even| even.0 > 10), Some(Even(12)));
/// ```
#[diagnostic::on_unimplemented(
    message = "cannot generate values of type `{Self}`",
    label = "no generator for this type",
    note = "if the type is yours, add `#[derive(rebut::Generate)]` to it",
    note = "types of crates such as `chrono` need the feature of `rebut` with the name of the crate: `cargo add rebut --dev --features chrono`",
    note = "otherwise, write a generator: `#[from(generator)]` on a parameter, `#[generate(generator)]` on a field"
)]
pub trait Generate: Sized {
    /// Draws choices from the source and builds a value from them.
    ///
    /// # Examples
    /// ```
    /// use rebut::{Generate, Source, Tape};
    ///
    /// let mut simplest = Source::replay(&Tape::default());
    /// assert_eq!(<(u8, String)>::generate(&mut simplest), (0, String::new()));
    /// ```
    fn generate(source: &mut Source) -> Self;

    /// Returns all values of the type, simplest first; see [`Generator::members`].
    ///
    /// # Examples
    /// ```
    /// use rebut::Generate;
    ///
    /// assert_eq!(Option::<bool>::members(), Some(vec![None, Some(false), Some(true)]));
    /// ```
    fn members() -> Option<Vec<Self>> {
        None
    }

    /// Returns one element of [`members`](Generate::members); see [`Generator::member`].
    ///
    /// # Examples
    /// ```
    /// use rebut::Generate;
    ///
    /// assert_eq!(bool::member(1), Some(true));
    /// ```
    fn member(index: usize) -> Option<Self> {
        Self::members()?.into_iter().nth(index)
    }

    /// Returns whether every value is exactly one choice; see [`Generator::is_single`].
    ///
    /// # Examples
    /// ```
    /// use rebut::Generate;
    ///
    /// assert!(u8::is_single() && !String::is_single());
    /// ```
    fn is_single() -> bool {
        false
    }

    /// Returns whether the type has any values. `Infallible` has none, so that every generated
    /// `Result<T, Infallible>` is `Ok`.
    ///
    /// # Examples
    /// ```
    /// use std::convert::Infallible;
    /// use rebut::Generate;
    ///
    /// assert!(u8::has_values() && !<(u8, Infallible)>::has_values());
    /// assert!(Option::<Infallible>::has_values());
    /// ```
    fn has_values() -> bool {
        true
    }
}

/// Generates any value of a type.
///
/// # Examples
/// ```
/// use rebut::{any, simplest};
///
/// assert_eq!(simplest(&any::<(bool, Vec<u8>)>()), (false, vec![]));
/// ```
#[must_use]
pub fn any<T: Generate>() -> Any<T> {
    Any { value: PhantomData }
}

/// The generator that [`any`] returns.
///
/// # Examples
/// ```
/// use rebut::any;
/// use rebut::generators::Any;
///
/// fn texts() -> Any<String> {
///     any()
/// }
/// assert_eq!(rebut::simplest(&texts()), "");
/// ```
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

/// Creates a generator from a function that draws from the source and builds the value.
///
/// # Examples
/// ```
/// use rebut::{Generator, from_fn, integers, sample, simplest};
///
/// let ordered = from_fn(|source| {
///     let low = integers::<u8>().draw(source);
///     let high = integers().min_value(low).draw(source);
///     (low, high)
/// });
/// let (low, high) = sample(&ordered, 1);
/// assert!(low <= high);
/// assert_eq!(simplest(&ordered), (0, 0));
/// ```
pub fn from_fn<T, F: Fn(&mut Source) -> T>(draw: F) -> FromFn<F> {
    FromFn { draw }
}

/// The generator that [`from_fn`] returns.
///
/// # Examples
/// ```
/// use rebut::generators::FromFn;
/// use rebut::{Generate, Source, from_fn, simplest};
///
/// fn draw_pair(source: &mut Source) -> (u8, bool) {
///     (u8::generate(source), bool::generate(source))
/// }
///
/// let pairs: FromFn<fn(&mut Source) -> (u8, bool)> = from_fn(draw_pair);
/// assert_eq!(simplest(&pairs), (0, false));
/// ```
#[derive(Clone, Copy)]
pub struct FromFn<F> {
    draw: F,
}

impl<T, F: Fn(&mut Source) -> T> Generator for FromFn<F> {
    type Value = T;

    fn draw(&self, source: &mut Source) -> T {
        source.span(FROM_FN, &self.draw)
    }
}

const FROM_FN: Label = Label::group("from_fn");

/// The generator that [`Generator::map`] returns.
///
/// # Examples
/// ```
/// use rebut::generators::{Any, Map};
/// use rebut::{Generator, any, simplest};
///
/// fn letters() -> Map<Any<bool>, fn(bool) -> char> {
///     any().map(|is_last| if is_last { 'z' } else { 'a' })
/// }
/// assert_eq!(simplest(&letters()), 'a');
/// ```
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

/// The generator that [`Generator::flat_map`] returns.
///
/// # Examples
/// ```
/// use rebut::generators::{FlatMap, Integers, Vecs};
/// use rebut::{Generator, integers, simplest, vecs};
///
/// type Lists = FlatMap<Integers<usize>, fn(usize) -> Vecs<[bool; 1]>>;
///
/// let lists: Lists = integers().in_range(2..=4).flat_map(|size| vecs([true]).size(size));
/// assert_eq!(simplest(&lists), [true, true]);
/// ```
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

/// The generator that [`Generator::filter`] returns.
///
/// # Examples
/// ```
/// use rebut::generators::{Any, Filter};
/// use rebut::{Generator, any, simplest};
///
/// let odd: Filter<Any<u8>, fn(&u8) -> bool> = any().filter(|n| n % 2 == 1);
/// assert_eq!(simplest(&odd), 1);
/// ```
#[derive(Clone)]
pub struct Filter<G, F> {
    inner: G,
    predicate: F,
    /// The indices of the members that pass, computed on first use.
    ///
    /// `None` if the members are not known or consist of several choices. One index instead of
    /// several choices would hide the parts of the value from shrinking and search.
    passing: OnceCell<Option<Box<[u32]>>>,
}

impl<G: Generator, F: Fn(&G::Value) -> bool> Filter<G, F> {
    fn passing(&self) -> Option<&[u32]> {
        let find = || {
            if !self.inner.is_single() {
                return None;
            }
            let members = self.inner.members()?;
            let passing = (0..).zip(&members).filter(|(_, member)| (self.predicate)(member));
            Some(passing.map(|(index, _)| index).collect())
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

/// The generator that [`Generator::neighbors`] returns.
///
/// # Examples
/// ```
/// use rebut::generators::{Any, Integers, Neighbors};
/// use rebut::{Generator, any, integers, simplest};
///
/// type Steps = Neighbors<Any<u8>, fn(&u8, f64) -> Integers<u8>>;
///
/// let steps: Steps = any().neighbors(|&n, _| integers().min_value(n));
/// assert_eq!(simplest(&steps), 0);
/// ```
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

/// The maximum number of steps from the value that was drawn first. A search takes no more; it
/// continues with other edits. Arbitrary: it bounds the length of a tape.
const STEPS_MAX: usize = 1000;

/// The generator that [`Generator::boxed`] returns.
///
/// # Examples
/// ```
/// use rebut::generators::Boxed;
/// use rebut::{Generator, just, simplest, strings};
///
/// fn names(are_empty: bool) -> Boxed<'static, String> {
///     if are_empty { just(String::new()).boxed() } else { strings().min_size(1).boxed() }
/// }
/// assert_eq!(simplest(&names(false)), "a");
/// ```
pub struct Boxed<'a, T> {
    inner: Rc<dyn AsGenerator<Value = T> + 'a>,
}

impl<'a, T> Boxed<'a, T> {
    /// Boxes a generator or anything that can be used as one, such as a range.
    ///
    /// # Examples
    /// ```
    /// use rebut::generators::Boxed;
    /// use rebut::{one_of, simplest};
    ///
    /// let ports = one_of([Boxed::new([80, 443]), Boxed::new(8000..9000)]);
    /// assert_eq!(simplest(&ports), 80);
    /// ```
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
    fn a_filter_over_few_values_calls_its_predicate_once_for_each() {
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
