//! Other answers of friendly mocks.
//!
//! A failing case does not count if it passes with other answers of the friendly mocks and the
//! same remaining choices. A native run and exploration try the same answers.
//!
//! # Examples
//! ```
//! use rebut_choice::friendly_mocks::{FRIENDLY, BEHAVIORS_MAX, behavior, without_answers};
//! use rebut_choice::{AnyDriver, Source, Tape};
//!
//! // A mock answers true, and the test fails. Does it pass with another answer?
//! let answer = |source: &mut Source| source.span(FRIENDLY, |source| source.boolean());
//! let mut source = Source::replay(&Tape::from_text("b1").unwrap());
//! assert!(answer(&mut source));
//! let tape = without_answers(&source.into_tape()).unwrap();
//! let passes = (0..BEHAVIORS_MAX).any(|nth| {
//!     let driver = AnyDriver::Replay(Box::new(behavior(&tape, nth)));
//!     !answer(&mut Source::new(driver))
//! });
//! assert!(passes);
//! ```

use crate::{Fallback, Label, Random, Replay, Tape, Token};

/// The label of each answer of a friendly mock.
pub const FRIENDLY: Label = Label::group("friendly answer");

/// The reason to reject a failing case that passes with other answers.
pub const REJECTION_REASON: &str = "fails only because of an answer of a friendly mock";

/// The maximum number of other behaviors to try: the simplest one, then random ones. If the case
/// fails with all of them, its failure counts. Arbitrary: each costs one run of a failing case.
pub const BEHAVIORS_MAX: u64 = 16;

/// Returns the tape with all friendly answers removed, or `None` if it has none.
///
/// # Examples
/// ```
/// use rebut_choice::friendly_mocks::{FRIENDLY, without_answers};
/// use rebut_choice::{Source, Tape};
/// let mut source = Source::replay(&Tape::from_text("i1").unwrap());
/// source.integer(0, 9);
/// assert_eq!(without_answers(&source.tape()), None);
/// source.span(FRIENDLY, |source| source.boolean());
/// assert_eq!(without_answers(&source.tape()).unwrap().len(), 1);
/// ```
#[must_use]
pub fn without_answers(tape: &Tape) -> Option<Tape> {
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

/// Returns a driver that follows a tape [without answers](without_answers) and supplies the
/// answers of the `nth` behavior.
///
/// # Examples
/// ```
/// use rebut_choice::friendly_mocks::behavior;
/// use rebut_choice::{AnyDriver, Source, Tape};
/// let simplest = behavior(&Tape::from_text("i7").unwrap(), 0);
/// let mut source = Source::new(AnyDriver::Replay(Box::new(simplest)));
/// assert_eq!((source.integer(0, 9), source.integer(0, 9)), (7, 0));
/// ```
#[must_use]
pub fn behavior(open: &Tape, nth: u64) -> Replay {
    let fallback = match nth {
        0 => Fallback::Simplest,
        seed => Fallback::Random(Box::new(Random::new(seed))),
    };
    Replay::new(open, fallback)
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
        assert_eq!(without_answers(&source.tape()), None);
        source.span(FRIENDLY, |source| {
            source.integer(0, 9);
            source.span(Label::group("x"), |source| source.integer(0, 9));
        });
        source.integer(0, 9);
        let open = without_answers(&source.tape()).expect("there is one");
        assert_eq!(open.to_text(), format!("i1 (g{:x} ) i4", FRIENDLY.id()));
    }
}
