//! The edits.

mod numbers;
mod parts;
mod sequences;

use rebut_choice::{Rng, Tape, Token};

use super::map::{Map, Sequence};

/// One sort of edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Operator {
    /// Moves numbers a little: by a share of their range, or by a factor.
    Nudge,
    /// Draws numbers anew.
    Redraw,
    /// Gives a number the value of another.
    Copy,
    /// Takes another alternative, or turns an optional part on or off.
    Switch,
    /// Inserts a new element into a sequence.
    Insert,
    /// Appends several new elements.
    Grow,
    /// Deletes elements.
    Delete,
    /// Repeats elements.
    Duplicate,
    /// Exchanges two elements, or moves one elsewhere.
    Swap,
    /// Draws an element anew.
    Replace,
    /// Draws a whole part anew.
    RedrawPart,
    /// Puts a copy of a part in the place of another of its sort.
    Splice,
    /// Goes through a sequence and inserts, deletes and replaces elements everywhere.
    Rework,
    /// Draws the end of a sequence anew.
    Regrow,
    /// Puts the elements of a part of a sequence in another order.
    Shuffle,
    /// Takes steps of a neighborhood that the user wrote.
    Step,
}

impl Operator {
    /// All of them.
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

    /// Whether a tape has anything for it to do.
    pub(super) fn applies(self, map: &Map) -> bool {
        let any = |wanted: fn(&Sequence) -> bool| map.sequences.iter().any(wanted);
        match self {
            Operator::Nudge | Operator::Redraw => !map.values.is_empty(),
            Operator::Copy => map.values.len() > 1,
            Operator::Switch => !map.alternatives.is_empty(),
            Operator::Insert | Operator::Grow => any(Sequence::can_grow),
            Operator::Delete => any(Sequence::can_shrink),
            Operator::Duplicate => any(|s| s.can_grow() && !s.elements.is_empty()),
            Operator::Swap | Operator::Shuffle => any(|s| s.elements.len() > 1),
            Operator::Replace => any(|s| !s.elements.is_empty()),
            Operator::Rework | Operator::Regrow => any(Sequence::can_rework),
            Operator::RedrawPart => !map.parts.is_empty(),
            Operator::Splice => map.parts.len() > 1,
            Operator::Step => any(Sequence::can_step),
        }
    }

    /// Whether it changes numbers and nothing else, so that many changes fit into one edit.
    #[must_use]
    pub fn is_local(self) -> bool {
        matches!(self, Operator::Nudge | Operator::Redraw | Operator::Copy | Operator::Switch)
    }

    /// Whether it changes much at once: what is then tried differs from what was there.
    #[must_use]
    pub fn is_broad(self) -> bool {
        use Operator::{Regrow, Rework, Shuffle, Switch};
        matches!(self, Rework | Regrow | Shuffle | Switch)
    }

    /// Applies it; `count` times if it is local.
    pub(super) fn apply(
        self,
        tape: &Tape,
        map: &Map,
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
                    let many = 1 + edit.scaled(8);
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
        Tape::new(edit.tokens)
    }
}

impl Sequence {
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

/// An edit under way.
struct Edit<'a> {
    tokens: Vec<Token>,
    tape: &'a Tape,
    map: &'a Map,
    temperature: f64,
    rng: &'a mut Rng,
}

impl Edit<'_> {
    /// A number from 0 up to `max`, mostly small when it is cold.
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
