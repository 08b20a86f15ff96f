//! The neighborhood of a generator, to inspect it or to use it in a neighborhood of your own.

use std::fmt;
use std::ops::Deref;

use rebut_choice::{AnyDriver, Fallback, Random, Replay, Rng, Source, Tape};
use rebut_gen::{AsGenerator, Generator};
use rebut_search::{Neighborhood, Operator};

/// Returns the neighborhood that a search uses for this generator.
///
/// # Examples
/// Inspecting the neighbors of a value:
/// ```
/// use rebut::search::neighborhood;
/// use rebut::{integers, vecs};
///
/// let lists = vecs(integers::<u8>());
/// let near = neighborhood(&lists);
/// let start = near.start(7);
/// let neighbors: Vec<Vec<u8>> =
///     (0..20).map(|seed| near.sample(&start, 0.1, seed).into_value()).collect();
/// assert!(neighbors.iter().any(|list| list != &*start));
/// ```
/// Using it in a neighborhood of your own, for the part of a value without special rules:
/// ```
/// use rebut::search::{WithTape, neighborhood};
/// use rebut::{Generator, integers, vecs};
///
/// #[derive(Clone, Debug)]
/// struct Track { name: u8, points: WithTape<Vec<u8>> }
///
/// let points = vecs(integers::<u8>());
/// let tracks = (integers::<u8>(), neighborhood(&points).with_tapes())
///     .map(|(name, points)| Track { name, points })
///     // Keep the name. Change the points as a search would.
///     .neighbors(|track, temperature| {
///         let name = track.name;
///         neighborhood(&points)
///             .near(&track.points, temperature)
///             .map(move |points| Track { name, points })
///     });
/// assert_eq!(rebut::simplest(&tracks).points.len(), 0);
/// ```
pub fn neighborhood<G: AsGenerator>(generator: &G) -> GeneratorNeighborhood<'_, G> {
    GeneratorNeighborhood { generator }
}

/// The neighborhood of a generator, created by [`neighborhood`].
///
/// # Examples
/// ```
/// let numbers = rebut::integers::<u64>();
/// let near = rebut::search::neighborhood(&numbers);
/// let start = near.start(7);
/// assert!((0..20).any(|seed| *near.sample(&start, 0.1, seed) != *start));
/// ```
pub struct GeneratorNeighborhood<'a, G> {
    generator: &'a G,
}

impl<'a, G: AsGenerator> GeneratorNeighborhood<'a, G> {
    /// Generates a random value to start from.
    ///
    /// # Examples
    /// ```
    /// let bytes = rebut::integers::<u8>();
    /// let near = rebut::search::neighborhood(&bytes);
    /// assert_eq!(*near.start(7), *near.start(7));
    /// ```
    #[must_use]
    pub fn start(&self, seed: u64) -> WithTape<G::Value> {
        self.run(AnyDriver::Random(Box::new(Random::new(seed))))
    }

    /// Generates a neighbor of a value. The temperature is from 0 (near) to 1 (far).
    ///
    /// # Examples
    /// ```
    /// let numbers = rebut::integers::<u64>();
    /// let near = rebut::search::neighborhood(&numbers);
    /// let start = near.start(7);
    /// let neighbor = near.sample(&start, 0.1, 1).into_value();
    /// assert_ne!(neighbor, *start);
    /// ```
    #[must_use]
    pub fn sample(
        &self,
        of: &WithTape<G::Value>,
        temperature: f64,
        seed: u64,
    ) -> WithTape<G::Value> {
        let mut rng = Rng::new(seed);
        let tape = of.neighborhood().neighbor(temperature, &mut rng);
        self.follow(&tape, seed)
    }

    /// Like [`sample`](Self::sample), but with one kind of edit.
    ///
    /// # Examples
    /// ```
    /// use rebut::search::Operator;
    /// use rebut::search::neighborhood;
    /// use rebut::{integers, vecs};
    ///
    /// let lists = vecs(integers::<u8>()).min_size(1).max_size(9);
    /// let near = neighborhood(&lists);
    /// let start = near.start(7);
    /// let longer = near.sample_by(Operator::Insert, &start, 0.1, 1);
    /// assert_eq!(longer.len(), start.len() + 1);
    /// ```
    #[must_use]
    pub fn sample_by(
        &self,
        operator: Operator,
        of: &WithTape<G::Value>,
        temperature: f64,
        seed: u64,
    ) -> WithTape<G::Value> {
        let tape = of.neighborhood().edit(operator, temperature, 1, &mut Rng::new(seed));
        self.follow(&tape, seed)
    }

