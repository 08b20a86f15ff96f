//! The search that all passes use.

/// Finds a small number for which `holds` is true, given that it is true for `high`.
///
/// It probes 0 and 1, then numbers just below `high`; only if one of those works is there
/// anything to search. Then it gallops from both ends at once, since the answer is usually either
/// small or hardly smaller, and bisects the rest. If the predicate is monotone, the result is the
/// smallest such number. A threshold `t` costs about `2 log t` probes, however large `high` is,
/// and a number that cannot be lowered costs four.
pub(super) fn find_smallest(high: u128, holds: &mut dyn FnMut(u128) -> bool) -> u128 {
    for small in [0, 1] {
        if small >= high {
            return high;
        }
        if holds(small) {
            return small;
        }
    }
    let mut back = 1;
    while high <= 1 + back || !holds(high - back) {
        back += 1;
        if back > 2 {
            return high;
        }
    }
    let top = high;
    let (mut low, mut high) = (1, high - back);
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
    fn costs_depend_on_the_answer_and_not_on_the_start() {
        assert!(probes(u128::MAX / 2, 10).1 <= 12);
        assert!(probes(1 << 40, (1 << 40) - 10).1 <= 14);
        assert_eq!(probes(1 << 40, 1 << 40).1, 4);
    }
}
