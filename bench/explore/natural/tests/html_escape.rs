//! Escapes of HTML.

use html_escape::{decode_html_entities, encode_text};
use rebut::prelude::*;

// true: decoding an escaped text returns the text.
#[rebut::test]
fn texts_round_trip(#[from(strings().alphabet('%'..='>').max_size(3))] text: String) {
    let encoded = encode_text(&text).into_owned();
    assert_eq!(decode_html_entities(&encoded), text);
}

// true: no tag begins in an escaped text.
#[rebut::test]
fn escaped_texts_have_no_brackets(#[generate(max_size = 3)] text: String) {
    let encoded = encode_text(&text).into_owned();
    assert!(!encoded.contains(['<', '>']));
}

// false (easy): "&".to_owned()
#[rebut::test]
fn escaping_twice_changes_nothing(#[generate(max_size = 2)] text: String) {
    let once = encode_text(&text).into_owned();
    assert_eq!(encode_text(&once), once);
}
