//! The positions on a tape that each operator can edit.

use std::ops::Range;

use rebut_choice::{Choice, ChoiceKind, Label, Rng, Role, SpanShape, Tape, Token};

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
    pub(super) sequences: Vec<Sequence>,
    /// Spans that can be replaced by random ones or by each other.
    pub(super) parts: Vec<(Label, Range<usize>)>,
}

/// A sequence that can become longer or shorter.
#[derive(Clone, Debug)]
pub(super) struct Sequence {
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
struct Open {
    label: Label,
    start: usize,
    /// The index of its sequence, if it is one.
    sequence: Option<usize>,
    /// The direct children, recorded for sequences only.
    children: Vec<Range<usize>>,
    has_choices: bool,
}

impl TapeMap {
    /// Analyzes a tape in one pass, because a search does so for every case it continues from.
    pub(crate) fn new(tape: &Tape) -> TapeMap {
        let mut map = TapeMap::default();
        let mut sequences = Vec::new();
        let mut open: Vec<Open> = Vec::new();
        for (at, token) in tape.tokens().iter().enumerate() {
            match token {
                Token::Open(label) => {
                    let is_sequence = label.shape() == SpanShape::Sequence;
                    let sequence = is_sequence.then_some(sequences.len());
                    if is_sequence {
                        sequences.push(None);
                    }
                    let (start, children, has_choices) = (at, Vec::new(), false);
                    open.push(Open { label: *label, start, sequence, children, has_choices });
                }
                Token::Close => {
                    let Some(span) = open.pop() else { continue };
                    let tokens = span.start..at + 1;
                    if let Some(around) = open.last_mut() {
                        around.has_choices |= span.has_choices;
                        if around.sequence.is_some() {
                            around.children.push(tokens.clone());
                        }
                    }
                    if let Some(nth) = span.sequence {
                        sequences[nth] = sequence(tape, tokens.clone(), span.children);
                    }
                    if span.has_choices {
                        map.parts.push((span.label, tokens));
                    }
                }
                Token::Choice(choice) => {
                    if let Some(around) = open.last_mut() {
                        around.has_choices = true;
                        if around.sequence.is_some() {
                            around.children.push(at..at + 1);
                        }
                    }
                    if choice.domain.min < choice.domain.max {
                        map.add(at, choice.domain.role, open.len());
                    }
                }
            }
        }
        map.levels.retain(|level| !level.is_empty());
        map.sequences = sequences.into_iter().flatten().collect();
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
            Role::Length | Role::Steps => {}
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

/// Returns the sequence of a span with these children: the length, then the elements.
fn sequence(
    tape: &Tape,
    tokens: Range<usize>,
    mut elements: Vec<Range<usize>>,
) -> Option<Sequence> {
    if elements.is_empty() {
        return None;
    }
    let length = elements.remove(0).start;
    let drawn = choice(tape, length)?;
    let is_steps = drawn.domain.role == Role::Steps;
    if drawn.domain.role != Role::Length && !is_steps {
        return None;
    }
    let (mut min, mut max) = (drawn.domain.min, drawn.domain.max);
    let mut fixed_by = None;
    if min == max {
        let at = (0..length).rev().find(|&at| {
            choice(tape, at).is_some_and(|c| {
                c.domain.kind == ChoiceKind::Integer
                    && c.number == drawn.number
                    && c.domain.min < c.domain.max
            })
        })?;
        let number = choice(tape, at)?;
        (min, max) = (number.domain.min, number.domain.max);
        fixed_by = Some(at);
    }
    let bound = |n: i128| usize::try_from(n.max(0)).unwrap_or(usize::MAX);
    let (min, max) = (bound(min), bound(max));
    Some(Sequence { tokens, length, fixed_by, elements, is_steps, min, max })
}

pub(super) fn choice(tape: &Tape, at: usize) -> Option<&Choice> {
    match tape.tokens().get(at) {
        Some(Token::Choice(choice)) => Some(choice),
        _ => None,
    }
}
