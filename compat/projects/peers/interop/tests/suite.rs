//! A suite of proptest, with one more line.

use proptest::prelude::*;
use rebut::proptest;

prop_compose! {
    fn ranges()(start in 0..100u32, length in 1..50u32) -> (u32, u32) {
        (start, start + length)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn ranges_are_not_empty((start, end) in ranges()) {
        prop_assert!(start < end);
    }

    #[test]
    fn ranges_end_early((start, end) in ranges(), mut list in prop::collection::vec(any::<u8>(), 0..5), flag: bool) {
        prop_assume!(flag);
        list.push(0);
        prop_assert!(end < 120, "{} {}", start, end);
    }
}
