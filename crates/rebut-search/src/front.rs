//! The Pareto front: the best cases of a search with several objectives.
//!
//! With several objectives there is no single best case but a front of them (Pareto 1906): a case
//! that is better by one objective is worse by another. A front stays small by dropping the most
//! crowded cases, measured by the distance to their neighbors along each objective (Deb et al.
//! 2002, NSGA-II, section III B). It never drops the best case of an objective.

use rebut_choice::Tape;

use crate::strategy::check_utility;

/// A set of cases in which no case is at least as good as another by every objective.
///
/// # Examples
/// ```
/// use rebut_choice::Tape;
/// use rebut_search::Front;
/// let mut front = Front::default();
/// assert!(front.offer(&[1.0, 5.0], &mut Tape::default));
/// assert!(front.offer(&[5.0, 1.0], &mut Tape::default));
/// assert!(!front.offer(&[0.0, 1.0], &mut Tape::default));
/// assert_eq!(front.points().len(), 2);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Front {
    points: Vec<Point>,
}

/// A case of a [`Front`].
///
/// # Examples
/// ```
/// use rebut_choice::Tape;
/// use rebut_search::Front;
/// let mut front = Front::default();
/// front.offer(&[1.0, 5.0], &mut Tape::default);
/// assert_eq!(front.points()[0].utilities, [1.0, 5.0]);
/// ```
#[derive(Clone, Debug)]
pub struct Point {
    /// The utility for each objective, where more is better.
    pub utilities: Vec<f64>,
    /// The tape of the case.
    pub tape: Tape,
}

/// The maximum number of cases in a front. One more replaces the most crowded one. Arbitrary: a report
/// lists all of them, and each new case is compared with all of them.
const POINTS_MAX: usize = 32;

impl Front {
    /// Adds a case unless another one is at least as good by every objective. Returns whether it
    /// was added.
    ///
    /// A missing utility counts as the worst possible one.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::Tape;
    /// use rebut_search::Front;
    /// let mut front = Front::default();
    /// assert!(front.offer(&[1.0, 1.0], &mut Tape::default));
    /// assert!(front.offer(&[2.0, 2.0], &mut Tape::default));
    /// assert_eq!(front.points().len(), 1, "the new case beats the old one");
    /// ```
    pub fn offer(&mut self, utilities: &[f64], tape: &mut dyn FnMut() -> Tape) -> bool {
        utilities.iter().copied().for_each(check_utility);
        if utilities.is_empty() || self.points.iter().any(|p| is_as_good(&p.utilities, utilities)) {
            return false;
        }
        self.points.retain(|point| !is_as_good(utilities, &point.utilities));
        self.points.push(Point { utilities: utilities.to_vec(), tape: tape() });
        if self.points.len() > POINTS_MAX {
            self.drop_most_crowded();
        }
        true
    }

    /// Returns all cases, in no particular order.
    ///
    /// # Examples
    /// ```
    /// use rebut_search::Front;
    /// assert!(Front::default().points().is_empty());
    /// ```
    #[must_use]
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    fn drop_most_crowded(&mut self) {
        let mut room = vec![0.0; self.points.len()];
        let objectives = self.points.iter().map(|point| point.utilities.len()).max().unwrap_or(0);
        for nth in 0..objectives {
            self.add_room(nth, &mut room);
        }
        let most = (0..room.len()).min_by(|&a, &b| room[a].total_cmp(&room[b]));
        if let Some(most) = most {
            self.points.remove(most);
        }
    }

    /// Adds to each point the distance between its neighbors along an objective.
    fn add_room(&self, nth: usize, room: &mut [f64]) {
        let mut order: Vec<usize> = (0..self.points.len()).collect();
        order.sort_by(|&a, &b| at(&self.points[a], nth).total_cmp(&at(&self.points[b], nth)));
        let (Some(&first), Some(&last)) = (order.first(), order.last()) else { return };
        let range = at(&self.points[last], nth) - at(&self.points[first], nth);
        room[first] = f64::INFINITY;
        room[last] = f64::INFINITY;
        for around in order.windows(3) {
            let apart = at(&self.points[around[2]], nth) - at(&self.points[around[0]], nth);
            if range.is_finite() && range > 0.0 {
                room[around[1]] += apart / range;
            }
        }
    }
}

fn at(point: &Point, nth: usize) -> f64 {
    point.utilities.get(nth).copied().unwrap_or(f64::NEG_INFINITY)
}

/// Returns whether the first is at least as good as the second by every objective.
fn is_as_good(this: &[f64], that: &[f64]) -> bool {
    let at = |all: &[f64], nth: usize| all.get(nth).copied().unwrap_or(f64::NEG_INFINITY);
    (0..this.len().max(that.len())).all(|nth| at(this, nth) >= at(that, nth))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn front(points: &[&[f64]]) -> Front {
        let mut front = Front::default();
        for utilities in points {
            front.offer(utilities, &mut Tape::default);
        }
        front
    }

    fn utilities(front: &Front) -> Vec<Vec<f64>> {
        let mut all: Vec<Vec<f64>> = front.points().iter().map(|p| p.utilities.clone()).collect();
        all.sort_by(|a, b| a[0].total_cmp(&b[0]));
        all
    }

    #[test]
    fn dominated_cases_leave_the_front() {
        let front = front(&[&[1.0, 1.0], &[2.0, 0.0], &[0.0, 0.5], &[1.0, 2.0], &[1.0, 2.0]]);
        assert_eq!(utilities(&front), [[1.0, 2.0], [2.0, 0.0]]);
    }

    #[test]
    fn an_objective_that_comes_later_counts_from_then_on() {
        let front = front(&[&[5.0], &[4.0, 1.0], &[4.0]]);
        assert_eq!(utilities(&front), [vec![4.0, 1.0], vec![5.0]]);
    }

    #[test]
    fn a_crowded_front_keeps_its_ends() {
        let mut front = Front::default();
        for n in 0..500 {
            let x = f64::from(n * 37 % 500);
            front.offer(&[x, 500.0 - x], &mut Tape::default);
        }
        let kept = utilities(&front);
        assert_eq!(kept.len(), POINTS_MAX);
        assert_eq!((kept[0][0], kept[POINTS_MAX - 1][0]), (0.0, 499.0));
        let gap = kept.windows(2).map(|w| w[1][0] - w[0][0]).fold(0.0, f64::max);
        assert!(gap < 80.0, "{kept:?}");
    }
}
