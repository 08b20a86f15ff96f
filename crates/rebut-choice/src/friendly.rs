//! What friendly mocks might have answered instead.
//!
//! A case that fails does not count if there are other answers of friendly mocks with which it
//! passes, all else drawn alike. Which answers are tried is the same wherever a case is run:
//! natively, and where it is explored.

use crate::{Fallback, Label, Random, Replay, Tape, Token};

/// The label of the answers of friendly mocks.
pub const FRIENDLY: Label = Label::group("friendly answer");

/// Why a case is rejected that passes with other answers.
pub const WHY: &str = "it fails only because of what a friendly mock answers";

/// How many other behaviors are tried: the simplest, and random ones.
pub const TRIES: u64 = 16;

/// The tape with nothing in the spans of friendly answers; none if it has no such spans.
#[must_use]
pub fn unanswered(tape: &Tape) -> Option<Tape> {
    if !tape.tokens().contains(&Token::Open(FRIENDLY)) {
        return None;
    }
    let mut tokens = Vec::new();
    let mut depth = 0_usize;
    for token in tape.tokens() {
        let is_inside = depth > 0;
        match token {
            Token::Open(label) if is_inside || *label == FRIENDLY => depth += 1,
            Token::Close => depth = depth.saturating_sub(1),
            Token::Open(_) | Token::Choice(_) => {}
        }
        if !is_inside || depth == 0 {
            tokens.push(*token);
        }
    }
    Some(Tape::new(tokens))
}

/// A driver for one of the tries, of an [unanswered] tape.
#[must_use]
pub fn behavior(unanswered: &Tape, nth: u64) -> Replay {
    let fallback = match nth {
        0 => Fallback::Simplest,
        seed => Fallback::Random(Box::new(Random::new(seed))),
    };
    Replay::new(unanswered, fallback)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Source;

    #[test]
    fn friendly_answers_are_left_open() {
        let mut source =
            Source::replay(&Tape::from_text("i1 (g1 i2 (g2 i3 ) ) i4").expect("a tape"));
        source.integer(0, 9);
        assert_eq!(unanswered(&source.tape()), None);
        source.span(FRIENDLY, |source| {
            source.integer(0, 9);
            source.span(Label::group("x"), |source| source.integer(0, 9));
        });
        source.integer(0, 9);
        let open = unanswered(&source.tape()).expect("there is one");
        assert_eq!(open.to_text(), format!("i1 (g{:x} ) i4", FRIENDLY.id()));
    }
}
