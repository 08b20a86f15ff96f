#[cfg(test)]
mod inferred {
    use super::*;

    /// Proved for all states with at most 4 elements: 60 paths.
    #[rebut::test]
    fn push_increments_count(mut stack: Stack, item: i32) {
        let old_count = stack.count();
        stack.push(item);
        assert_eq!(stack.count(), old_count + 1);
        assert_eq!(stack.peek(), item);
        assert!(stack.contains(item));
    }

    /// Proved for all states with at most 4 elements: 60 paths.
    #[rebut::test]
    fn push_when_item_is_not_other_item(mut stack: Stack, item: i32, other_item: i32) {
        rebut::assume!(item != other_item);
        let old_contains_other_item = stack.contains(other_item);
        stack.push(item);
        assert_eq!(stack.contains(other_item), old_contains_other_item);
    }

    /// Proved for all states with at most 4 elements: 15 paths.
    #[rebut::test]
    fn pop_panics_when_count_is_zero(mut stack: Stack) {
        rebut::assume!(stack.count() == 0);
        rebut::assert_panics!(stack.pop(), "the stack is empty");
    }

    /// Proved for all states with at most 4 elements: 15 paths.
    #[rebut::test]
    fn pop_decrements_count(mut stack: Stack) {
        rebut::assume!(stack.count() != 0);
        let old_count = stack.count();
        let old_peek = stack.peek();
        let result = stack.pop();
        assert_eq!(stack.count(), old_count - 1);
        assert_eq!(result, old_peek);
    }

    /// Proved for all states with at most 4 elements: 15 paths.
    #[rebut::test]
    fn pop_when_not_contains_other_item(mut stack: Stack, other_item: i32) {
        rebut::assume!(stack.count() != 0);
        rebut::assume!(!stack.contains(other_item));
        let _ = stack.pop();
        assert!(!stack.contains(other_item));
    }

    /// Proved for all states with at most 4 elements: 14 paths.
    #[rebut::test]
    fn pop_when_peek_is_not_other_item(mut stack: Stack, other_item: i32) {
        rebut::assume!(stack.count() != 0);
        rebut::assume!(stack.peek() != other_item);
        let old_contains_other_item = stack.contains(other_item);
        let _ = stack.pop();
        assert_eq!(stack.contains(other_item), old_contains_other_item);
    }

    /// Proved for all states with at most 4 elements: 15 paths.
    #[rebut::test]
    fn clear_sets_count_to_zero(mut stack: Stack, other_item: i32) {
        stack.clear();
        assert_eq!(stack.count(), 0);
        assert!(!stack.contains(other_item));
    }
}
