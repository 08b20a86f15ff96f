//! Tricks with bits, casts and wide numbers.

/// Whether exactly one bit is set.
///
/// The mistake: zero has no bit set.
#[must_use]
pub fn is_power_of_two(number: u32) -> bool {
    number & number.wrapping_sub(1) == 0
}

/// The mean of two numbers, rounded down, without a wider type.
#[must_use]
pub fn mean(a: u32, b: u32) -> u32 {
    (a & b) + ((a ^ b) >> 1)
}

/// The mean of two numbers.
///
/// The mistake: the sum may be too large.
#[must_use]
pub fn mean_by_sum(a: u32, b: u32) -> u32 {
    (a + b) / 2
}

/// The lowest bit that is set, alone.
#[must_use]
pub fn lowest_bit(number: u32) -> u32 {
    number & number.wrapping_neg()
}

/// The reflected binary code of a number, in which neighbors differ by one bit.
#[must_use]
pub fn gray(number: u16) -> u16 {
    number ^ (number >> 1)
}

/// Undoes [`gray`].
#[must_use]
pub fn from_gray(mut code: u16) -> u16 {
    let mut shift = 8;
    while shift > 0 {
        code ^= code >> shift;
        shift /= 2;
    }
    code
}

/// Goes off for the numbers that differ from themselves, turned by a byte, just so.
#[must_use]
pub fn turned(number: u32) -> bool {
    number ^ number.rotate_left(8) == 0x2662_2E6A
}

/// Goes off for numbers whose bits have this profile.
#[must_use]
pub fn profile(number: u32) -> bool {
    number.count_ones() == 5 && number.trailing_zeros() == 4 && number.leading_zeros() == 2
}

/// A number that is the same from left to right and from right to left, in bits.
#[must_use]
pub fn mirrored(number: u16) -> bool {
    number.reverse_bits() == number && number % 1000 == 377
}

/// Goes off for large numbers whose last byte is 200.
#[must_use]
pub fn last_byte(number: i64) -> bool {
    number > 1_000_000 && number as u8 == 200 && number as i16 == -312
}

/// A byte, if the number is one.
///
/// The mistake: negative numbers are below 256 too.
#[must_use]
pub fn to_byte(number: i64) -> Option<u8> {
    (number < 256).then_some(number as u8)
}

/// Goes off for one number of 128 bits.
#[must_use]
pub fn wide(number: u128) -> bool {
    number.rotate_left(37) ^ 0x0123_4567_89AB_CDEF_0011_2233_4455_6677
        == 0xFEDC_BA98_7654_3210_8899_AABB_CCDD_EEFF
}

/// Goes off for two numbers whose product has seven in its upper half and nothing below it.
#[must_use]
pub fn wide_product(a: u64, b: u64) -> bool {
    u128::from(a) * u128::from(b) == 7 << 64
}

/// A number of 128 bits, taken apart and put together again.
#[must_use]
pub fn halves(number: u128) -> u128 {
    let (high, low) = ((number >> 64) as u64, number as u64);
    (u128::from(high) << 64) | u128::from(low)
}
