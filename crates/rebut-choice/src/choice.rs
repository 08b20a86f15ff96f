//! One choice: a number, the range it was drawn from, and what it is for.
//!
//! Every kind of choice is a whole number in a range. A boolean is 0 or 1, a character its
//! scalar value with the surrogate gap closed, a float its position in the total order of
//! floats. So one shrinker, one neighborhood and one solver term serve all kinds; the kind
//! says how the number is read and which numbers count as simple.
//!
//! The road not taken: storing the *rank by simplicity* instead of the value. It makes the
//! shrinker trivial and everything else hard: a dependent range that moves would change the
//! meaning of every number in it, and a solver would see a permutation instead of the value.

use crate::{float, text};

/// How the number of a choice is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// 0 is false and 1 is true.
    Boolean,
    /// The number itself.
    Integer,
    /// A Unicode scalar value, see [`text::char_of`].
    Char,
    /// An `f32` by its position in the total order, see [`float::f32_of`].
    Float32,
    /// An `f64` by its position in the total order, see [`float::f64_of`].
    Float64,
}

/// What a choice is for: drivers bias by it and engines that walk structure look only at
/// choices whose role [is structure](Role::is_structure).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// A part of the value: a number, a character, a member of a class.
    Value,
    /// Which of several alternatives is taken; the number is the index.
    Alternative,
    /// How many elements a sequence has.
    Length,
    /// Whether an optional part is there.
    Presence,
    /// A position among things drawn earlier or given, such as the element that is sampled.
    Index,
    /// How many steps lead from a value to the one that is used, where the user says what the
    /// neighbors of a value are. Only a search takes any.
    Steps,
}

impl Role {
    /// Whether a change of this choice changes the shape of what is drawn.
    #[must_use]
    pub fn is_structure(self) -> bool {
        matches!(self, Role::Alternative | Role::Length | Role::Presence)
    }
}

/// The set of numbers a choice may take, with the simplest of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Domain {
    /// Smallest allowed number.
    pub min: i128,
    /// Largest allowed number.
    pub max: i128,
    /// The number to shrink to.
    pub origin: i128,
    /// How the number is read.
    pub kind: Kind,
    /// What the choice is for.
    pub role: Role,
}

impl Domain {
    /// Whole numbers from `min` to `max`; the simplest is the one nearest to zero.
    #[must_use]
    pub fn integers(min: i128, max: i128) -> Domain {
        Domain { min, max, origin: 0i128.min(max).max(min), kind: Kind::Integer, role: Role::Value }
    }

    /// Temperatures of a search, in thousandths; see [`Source::temperature`](crate::Source::temperature).
    #[must_use]
    pub fn temperatures() -> Domain {
        Domain::integers(0, 1000)
    }

    /// Yes or no; no is the simplest.
    #[must_use]
    pub fn booleans() -> Domain {
        Domain { min: 0, max: 1, origin: 0, kind: Kind::Boolean, role: Role::Value }
    }

    /// The same numbers with another role.
    #[must_use]
    pub fn with_role(self, role: Role) -> Domain {
        Domain { role, ..self }
    }

    /// How many numbers there are, saturating.
    #[must_use]
    pub fn size(&self) -> u128 {
        (self.max.wrapping_sub(self.min) as u128).saturating_add(1)
    }

    /// Whether `number` is allowed.
    #[must_use]
    pub fn contains(&self, number: i128) -> bool {
        self.min <= number && number <= self.max
    }

    /// The `n`th number counted from the origin upwards and then from the minimum: an
    /// enumeration of the whole domain that starts with the simplest.
    #[must_use]
    pub fn nth(&self, n: u128) -> i128 {
        let above = self.max.wrapping_sub(self.origin) as u128;
        if n <= above {
            self.origin.wrapping_add(n as i128)
        } else {
            self.min.wrapping_add((n - above - 1) as i128)
        }
    }

    /// How far a number is from the simplest one of this domain; 0 for the simplest. Two
    /// numbers never share a rank, except where a 129th bit would be needed.
    #[must_use]
    pub fn rank(&self, number: i128) -> u128 {
        match self.kind {
            Kind::Boolean | Kind::Integer => zigzag(number, self.origin),
            Kind::Char => u128::from(text::rank(number)),
            Kind::Float32 => float::rank(f64::from(float::f32_of(number))),
            Kind::Float64 => float::rank(float::f64_of(number)),
        }
    }
}

/// Origin, one above, one below, two above, two below, ...
fn zigzag(number: i128, origin: i128) -> u128 {
    if number == origin {
        0
    } else if number > origin {
        (number.wrapping_sub(origin) as u128).saturating_mul(2) - 1
    } else {
        (origin.wrapping_sub(number) as u128).saturating_mul(2)
    }
}

/// A number that was chosen, with the domain it was chosen from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The number chosen.
    pub number: i128,
    /// What it was chosen from.
    pub domain: Domain,
}

impl Choice {
    /// See [`Domain::rank`].
    #[must_use]
    pub fn rank(&self) -> u128 {
        self.domain.rank(self.number)
    }

    /// Whether no other number of the domain is simpler.
    #[must_use]
    pub fn is_simplest(&self) -> bool {
        self.number == self.domain.origin
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nth_enumerates_a_domain_once() {
        let domain = Domain { origin: 1, ..Domain::integers(-2, 3) };
        let all: Vec<i128> = (0..domain.size()).map(|n| domain.nth(n)).collect();
        assert_eq!(all, [1, 2, 3, -2, -1, 0]);
    }

    #[test]
    fn ranks_alternate_around_the_origin() {
        let domain = Domain::integers(-10, 10);
        let mut numbers: Vec<i128> = (-3..=3).collect();
        numbers.sort_by_key(|&n| domain.rank(n));
        assert_eq!(numbers, [0, 1, -1, 2, -2, 3, -3]);
    }

    #[test]
    fn the_widest_domain_has_a_size_and_ranks() {
        let domain = Domain::integers(i128::MIN, i128::MAX);
        assert_eq!(domain.size(), u128::MAX);
        assert_eq!(domain.nth(0), 0);
        assert_eq!(domain.nth(1 << 127), i128::MIN);
        assert!(domain.rank(i128::MAX) > domain.rank(i128::MAX - 1));
    }
}
