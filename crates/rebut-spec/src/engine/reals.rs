//! Sets of exact fractions.
//!
//! Intervals have open or closed ends. A [`Cut`] lies between numbers, so one type describes
//! both kinds of ends and the complement of a set is the list of the gaps between its cuts.
//!
//! Invariant: intervals are sorted and not empty.

use super::intervals::Intervals;
use crate::ir::{Expr, Sort};
use crate::number::Real;

/// The number of decimal digits of listed numbers. Arbitrary. A set without a number of this
/// form lists only the middles of its intervals.
const DIGITS_MAX: u32 = 6;

/// How far from zero, or from its finite end, an unbounded interval is listed. Arbitrary.
/// Numbers beyond are in the set but are never listed.
const REACH: i128 = 1_000_000;

/// The number of members listed for each number of digits. Arbitrary. After it, numbers with
/// one more digit are listed.
const PER_DIGIT_MAX: usize = 200_000;

/// One end of an interval: a point between numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Cut {
    /// Below all numbers.
    Least,
    /// Just below a number, which is above the cut.
    Below(Real),
    /// Just above a number, which is below the cut.
    Above(Real),
    /// Above all numbers.
    Most,
}

impl Cut {
    fn order(self) -> (u8, Real, u8) {
        match self {
            Self::Least => (0, Real::ZERO, 0),
            Self::Below(number) => (1, number, 0),
            Self::Above(number) => (1, number, 1),
            Self::Most => (2, Real::ZERO, 0),
        }
    }

    fn is_before(self, other: Self) -> bool {
        self.order() < other.order()
    }
}

/// A set of numbers: intervals from one cut to a later one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reals(Vec<(Cut, Cut)>);

impl Reals {
    pub(crate) fn all() -> Self {
        Self(vec![(Cut::Least, Cut::Most)])
    }

