//! Options and results.

use rebut_choice::{Label, Source};

use crate::integers::MEMBERS_MAX;
use crate::misuse::misuse;
use crate::{AsGenerator, Generate, Generator};

/// Generates `None`, or `Some` value of a generator. Shrinks to `None`.
///
/// # Examples
/// ```
/// use rebut::{find, options, simplest};
///
/// let ports = options(1..=65_535u16);
/// assert_eq!(simplest(&ports), None);
/// assert_eq!(find(ports, |port| port.is_some()), Some(Some(1)));
/// ```
#[must_use]
pub fn options<G: AsGenerator>(values: G) -> Options<G> {
    Options { values, none: NONE_WEIGHT, some: SOME_WEIGHT }
}

/// How often random cases have `None` and `Some`: `Some` has more to vary. QuickCheck for Haskell has
/// the same weights. Not measured.
const NONE_WEIGHT: u32 = 1;
const SOME_WEIGHT: u32 = 3;
const OPTION: Label = Label::group("option");
const RESULT: Label = Label::group("result");

/// The generator that [`options`] returns.
///
/// # Examples
/// ```
/// use rebut::generators::{Any, Options};
/// use rebut::{any, options, simplest};
///
/// let ages: Options<Any<u8>> = options(any());
/// assert_eq!(simplest(&ages), None);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Options<G> {
    values: G,
    none: u32,
    some: u32,
}

impl<G> Options<G> {
    /// Sets the relative frequencies of `None` and `Some`. The default is 1 to 3.
    ///
    /// Weights are a hint to random runs.
    ///
    /// # Examples
    /// ```
    /// use rebut::{any, options, sample};
    ///
    /// let always = options(any::<u8>()).weights(0, 1);
    /// assert!((0..100).all(|seed| sample(&always, seed).is_some()));
    /// ```
    #[must_use]
    pub fn weights(mut self, none: u32, some: u32) -> Self {
        (self.none, self.some) = (none, some);
        self
    }
}

impl<G: AsGenerator> Generator for Options<G> {
    type Value = Option<G::Value>;

    fn draw(&self, source: &mut Source) -> Option<G::Value> {
        if self.none == 0 && self.some == 0 {
            misuse("options().weights", &(0, 0), "weights of which one is above zero");
        }
        source.span(OPTION, |source| {
            source.presence(self.none, self.some).then(|| self.values.draw_value(source))
        })
    }

    fn members(&self) -> Option<Vec<Option<G::Value>>> {
        optional(self.values.known_members()?)
    }

    fn member(&self, index: usize) -> Option<Option<G::Value>> {
        match index.checked_sub(1) {
            None => Some(None),
            Some(index) => self.values.known_member(index).map(Some),
        }
    }
}

fn optional<T>(members: Vec<T>) -> Option<Vec<Option<T>>> {
    let few = (members.len() as u128) < MEMBERS_MAX;
    few.then(|| std::iter::once(None).chain(members.into_iter().map(Some)).collect())
}

impl<T: Generate> Generate for Option<T> {
    fn generate(source: &mut Source) -> Option<T> {
        source.open(OPTION);
        let is_some = T::has_values() && source.presence(NONE_WEIGHT, SOME_WEIGHT);
        let value = if is_some { Some(T::generate(source)) } else { None };
        source.close();
        value
    }

    fn members() -> Option<Vec<Option<T>>> {
        optional(T::members()?)
    }
}

/// Generates `Ok` and `Err` with the values of two generators. Shrinks to `Ok`.
///
/// # Examples
/// ```
/// use rebut::{any, find, just, results, simplest};
///
/// let answers = results(any::<u8>(), just("refused"));
/// assert_eq!(simplest(&answers), Ok(0));
/// assert_eq!(find(answers, |answer| answer.is_err()), Some(Err("refused")));
/// ```
#[must_use]
pub fn results<T: AsGenerator, E: AsGenerator>(values: T, errors: E) -> Results<T, E> {
    Results { values, errors, weights: [1, 1] }
}

