//! Where on a tape which edit is possible.

use std::ops::Range;

use rebut_choice::{Choice, Kind, Label, Rng, Role, Shape, Tape, Token};

/// What an edit needs to know of a tape.
#[derive(Clone, Debug, Default)]
pub(crate) struct Map {
    /// Tokens that are values: numbers, characters, positions.
    pub(super) values: Vec<usize>,
    /// The same by how many spans are around them: what few numbers decide for many stands
    /// near the root.
    pub(super) levels: Vec<Vec<usize>>,
    /// Tokens that are alternatives or flags with more than one possibility.
    pub(super) alternatives: Vec<usize>,
    pub(super) sequences: Vec<Sequence>,
    /// Spans that can be drawn anew or stand in for each other.
    pub(super) parts: Vec<(Label, Range<usize>)>,
}

/// A sequence that can become longer or shorter.
#[derive(Clone, Debug)]
pub(super) struct Sequence {
    /// The tokens of the span, brackets included.
    pub(super) tokens: Range<usize>,
    /// The token that is its length.
    pub(super) length: usize,
    /// An earlier number that fixes the length, if it is not free.
    pub(super) fixed_by: Option<usize>,
    pub(super) elements: Vec<Range<usize>>,
    /// Whether the elements are steps of a neighbourhood that the user wrote.
    pub(super) is_steps: bool,
    pub(super) min: usize,
    pub(super) max: usize,
}

impl Map {
    pub(crate) fn of(tape: &Tape) -> Map {
        let mut map = Map::default();
        let mut depth = 0usize;
        for (at, token) in tape.tokens().iter().enumerate() {
            match token {
                Token::Open(_) => depth += 1,
                Token::Close => depth = depth.saturating_sub(1),
                Token::Choice(choice) if choice.domain.min < choice.domain.max => {
                    map.add(at, choice.domain.role, depth);
                }
                Token::Choice(_) => {}
            }
        }
        map.levels.retain(|level| !level.is_empty());
        for span in tape.spans() {
            if span.label.shape() == Shape::Sequence
                && let Some(sequence) = sequence(tape, span.tokens.clone())
            {
                map.sequences.push(sequence);
            }
            if span.choices > 0 {
                map.parts.push((span.label, span.tokens));
            }
        }
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

    /// A value: any, or half of the time any of a level that is as likely as the others.
    pub(super) fn pick_value(&self, rng: &mut Rng) -> Option<usize> {
        let among = match rng.pick(&self.levels) {
            Some(level) if self.levels.len() > 1 && rng.bits() & 1 == 0 => level,
            _ => &self.values,
        };
        rng.pick(among).copied()
    }
}

fn sequence(tape: &Tape, tokens: Range<usize>) -> Option<Sequence> {
    let mut elements = tape.children(&tokens);
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
                c.domain.kind == Kind::Integer
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
