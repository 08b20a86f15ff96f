//! A choice: a number, the range it was drawn from, and its role in the value.
//!
//! Every kind of choice is a whole number in a range. A boolean is 0 or 1, a character its scalar
//! value with the surrogate gap closed, a float its position in the total order of floats.
//! Therefore one shrinker, one neighborhood and one solver term serve all kinds. The kind defines
//! how to read the number and which numbers are simple.
//!
//! An alternative was to store the *rank by simplicity* instead of the value. It makes the
//! shrinker trivial and everything else hard: when a dependent range moves, every number in it
//! would change its meaning, and a solver would see a permutation instead of the value.

use crate::{float, text};

/// How to read the number of a choice.
///
/// # Examples
/// ```
/// use rebut_choice::{Domain, ChoiceKind};
/// assert_eq!(Domain::booleans().kind, ChoiceKind::Boolean);
/// assert_eq!(Domain::integers(0, 9).kind, ChoiceKind::Integer);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChoiceKind {
    /// 0 is false and 1 is true.
    Boolean,
    /// The number is the value.
    Integer,
    /// A Unicode scalar value, see [`text::char_of`].
    Char,
    /// An `f32` by its position in the total order, see [`float::f32_of`].
    Float32,
    /// An `f64` by its position in the total order, see [`float::f64_of`].
    Float64,
    /// A name without an order, such as the seed of a value that another crate generates. Numbers
    /// near each other have nothing in common. Only the origin is simpler than the others.
    Opaque,
}

/// The role of a choice in the value.
///
/// Drivers bias their choices by role. Engines that walk the structure of a value look only at
/// the roles for which [`is_structure`](Role::is_structure) returns true.
///
/// # Examples
/// ```
/// use rebut_choice::{Role, Source, Tape, Token};
/// let mut source = Source::replay(&Tape::default());
/// source.length(0, 3);
/// let Token::Choice(choice) = source.tape().tokens()[0] else { panic!() };
/// assert_eq!(choice.domain.role, Role::Length);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// A part of the value: a number, a character, a member of a class.
    Value,
    /// The index of the alternative to take.
    Alternative,
    /// The number of elements in a sequence.
    Length,
    /// Whether an optional part is present.
    Presence,
    /// A position in a list of existing items, such as the element to sample.
    Index,
    /// The number of steps from a generated value to the one that is used. It appears where the
    /// user defines the neighbors of a value. Only a search takes steps; all other drivers choose
    /// 0.
    Steps,
    /// One step of a [trail](crate::Source::trail), or 0 for its end. The shrinker appends steps;
    /// all other drivers choose 0.
    Trail,
}

impl Role {
    /// Returns whether changing such a choice changes the shape of the value.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::Role;
    /// assert!(Role::Length.is_structure());
    /// assert!(!Role::Value.is_structure());
    /// ```
    #[must_use]
    pub fn is_structure(self) -> bool {
        matches!(self, Role::Alternative | Role::Length | Role::Presence | Role::Trail)
    }

    /// Returns whether such a choice leads from a generated value to another one. A driver that
    /// generates values takes no such steps: it chooses the origin.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::Role;
    /// assert!(Role::Steps.is_walk() && Role::Trail.is_walk());
    /// assert!(!Role::Length.is_walk());
    /// ```
    #[must_use]
    pub fn is_walk(self) -> bool {
        matches!(self, Role::Steps | Role::Trail)
    }
}

/// The range of numbers that a choice may take, and the simplest of them.
///
/// # Examples
/// ```
/// use rebut_choice::Domain;
/// let hours = Domain { origin: 12, ..Domain::integers(0, 23) };
/// assert_eq!(hours.size(), 24);
/// assert_eq!(hours.rank(12), 0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Domain {
    /// The smallest allowed number.
    pub min: i128,
    /// The largest allowed number.
    pub max: i128,
    /// The simplest number. The shrinker moves toward it.
    pub origin: i128,
    /// How to read the number.
    pub kind: ChoiceKind,
    /// The role of the choice.
    pub role: Role,
}

impl Domain {
    /// Returns the domain of whole numbers from `min` to `max`. The simplest is the one nearest
    /// to zero.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::Domain;
    /// assert_eq!(Domain::integers(-5, 5).origin, 0);
    /// assert_eq!(Domain::integers(3, 9).origin, 3);
    /// ```
    #[must_use]
    pub fn integers(min: i128, max: i128) -> Domain {
        Domain {
            min,
            max,
            origin: 0i128.min(max).max(min),
            kind: ChoiceKind::Integer,
            role: Role::Value,
        }
    }

    /// Returns the domain of the temperature of a search, in thousandths.
    /// [`Source::temperature`](crate::Source::temperature) draws from it.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::Domain;
    /// assert_eq!(Domain::temperatures().max, 1000);
    /// ```
    #[must_use]
    pub fn temperatures() -> Domain {
        Domain::integers(0, 1000)
    }

    /// Returns the domain of booleans. The simplest is `false`.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::Domain;
    /// assert_eq!(Domain::booleans().size(), 2);
    /// ```
    #[must_use]
    pub fn booleans() -> Domain {
        Domain { min: 0, max: 1, origin: 0, kind: ChoiceKind::Boolean, role: Role::Value }
    }

