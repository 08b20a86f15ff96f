//! Story 1: a function that cuts text at a byte that is not the start of a character.

/// Returns the first `max` bytes of a text, or all of it.
fn shorten(text: &str, max: usize) -> &str {
    if text.len() <= max { text } else { &text[..max] }
}

#[rebut::test]
fn shorten_never_exceeds_max(text: &str, max: usize) {
    assert!(shorten(text, max).len() <= max);
}
