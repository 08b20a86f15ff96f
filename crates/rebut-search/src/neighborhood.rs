//! Cases near a case.
//!
//! A neighbor is an edit of the tape: replay then runs the generator on the edited tape and
//! repairs what no longer fits. The edits know nothing of values; they see numbers with their
//! domains, sequences with their elements, alternatives, and spans that can stand in for each
//! other. How far an edit goes scales with the temperature.

mod edit;
mod map;

use rebut_choice::{Rng, Tape};

pub use edit::Operator;
pub(crate) use map::Map;

/// The neighborhood of one tape.
///
/// # Example
/// ```
/// use rebut_choice::{Rng, Tape};
/// use rebut_search::Neighborhood;
/// # use rebut_choice::Source;
/// # let mut source = Source::replay(&Tape::from_text("i50").unwrap());
/// # source.integer(0, 100);
/// # let tape = source.into_tape();
/// let neighborhood = Neighborhood::of(tape);
/// let near = neighborhood.neighbor(0.1, &mut Rng::new(1));
/// assert_ne!(near.to_text(), "i50");
/// ```
#[derive(Clone, Debug)]
pub struct Neighborhood {
    tape: Tape,
    map: Map,
}

impl Neighborhood {
    /// Looks at a tape once, so that many neighbors cost little.
    #[must_use]
    pub fn of(tape: Tape) -> Neighborhood {
        let map = Map::of(&tape);
        Neighborhood { tape, map }
    }

    /// The tape itself.
    #[must_use]
    pub fn tape(&self) -> &Tape {
        &self.tape
    }

    /// The operators that can do something here.
    #[must_use]
    pub fn operators(&self) -> Vec<Operator> {
        Operator::ALL.into_iter().filter(|operator| operator.applies(&self.map)).collect()
    }

    /// Applies one operator, to `count` places if it changes numbers only. A temperature
    /// outside of 0 to 1 counts as the nearer of them, NaN as 0.
    #[must_use]
    pub fn edit(&self, operator: Operator, temperature: f64, count: usize, rng: &mut Rng) -> Tape {
        operator.apply(&self.tape, &self.map, within(temperature), count, rng)
    }

    /// How many numbers the tape has that could be changed.
    #[must_use]
    pub fn values(&self) -> usize {
        self.map.values.len()
    }

    /// Any neighbor; the tape itself if nothing can be changed. The temperature is as in
    /// [`edit`](Self::edit).
    #[must_use]
    pub fn neighbor(&self, temperature: f64, rng: &mut Rng) -> Tape {
        let operators = self.operators();
        match rng.pick(&operators) {
            Some(operator) => {
                let most = (self.values() as f64 * 0.25 * within(temperature)) as u64;
                let count = 1 + rng.below(most + 1).min(rng.below(most + 1)) as usize;
                self.edit(*operator, temperature, count, rng)
            }
            None => self.tape.clone(),
        }
    }
}

/// A temperature as operators expect it.
fn within(temperature: f64) -> f64 {
    if temperature.is_nan() { 0.0 } else { temperature.clamp(0.0, 1.0) }
}

#[cfg(test)]
mod tests {
    use rebut_choice::Source;

    use super::*;

    #[test]
    fn a_temperature_out_of_bounds_counts_as_the_nearer_bound() {
        let mut source = Source::replay(&Tape::from_text(&"i50 ".repeat(40)).expect("a tape"));
        for _ in 0..40 {
            source.integer(0, 100);
        }
        let near = Neighborhood::of(source.into_tape());
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
