//! Cases near a case.
//!
//! A neighbour is an edit of the tape: replay then runs the generator on the edited tape and
//! repairs what no longer fits. The edits know nothing of values; they see numbers with their
//! domains, sequences with their elements, alternatives, and spans that can stand in for each
//! other. How far an edit goes scales with the temperature.

mod edit;
mod map;

use rebut_choice::{Rng, Tape};

pub use edit::Operator;
pub(crate) use map::Map;

/// The neighbourhood of one tape.
///
/// # Example
/// ```
/// use rebut_choice::{Rng, Tape};
/// use rebut_search::Neighbourhood;
/// # use rebut_choice::Source;
/// # let mut source = Source::replay(&Tape::from_text("i50").unwrap());
/// # source.integer(0, 100);
/// # let tape = source.into_tape();
/// let neighbourhood = Neighbourhood::of(tape);
/// let near = neighbourhood.neighbour(0.1, &mut Rng::new(1));
/// assert_ne!(near.to_text(), "i50");
/// ```
#[derive(Clone, Debug)]
pub struct Neighbourhood {
    tape: Tape,
    map: Map,
}

impl Neighbourhood {
    /// Looks at a tape once, so that many neighbours cost little.
    #[must_use]
    pub fn of(tape: Tape) -> Neighbourhood {
        let map = Map::of(&tape);
        Neighbourhood { tape, map }
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

    /// Applies one operator, to `count` places if it changes numbers only.
    #[must_use]
    pub fn edit(&self, operator: Operator, temperature: f64, count: usize, rng: &mut Rng) -> Tape {
        operator.apply(&self.tape, &self.map, temperature, count, rng)
    }

    /// How many numbers the tape has that could be changed.
    #[must_use]
    pub fn values(&self) -> usize {
        self.map.values.len()
    }

    /// Any neighbour; the tape itself if nothing can be changed.
    #[must_use]
    pub fn neighbour(&self, temperature: f64, rng: &mut Rng) -> Tape {
        let operators = self.operators();
        match rng.pick(&operators) {
            Some(operator) => {
                let most = (self.values() as f64 * 0.25 * temperature) as u64;
                let count = 1 + rng.below(most + 1).min(rng.below(most + 1)) as usize;
                self.edit(*operator, temperature, count, rng)
            }
            None => self.tape.clone(),
        }
    }
}
