#[cfg(test)]
mod inferred {
    use super::*;

    /// A modifying call on `Bag`.
    #[derive(Debug, rebut::Generate)]
    enum Step {
        Add(u8),
        Remove(u8),
    }

    fn reached(steps: Vec<Step>) -> Bag {
        let mut bag = Bag::new();
        for step in steps {
            match step {
                Step::Add(item) => _ = bag.add(item),
                Step::Remove(item) => _ = bag.remove(item),
            }
        }
        bag
    }

    /// Proved for all states within 3 steps of a constructor: 62 paths.
    #[rebut::test]
    fn always(steps: Vec<Step>) {
        let bag = reached(steps);
        assert_eq!(bag.any().is_some(), bag.count() != 0);
    }

    /// Proved for all calls: 1 path.
    #[rebut::test]
    fn new_sets_count_to_zero() {
        let bag = Bag::new();
        assert_eq!(bag.count(), 0);
    }

    /// Proved for all states within 3 steps of a constructor: 62 paths.
    #[rebut::test]
    fn add_does_not_decrease_count(steps: Vec<Step>, item: u8) {
        let mut bag = reached(steps);
        let old_count = bag.count();
        let _ = bag.add(item);
        assert!(bag.count() >= old_count);
    }

    /// Proved for all states within 3 steps of a constructor: 62 paths.
    #[rebut::test]
    fn add_when_any_is_none(steps: Vec<Step>, item: u8) {
        let mut bag = reached(steps);
        rebut::assume!(bag.any().is_none());
        let result = bag.add(item);
        assert!(result);
        assert_eq!(bag.count(), 1);
    }

    /// Proved for all states within 3 steps of a constructor: 62 paths.
    #[rebut::test(rejections_max = 200)]
    fn add_when_any_is_some_item(steps: Vec<Step>, item: u8) {
        let mut bag = reached(steps);
        rebut::assume!(bag.any() == Some(item));
        let old_count = bag.count();
        let result = bag.add(item);
        assert!(!result);
        assert_eq!(bag.count(), old_count);
    }

    /// Proved for all states within 3 steps of a constructor: 62 paths.
    #[rebut::test]
    fn remove_does_not_increase_count(steps: Vec<Step>, item: u8) {
        let mut bag = reached(steps);
        let old_count = bag.count();
        let _ = bag.remove(item);
        assert!(bag.count() <= old_count);
    }

    /// Proved for all states within 3 steps of a constructor: 62 paths.
    #[rebut::test]
    fn remove_when_any_is_none(steps: Vec<Step>, item: u8) {
        let mut bag = reached(steps);
        rebut::assume!(bag.any().is_none());
        let result = bag.remove(item);
        assert!(!result);
    }

    /// Proved for all states within 3 steps of a constructor: 62 paths.
    #[rebut::test(rejections_max = 200)]
    fn remove_when_any_is_some_item(steps: Vec<Step>, item: u8) {
        let mut bag = reached(steps);
        rebut::assume!(bag.any() == Some(item));
        let old_count = bag.count();
        let result = bag.remove(item);
        assert!(result);
        assert_eq!(bag.count(), old_count - 1);
    }
}
