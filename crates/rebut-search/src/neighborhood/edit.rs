//! The operators that edit a tape.

mod numbers;
mod parts;
mod sequences;

use rebut_choice::{Rng, Tape, Token, internal_assert};

use super::tape_map::{EditableSequence, TapeMap};

/// A kind of edit.
///
/// # Examples
/// ```
/// use rebut_search::Operator;
/// assert!(Operator::Nudge.is_local());
/// assert!(Operator::Shuffle.is_broad());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Operator {
    /// Changes numbers a little: by a share of their range, or by a factor.
    Nudge,
    /// Replaces numbers with random ones.
    Redraw,
    /// Copies the value of one number to another.
    Copy,
    /// Takes another alternative, or adds or removes an optional part.
    Switch,
    /// Inserts a new element into a sequence.
    Insert,
    /// Inserts several new elements into a sequence.
    Grow,
    /// Deletes elements.
    Delete,
    /// Repeats elements.
    Duplicate,
    /// Exchanges two elements.
    Swap,
    /// Replaces an element with a random one.
    Replace,
    /// Replaces a whole part with a random one.
    RedrawPart,
    /// Replaces a part with a copy of another part of the same kind.
    Splice,
    /// Inserts, deletes and replaces elements throughout a sequence.
    Rework,
    /// Replaces the end of a sequence with random elements.
    Regrow,
    /// Shuffles a range of elements.
    Shuffle,
    /// Takes a step in a neighborhood that the user defined.
    Step,
}

impl Operator {
    /// All operators.
    ///
    /// # Examples
    /// ```
    /// use rebut_search::Operator;
    /// assert!(Operator::ALL.contains(&Operator::Swap));
    /// ```
    pub const ALL: [Operator; 16] = [
        Operator::Nudge,
        Operator::Redraw,
        Operator::Copy,
        Operator::Switch,
        Operator::Insert,
        Operator::Grow,
        Operator::Delete,
        Operator::Duplicate,
        Operator::Swap,
        Operator::Replace,
        Operator::RedrawPart,
        Operator::Splice,
        Operator::Rework,
        Operator::Regrow,
        Operator::Shuffle,
        Operator::Step,
    ];

    /// Returns whether the operator can change a tape.
    pub(super) fn applies(self, map: &TapeMap) -> bool {
        let any = |wanted: fn(&EditableSequence) -> bool| map.sequences.iter().any(wanted);
        match self {
            Operator::Nudge | Operator::Redraw => !map.values.is_empty(),
            Operator::Copy => map.values.len() > 1,
            Operator::Switch => !map.alternatives.is_empty(),
            Operator::Insert | Operator::Grow => any(EditableSequence::can_grow),
            Operator::Delete => any(EditableSequence::can_shrink),
            Operator::Duplicate => any(|s| s.can_grow() && !s.elements.is_empty()),
            Operator::Swap | Operator::Shuffle => any(|s| s.elements.len() > 1),
            Operator::Replace => any(|s| !s.elements.is_empty()),
            Operator::Rework | Operator::Regrow => any(EditableSequence::can_rework),
            Operator::RedrawPart => !map.parts.is_empty(),
            Operator::Splice => map.parts.len() > 1,
            Operator::Step => any(EditableSequence::can_step),
        }
    }

    /// Returns whether the operator changes only numbers and alternatives. One edit can then
    /// apply it several times.
    ///
    /// # Examples
    /// ```
    /// use rebut_search::Operator;
    /// assert!(Operator::Copy.is_local());
    /// assert!(!Operator::Delete.is_local());
    /// ```
    #[must_use]
    pub fn is_local(self) -> bool {
        matches!(self, Operator::Nudge | Operator::Redraw | Operator::Copy | Operator::Switch)
    }

    /// Returns whether the operator changes much at once, so that the result differs a lot from
    /// the original.
    ///
    /// # Examples
    /// ```
    /// use rebut_search::Operator;
    /// assert!(Operator::Regrow.is_broad());
    /// assert!(!Operator::Insert.is_broad());
    /// ```
    #[must_use]
    pub fn is_broad(self) -> bool {
        use Operator::{Regrow, Rework, Shuffle, Switch};
        matches!(self, Rework | Regrow | Shuffle | Switch)
    }

    /// Applies the operator, `count` times if it is local.
    pub(super) fn apply(
        self,
        tape: &Tape,
        map: &TapeMap,
        temperature: f64,
        count: usize,
        rng: &mut Rng,
    ) -> Tape {
        let mut edit = Edit { tokens: tape.tokens().to_vec(), tape, map, temperature, rng };
        for _ in 0..if self.is_local() { count } else { 1 } {
            match self {
                Operator::Nudge => edit.nudge(),
                Operator::Redraw => edit.redraw(),
                Operator::Copy => edit.copy(),
                Operator::Switch => edit.switch(),
                Operator::Insert => edit.insert(1),
                Operator::Grow => {
                    let many = 1 + edit.scaled(GROWN_MAX - 1);
                    edit.insert(many);
                }
                Operator::Delete => edit.delete(count),
                Operator::Duplicate => edit.duplicate(),
                Operator::Swap => edit.swap(),
                Operator::Replace => edit.replace(),
                Operator::RedrawPart => edit.redraw_part(),
                Operator::Splice => edit.splice(),
                Operator::Rework => edit.rework(),
                Operator::Shuffle => edit.shuffle(),
                Operator::Regrow => edit.regrow(),
                Operator::Step => edit.step(),
            }
        }
        let count = edit.tokens.len();
        let tape = Tape::new(edit.tokens);
        // A tape repairs its brackets. An operator that relies on this would edit another part than
        // it means to.
        internal_assert!(tape.tokens().len() == count, "{self:?} leaves spans that do not match");
        tape
    }
}

impl EditableSequence {
    fn can_grow(&self) -> bool {
        self.elements.len() < self.max && !self.is_steps
    }

    fn can_step(&self) -> bool {
        self.elements.len() < self.max && self.is_steps
    }

    fn can_rework(&self) -> bool {
        self.elements.len() > 1 && !self.is_steps
    }

    fn can_shrink(&self) -> bool {
        !self.elements.is_empty() && self.elements.len() > self.min
    }
}

/// The maximum number of elements that `Grow` inserts. Arbitrary and not measured.
const GROWN_MAX: usize = 9;

/// An edit in progress.
struct Edit<'a> {
    tokens: Vec<Token>,
    tape: &'a Tape,
    map: &'a TapeMap,
    temperature: f64,
    rng: &'a mut Rng,
}

impl Edit<'_> {
    /// Returns a number from 0 to `max`, mostly small at a low temperature.
    fn scaled(&mut self, max: usize) -> usize {
        let top = (max as f64 * self.temperature * self.rng.unit()) as usize;
        self.rng.below(top as u64 + 1) as usize
    }

    fn set(&mut self, at: usize, number: i128) {
        if let Some(Token::Choice(choice)) = self.tokens.get_mut(at) {
            choice.number = number;
        }
    }
}
