//! Reads choices from bytes, such as the input of a fuzzer.
//!
//! Fuzzers change single bytes, and copy, insert and delete runs of them. So each choice takes few
//! bytes, all bytes have a meaning, and zeros follow the last one. Zeros are the simplest choices:
//! they end lists and recursion, so a short input is a small case.

use super::{Driver, Request};
use crate::{ChoiceKind, Domain, Role, Token, float, text};

/// Supplies choices from bytes. Any bytes are a case. After the last byte, all choices are the
/// simplest.
///
/// # Examples
/// ```
/// use rebut_choice::{AnyDriver, ByteDriver, Source};
/// let mut source = Source::new(AnyDriver::Other(Box::new(ByteDriver::new(&[7, 1]))));
/// assert_eq!(source.integer(0, 100), 7);
/// assert!(source.boolean());
/// assert_eq!(source.integer(-5, 5), 0, "after the last byte: the simplest number");
/// ```
#[derive(Clone, Debug)]
pub struct ByteDriver {
    bytes: Vec<u8>,
    next: usize,
}

impl ByteDriver {
    /// Creates a driver that reads a copy of these bytes.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{AnyDriver, ByteDriver, Source};
    /// let driver = ByteDriver::new(&[]);
    /// assert_eq!(Source::new(AnyDriver::Other(Box::new(driver))).integer(3, 9), 3);
    /// ```
    #[must_use]
    pub fn new(bytes: &[u8]) -> ByteDriver {
        ByteDriver { bytes: bytes.to_vec(), next: 0 }
    }

    fn left(&self) -> usize {
        self.bytes.len() - self.next
    }

    fn byte(&mut self) -> u8 {
        let byte = self.bytes.get(self.next).copied();
        self.next += usize::from(byte.is_some());
        byte.unwrap_or(0)
    }

    /// Reads a number below `count`, with as few bytes as it needs.
    fn below(&mut self, count: u128) -> u128 {
        let bits = 128 - count.saturating_sub(1).leading_zeros();
        let read =
            (0..bits.div_ceil(8)).fold(0, |number, n| number | u128::from(self.byte()) << (8 * n));
        read % count.max(1)
    }

    /// Reads a length: one byte, or two more if it is the largest. A list is never longer than the
    /// bytes that are left, because its other elements would all be the simplest. The length does
    /// not depend on these otherwise, so a byte that a fuzzer adds at the end changes nothing else.
    fn length(&mut self, domain: &Domain) -> i128 {
        let length = match self.byte() {
            u8::MAX => u128::from(u8::MAX) + self.below(1 << 16),
            short => u128::from(short),
        };
        let room = (domain.size() - 1).min(self.left() as u128);
        domain.min + length.min(room) as i128
    }

    /// Reads a character: one byte for ASCII, three for others. Zero is the simplest.
    fn character(&mut self, domain: &Domain) -> i128 {
        let first = self.byte();
        let ascii = text::number_of(char::from(first));
        match first {
            0 => domain.origin,
            1..0x80 if domain.contains(ascii) => ascii,
            1..0x80 => domain.nth(u128::from(first) % domain.size()),
            _ => {
                let high = u128::from(first - 0x80) << 16;
                let low = u128::from(self.byte()) | u128::from(self.byte()) << 8;
                domain.nth((high | low) % domain.size())
            }
        }
    }
}

impl Driver for ByteDriver {
    fn choose(&mut self, request: &Request<'_>, _so_far: &[Token]) -> i128 {
        let domain = &request.domain;
        match (domain.role, domain.kind) {
            (Role::Steps | Role::Trail, _) => domain.origin,
            (Role::Length, _) => self.length(domain),
            (_, ChoiceKind::Char) => self.character(domain),
            // As the bits of the number, so that small changes are small.
            (_, ChoiceKind::Float64) if self.left() > 0 => {
                float::number_of_f64(f64::from_bits(self.below(1 << 64) as u64))
            }
            (_, ChoiceKind::Float32) if self.left() > 0 => {
                float::number_of_f32(f32::from_bits(self.below(1 << 32) as u32))
            }
            (_, ChoiceKind::Float32 | ChoiceKind::Float64) => domain.origin,
            (_, ChoiceKind::Integer | ChoiceKind::Boolean | ChoiceKind::Opaque) => {
                let index = self.below(domain.size());
                domain.nth(index)
            }
        }
    }

    fn can_retry(&self) -> bool {
        self.left() > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AnyDriver, Label, Source};

    fn source(bytes: &[u8]) -> Source {
        Source::new(AnyDriver::Other(Box::new(ByteDriver::new(bytes))))
    }

    #[test]
    fn numbers_take_the_bytes_that_their_domain_needs() {
        let mut source = source(&[7, 0xE8, 3, 255, 255, 2]);
        assert_eq!(source.integer(0, 255), 7);
        assert_eq!(source.integer(0, 65_535), 1000);
        assert_eq!(source.integer(-32_768, 32_767), -1);
        assert_eq!(source.integer(4, 4), 4, "a single number takes none");
        assert_eq!(source.integer(0, 1), 0);
        assert_eq!(source.integer(5, 9), 5, "nothing is left");
    }

    #[test]
    fn all_numbers_of_a_domain_can_be_read() {
        let mut numbers: Vec<i128> = (0..=255).map(|byte| source(&[byte]).integer(-3, 3)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers, [-3, -2, -1, 0, 1, 2, 3]);
    }

    #[test]
    fn lists_are_not_longer_than_the_bytes_left() {
        let list = |bytes: &[u8]| {
            source(bytes).span(Label::SEQUENCE, |source| {
                (0..source.length(0, 10_000)).map(|_| source.integer(0, 255)).collect::<Vec<_>>()
            })
        };
        assert_eq!(list(&[2, 7, 8]), [7, 8]);
        assert_eq!(list(&[1, 7, 8]), [7]);
        assert_eq!(list(&[200]), []);
        assert_eq!(list(&[200, 7]), [7]);
        assert_eq!(list(&[255; 1000]).len(), 997);
    }

    #[test]
    fn characters_are_ascii_or_any() {
        assert_eq!(source(b"Q").character('\0', char::MAX), 'Q');
        assert_eq!(source(b"").character('\0', char::MAX), 'a');
        assert!(!source(&[0x81, 2, 3]).character('\0', char::MAX).is_ascii());
        assert!(source(b"Q").character('a', 'z').is_ascii_lowercase());
    }

    #[test]
    fn floats_are_read_by_their_bits() {
        assert_eq!(source(&1.5f64.to_le_bytes()).float64(f64::NEG_INFINITY, f64::NAN), 1.5);
        assert_eq!(source(&[]).float32(-1.0, 1.0), 0.0);
        assert_eq!(source(&9.0f32.to_le_bytes()).float32(-1.0, 1.0), 1.0);
    }
}
