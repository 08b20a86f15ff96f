use leb128::{read, write};
use rebut::prelude::*;
use std::io::{self, Read, Write};

fn encoded(number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    write::unsigned(&mut bytes, number).expect("a vector takes every byte");
    bytes
}

// expect: passed
#[rebut::test]
fn unsigned_round_trips(number: u64) -> Result<(), read::Error> {
    let bytes = encoded(number);
    assert_eq!(read::unsigned(&mut &bytes[..])?, number);
    Ok(())
}

// expect: passed
#[rebut::test]
fn a_list_of_signed_numbers_round_trips(numbers: &[i64]) {
    let mut bytes = vec![];
    let mut length = 0;
    for &number in numbers {
        length += write::signed(&mut bytes, number).unwrap();
    }
    assert_eq!(length, bytes.len());
    let mut rest = &bytes[..];
    for &number in numbers {
        assert_eq!(read::signed(&mut rest).unwrap(), number);
    }
    assert!(rest.is_empty());
}

// expect: proved: 256
#[rebut::test]
fn one_byte_is_enough_for_seven_bits(number: u8) -> bool {
    (write::unsigned_len(number.into()) == 1) == (number < 0x80)
}

// The signed encoding keeps a bit for the sign.
// expect: failed: left: 2
#[rebut::test]
fn signed_and_unsigned_lengths_agree(number: u32, _unused: Option<char>) {
    assert_eq!(write::signed_len(i64::from(number)), write::unsigned_len(u64::from(number)));
}

// Padding bytes such as 0x80 0x00 are accepted.
// expect: failed
#[rebut::test]
fn decoding_is_injective(bytes: Vec<u8>) {
    let mut rest = &bytes[..];
    let Ok(number) = read::unsigned(&mut rest) else { return };
    let used = bytes.len() - rest.len();
    assert_eq!(encoded(number), bytes[..used], "{number} has one encoding");
}

// expect: failed
#[rebut::test]
fn reading_stops_at_the_tenth_byte(#[from(vecs(0x80..=0xffu8).min_size(9).max_size(14))] bytes: Vec<u8>, last: (bool, u8)) {
    let mut all = bytes.clone();
    all.push(if last.0 { last.1 & 0x7f } else { 0 });
    let mut rest = all.as_slice();
    match read::signed(&mut rest) {
        Ok(_) | Err(read::Error::Overflow) => assert!(all.len() - rest.len() <= 10),
        Err(read::Error::IoError(error)) => panic!("no error of the reader: {}", error),
    }
}

// expect: passed
#[rebut::test]
fn reading_never_panics(bytes: &[u8], signed: bool) {
    let mut rest = bytes;
    if signed {
        let _ = read::signed(&mut rest);
    } else {
        let _ = read::unsigned(&mut rest);
    }
}

#[rebut::mock(of = std::io::Read)]
trait Wire {
    #[from(integers().max_value(buf.len()).map(Ok))]
    fn read(&mut self, #[drawn(*result.as_ref().unwrap_or(&0))] buf: &mut [u8]) -> io::Result<usize>;
}

// A reader that ends early is an error of the reader.
// expect: failed: called `Result::unwrap()` on an `Err` value
#[rebut::test]
fn a_reader_without_errors_gives_a_number(mut wire: MockWire) {
    let number = read::unsigned(&mut wire).unwrap();
    assert!(write::unsigned_len(number) <= 10);
}

/// A stream of numbers, and what was written to it.
#[derive(Debug, Default)]
pub struct Stream {
    bytes: Vec<u8>,
    numbers: Vec<u64>,
    at: usize,
}

#[rebut::contract]
#[invariant(self.at <= self.bytes.len())]
impl Stream {
    pub fn new() -> Stream {
        Stream::default()
    }

    #[ensures(result == write::unsigned_len(number))]
    #[ensures(self.bytes.len() == old(self.bytes.len()) + result)]
    pub fn put(&mut self, number: u64) -> usize {
        self.numbers.push(number);
        write::unsigned(&mut self.bytes, number).unwrap()
    }

    #[requires(self.at < self.bytes.len())]
    #[ensures(result == old(self.numbers[0]))]
    pub fn take(&mut self) -> u64 {
        let mut rest = &self.bytes[self.at..];
        let number = read::unsigned(&mut rest).unwrap();
        self.at = self.bytes.len() - rest.len();
        self.numbers.remove(0);
        number
    }

    /// Rewrites the last number.
    #[requires(!self.numbers.is_empty(), "there is a number to change")]
    #[ensures(self.bytes.len() == old(self.bytes.len()), "a change keeps the length")]
    pub fn change_last(&mut self, change: &mut dyn FnMut(u64) -> u64) {
        let last = self.numbers.pop().unwrap();
        self.bytes.truncate(self.bytes.len() - write::unsigned_len(last));
        let changed = change(last);
        self.numbers.push(changed);
        self.bytes.write_all(&encoded(changed)).unwrap();
    }
}

// expect: failed: a change keeps the length
#[rebut::test]
fn streams_keep_their_contract(program: rebut::Program<Stream>) {
    program.run();
}

// expect: passed
#[rebut::test]
fn a_cursor_reads_from_its_position(mut cursor: io::Cursor<Vec<u8>>) {
    let before = cursor.position();
    if read::unsigned(&mut cursor).is_ok() {
        assert!(cursor.position() > before);
        let mut rest = vec![];
        cursor.read_to_end(&mut rest).unwrap();
    }
}
