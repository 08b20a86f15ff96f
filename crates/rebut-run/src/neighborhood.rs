//! The neighborhood that a search makes for a generator, for those who want to look at it or
//! to use it in one of their own.

use std::fmt;
use std::ops::Deref;

use rebut_choice::{Drive, Fallback, Random, Replay, Rng, Source, Tape};
use rebut_gen::{AsGenerator, Generator};
use rebut_search::{Neighborhood, Operator};

/// The neighborhood that a search makes for this generator.
///
/// # Example
/// Looking at what is near:
/// ```
/// use rebut_gen::{integers, vecs};
/// let lists = vecs(integers::<u8>());
/// let near = rebut_run::neighborhood(&lists);
/// let start = near.start(7);
/// let neighbors: Vec<Vec<u8>> =
///     (0..20).map(|seed| near.sample(&start, 0.1, seed).into_value()).collect();
/// assert!(neighbors.iter().any(|list| list != &*start));
/// ```
/// In a neighborhood of one's own, for the part of a value about which nothing is known:
/// ```
/// use rebut_gen::{Generator, integers, vecs};
/// use rebut_run::{Traced, neighborhood};
/// #[derive(Clone, Debug)]
/// struct Track { name: u8, points: Traced<Vec<u8>> }
///
/// let points = vecs(integers::<u8>());
/// let tracks = (integers::<u8>(), neighborhood(&points).traced())
///     .map(|(name, points)| Track { name, points })
///     // Never another name; the points move as a search would move them.
///     .neighbors(|track, temperature| {
///         let name = track.name;
///         neighborhood(&points)
///             .near(&track.points, temperature)
///             .map(move |points| Track { name, points })
///     });
/// assert_eq!(rebut_gen::simplest(&tracks).points.len(), 0);
/// ```
pub fn neighborhood<G: AsGenerator>(generator: &G) -> Constructed<'_, G> {
    Constructed { generator }
}

/// See [`neighborhood`].
pub struct Constructed<'a, G> {
    generator: &'a G,
}

impl<'a, G: AsGenerator> Constructed<'a, G> {
    /// A random value to start from.
    #[must_use]
    pub fn start(&self, seed: u64) -> Traced<G::Value> {
        self.run(Drive::Random(Box::new(Random::new(seed))))
    }

    /// A neighbor of a value, at a temperature from 0 to 1.
    #[must_use]
    pub fn sample(&self, of: &Traced<G::Value>, temperature: f64, seed: u64) -> Traced<G::Value> {
        let mut rng = Rng::new(seed);
        let tape = of.neighborhood().neighbor(temperature, &mut rng);
        self.follow(&tape, seed)
    }

    /// As [`sample`](Self::sample), by one sort of edit.
    #[must_use]
    pub fn sample_by(
        &self,
        operator: Operator,
        of: &Traced<G::Value>,
        temperature: f64,
        seed: u64,
    ) -> Traced<G::Value> {
        let tape = of.neighborhood().edit(operator, temperature, 1, &mut Rng::new(seed));
        self.follow(&tape, seed)
    }

    /// The edits that can do something with a value.
    #[must_use]
    pub fn operators(&self, of: &Traced<G::Value>) -> Vec<Operator> {
        of.neighborhood().operators()
    }

    /// The generator's values, each with its trace.
    pub fn traced(&self) -> impl Generator<Value = Traced<G::Value>> + use<'a, G> {
        let generator = self.generator;
        rebut_gen::compose(move |source| {
            let (value, tape) = source.traced(|source| generator.draw_value(source));
            Traced { value, tape }
        })
    }

    /// The neighbors of a value at a temperature, as a generator.
    pub fn near(
        &self,
        of: &Traced<G::Value>,
        temperature: f64,
    ) -> impl Generator<Value = Traced<G::Value>> + use<'a, G> {
        let (near, generator) = (of.neighborhood(), self.generator);
        rebut_gen::compose(move |source| {
            let seed = source.integer(0, i128::from(u32::MAX)) as u64;
            let tape = near.neighbor(temperature, &mut Rng::new(seed));
            Constructed { generator }.follow(&tape, seed)
        })
    }

    fn follow(&self, tape: &Tape, seed: u64) -> Traced<G::Value> {
        let random = Box::new(Random::new(seed));
        self.run(Drive::Replay(Box::new(Replay::new(tape, Fallback::Random(random)))))
    }

    fn run(&self, drive: Drive) -> Traced<G::Value> {
        let mut source = Source::new(drive);
        let value = self.generator.draw_value(&mut source);
        Traced { value, tape: source.into_tape() }
    }
}

impl<G> fmt::Debug for Constructed<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("neighborhood(..)")
    }
}

/// A value with the tape of choices that it was made from.
#[derive(Clone, PartialEq)]
pub struct Traced<T> {
    value: T,
    tape: Tape,
}

impl<T> Traced<T> {
    /// The value alone.
    pub fn into_value(self) -> T {
        self.value
    }

    /// The choices it was made from.
    pub fn tape(&self) -> &Tape {
        &self.tape
    }

    fn neighborhood(&self) -> Neighborhood {
        Neighborhood::of(self.tape.clone())
    }
}

impl<T> Deref for Traced<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: fmt::Debug> fmt::Debug for Traced<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}
