//! Parts of a tape that can be generated again.

use std::ops::Range;

use rebut_choice::{Choice, ChoiceKind, Label, Tape, Token};

/// A part of a tape: a range of tokens, and the tokens that are emptied in it to generate the part again.
#[derive(Clone, Debug)]
pub(super) struct TapePart {
    range: Range<usize>,
    kind: PartKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PartKind {
    Choice,
    Span,
    /// All elements of a sequence, without its length.
    Elements,
}

impl TapePart {
    pub(super) fn choice(at: usize) -> TapePart {
        TapePart { range: at..at + 1, kind: PartKind::Choice }
    }

    /// Creates the part of a span with these tokens, including both brackets.
    pub(super) fn span(range: Range<usize>) -> TapePart {
        TapePart { range, kind: PartKind::Span }
    }

    /// Creates the part of the elements of the sequence with these tokens.
    pub(super) fn elements(tape: &Tape, span: Range<usize>) -> TapePart {
        let first = span.start + 1;
        let has_length = tape
            .choice(first)
            .is_some_and(|choice| choice.domain.role == rebut_choice::Role::Length);
        let start = if has_length { first + 1 } else { first };
        TapePart { range: start..span.end - 1, kind: PartKind::Elements }
    }

    pub(super) fn is_choice(&self) -> bool {
        self.kind == PartKind::Choice
    }

    pub(super) fn is_elements(&self) -> bool {
        self.kind == PartKind::Elements
    }

    pub(super) fn start(&self) -> usize {
        self.range.start
    }

    pub(super) fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    pub(super) fn has(&self, at: usize) -> bool {
        self.range.contains(&at)
    }

    /// Returns the only choice of the part, if it is a number on which no other choice depends.
    pub(super) fn only_number<'a>(&self, tape: &'a Tape) -> Option<(usize, &'a Choice)> {
        let mut found = None;
        for at in self.range.clone() {
            match tape.choice(at) {
                None => {}
                Some(choice) if found.is_none() => found = Some((at, choice)),
                Some(_) => return None,
            }
        }
        let is_number = |choice: &Choice| !choice.domain.role.is_structure();
        found.filter(|(_, choice)| self.is_choice() || is_number(choice))
    }

    /// Returns the numbers of the part that no other choice depends on.
    pub(super) fn numbers<'a>(&self, tape: &'a Tape) -> Vec<(usize, &'a Choice)> {
        let choices = self.range.clone().filter_map(|at| Some((at, tape.choice(at)?)));
        choices
            .filter(|(_, choice)| {
                let role = choice.domain.role;
                !role.is_structure() && !role.is_walk()
            })
            .collect()
    }

    /// Returns the end of the part that begins here on another tape.
    fn end_in(&self, tokens: &[Token], start: usize) -> usize {
        match self.kind {
            PartKind::Elements => end_of_siblings(tokens, start),
            PartKind::Choice | PartKind::Span => end_of(tokens, start),
        }
    }

    /// Returns whether no other choice makes the parameter that the part belongs to.
    pub(super) fn is_whole_argument(&self, tape: &Tape) -> bool {
        let spans = tape.spans();
        let around = spans
            .iter()
            .find(|span| span.label == Label::ARGUMENT && span.tokens.contains(&self.range.start));
        around.is_some_and(|span| {
            let all = choices(&tape.tokens()[span.tokens.clone()]).count();
            all == choices(&tape.tokens()[self.range.clone()]).count()
        })
    }

    /// Returns the tape without the choices of the part. Replay with random choices generates them
    /// again.
    pub(super) fn emptied(&self, tape: &Tape) -> Tape {
        let tokens = tape.tokens();
        let replacement = match self.kind {
            PartKind::Choice => match &tokens[self.range.start] {
                Token::Choice(choice) => vec![Token::Choice(hole(choice))],
                other => vec![*other],
            },
            PartKind::Span => vec![tokens[self.range.start], Token::Close],
            PartKind::Elements => {
                let mut replacement = Vec::new();
                let mut at = self.range.start;
                while at < self.range.end {
                    match &tokens[at] {
                        Token::Choice(choice) => replacement.push(Token::Choice(hole(choice))),
                        open => replacement.extend_from_slice(&[*open, Token::Close]),
                    }
                    at = end_of(tokens, at);
                }
                replacement
            }
        };
        tape.spliced(self.range.clone(), &replacement)
    }

    /// Returns the tapes in which another span of the same kind is copied over the part.
    pub(super) fn copies(&self, tape: &Tape, max: usize) -> Vec<Tape> {
        let mut copies = Vec::new();
        let tokens = tape.tokens();
        if self.kind != PartKind::Span {
            return copies;
        }
        for span in tape.spans() {
            let is_other = tokens[span.tokens.clone()] != tokens[self.range.clone()];
            let is_alike = Token::Open(span.label) == tokens[self.range.start];
            if is_other && is_alike && copies.len() < max {
                copies.push(tape.spliced(self.range.clone(), &tokens[span.tokens]));
            }
        }
        copies
    }

    /// Returns the tokens of the part on a tape that differs from the original one only there; `None`
    /// if that tape has no choices for it.
    pub(super) fn written(&self, tape: &Tape, edited: &Tape) -> Option<Vec<Token>> {
        let Redrawn::Kept(tokens) = self.redrawn(tape, edited) else { return None };
        let has_choices = choices(&tokens).next().is_some();
        has_choices.then_some(tokens)
    }

    /// Compares a tape that was recorded with the part generated again with the original one.
    pub(super) fn redrawn(&self, tape: &Tape, drawn: &Tape) -> Redrawn {
        let (old, new) = (tape.tokens(), drawn.tokens());
        let before = self.range.start;
        if new.len() <= before || !is_prefix(&old[..before], new) {
            return Redrawn::OtherParameters;
        }
        let end = self.end_in(new, before);
        let (rest, kept) = (&new[end..], &old[self.range.end..]);
        if rest.len() == kept.len() && is_prefix(kept, rest) {
            Redrawn::Kept(new[before..end].to_vec())
        } else if is_prefix(kept, rest) || is_prefix(rest, kept) {
            Redrawn::OtherEnd
        } else if is_same_after_parameter(old, new, before) {
            Redrawn::SameParameter
        } else {
            Redrawn::OtherParameters
        }
    }
}