/// The generator that [`results`] returns.
///
/// # Examples
/// ```
/// use rebut::generators::{Any, Results};
/// use rebut::{any, results, simplest};
///
/// let answers: Results<Any<u8>, Any<String>> = results(any(), any());
/// assert_eq!(simplest(&answers), Ok(0));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Results<T, E> {
    values: T,
    errors: E,
    weights: [u32; 2],
}

impl<T, E> Results<T, E> {
    /// Sets the relative frequencies of `Ok` and `Err`. The default is 1 to 1.
    ///
    /// Weights are a hint to random runs.
    ///
    /// # Examples
    /// ```
    /// use rebut::{just, results, sample};
    ///
    /// let mostly = results(just(1), just("refused")).weights(9, 1);
    /// assert!((0..100).filter(|&seed| sample(&mostly, seed).is_ok()).count() > 60);
    /// ```
    #[must_use]
    pub fn weights(mut self, ok: u32, err: u32) -> Self {
        self.weights = [ok, err];
        self
    }
}

impl<T: AsGenerator, E: AsGenerator> Generator for Results<T, E> {
    type Value = Result<T::Value, E::Value>;

    fn draw(&self, source: &mut Source) -> Self::Value {
        if self.weights == [0, 0] {
            misuse("results().weights", &(0, 0), "weights of which one is above zero");
        }
        draw_result(
            source,
            &self.weights,
            |source| self.values.draw_value(source),
            |source| self.errors.draw_value(source),
        )
    }
}

fn draw_result<T, E>(
    source: &mut Source,
    weights: &[u32],
    value: impl FnOnce(&mut Source) -> T,
    error: impl FnOnce(&mut Source) -> E,
) -> Result<T, E> {
    source.span(RESULT, |source| {
        let is_error = source.alternative(2, weights, 2) == 1;
        source.span(Label::ALTERNATIVE, |source| {
            if is_error { Err(error(source)) } else { Ok(value(source)) }
        })
    })
}

impl<T: Generate, E: Generate> Generate for Result<T, E> {
    fn generate(source: &mut Source) -> Result<T, E> {
        match (T::has_values(), E::has_values()) {
            (true, false) => Ok(T::generate(source)),
            (false, true) => Err(E::generate(source)),
            _ => draw_result(source, &[], T::generate, E::generate),
        }
    }

    fn has_values() -> bool {
        T::has_values() || E::has_values()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::any;
    use crate::testing::{drawn, exhausted, misuse_of, replays};
    use std::convert::Infallible;

    #[test]
    fn both_sides_are_drawn() {
        let options = drawn(&any::<Option<u8>>(), 100);
        assert!(options.iter().any(Option::is_none) && options.iter().any(Option::is_some));
        assert_eq!(exhausted(&any::<Result<bool, ()>>()), [Ok(false), Ok(true), Err(())]);
        replays(&any::<Result<Option<String>, Vec<i8>>>());
    }

    #[test]
    fn sides_without_values_are_never_drawn() {
        assert_eq!(exhausted(&any::<Result<bool, Infallible>>()), [Ok(false), Ok(true)]);
        assert_eq!(exhausted(&any::<Result<(u8, Infallible), bool>>()), [Err(false), Err(true)]);
        assert_eq!(exhausted(&any::<Option<Infallible>>()), [None]);
        assert_eq!(exhausted(&any::<Vec<Box<Infallible>>>()), [vec![]]);
        assert_eq!(exhausted(&any::<Infallible>()), []);
    }

    #[test]
    fn members_of_an_option_begin_with_none() {
        assert_eq!(any::<Option<bool>>().members(), Some(vec![None, Some(false), Some(true)]));
        assert_eq!(any::<Option<u32>>().members(), None);
    }

    #[test]
    fn weights_of_zero_alone_are_refused() {
        assert!(misuse_of(&options(any::<u8>()).weights(0, 0)).contains("(0, 0)"));
        assert!(misuse_of(&results(any::<u8>(), any::<u8>()).weights(0, 0)).contains("(0, 0)"));
    }
}
