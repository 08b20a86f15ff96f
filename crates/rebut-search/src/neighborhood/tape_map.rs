//! The positions on a tape that each operator can edit.

use std::ops::Range;

use rebut_choice::{ChoiceKind, Label, Rng, Role, Sequence, Tape, Token};

/// The parts of a tape that operators can change.
#[derive(Clone, Debug, Default)]
pub(crate) struct TapeMap {
    /// Tokens that are values: numbers, characters, indices.
    pub(super) values: Vec<usize>,
    /// The same tokens by the number of enclosing spans. Near the root, a few numbers decide
    /// about many.
    pub(super) levels: Vec<Vec<usize>>,
    /// Tokens that are alternatives or flags with more than one possible answer.
    pub(super) alternatives: Vec<usize>,
    pub(super) sequences: Vec<EditableSequence>,
    /// Spans that can be replaced by random ones or by each other.
    pub(super) parts: Vec<(Label, Range<usize>)>,
}

/// A sequence that can become longer or shorter.
#[derive(Clone, Debug)]
pub(super) struct EditableSequence {
    /// The tokens of the span, including both brackets.
    pub(super) tokens: Range<usize>,
    /// The token with its length.
    pub(super) length: usize,
    /// An earlier number that determines the length, if the length is not free.
    pub(super) fixed_by: Option<usize>,
    pub(super) elements: Vec<Range<usize>>,
    /// Whether the elements are steps in a neighborhood that the user defined.
    pub(super) is_steps: bool,
    pub(super) min: usize,
    pub(super) max: usize,
}

/// A span whose end has not been reached.
struct OpenSpan {
    label: Label,
    start: usize,
    has_choices: bool,
}

impl TapeMap {
    /// Analyzes a tape.
    pub(crate) fn new(tape: &Tape) -> TapeMap {
        let mut map = TapeMap::default();
        let mut open: Vec<OpenSpan> = Vec::new();
        for (at, token) in tape.tokens().iter().enumerate() {
            match token {
                Token::Open(label) => {
                    open.push(OpenSpan { label: *label, start: at, has_choices: false });
                }
                Token::Close => {
                    let Some(span) = open.pop() else { continue };
                    if let Some(parent) = open.last_mut() {
                        parent.has_choices |= span.has_choices;
                    }
                    if span.has_choices {
                        map.parts.push((span.label, span.start..at + 1));
                    }
                }
                Token::Choice(choice) => {
                    if let Some(parent) = open.last_mut() {
                        parent.has_choices = true;
                    }
                    if choice.domain.min < choice.domain.max {
                        map.add(at, choice.domain.role, open.len());
                    }
                }
            }
        }
        map.levels.retain(|level| !level.is_empty());
        let sequences = tape.sequences().into_iter();
        map.sequences = sequences.filter_map(|sequence| editable(tape, sequence)).collect();
        map
    }

    fn add(&mut self, at: usize, role: Role, depth: usize) {
        match role {
            Role::Value | Role::Index => {
                self.values.push(at);
                if self.levels.len() <= depth {
                    self.levels.resize(depth + 1, Vec::new());
                }
                self.levels[depth].push(at);
            }
            Role::Alternative | Role::Presence => self.alternatives.push(at),
            Role::Length | Role::Steps | Role::Trail => {}
        }
    }

    /// Picks a value. Half of the time it picks a level first, so that each level is equally
    /// likely.
    pub(super) fn pick_value(&self, rng: &mut Rng) -> Option<usize> {
        let among = match rng.pick(&self.levels) {
            Some(level) if self.levels.len() > 1 && rng.bits() & 1 == 0 => level,
            _ => &self.values,
        };
        rng.pick(among).copied()
    }
}

/// Returns a sequence with the bounds of its length, or `None` if the length cannot change.
fn editable(tape: &Tape, sequence: Sequence) -> Option<EditableSequence> {
    let Sequence { tokens, length, elements } = sequence;
    let drawn = tape.choice(length)?;
    let is_steps = drawn.domain.role == Role::Steps;
    let (mut min, mut max) = (drawn.domain.min, drawn.domain.max);
    let mut fixed_by = None;
    if min == max {
        let at = (0..length).rev().find(|&at| {
            tape.choice(at).is_some_and(|c| {
                c.domain.kind == ChoiceKind::Integer
                    && c.number == drawn.number
                    && c.domain.min < c.domain.max
            })
        })?;
        let number = tape.choice(at)?;
        (min, max) = (number.domain.min, number.domain.max);
        fixed_by = Some(at);
    }
    let bound = |n: i128| usize::try_from(n.max(0)).unwrap_or(usize::MAX);
    let (min, max) = (bound(min), bound(max));
    Some(EditableSequence { tokens, length, fixed_by, elements, is_steps, min, max })
}
