//! Neighbors of a case.
//!
//! A neighbor is an edit of the tape. Replay then runs the generator on the edited tape and
//! repairs what no longer fits. The edits know nothing about values. They see numbers with their
//! domains, sequences with their elements, alternatives, and spans that can replace each other.
//! The temperature scales how far an edit goes.

mod edit;
mod tape_map;

use rebut_choice::{Rng, Tape};

pub use edit::Operator;
pub(crate) use tape_map::TapeMap;

/// The neighborhood of one tape.
///
/// # Examples
/// ```
/// use rebut_choice::{Rng, Tape};
/// use rebut_search::Neighborhood;
/// # use rebut_choice::Source;
/// # let mut source = Source::replay(&Tape::from_text("i50").unwrap());
/// # source.integer(0, 100);
/// # let tape = source.into_tape();
/// let neighborhood = Neighborhood::new(tape);
/// let near = neighborhood.neighbor(0.1, &mut Rng::new(1));
/// assert_ne!(near.to_text(), "i50");
/// ```
#[derive(Clone, Debug)]
pub struct Neighborhood {
    tape: Tape,
    map: TapeMap,
}

impl Neighborhood {
    /// Analyzes a tape once, so that each neighbor costs little.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::Tape;
    /// use rebut_search::Neighborhood;
    /// let neighborhood = Neighborhood::new(Tape::from_text("i50").unwrap());
    /// assert_eq!(neighborhood.tape().to_text(), "i50");
    /// ```
    #[must_use]
    pub fn new(tape: Tape) -> Neighborhood {
        let map = TapeMap::new(&tape);
        Neighborhood { tape, map }
    }

    /// Returns the tape.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::Tape;
    /// use rebut_search::Neighborhood;
    /// assert!(Neighborhood::new(Tape::default()).tape().is_empty());
    /// ```
    #[must_use]
    pub fn tape(&self) -> &Tape {
        &self.tape
    }

    /// Returns the operators that can change the tape.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{Source, Tape};
    /// use rebut_search::{Neighborhood, Operator};
    /// let mut source = Source::replay(&Tape::default());
    /// source.integer(0, 100);
    /// let operators = Neighborhood::new(source.into_tape()).operators();
    /// assert_eq!(operators, [Operator::Nudge, Operator::Redraw]);
    /// ```
    #[must_use]
    pub fn operators(&self) -> Vec<Operator> {
        Operator::ALL.into_iter().filter(|operator| operator.applies(&self.map)).collect()
    }

    /// Applies one operator.
    ///
    /// A [local](Operator::is_local) operator is applied `count` times, and
    /// [`Delete`](Operator::Delete) deletes up to `count` elements. A temperature outside of 0 to
    /// 1 counts as the nearer bound, NaN as 0.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{Rng, Source, Tape};
    /// use rebut_search::{Neighborhood, Operator};
    /// let mut source = Source::replay(&Tape::from_text("i50").unwrap());
    /// source.integer(0, 100);
    /// let neighborhood = Neighborhood::new(source.into_tape());
    /// let nudged = neighborhood.edit(Operator::Nudge, 0.1, 1, &mut Rng::new(1));
    /// assert_ne!(nudged.to_text(), "i50");
    /// ```
    #[must_use]
    pub fn edit(&self, operator: Operator, temperature: f64, count: usize, rng: &mut Rng) -> Tape {
        operator.apply(&self.tape, &self.map, within(temperature), count, rng)
    }

    /// Returns how many numbers of the tape can change.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{Source, Tape};
    /// use rebut_search::Neighborhood;
    /// let mut source = Source::replay(&Tape::default());
    /// source.integer(0, 100);
    /// source.integer(7, 7);
    /// assert_eq!(Neighborhood::new(source.into_tape()).values(), 1);
    /// ```
    #[must_use]
    pub fn values(&self) -> usize {
        self.map.values.len()
    }

    /// Returns a random neighbor, or a copy of the tape if nothing can change. Treats the
    /// temperature as [`edit`](Self::edit) does.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{Rng, Tape};
    /// use rebut_search::Neighborhood;
    /// let nothing = Neighborhood::new(Tape::default());
    /// assert!(nothing.neighbor(0.5, &mut Rng::new(1)).is_empty());
    /// ```
    #[must_use]
    pub fn neighbor(&self, temperature: f64, rng: &mut Rng) -> Tape {
        let operators = self.operators();
        match rng.pick(&operators) {
            Some(operator) => {
                let most = (self.values() as f64 * CHANGED_SHARE * within(temperature)) as u64;
                let count = 1 + rng.below(most + 1).min(rng.below(most + 1)) as usize;
                self.edit(*operator, temperature, count, rng)
            }
            None => self.tape.clone(),
        }
    }
}

/// A neighbor changes at most this share of the numbers, and one more. Arbitrary; the adaptive
/// strategy has the same share.
const CHANGED_SHARE: f64 = 0.25;

/// Moves a temperature into the range that operators expect.
fn within(temperature: f64) -> f64 {
    if temperature.is_nan() { 0.0 } else { temperature.clamp(0.0, 1.0) }
}

#[cfg(test)]
mod tests {
    use rebut_choice::{Label, Source};

    use super::*;

    #[test]
    fn deleting_no_element_changes_nothing() {
        let mut source = Source::replay(&Tape::from_text("(s1 i2 i5 i6 )").expect("a tape"));
        source.span(Label::SEQUENCE, |source| {
            for _ in 0..source.length(0, 9) {
                source.integer(0, 9);
            }
        });
        let near = Neighborhood::new(source.into_tape());
        for seed in 0..20 {
            let edited = near.edit(Operator::Delete, 0.5, 0, &mut Rng::new(seed));
            assert_eq!(&edited, near.tape());
        }
    }

    #[test]
    fn a_temperature_out_of_bounds_counts_as_the_nearer_bound() {
        let mut source = Source::replay(&Tape::from_text(&"i50 ".repeat(40)).expect("a tape"));
        for _ in 0..40 {
            source.integer(0, 100);
        }
        let near = Neighborhood::new(source.into_tape());
        let at = |temperature, seed| near.neighbor(temperature, &mut Rng::new(seed)).to_text();
        for seed in 0..200 {
            for hot in [5.0, 1e300, f64::INFINITY] {
                assert_eq!(at(hot, seed), at(1.0, seed));
            }
            for cold in [-1.0, f64::NEG_INFINITY, f64::NAN] {
                assert_eq!(at(cold, seed), at(0.0, seed));
            }
        }
    }
}