    /// Returns the kinds of edits that can change a value.
    ///
    /// # Examples
    /// ```
    /// use rebut::search::Operator;
    /// use rebut::integers;
    /// use rebut::search::neighborhood;
    ///
    /// let bytes = integers::<u8>();
    /// let near = neighborhood(&bytes);
    /// assert_eq!(near.operators(&near.start(7)), [Operator::Nudge, Operator::Redraw]);
    /// ```
    #[must_use]
    pub fn operators(&self, of: &WithTape<G::Value>) -> Vec<Operator> {
        of.neighborhood().operators()
    }

    /// Returns a generator of the same values, each with its tape.
    ///
    /// # Examples
    /// ```
    /// let bytes = rebut::integers::<u8>();
    /// let value = rebut::simplest(&rebut::search::neighborhood(&bytes).with_tapes());
    /// assert_eq!((*value, value.tape().len()), (0, 1));
    /// ```
    pub fn with_tapes(&self) -> impl Generator<Value = WithTape<G::Value>> + use<'a, G> {
        let generator = self.generator;
        rebut_gen::from_fn(move |source| {
            let (value, tape) = source.traced(|source| generator.draw_value(source));
            WithTape { value, tape }
        })
    }

    /// Returns a generator of the neighbors of a value at a temperature.
    ///
    /// # Examples
    /// ```
    /// let numbers = rebut::integers::<u64>();
    /// let near = rebut::search::neighborhood(&numbers);
    /// let start = near.start(7);
    /// assert_ne!(*rebut::simplest(&near.near(&start, 0.1)), *start);
    /// ```
    pub fn near(
        &self,
        of: &WithTape<G::Value>,
        temperature: f64,
    ) -> impl Generator<Value = WithTape<G::Value>> + use<'a, G> {
        let (near, generator) = (of.neighborhood(), self.generator);
        rebut_gen::from_fn(move |source| {
            let seed = source.integer(0, i128::from(u32::MAX)) as u64;
            let tape = near.neighbor(temperature, &mut Rng::new(seed));
            GeneratorNeighborhood { generator }.follow(&tape, seed)
        })
    }

    fn follow(&self, tape: &Tape, seed: u64) -> WithTape<G::Value> {
        let random = Box::new(Random::new(seed));
        self.run(AnyDriver::Replay(Box::new(Replay::new(tape, Fallback::Random(random)))))
    }

    fn run(&self, drive: AnyDriver) -> WithTape<G::Value> {
        let mut source = Source::new(drive);
        let value = self.generator.draw_value(&mut source);
        WithTape { value, tape: source.into_tape() }
    }
}

impl<G> fmt::Debug for GeneratorNeighborhood<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("neighborhood(..)")
    }
}

/// A value with the tape of choices that it was generated from. It dereferences to the value.
///
/// # Examples
/// ```
/// let bytes = rebut::integers::<u8>();
/// let traced = rebut::search::neighborhood(&bytes).start(7);
/// assert_eq!(i128::from(*traced), traced.tape().choices().next().unwrap().number);
/// ```
#[derive(Clone, PartialEq)]
pub struct WithTape<T> {
    value: T,
    tape: Tape,
}

impl<T> WithTape<T> {
    /// Returns the value without its tape.
    ///
    /// # Examples
    /// ```
    /// let lists = rebut::vecs(rebut::integers::<u8>());
    /// let list: Vec<u8> = rebut::search::neighborhood(&lists).start(7).into_value();
    /// # let _ = list;
    /// ```
    pub fn into_value(self) -> T {
        self.value
    }

    /// Returns the choices that the value was generated from.
    ///
    /// # Examples
    /// ```
    /// let bytes = rebut::integers::<u8>();
    /// assert_eq!(rebut::search::neighborhood(&bytes).start(7).tape().len(), 1);
    /// ```
    pub fn tape(&self) -> &Tape {
        &self.tape
    }

    fn neighborhood(&self) -> Neighborhood {
        Neighborhood::new(self.tape.clone())
    }
}

impl<T> Deref for WithTape<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: fmt::Debug> fmt::Debug for WithTape<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}
