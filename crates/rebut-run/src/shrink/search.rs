//! The search that all passes use.

/// Finds a small number for which `holds` is true, given that it is true for `high`.
///
/// It probes 0 and 1, then numbers just below `high`; only if one of those works is there
/// anything to search. Then it gallops from both ends at once, since the answer is usually either
/// small or hardly smaller, and bisects the rest. If the predicate is monotone, the result is the
/// smallest such number. A threshold `t` costs about `2 log t` probes, however large `high` is,
/// and a number that cannot be lowered costs four.
///
/// If `high - 2` works and `high - 1` does not, the predicate is not monotone, but it may be among
/// numbers with the same parity. So only those are probed.
pub(super) fn find_smallest(high: u128, holds: &mut dyn FnMut(u128) -> bool) -> u128 {
    for small in [0, 1] {
        if small >= high {
            return high;
        }
        if holds(small) {
            return small;
        }
    }
    if high > 2 && holds(high - 1) {
        return between(1, high, holds);
    }
    if high <= 3 || !holds(high - 2) {
        return high;
    }
    let parity = high % 2;
    let smallest = 2 * between(0, high / 2, &mut |half| holds(2 * half + parity)) + parity;
    // Below a gap, all numbers may work again.
    if smallest > 2 && holds(smallest - 1) { between(1, smallest, holds) } else { smallest }
}

/// Finds the smallest number for which a monotone predicate holds, given that it is false for `low`
/// and true for `top` and `top - 1`.
fn between(low: u128, top: u128, holds: &mut dyn FnMut(u128) -> bool) -> u128 {
    let (mut low, mut high) = (low, top - 1);
    let mut step = 4;
    while high - low > 1 && step < high {
        let from_below = step - 1;
        if from_below > low && from_below < high {
            if holds(from_below) {
                high = from_below;
                break;
            }
            low = from_below;
        }
        let from_above = top - step;
        if from_above > low && from_above < high {
            if !holds(from_above) {
                low = from_above;
                break;
            }
            high = from_above;
        }
        step *= 2;
    }
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::find_smallest;

    fn probes(high: u128, threshold: u128) -> (u128, usize) {
        let mut count = 0;
        let found = find_smallest(high, &mut |n| {
            count += 1;
            n >= threshold
        });
        (found, count)
    }

    #[test]
    fn finds_every_threshold() {
        for high in 0..40 {
            for threshold in 0..=high {
                assert_eq!(probes(high, threshold).0, threshold, "below {high}");
            }
        }
    }

    #[test]
    fn finds_thresholds_among_even_or_odd_numbers() {
        for high in 0u128..40 {
            for threshold in 0..=high {
                let holds = |n: u128| n >= threshold && n % 2 == high % 2;
                let found = find_smallest(high, &mut { holds });
                assert_eq!(Some(found), (0..=high).find(|&n| holds(n)), "{threshold} below {high}");
            }
        }
    }

    #[test]
    fn costs_depend_on_the_answer_and_not_on_the_start() {
        assert!(probes(u128::MAX / 2, 10).1 <= 12);
        assert!(probes(1 << 40, (1 << 40) - 10).1 <= 14);
        assert_eq!(probes(1 << 40, 1 << 40).1, 4);
    }
}
