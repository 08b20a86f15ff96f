//! Masks the choices of secrets where a tape is written.
//!
//! A test can generate values that should not be in a log, such as passwords. A stored failure and a
//! replay string need the choices, so they cannot be left out. They are combined with a fixed stream
//! of numbers instead: a reader does not see a secret by accident, and no search for it finds it.
//! This is not encryption. A user with the choices can replay the test and see the value.

use std::borrow::Cow;

use crate::{Label, Token, mix};

/// Returns whether a span has the label of secrets.
pub(super) fn exist_in(tokens: &[Token]) -> bool {
    tokens.contains(&Token::Open(Label::SECRET))
}

/// Returns the tokens with the numbers of secrets masked. Masking twice restores them.
pub(super) fn masked(tokens: &[Token]) -> Cow<'_, [Token]> {
    if !exist_in(tokens) {
        return Cow::Borrowed(tokens);
    }
    let mut tokens = tokens.to_vec();
    // The number of open spans from the outermost secret on.
    let mut depth = 0usize;
    for (at, token) in tokens.iter_mut().enumerate() {
        match token {
            Token::Open(label) if depth > 0 || *label == Label::SECRET => depth += 1,
            Token::Close => depth = depth.saturating_sub(1),
            Token::Choice(choice) if depth > 0 => choice.number ^= key(at),
            _ => {}
        }
    }
    Cow::Owned(tokens)
}

/// Masks the bytes of a replay string. Masking twice restores them.
pub(super) fn mask_bytes(bytes: &mut [u8]) {
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte ^= key(at) as u8;
    }
}

fn key(at: usize) -> i128 {
    let [high, low] = [2 * at as u64, 2 * at as u64 + 1].map(mix);
    (i128::from(high) << 64) | i128::from(low)
}

#[cfg(test)]
mod tests {
    use crate::{Label, Source, Tape};

    fn password(source: &mut Source) -> (i128, Vec<char>, i128) {
        let before = source.integer(0, 1000);
        let text = source.span(Label::SECRET, |source| {
            source.span(Label::TEXT, |source| {
                let length = source.length(0, 9);
                (0..length).map(|_| source.character('a', 'z')).collect()
            })
        });
        (before, text, source.integer(0, 1000))
    }

    #[test]
    fn numbers_of_secrets_are_masked_and_others_are_not() {
        let secret = format!("(g{:x} (s1 i3 c97 c98 c99 ) )", Label::SECRET.id());
        let plain = Tape::from_text("i123 (g1 (s1 i3 c97 c98 c99 ) ) i456").expect("a tape");
        let mut source = Source::replay(&plain);
        let value = password(&mut source);
        assert_eq!(value, (123, vec!['a', 'b', 'c'], 456));
        let tape = source.into_tape();
        let text = tape.to_text();
        assert!(text.starts_with("i123 (g") && text.ends_with(") ) i456"), "{text}");
        assert!(!text.contains(&secret) && !text.contains("c97") && !text.contains("i3 "));
        let again = Tape::from_text(&text).expect("a tape");
        assert_eq!(password(&mut Source::replay(&again)), value);
        assert_eq!(again.to_text(), text);
    }

    #[test]
    fn replay_strings_of_secrets_are_masked() {
        let mut source = Source::replay(&Tape::from_text("i1 i2 c97 c98 i3").expect("a tape"));
        let value = password(&mut source);
        let tape = source.into_tape();
        let word = tape.to_replay_string();
        assert!(word.starts_with("s1."), "{word}");
        let plain = Tape::from_text("i1 i2 c97 c98 i3").expect("a tape").to_replay_string();
        assert_ne!(word[3..], plain[3..]);
        let again = Tape::from_replay_string(&word).expect("a tape");
        assert_eq!(password(&mut Source::replay(&again)), value);
    }
}
