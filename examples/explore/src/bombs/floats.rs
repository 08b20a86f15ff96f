//! Floating point.

/// Adds one and takes it away again.
#[must_use]
pub fn plus_and_minus_one(number: f64) -> f64 {
    (number + 1.0) - 1.0
}

/// Goes off for a number halfway between two bytes.
#[must_use]
pub fn halfway(number: f64) -> bool {
    number as u8 == 200 && number - 200.0 == 0.5
}

/// A number and its reciprocal, multiplied.
#[must_use]
pub fn times_reciprocal(number: f32) -> f32 {
    number * (1.0 / number)
}

/// A temperature in degrees Celsius.
#[must_use]
pub fn celsius(fahrenheit: f64) -> f64 {
    (fahrenheit - 32.0) * 5.0 / 9.0
}

/// Where a point is, seen from the origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// To the left.
    Left,
    /// On the axis.
    Middle,
    /// To the right.
    Right,
}

/// Tells sides apart.
///
/// The mistake: not every float is left of, at, or right of zero.
#[must_use]
pub fn side(x: f32) -> Side {
    if x < 0.0 {
        Side::Left
    } else if x > 0.0 {
        Side::Right
    } else if x == 0.0 {
        Side::Middle
    } else {
        unreachable!("{x} is nowhere")
    }
}
