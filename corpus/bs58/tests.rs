use bs58::{decode, encode, Alphabet};
use rebut::prelude::*;
use std::collections::BTreeSet;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Generate)]
enum Letters {
    Bitcoin,
    Monero,
    Ripple,
    Flickr,
}

fn alphabet(letters: Letters) -> &'static Alphabet {
    match letters {
        Letters::Bitcoin => Alphabet::BITCOIN,
        Letters::Monero => Alphabet::MONERO,
        Letters::Ripple => Alphabet::RIPPLE,
        Letters::Flickr => Alphabet::FLICKR,
    }
}

// expect: passed
#[rebut::test]
fn every_alphabet_round_trips(bytes: Vec<u8>, letters: Letters) -> Result<(), decode::Error> {
    let text = encode(&bytes).with_alphabet(alphabet(letters)).into_string();
    assert_eq!(decode(text).with_alphabet(alphabet(letters)).into_vec()?, bytes);
    Ok(())
}

// Bitcoin and Monero have the same letters.
// expect: failed
#[rebut::test]
fn different_alphabets_give_different_text(#[from(vecs(1..=255u8).min_size(1).max_size(6))] bytes: Vec<u8>, one: Letters, other: Letters) {
    assume!(one != other);
    let text = |letters| encode(&bytes).with_alphabet(alphabet(letters)).into_string();
    assert_ne!(text(one), text(other));
}

// expect: failed
#[rebut::test]
fn text_is_longer_than_bytes(bytes: &[u8]) -> bool {
    encode(bytes).into_string().len() > bytes.len()
}

// Leading zeros are one character each, so the order differs.
// expect: failed
#[rebut::test]
fn order_of_text_is_order_of_bytes(one: [u8; 3], other: [u8; 3]) {
    let (first, second) = (encode(one).into_string(), encode(other).into_string());
    assert_eq!(first.cmp(&second), one.cmp(&other));
}

// expect: passed
#[rebut::test]
fn decoding_never_panics(text: &[u8], letters: Letters) {
    match decode(text).with_alphabet(alphabet(letters)).into_vec() {
        Ok(bytes) => assert!(bytes.len() <= text.len()),
        Err(decode::Error::InvalidCharacter { index, character }) => assert_eq!(text[index], character as u8),
        Err(decode::Error::NonAsciiCharacter { index }) => assert!(!text[index].is_ascii()),
        Err(other) => panic!("unexpected: {other}"),
    }
}

// expect: passed
#[rebut::test]
fn text_round_trips(#[from(strings().alphabet(chars().ascii_alphanumeric()))] text: String) {
    let Ok(bytes) = decode(&text).into_vec() else {
        let wrong: BTreeSet<char> = "0OIl".chars().collect();
        assert!(text.chars().any(|c| wrong.contains(&c)), "{text} has only letters of the alphabet");
        return;
    };
    assert_eq!(encode(bytes).into_string(), text);
}

// The message says what is too small, but bytes that fit are written.
// expect: failed: BufferTooSmall
#[rebut::test]
fn a_buffer_as_long_as_the_text_is_enough(bytes: Vec<u8>, #[from(0..3usize)] more: usize) -> Result<(), encode::Error> {
    let mut buffer = vec![0; bytes.len() + more];
    let written = encode(&bytes).onto(&mut buffer[..])?;
    assert!(written <= buffer.len());
    Ok(())
}

// expect: failed
#[rebut::test]
fn an_alphabet_can_start_with_any_character(#[from(' '..='~')] first: char, tail: Option<(bool, u8)>) {
    let mut base = *b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    base[0] = first as u8;
    assert!(Alphabet::new(&base).is_ok(), "{:?} {:?}", Alphabet::new(&base).err(), tail);
}

// expect: proved: 58
#[rebut::test]
fn one_digit_is_one_byte(#[from(0..58u8)] digit: u8) {
    let text = encode([digit]).into_string();
    assert_eq!(text.len(), 1);
    assert_eq!(text, (b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"[digit as usize] as char).to_string());
}

// No random text has 32 characters of the alphabet.
// expect: vacuous
#[rebut::test]
fn keys_have_32_bytes(text: String) {
    if let Ok(bytes) = decode(&text).into_vec() {
        if bytes.len() == 32 {
            assert!(text.len() >= 43);
        }
    }
}

/// Text that grows, and the bytes behind it.
#[derive(Debug, Default)]
pub struct Ledger {
    text: String,
    entries: Vec<Vec<u8>>,
}

#[rebut::contract]
#[invariant(self.text.is_ascii())]
impl Ledger {
    pub fn new() -> Ledger {
        Ledger::default()
    }

    #[requires(!bytes.is_empty(), "an entry has bytes")]
    #[ensures(result > 0)]
    #[ensures(self.text.len() == old(self.text.len()) + result)]
    pub fn append(&mut self, bytes: Vec<u8>) -> usize {
        let written = encode(&bytes).onto(&mut self.text).unwrap();
        self.entries.push(bytes);
        written
    }

    /// Decodes everything at once.
    #[ensures(result.is_some())]
    pub fn total(&self) -> Option<usize> {
        decode(&self.text).into_vec().ok().map(|bytes| bytes.len())
    }

    #[ensures(result == old(self.entries.len()))]
    #[ensures(self.text.is_empty())]
    pub fn clear(&mut self, mut seen: impl FnMut(&[u8]) -> bool) -> usize {
        self.text.clear();
        self.entries.drain(..).filter(|entry| seen(entry)).count()
    }
}

// `clear` counts only what the callback accepts.
// expect: failed: result == old(self.entries.len())
#[rebut::test]
fn ledgers_keep_their_contract(program: rebut::Program<Ledger>) {
    program.run();
}
