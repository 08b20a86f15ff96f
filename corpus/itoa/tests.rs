//! Integers as text.

use itoa::{Buffer, Integer};
use std::fmt::Display;

fn agrees<I: Integer + Display>(number: I) -> bool {
    Buffer::new().format(number) == number.to_string()
}

// expect: passed
#[rebut::test]
fn prints_what_display_prints(a: i32, b: u64, c: i128, d: u128, e: isize) {
    assert!(agrees(a));
    assert!(agrees(b));
    assert!(agrees(c));
    assert!(agrees(d));
    assert!(agrees(e), "{e}");
}

// expect: proved: 256
#[rebut::test]
fn bytes_round_trip(byte: i8) -> Result<(), std::num::ParseIntError> {
    let parsed: i8 = Buffer::new().format(byte).parse()?;
    assert_eq!(parsed, byte);
    Ok(())
}

// Texts are longer if numbers are larger, but not for negative ones.
// expect: failed
#[rebut::test]
fn longer_texts_are_larger_numbers(left: i16, right: i16) {
    let (mut one, mut other) = (Buffer::new(), Buffer::new());
    let (one, other) = (one.format(left), other.format(right));
    if one.len() > other.len() {
        assert!(left > right, "{one} and {other}");
    }
}

// Digits sort as text only if there are as many.
// expect: failed
#[rebut::test]
fn texts_sort_like_numbers(numbers: (u32, u32), label: Option<&str>) {
    let mut buffers = [Buffer::new(); 2];
    let [one, other] = &mut buffers;
    let texts = (one.format(numbers.0), other.format(numbers.1));
    assert_eq!(texts.0.cmp(texts.1), numbers.0.cmp(&numbers.1), "{label:?}");
}

// expect: failed
#[rebut::test]
fn text_has_at_most_three_digits(number: u16, negate: bool) -> bool {
    let mut buffer = Buffer::new();
    let text = if negate { buffer.format(-i32::from(number)) } else { buffer.format(number) };
    text.len() <= 3
}

// Parsing accepts more than what is printed, such as zeros and a plus sign.
// expect: passed
#[rebut::test]
fn parsed_texts_are_printed_as_they_were(text: String) {
    if let Ok(number) = text.parse::<i64>() {
        assert_eq!(Buffer::new().format(number), text);
    }
}

#[derive(Debug, Clone, Copy, rebut::Generate)]
enum Number {
    Small(u8),
    Signed { value: i64 },
    Large(u64, bool),
}

// expect: passed
#[rebut::test]
fn one_buffer_is_enough(numbers: Vec<Number>) {
    let mut buffer = Buffer::new();
    for number in numbers {
        let (text, expected) = match number {
            Number::Small(byte) => (buffer.format(byte), byte.to_string()),
            Number::Signed { value } => (buffer.format(value), value.to_string()),
            Number::Large(value, true) => {
                let value = u128::from(value) << 64;
                (buffer.format(value), value.to_string())
            }
            Number::Large(value, false) => (buffer.format(value), value.to_string()),
        };
        assert_eq!(text, expected);
    }
}

// The documented maximum counts the sign of a type that has one.
// expect: failed: attempt to subtract with overflow
#[rebut::test]
fn padding_is_never_negative(number: i64, #[from(0..=20)] width: usize) {
    let mut buffer = Buffer::new();
    let text = buffer.format(number);
    let padding = width - text.len();
    assert!(padding <= <i64 as Integer>::MAX_STR_LEN);
}

#[derive(Debug, rebut::Generate)]
struct Invoice {
    number: u32,
    cents: i64,
    remark: Option<String>,
}

// expect: failed: prices have at least three digits
#[rebut::test(spec = "corpus/invoice.rebut")]
fn prices_have_three_digits(invoice: Invoice) {
    let mut buffer = Buffer::new();
    let text = buffer.format(invoice.cents);
    assert!(text.len() >= 3, "prices have at least three digits: {} {:?}", invoice.number, invoice.remark);
}

// expect: passed
#[rebut::test(spec = "corpus/invoice.rebut")]
fn invoices_are_numbered(number: u32, #[blank("invoice.cents")] price: i64) {
    let mut buffer = Buffer::new();
    assert!((4..=6).contains(&buffer.format(number).len()));
    assert!(price > 0);
}
