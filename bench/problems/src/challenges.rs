//! The thirteen problems of the public shrinking challenge
//! (jlink/shrinking-challenge), each with its normal form.
//!
//! Integers are the library's full default range unless the doc says
//! otherwise; where the type here is `i64`, a library with unbounded integers
//! uses those.

pub mod calculator;

pub mod heap;

use std::collections::BTreeSet;

use crate::{Outcome, Problem};
use calculator::Expr;
use heap::Heap;

/// See [`bound5`].
pub const BOUND5: Problem<[Vec<i16>; 5]> = Problem::challenge("bound5", bound5, bound5_is_normal);

/// See [`large_union_list`].
pub const LARGE_UNION_LIST: Problem<Vec<Vec<i64>>> =
    Problem::challenge("large_union_list", large_union_list, |lists| {
        *lists == [vec![0, 1, -1, 2, -2]]
    });

/// See [`reverse`].
pub const REVERSE: Problem<Vec<i64>> =
    Problem::challenge("reverse", reverse, |list| *list == [0, 1]);

/// See [`calculator::evaluates`].
pub const CALCULATOR: Problem<Expr> =
    Problem::challenge("calculator", calculator::evaluates, calculator::is_normal);

/// See [`lengthlist`].
pub const LENGTHLIST: Problem<Vec<u16>> =
    Problem::challenge("lengthlist", lengthlist, |list| *list == [900]);

/// See [`difference_zero`].
pub const DIFFERENCE_ZERO: Problem<(i32, i32)> =
    Problem::challenge("difference_zero", difference_zero, |pair| *pair == (10, 10));

/// See [`difference_small`].
pub const DIFFERENCE_SMALL: Problem<(i32, i32)> =
    Problem::challenge("difference_small", difference_small, |pair| {
        *pair == (10, 6)
    });

/// See [`difference_one`].
pub const DIFFERENCE_ONE: Problem<(i32, i32)> =
    Problem::challenge("difference_one", difference_one, |pair| *pair == (10, 9));

/// See [`heap::sorts`].
pub const BINHEAP: Problem<Option<Box<Heap>>> =
    Problem::challenge("binheap", heap::sorts, heap::is_normal);

/// See [`coupling`].
pub const COUPLING: Problem<Vec<usize>> =
    Problem::challenge("coupling", coupling, |list| *list == [1, 0]);

/// See [`deletion`].
pub const DELETION: Problem<(Vec<i64>, usize)> =
    Problem::challenge("deletion", deletion, |(list, index)| {
        *list == [0, 0] && *index == 0
    });

/// See [`distinct`].
pub const DISTINCT: Problem<Vec<i64>> = Problem::challenge("distinct", distinct, |list| {
    *list == [0, 1, -1] || *list == [0, 1, 2]
});

/// See [`nestedlists`].
pub const NESTEDLISTS: Problem<Vec<Vec<i64>>> =
    Problem::challenge("nestedlists", nestedlists, |lists| *lists == [vec![0; 11]]);

/// Five lists whose wrapping sums are each below 256 have a wrapping total
/// below 1280. Input: five times any list of any `i16`.
pub fn bound5(lists: &[Vec<i16>; 5]) -> Outcome {
    let sum = |list: &Vec<i16>| list.iter().fold(0_i16, |sum, x| sum.wrapping_add(*x));
    if lists.iter().any(|list| sum(list) >= 256) {
        return Outcome::Skipped;
    }
    let total = lists.iter().map(sum).fold(0_i16, i16::wrapping_add);
    Outcome::held_if(total < 5 * 256)
}

fn bound5_is_normal(lists: &[Vec<i16>; 5]) -> bool {
    let mut sorted = lists.to_vec();
    sorted.sort();
    sorted == [vec![], vec![], vec![], vec![i16::MIN], vec![-1]]
}

/// Lists of lists have fewer than five distinct values among them. Input: any
/// list of any lists of any integers.
pub fn large_union_list(lists: &Vec<Vec<i64>>) -> Outcome {
    let values: BTreeSet<_> = lists.iter().flatten().collect();
    Outcome::held_if(values.len() < 5)
}

/// A list is its own reverse. Input: any list of any integers.
pub fn reverse(list: &Vec<i64>) -> Outcome {
    Outcome::held_if(list.iter().eq(list.iter().rev()))
}