    pub(crate) fn between(from: Cut, to: Cut) -> Self {
        Self(if from.is_before(to) { vec![(from, to)] } else { Vec::new() })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn intersection(&self, other: &Self) -> Self {
        let mut parts = Vec::new();
        for (a, b) in &self.0 {
            for (c, d) in &other.0 {
                let from = if a.is_before(*c) { *c } else { *a };
                let to = if b.is_before(*d) { *b } else { *d };
                if from.is_before(to) {
                    parts.push((from, to));
                }
            }
        }
        Self(parts)
    }

    pub(crate) fn complement(&self) -> Self {
        let mut parts = Vec::new();
        let mut from = Cut::Least;
        for (a, b) in &self.0 {
            if from.is_before(*a) {
                parts.push((from, *a));
            }
            from = *b;
        }
        if from.is_before(Cut::Most) {
            parts.push((from, Cut::Most));
        }
        Self(parts)
    }

    pub(crate) fn union(&self, other: &Self) -> Self {
        self.complement().intersection(&other.complement()).complement()
    }

    /// Returns the assertion that a variable is in the set.
    pub(crate) fn as_assertion(&self, var: &Expr) -> Expr {
        let constant = |number: Real| Expr::constant(number, Sort::Real);
        Expr::or(self.0.iter().map(|(from, to)| {
            let low = match from {
                Cut::Below(number) => constant(*number).le(var.clone()),
                Cut::Above(number) => constant(*number).lt(var.clone()),
                _ => Expr::bool(true),
            };
            let high = match to {
                Cut::Above(number) => var.clone().le(constant(*number)),
                Cut::Below(number) => var.clone().lt(constant(*number)),
                _ => Expr::bool(true),
            };
            Expr::and([low, high])
        }))
    }

    /// The only member, if there is exactly one.
    pub(crate) fn single(&self) -> Option<Real> {
        match self.0.as_slice() {
            [(Cut::Below(a), Cut::Above(b))] if a == b => Some(*a),
            _ => None,
        }
    }

    /// Whether the set has finitely many members.
    pub(crate) fn is_finite(&self) -> bool {
        self.0.iter().all(|part| matches!(part, (Cut::Below(a), Cut::Above(b)) if a == b))
    }

    /// Lists members, each once, those with few digits first. A finite set is listed
    /// completely.
    pub(crate) fn spread(&self, seed: u64) -> impl Iterator<Item = Real> + use<> {
        let set = self.clone();
        let points: Vec<Real> =
            set.0.iter().filter_map(|part| Self(vec![*part]).single()).collect();
        let skip = points.clone();
        let grids = (0..=DIGITS_MAX).flat_map(move |digits| {
            let scale = 10_i128.pow(digits);
            let coarser = if digits == 0 { None } else { Some(10_i128) };
            set.on_grid(scale)
                .spread(seed)
                .filter(move |number| coarser.is_none_or(|ten| number % ten != 0))
                .filter_map(move |number| Real::new(number, scale))
                .take(PER_DIGIT_MAX)
        });
        let between = self.0.iter().filter_map(|(from, to)| middle(*from, *to)).collect::<Vec<_>>();
        let listed = points.into_iter().chain(grids.filter(move |number| !skip.contains(number)));
        // An interval may be too narrow for any number with few digits; then list its middle.
        let mut rest = between.into_iter();
        let mut listed = listed;
        let mut any = false;
        std::iter::from_fn(move || match listed.next() {
            Some(number) => {
                any = true;
                Some(number)
            }
            None if any => None,
            None => rest.next(),
        })
    }

    /// The integers `n` such that `n / scale` is in the set.
    fn on_grid(&self, scale: i128) -> Intervals {
        let scaled = |number: Real| number.times(Real::from_int(scale));
        let reach = REACH.saturating_mul(scale);
        self.0.iter().fold(Intervals::none(), |set, (from, to)| {
            let low = match from {
                Cut::Below(number) => scaled(*number).map(Real::ceil),
                Cut::Above(number) => scaled(*number).map(|number| number.floor() + 1),
                _ => None,
            };
            let high = match to {
                Cut::Above(number) => scaled(*number).map(Real::floor),
                Cut::Below(number) => scaled(*number).map(|number| number.ceil() - 1),
                _ => None,
            };
            let (low, high) = match (low, high) {
                (Some(low), Some(high)) => (low, high),
                (Some(low), None) => (low, low.saturating_add(reach)),
                (None, Some(high)) => (high.saturating_sub(reach), high),
                (None, None) => (-reach, reach),
            };
            set.union(&Intervals::between(low, high))
        })
    }

    /// Returns members that are at least `distance` apart, from the least on, and whether the
    /// list is complete. An open start is avoided by half of the room that is left over.
    pub(crate) fn steps(&self, distance: Real, count: usize) -> (Vec<Real>, bool) {
        let mut taken: Vec<Real> = Vec::new();
        for (from, to) in &self.0 {
            let mut from = match (from, to) {
                (Cut::Least, Cut::Below(end) | Cut::Above(end)) => {
                    let room = distance.times(Real::from_int(count as i128));
                    Cut::Below(room.and_then(|room| end.minus(room)).unwrap_or(*end))
                }
                (Cut::Least, _) => Cut::Below(Real::ZERO),
                (from, _) => *from,
            };
            let next_free = taken.last().and_then(|last| last.plus(distance)).map(Cut::Below);
            if let Some(free) = next_free.filter(|free| from.is_before(*free)) {
                from = free;
            }
            let Some(mut number) = start_of(from, *to, distance) else { continue };
            while !to.is_before(Cut::Above(number)) {
                taken.push(number);
                if taken.len() >= count {
                    return (taken, false);
                }
                match number.plus(distance) {
                    Some(next) => number = next,
                    None => break,
                }
            }
        }
        (taken, true)
    }
}

/// Returns the first number to take from an interval. If the start is open, the number is just
/// so far from it that as many steps fit as before.
fn start_of(from: Cut, to: Cut, distance: Real) -> Option<Real> {
    let open = match from {
        Cut::Below(number) => return from.is_before(to).then_some(number),
        Cut::Above(number) => number,
        _ => return None,
    };
    let end = match to {
        Cut::Above(end) | Cut::Below(end) => end,
        _ => return open.plus(distance),
    };
    let room = end.minus(open)?;
    let steps = Real::from_int(room.over(distance)?.ceil() - 1);
    let slack = room.minus(steps.times(distance)?)?;
    let half = slack.over(Real::from_int(2))?;
    (half > Real::ZERO).then(|| open.plus(half))?
}

fn middle(from: Cut, to: Cut) -> Option<Real> {
    match (from, to) {
        (Cut::Below(a) | Cut::Above(a), Cut::Below(b) | Cut::Above(b)) => {
            a.plus(b)?.over(Real::from_int(2))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn real(text: &str) -> Real {
        Real::parse(text).unwrap_or(Real::ZERO)
    }

    #[test]
    fn spread_lists_short_numbers_first_and_each_once() {
        let set = Reals::between(Cut::Above(real("0")), Cut::Above(real("2")));
        let first: Vec<Real> = set.spread(0).take(2).collect();
        assert!(first.iter().all(|number| number.is_integer()), "{first:?}");
        let mut many: Vec<Real> = set.spread(0).take(1000).collect();
        many.sort_unstable();
        many.dedup();
        assert_eq!(many.len(), 1000);
        assert!(many.iter().all(|number| *number > Real::ZERO && *number <= real("2")));
    }

    #[test]
    fn steps_are_as_many_as_fit_between_open_and_closed_ends() {
        let (zero, one) = (real("0"), real("1"));
        let count =
            |from, to, distance| Reals::between(from, to).steps(real(distance), 100).0.len();
        assert_eq!(count(Cut::Below(zero), Cut::Above(one), "0.5"), 3);
        assert_eq!(count(Cut::Above(zero), Cut::Below(one), "0.5"), 2);
        assert_eq!(count(Cut::Above(zero), Cut::Above(one), "0.5"), 2);
        assert_eq!(count(Cut::Above(zero), Cut::Below(one), "0.4"), 3);
        assert_eq!(count(Cut::Below(zero), Cut::Below(one), "1"), 1);
    }

    #[test]
    fn a_point_is_a_finite_set() {
        let point = Reals::between(Cut::Below(real("0.1")), Cut::Above(real("0.1")));
        assert_eq!(point.single(), Some(real("0.1")));
        assert!(point.is_finite());
        assert_eq!(point.spread(0).count(), 1);
    }
}
