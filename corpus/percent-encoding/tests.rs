use percent_encoding::{
    percent_decode, percent_decode_str, percent_encode, percent_encode_byte, utf8_percent_encode, AsciiSet, CONTROLS,
    NON_ALPHANUMERIC,
};
use rebut::prelude::*;
use std::borrow::Cow;

const QUERY: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'#').add(b'<').add(b'>');

#[derive(Debug, Clone, Copy, PartialEq, Generate)]
enum Set {
    Controls,
    Query,
    NonAlphanumeric,
}

impl Set {
    fn ascii(self) -> &'static AsciiSet {
        match self {
            Set::Controls => CONTROLS,
            Set::Query => QUERY,
            Set::NonAlphanumeric => NON_ALPHANUMERIC,
        }
    }
}

// expect: passed
#[rebut::test]
fn bytes_round_trip_if_the_percent_sign_is_encoded(bytes: Vec<u8>) {
    let text = percent_encode(&bytes, NON_ALPHANUMERIC).to_string();
    assert!(text.is_ascii());
    assert_eq!(percent_decode_str(&text).collect::<Vec<u8>>(), bytes);
}

// Only NON_ALPHANUMERIC has the percent sign.
// expect: failed
#[rebut::test]
fn text_round_trips_in_every_set(text: String, set: Set) {
    let encoded = utf8_percent_encode(&text, set.ascii()).to_string();
    assert_eq!(percent_decode_str(&encoded).decode_utf8().unwrap(), text);
}

// expect: proved: 256
#[rebut::test]
fn a_byte_is_encoded_in_upper_case(byte: u8) {
    assert_eq!(percent_encode_byte(byte), format!("%{byte:02X}"));
}

// expect: failed: Utf8Error
#[rebut::test]
fn decoded_text_is_utf8(parts: Vec<(u8, Option<char>)>) -> Result<(), std::str::Utf8Error> {
    let mut text = String::new();
    for (byte, letter) in parts {
        text += percent_encode_byte(byte);
        text.extend(letter);
    }
    percent_decode_str(&text).decode_utf8()?;
    Ok(())
}

// expect: failed
#[rebut::test]
fn encoding_twice_is_encoding_once(text: &str, set: Set) {
    let once = utf8_percent_encode(text, set.ascii()).to_string();
    let twice = utf8_percent_encode(&once, set.ascii()).to_string();
    assert_eq!(once, twice);
}

// A single encoded byte is borrowed from a table.
// expect: failed
#[rebut::test]
fn nothing_to_encode_borrows(text: String) {
    let encoded: Cow<str> = utf8_percent_encode(&text, CONTROLS).into();
    if let Cow::Borrowed(same) = encoded {
        assert_eq!(same, text);
    } else {
        assert!(encoded.len() > text.len());
    }
}

// expect: failed
#[rebut::test]
fn decoding_makes_shorter_text(bytes: &[u8]) -> bool {
    let decoded: Vec<u8> = percent_decode(bytes).collect();
    decoded.len() < bytes.len() || !bytes.contains(&b'%')
}

// Lossy decoding writes three bytes for one.
// expect: failed
#[rebut::test]
fn lossy_decoding_never_makes_text_longer(bytes: Vec<u8>, noise: Option<&str>) {
    let lossy = percent_decode(&bytes).decode_utf8_lossy();
    assert!(lossy.len() <= bytes.len(), "{:?}", noise);
}

/// A set under construction, and its members.
#[derive(Debug)]
pub struct Builder {
    set: AsciiSet,
    members: [bool; 128],
}

#[rebut::contract]
impl Builder {
    pub fn new() -> Builder {
        Builder { set: AsciiSet::EMPTY, members: [false; 128] }
    }

    #[requires(byte < 128, "the set has ASCII characters")]
    pub fn add(&mut self, byte: u8) {
        self.set = self.set.add(byte);
        self.members[usize::from(byte)] = true;
    }

    #[requires(byte < 128)]
    pub fn remove(&mut self, byte: u8) {
        self.set = self.set.remove(byte);
        self.members[usize::from(byte)] = false;
    }

    pub fn complement(&mut self) {
        self.set = self.set.complement();
        self.members.iter_mut().for_each(|member| *member = !*member);
    }

    #[requires(byte < 128)]
    #[ensures(result.len() == if self.members[usize::from(byte)] { 3 } else { 1 })]
    pub fn encode(&self, byte: u8) -> String {
        let set: &'static AsciiSet = Box::leak(Box::new(self.set.union(AsciiSet::EMPTY)));
        percent_encode(&[byte], set).to_string()
    }
}

// expect: passed
#[rebut::test]
fn sets_match_their_members(program: rebut::Program<Builder>) {
    program.run();
}