/// The largest element is below 900. Input: a length in `1..=100` is drawn
/// first, then that many integers in `0..=1000`.
pub fn lengthlist(list: &Vec<u16>) -> Outcome {
    Outcome::held_if(list.iter().all(|x| *x < 900))
}

/// Two integers differ, unless the first is below ten. Input: a pair of
/// integers in `1..=2^31-1`.
pub fn difference_zero(pair: &(i32, i32)) -> Outcome {
    Outcome::held_if(pair.0 < 10 || pair.0 != pair.1)
}

/// Two integers differ by nothing or by at least five, unless the first is
/// below ten. Input: a pair of integers in `1..=2^31-1`.
pub fn difference_small(pair: &(i32, i32)) -> Outcome {
    Outcome::held_if(pair.0 < 10 || !(1..=4).contains(&pair.0.abs_diff(pair.1)))
}

/// Two integers do not differ by exactly one, unless the first is below ten.
/// Input: a pair of integers in `1..=2^31-1`.
pub fn difference_one(pair: &(i32, i32)) -> Outcome {
    Outcome::held_if(pair.0 < 10 || pair.0.abs_diff(pair.1) != 1)
}

/// In a list of indices into itself, no two places point at each other. Input:
/// any list of integers in `0..=10`.
pub fn coupling(list: &Vec<usize>) -> Outcome {
    if list.iter().any(|index| *index >= list.len()) {
        return Outcome::Skipped;
    }
    let coupled = |(i, j): (usize, &usize)| *j != i && list[*j] == i;
    Outcome::held_if(!list.iter().enumerate().any(coupled))
}

/// Deleting an element leaves no trace of it. Input: any list of any integers
/// and an index in `0..=100`.
pub fn deletion((list, index): &(Vec<i64>, usize)) -> Outcome {
    let Some(element) = list.get(*index) else {
        return Outcome::Skipped;
    };
    let occurrences = list.iter().filter(|x| *x == element).count();
    Outcome::held_if(occurrences == 1)
}

/// A list has fewer than three distinct values. Input: any list of any
/// integers.
pub fn distinct(list: &Vec<i64>) -> Outcome {
    Outcome::held_if(list.iter().collect::<BTreeSet<_>>().len() < 3)
}

/// Lists in a list hold at most ten elements together. Input: any list of any
/// lists of any integers.
pub fn nestedlists(lists: &Vec<Vec<i64>>) -> Outcome {
    Outcome::held_if(lists.iter().map(Vec::len).sum::<usize>() <= 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The normal form fails and is recognized; a near miss does not fail.
    fn check<T>(problem: &Problem<T>, normal: T, held: T) {
        assert_eq!(
            (problem.check)(&normal),
            Outcome::Failed,
            "{}",
            problem.name
        );
        assert!(problem.is_normal_form(&normal), "{}", problem.name);
        assert_ne!((problem.check)(&held), Outcome::Failed, "{}", problem.name);
        assert!(crate::CHALLENGES.contains(&problem.name));
    }

    #[test]
    fn normal_forms_fail_and_near_misses_do_not() {
        let five = |a: i16, b: i16| [vec![], vec![a], vec![], vec![b], vec![]];
        check(&BOUND5, five(-1, i16::MIN), five(0, i16::MIN));
        check(
            &LARGE_UNION_LIST,
            vec![vec![0, 1, -1, 2, -2]],
            vec![vec![0, 1, -1, 2]],
        );
        check(&REVERSE, vec![0, 1], vec![0, 0]);
        check(&CALCULATOR, calculator::normal_form(), Expr::Int(0));
        check(&LENGTHLIST, vec![900], vec![899]);
        check(&DIFFERENCE_ZERO, (10, 10), (9, 9));
        check(&DIFFERENCE_SMALL, (10, 6), (10, 5));
        check(&DIFFERENCE_ONE, (10, 9), (10, 8));
        check(&BINHEAP, heap::normal_form(), None);
        check(&COUPLING, vec![1, 0], vec![0, 1]);
        check(&DELETION, (vec![0, 0], 0), (vec![0, 1], 0));
        check(&DISTINCT, vec![0, 1, -1], vec![0, 1]);
        check(&NESTEDLISTS, vec![vec![0; 11]], vec![vec![0; 10]]);
    }

    #[test]
    fn assumptions_skip() {
        assert_eq!(coupling(&vec![2, 0]), Outcome::Skipped);
        assert_eq!(deletion(&(vec![0, 0], 2)), Outcome::Skipped);
    }
}