    /// Returns the domain of seeds. The simplest is 0, and all others are equally simple.
    /// [`Source::seed`](crate::Source::seed) draws from it.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::Domain;
    /// assert_eq!([0, 1, 9].map(|seed| Domain::seeds().rank(seed)), [0, 1, 1]);
    /// ```
    #[must_use]
    pub fn seeds() -> Domain {
        // Exploration requests numbers of 64 bits faster than wider ones.
        let max = i128::from(i64::MAX);
        Domain { min: 0, max, origin: 0, kind: ChoiceKind::Opaque, role: Role::Value }
    }

    /// Returns the domain of a step of a [trail](crate::Source::trail). 0 ends the trail.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::Domain;
    /// assert_eq!(Domain::trail_steps().origin, 0);
    /// ```
    #[must_use]
    pub fn trail_steps() -> Domain {
        Domain { max: i128::from(u32::MAX), role: Role::Trail, ..Domain::seeds() }
    }

    /// Returns the same domain with another role.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{Domain, Role};
    /// let length = Domain::integers(0, 10).with_role(Role::Length);
    /// assert!(length.role.is_structure());
    /// ```
    #[must_use]
    pub fn with_role(self, role: Role) -> Domain {
        Domain { role, ..self }
    }

    /// Returns the number of allowed numbers, saturating at `u128::MAX`.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::Domain;
    /// assert_eq!(Domain::integers(-2, 3).size(), 6);
    /// ```
    #[must_use]
    pub fn size(&self) -> u128 {
        (self.max.wrapping_sub(self.min) as u128).saturating_add(1)
    }

    /// Returns whether the domain allows `number`.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::Domain;
    /// assert!(Domain::integers(0, 9).contains(9));
    /// assert!(!Domain::integers(0, 9).contains(10));
    /// ```
    #[must_use]
    pub fn contains(&self, number: i128) -> bool {
        self.min <= number && number <= self.max
    }

    /// Returns the `n`th number of the domain, starting with the simplest.
    ///
    /// The enumeration goes up from the origin to the maximum, then up from the minimum. It
    /// contains each number once.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::Domain;
    /// let domain = Domain::integers(-2, 1);
    /// let all: Vec<i128> = (0..domain.size()).map(|n| domain.nth(n)).collect();
    /// assert_eq!(all, [0, 1, -2, -1]);
    /// ```
    #[must_use]
    pub fn nth(&self, n: u128) -> i128 {
        let above = self.max.wrapping_sub(self.origin) as u128;
        if n <= above {
            self.origin.wrapping_add(n as i128)
        } else {
            self.min.wrapping_add((n - above - 1) as i128)
        }
    }

    /// Returns the `n` for which [`nth`](Domain::nth) returns `number`.
    pub(crate) fn position(&self, number: i128) -> u128 {
        let above = self.max.wrapping_sub(self.origin) as u128;
        if number >= self.origin {
            number.wrapping_sub(self.origin) as u128
        } else {
            above + 1 + number.wrapping_sub(self.min) as u128
        }
    }

    /// Returns how far `number` is from the simplest number of the domain, which has rank 0.
    ///
    /// Two numbers never share a rank, except where a 129th bit would be needed, and except for
    /// [opaque](ChoiceKind::Opaque) numbers.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::Domain;
    /// let domain = Domain::integers(-10, 10);
    /// assert_eq!([0, 1, -1, 2].map(|n| domain.rank(n)), [0, 1, 2, 3]);
    /// ```
    #[must_use]
    pub fn rank(&self, number: i128) -> u128 {
        match self.kind {
            ChoiceKind::Boolean | ChoiceKind::Integer => zigzag(number, self.origin),
            ChoiceKind::Char => u128::from(text::rank(number)),
            ChoiceKind::Float32 => float::rank(f64::from(float::f32_of(number))),
            ChoiceKind::Float64 => float::rank(float::f64_of(number)),
            ChoiceKind::Opaque => u128::from(number != self.origin),
        }
    }
}

/// Ranks in this order: the origin, one above it, one below it, two above, two below, and so on.
fn zigzag(number: i128, origin: i128) -> u128 {
    if number == origin {
        0
    } else if number > origin {
        (number.wrapping_sub(origin) as u128).saturating_mul(2) - 1
    } else {
        (origin.wrapping_sub(number) as u128).saturating_mul(2)
    }
}

/// A chosen number and the domain it was chosen from.
///
/// # Examples
/// ```
/// use rebut_choice::{Choice, Domain};
/// let choice = Choice { number: 7, domain: Domain::integers(0, 10) };
/// assert!(!choice.is_simplest());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The chosen number.
    pub number: i128,
    /// The domain of the number.
    pub domain: Domain,
}

impl Choice {
    /// Returns the [rank](Domain::rank) of the number in its domain.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{Choice, Domain};
    /// let choice = Choice { number: 5, domain: Domain::integers(5, 10) };
    /// assert_eq!(choice.rank(), 0);
    /// ```
    #[must_use]
    pub fn rank(&self) -> u128 {
        self.domain.rank(self.number)
    }

    /// Returns whether the number is the simplest of its domain.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{Choice, Domain};
    /// let choice = Choice { number: 0, domain: Domain::booleans() };
    /// assert!(choice.is_simplest());
    /// ```
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
        assert!(all.iter().map(|&number| domain.position(number)).eq(0..domain.size()));
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
