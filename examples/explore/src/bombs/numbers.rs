//! Arithmetic that overflows, divides and saturates.

/// The mean of two indices.
///
/// The mistake: the sum may be too large.
#[must_use]
pub fn middle(low: i32, high: i32) -> i32 {
    (low + high) / 2
}

/// How far a number is from zero.
///
/// The mistake: the lowest number has no counterpart.
#[must_use]
pub fn distance(number: i32) -> i32 {
    if number < 0 { -number } else { number }
}

/// Goes off for a number that is a root of one, although it is far from it.
#[must_use]
pub fn root_of_one(number: u16) -> bool {
    number > 1 && number < 40_000 && number.wrapping_mul(number) == 1
}

/// Goes off for two factors of 8051.
#[must_use]
pub fn factors(a: u16, b: u16) -> bool {
    1 < a && a < b && b < 1000 && u32::from(a) * u32::from(b) == 8051
}

/// Shares something out.
///
/// The mistakes: nobody to share with, and the one quotient that is too large.
#[must_use]
pub fn share(amount: i32, people: i32, guests: i32) -> i32 {
    amount / people.wrapping_add(guests)
}

/// Goes off for a number that leaves these remainders.
#[must_use]
pub fn remainders(number: u32) -> bool {
    number % 7 == 3 && number % 11 == 5 && number % 13 == 9 && number > 100_000
}

/// Adds and takes away again.
///
/// The mistake: what was cut off does not come back.
#[must_use]
pub fn there_and_back(start: u8, by: u8) -> u8 {
    start.saturating_add(by).saturating_sub(by)
}

/// Goes off where each step succeeds and the last gives one.
#[must_use]
pub fn chain(a: u8, b: u8, c: u8, d: u8) -> bool {
    let result = a
        .checked_add(b)
        .and_then(|sum| sum.checked_mul(c))
        .and_then(|product| product.checked_sub(200))
        .and_then(|rest| rest.checked_div(d));
    result == Some(1) && d > 20
}

/// Whether a year has 366 days.
///
/// The mistake: full centuries have not, but for every fourth.
#[must_use]
pub fn is_leap(year: u16) -> bool {
    year.is_multiple_of(4)
}

/// Whether a year has 366 days, in the Gregorian calendar.
#[must_use]
pub fn is_leap_gregorian(year: u16) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

/// What three lengths are the sides of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Triangle {
    /// Not of a triangle.
    None,
    /// Three different sides.
    Scalene,
    /// Two equal sides.
    Isosceles,
    /// Three equal sides.
    Equilateral,
}

/// Tells triangles apart.
///
/// The mistake: the sum of two sides may be too large.
#[must_use]
pub fn triangle(a: u8, b: u8, c: u8) -> Triangle {
    if a + b <= c || b + c <= a || a + c <= b {
        Triangle::None
    } else if a == b && b == c {
        Triangle::Equilateral
    } else if a == b || b == c || a == c {
        Triangle::Isosceles
    } else {
        Triangle::Scalene
    }
}
