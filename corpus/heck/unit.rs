extern crate std;

use self::std::prelude::v1::*;
use self::std::{format, vec};
use super::*;
use alloc::string::String;

struct Words<'a>(&'a str);

impl fmt::Display for Words<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        transform(self.0, |word, f| write!(f, "<{word}>"), |_| Ok(()), f)
    }
}

// expect: passed
#[rebut::test]
fn words_are_parts_of_the_text(text: &str) {
    let words = format!("{}", Words(text)).replace(['<', '>'], "");
    let kept: String = text.chars().filter(|c| c.is_alphanumeric()).collect();
    assert_eq!(words, kept);
}

// expect: failed
#[rebut::test]
fn there_is_a_word_for_each_part(parts: std::vec::Vec<String>, more: Option<u8>) {
    let mut parts = parts;
    parts.extend(more.map(|more| format!("{more}")));
    let text = parts.join(" ");
    assert_eq!(format!("{}", Words(&text)).matches('<').count(), parts.len(), "{:?}", vec![text]);
}

// expect: failed
#[rebut::test]
fn capitals_are_one_character(c: char) {
    struct Capital(char);
    impl fmt::Display for Capital {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            capitalize(&self.0.to_string(), f)
        }
    }
    assert_eq!(Capital(c).to_string().chars().count(), 1);
}
