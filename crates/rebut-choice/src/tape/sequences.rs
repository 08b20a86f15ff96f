//! Finds the sequences on a tape: spans whose first choice is the number of their elements.

use std::ops::Range;

use crate::{Role, SpanShape, Tape, Token};

/// A sequence on a tape, as returned by [`Tape::sequences`].
///
/// # Examples
/// ```
/// use rebut_choice::{Label, Source, Tape};
///
/// let mut source = Source::replay(&Tape::from_text("(s1 i2 i7 i8 )").unwrap());
/// source.span(Label::SEQUENCE, |source| {
///     for _ in 0..source.length(0, 9) {
///         source.integer(0, 99);
///     }
/// });
/// let sequences = source.into_tape().sequences();
/// assert_eq!(sequences[0].length, 1);
/// assert_eq!(sequences[0].elements, [2..3, 3..4]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequence {
    /// The range of its tokens, including both brackets.
    pub tokens: Range<usize>,
    /// The index of the token with its length.
    pub length: usize,
    /// The ranges of the tokens of its elements.
    pub elements: Vec<Range<usize>>,
}

impl Tape {
    /// Returns all sequences in the order of their first tokens, so that outer sequences precede
    /// inner ones.
    ///
    /// The length of a sequence is its first child, with the role [`Role::Length`] or
    /// [`Role::Steps`]. A span without such a child is not a sequence, whatever its label says.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::Tape;
    /// // Parsed numbers have no role, so this span has no length.
    /// assert!(Tape::from_text("(s1 i1 i7 )").unwrap().sequences().is_empty());
    /// ```
    #[must_use]
    pub fn sequences(&self) -> Vec<Sequence> {
        // One pass, because a search analyzes every tape that it continues from.
        let mut found: Vec<Option<Sequence>> = Vec::new();
        let mut open: Vec<OpenSpan> = Vec::new();
        for (at, token) in self.tokens.iter().enumerate() {
            match token {
                Token::Open(label) => {
                    let is_sequence = label.shape() == SpanShape::Sequence;
                    let nth = is_sequence.then_some(found.len());
                    if is_sequence {
                        found.push(None);
                    }
                    open.push(OpenSpan { start: at, nth, children: Vec::new() });
                }
                Token::Close => {
                    let Some(span) = open.pop() else { continue };
                    let tokens = span.start..at + 1;
                    add_child(&mut open, tokens.clone());
                    if let Some(nth) = span.nth {
                        found[nth] = self.sequence(tokens, span.children);
                    }
                }
                Token::Choice(_) => add_child(&mut open, at..at + 1),
            }
        }
        found.into_iter().flatten().collect()
    }

    fn sequence(&self, tokens: Range<usize>, children: Vec<Range<usize>>) -> Option<Sequence> {
        let mut elements = children;
        let length = elements.first()?.start;
        elements.remove(0);
        let role = self.choice(length)?.domain.role;
        matches!(role, Role::Length | Role::Steps).then_some(Sequence { tokens, length, elements })
    }
}

/// A span whose end has not been reached.
struct OpenSpan {
    start: usize,
    /// The index of its sequence, if it may be one.
    nth: Option<usize>,
    /// The direct children, recorded for sequences only.
    children: Vec<Range<usize>>,
}

fn add_child(open: &mut [OpenSpan], child: Range<usize>) {
    if let Some(parent) = open.last_mut()
        && parent.nth.is_some()
    {
        parent.children.push(child);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Label, Source};

    #[test]
    fn sequences_are_listed_from_the_outside() {
        let tape = Tape::from_text("(s1 i2 (s1 i1 i5 ) (s1 i0 ) )").expect("a valid tape");
        let mut source = Source::replay(&tape);
        source.span(Label::SEQUENCE, |source| {
            for _ in 0..source.length(0, 9) {
                source.span(Label::SEQUENCE, |source| {
                    for _ in 0..source.length(0, 9) {
                        source.integer(0, 99);
                    }
                });
            }
        });
        let tape = source.into_tape();
        let sequences = tape.sequences();
        let elements: Vec<usize> = sequences.iter().map(|one| one.elements.len()).collect();
        assert_eq!(elements, [2, 1, 0], "{tape:?}");
        for sequence in &sequences {
            let mut children = tape.children(&sequence.tokens);
            assert_eq!(children.remove(0).start, sequence.length);
            assert_eq!(children, sequence.elements);
        }
    }
}
