#[cfg(test)]
mod inferred {
    use super::*;

    /// A modifying call on `Ring`.
    #[derive(Debug, rebut::Generate)]
    enum Step {
        Push(u32),
        Clear,
    }

    fn reached(capacity: usize, steps: Vec<Step>) -> Ring {
        rebut::assume!(capacity != 0);
        let mut ring = Ring::new(capacity);
        for step in steps {
            match step {
                Step::Push(item) => _ = ring.push(item),
                Step::Clear => ring.clear(),
            }
        }
        ring
    }

    /// Proved for all states with sizes up to 8 within 4 steps of a constructor: 62 paths.
    #[rebut::test]
    fn always(#[generate(max_value = 8)] first_capacity: usize, steps: Vec<Step>) {
        let ring = reached(first_capacity, steps);
        assert!(ring.capacity() >= ring.items().len());
        assert_eq!(ring.is_full(), ring.capacity() <= ring.items().len());
    }

    /// Proved for all calls with sizes up to 8: 2 paths.
    #[rebut::test]
    fn new_panics_when_given_capacity_is_zero(#[generate(max_value = 8)] capacity: usize) {
        rebut::assume!(capacity == 0);
        rebut::assert_panics!(Ring::new(capacity), "a ring has room for a number");
    }

    /// Proved for all calls with sizes up to 8: 2 paths.
    #[rebut::test]
    fn new_sets_capacity_to_given_capacity(#[generate(max_value = 8)] capacity: usize) {
        rebut::assume!(capacity != 0);
        let ring = Ring::new(capacity);
        assert_eq!(ring.capacity(), capacity);
        assert!(ring.items().is_empty());
        assert!(!ring.is_full());
    }

    /// Proved for all states with sizes up to 8 within 4 steps of a constructor: 62 paths.
    #[rebut::test]
    fn push_keeps_capacity(
        #[generate(max_value = 8)] first_capacity: usize,
        steps: Vec<Step>,
        item: u32,
    ) {
        let mut ring = reached(first_capacity, steps);
        let old_capacity = ring.capacity();
        let _ = ring.push(item);
        assert_eq!(ring.capacity(), old_capacity);
        assert!(ring.items().contains(&item));
    }

    /// Proved for all states with sizes up to 8 within 4 steps of a constructor: 62 paths.
    #[rebut::test]
    fn push_when_is_full(
        #[generate(max_value = 8)] first_capacity: usize,
        steps: Vec<Step>,
        item: u32,
    ) {
        let mut ring = reached(first_capacity, steps);
        rebut::assume!(ring.is_full());
        let old_items = ring.items().to_vec();
        let result = ring.push(item);
        assert_eq!(result, old_items.first().cloned());
        assert!(ring.is_full());
    }

    /// Proved for all states with sizes up to 8 within 4 steps of a constructor: 62 paths.
    #[rebut::test]
    fn push_when_not_is_full(
        #[generate(max_value = 8)] first_capacity: usize,
        steps: Vec<Step>,
        item: u32,
    ) {
        let mut ring = reached(first_capacity, steps);
        rebut::assume!(!ring.is_full());
        let old_items = ring.items().to_vec();
        let result = ring.push(item);
        assert!(result.is_none());
        {
            let mut expected = old_items;
            expected.push(item);
            assert_eq!(ring.items().to_vec(), expected);
        }
    }

    /// Proved for all states with sizes up to 8 within 4 steps of a constructor: 48 paths.
    #[rebut::test]
    fn clear_keeps_capacity(#[generate(max_value = 8)] first_capacity: usize, steps: Vec<Step>) {
        let mut ring = reached(first_capacity, steps);
        let old_capacity = ring.capacity();
        ring.clear();
        assert_eq!(ring.capacity(), old_capacity);
        assert!(ring.items().is_empty());
        assert!(!ring.is_full());
    }
}
