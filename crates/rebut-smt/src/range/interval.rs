//! Intervals of integers.

/// The integers from `min` to `max`. `i128::MIN` and `i128::MAX` mean "no bound", so arithmetic
/// saturates to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Interval {
    pub(crate) min: i128,
    pub(crate) max: i128,
}

impl Interval {
    /// The interval without bounds.
    pub(crate) const ALL: Interval = Interval { min: i128::MIN, max: i128::MAX };

    pub(crate) fn only(number: i128) -> Interval {
        Interval { min: number, max: number }
    }

    pub(crate) fn is_bounded(self) -> bool {
        self.min != i128::MIN && self.max != i128::MAX
    }

    pub(crate) fn contains(self, number: i128) -> bool {
        self.min <= number && number <= self.max
    }

    /// Returns the intersection, or `None` if it is empty.
    pub(crate) fn meet(self, other: Interval) -> Option<Interval> {
        let met = Interval { min: self.min.max(other.min), max: self.max.min(other.max) };
        (met.min <= met.max).then_some(met)
    }

    pub(crate) fn join(self, other: Interval) -> Interval {
        Interval { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    pub(crate) fn add(self, other: Interval) -> Interval {
        Interval { min: add_down(self.min, other.min), max: add_up(self.max, other.max) }
    }

    pub(crate) fn neg(self) -> Interval {
        Interval { min: opposite(self.max), max: opposite(self.min) }
    }

    pub(crate) fn mul(self, other: Interval) -> Interval {
        let corners = [
            times(self.min, other.min),
            times(self.min, other.max),
            times(self.max, other.min),
            times(self.max, other.max),
        ];
        Interval {
            min: corners.iter().copied().min().unwrap_or(i128::MIN),
            max: corners.iter().copied().max().unwrap_or(i128::MAX),
        }
    }

    /// Returns the greatest distance from zero, or `None` without bounds.
    pub(crate) fn magnitude(self) -> Option<i128> {
        self.is_bounded().then(|| self.min.unsigned_abs().max(self.max.unsigned_abs()) as i128)
    }

    /// Bounds the Euclidean quotient, which is zero for a divisor of zero.
    pub(crate) fn div(self, other: Interval) -> Interval {
        match self.magnitude() {
            // A divisor of 1 or -1 has the quotient that is farthest from zero.
            Some(magnitude) if self.min >= 0 && other.min > 0 => {
                Interval { min: 0, max: magnitude.div_euclid(other.min) }
            }
            Some(magnitude) => Interval { min: -magnitude, max: magnitude },
            None => Interval::ALL,
        }
    }

    /// Bounds the Euclidean remainder, which is the dividend for a divisor of zero.
    pub(crate) fn modulo(self, other: Interval) -> Interval {
        let rest = match other.magnitude() {
            Some(magnitude) => Interval { min: 0, max: (magnitude - 1).max(0) },
            None => Interval { min: 0, max: i128::MAX },
        };
        if other.contains(0) { rest.join(self) } else { rest }
    }

    /// Returns the number of bits that two's complement needs for every number.
    pub(crate) fn width(self) -> u32 {
        let needed = |number: i128| 129 - (number ^ (number >> 127)).leading_zeros();
        needed(self.min).max(needed(self.max))
    }
}

fn opposite(number: i128) -> i128 {
    match number {
        i128::MIN => i128::MAX,
        i128::MAX => i128::MIN,
        number => -number,
    }
}

fn add_down(a: i128, b: i128) -> i128 {
    if a == i128::MIN || b == i128::MIN { i128::MIN } else { a.saturating_add(b) }
}

fn add_up(a: i128, b: i128) -> i128 {
    if a == i128::MAX || b == i128::MAX { i128::MAX } else { a.saturating_add(b) }
}

/// Multiplies ends. "No bound" times zero is zero, because every number itself is finite.
fn times(a: i128, b: i128) -> i128 {
    a.saturating_mul(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_those_of_twos_complement() {
        let width = |min, max| Interval { min, max }.width();
        assert_eq!(width(0, 0), 1);
        assert_eq!(width(-1, 0), 1);
        assert_eq!(width(0, 1), 2);
        assert_eq!(width(-128, 127), 8);
        assert_eq!(width(0, 128), 9);
        assert_eq!(Interval::ALL.width(), 128);
    }
}
