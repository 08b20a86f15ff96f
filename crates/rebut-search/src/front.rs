//! Cases that nothing beats in every way.
//!
//! With several objectives there is no best case but a front of them (Pareto 1906): to be
//! better by one objective, each has to be worse by another. It is kept small by dropping what
//! is crowded, by the distance to the neighbors along each objective (Deb et al. 2002,
//! NSGA-II, section III B); the ends are never dropped.

use rebut_choice::Tape;

/// A set of cases of which none is at least as good as another by every objective.
#[derive(Clone, Debug, Default)]
pub struct Front {
    points: Vec<Point>,
}

/// One of them.
#[derive(Clone, Debug)]
pub struct Point {
    /// How good it is by each objective, more being better.
    pub utilities: Vec<f64>,
    /// The case.
    pub tape: Tape,
}

/// No front has more points.
const POINTS_MAX: usize = 32;

impl Front {
    /// Takes a case unless another is at least as good by every objective; whether it was
    /// taken. An objective that a case says nothing about is as bad as can be.
    pub fn offer(&mut self, utilities: &[f64], tape: &mut dyn FnMut() -> Tape) -> bool {
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

    /// All of them, in no order.
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

    /// Adds to each point how far its neighbors along an objective are apart.
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

/// Whether the first is at least as good as the second by every objective.
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
    fn only_what_nothing_beats_stays() {
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