/// Returns the tokens of several parts, which are in the order of the tape, on a tape that was
/// recorded with these parts generated again. Returns `None` if anything else changed too.
pub(super) fn redrawn_together(
    parts: &[&TapePart],
    tape: &Tape,
    drawn: &Tape,
) -> Option<Vec<Vec<Token>>> {
    let (old, new) = (tape.tokens(), drawn.tokens());
    let (mut from, mut at) = (0, 0);
    let mut all = Vec::new();
    for part in parts {
        let kept = &old[from..part.range.start];
        if !is_prefix(kept, new.get(at..)?) {
            return None;
        }
        let start = at + kept.len();
        let end = part.end_in(new, start);
        all.push(new.get(start..end)?.to_vec());
        (from, at) = (part.range.end, end);
    }
    let (kept, rest) = (&old[from..], new.get(at..)?);
    (kept.len() == rest.len() && is_prefix(kept, rest)).then_some(all)
}

/// The difference on a tape when a part was generated again.
#[derive(Debug)]
pub(super) enum Redrawn {
    /// Only the part, which has these tokens now.
    Kept(Vec<Token>),
    /// The rest is the same, but the case made more choices or less at its end.
    OtherEnd,
    /// Other tokens of the same parameter changed too.
    SameParameter,
    /// Tokens of other parameters changed too.
    OtherParameters,
}

/// Iterates over the choices that make a value.
pub(super) fn choices(tokens: &[Token]) -> impl Iterator<Item = &Choice> {
    tokens.iter().filter_map(|token| match token {
        Token::Choice(choice) if !choice.domain.role.is_walk() => Some(choice),
        _ => None,
    })
}

/// Returns the index after the choice or the span that begins here.
pub(super) fn end_of(tokens: &[Token], at: usize) -> usize {
    let mut depth = 0usize;
    for (nth, token) in tokens.iter().enumerate().skip(at) {
        match token {
            Token::Open(_) => depth += 1,
            Token::Close => depth = depth.saturating_sub(1),
            Token::Choice(_) => {}
        }
        if depth == 0 {
            return nth + 1;
        }
    }
    tokens.len()
}

/// Returns a choice that replay cannot use: of another kind, and outside of the domain. Replay asks
/// its fallback instead.
fn hole(choice: &Choice) -> Choice {
    let mut hole = *choice;
    let domain = &choice.domain;
    hole.number = match domain.max.checked_add(1) {
        Some(number) => number,
        None => domain.min.saturating_sub(1),
    };
    let is_boolean = domain.kind == ChoiceKind::Boolean;
    hole.domain.kind = if is_boolean { ChoiceKind::Opaque } else { ChoiceKind::Boolean };
    hole
}

fn is_same(a: &Token, b: &Token) -> bool {
    match (a, b) {
        (Token::Choice(a), Token::Choice(b)) => a.number == b.number,
        (a, b) => a == b,
    }
}

/// Returns whether the second list begins with the first one.
fn is_prefix(start: &[Token], tokens: &[Token]) -> bool {
    start.len() <= tokens.len() && start.iter().zip(tokens).all(|(a, b)| is_same(a, b))
}

/// Returns whether two tapes are the same after the outermost span around this token. Both have
/// the same tokens before it.
fn is_same_after_parameter(old: &[Token], new: &[Token], at: usize) -> bool {
    let mut start = 0;
    while end_of(old, start) <= at {
        start = end_of(old, start);
    }
    let (old, new) = (&old[end_of(old, start)..], &new[end_of(new, start)..]);
    old.len() == new.len() && is_prefix(old, new)
}

/// Returns the index of the bracket that closes the span around this token.
fn end_of_siblings(tokens: &[Token], mut at: usize) -> usize {
    while at < tokens.len() && tokens[at] != Token::Close {
        at = end_of(tokens, at);
    }
    at
}
