use super::*;
use rebut::prelude::*;

// expect: passed
#[rebut::test]
fn escaped_text_is_printable(text: String, all: bool) {
    let policy = if all { EscapePolicy::Everything } else { EscapePolicy::Basics };
    let escaped = escape_str(&text, policy);
    assert!(!escaped.contains('\n'));
    assert!(escaped.len() >= text.len());
    assert!(!escaped.contains('\u{7f}'), "delete in {:?}", escaped);
}

// The backslash is escaped as well.
// expect: failed
#[rebut::test]
fn escaping_is_idempotent(c: char) {
    let once = escape_str(&c.to_string(), EscapePolicy::Everything);
    assert_eq!(escape_str(&once, EscapePolicy::Everything), once);
}

// expect: proved: 256
#[rebut::test]
fn policies_are_ordered(#[from('\0'..='\u{ff}')] c: char) {
    if EscapePolicy::Basics.should_escape(c) {
        assert!(EscapePolicy::Everything.should_escape(c));
    }
}
