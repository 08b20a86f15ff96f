#[cfg(test)]
mod inferred {
    use super::*;

    /// Proved for all states with at most 4 elements: 40 paths.
    #[rebut::test]
    fn always(array_list: ArrayList, other_index: usize, other_value: i32) {
        assert!(array_list.capacity() >= array_list.count());
        assert_eq!(array_list.get(other_index).is_some(), array_list.count() > other_index);
        assert_eq!(array_list.contains(other_value), array_list.index_of(other_value).is_some());
    }

    /// Proved for all states with at most 4 elements: 40 paths.
    #[rebut::test]
    fn add_returns_count(mut array_list: ArrayList, value: i32) {
        let old_count = array_list.count();
        let result = array_list.add(value);
        assert_eq!(result, old_count);
        assert_eq!(array_list.count(), old_count + 1);
        assert_eq!(array_list.get(old_count), Some(value));
    }

    /// Proved for all states with at most 4 elements: 40 paths.
    #[rebut::test]
    fn add_when_count_is_not_capacity(mut array_list: ArrayList, value: i32) {
        rebut::assume!(array_list.count() != array_list.capacity());
        let old_capacity = array_list.capacity();
        let _ = array_list.add(value);
        assert_eq!(array_list.capacity(), old_capacity);
    }

    /// Proved for all states with at most 4 elements: 40 paths.
    #[rebut::test]
    fn add_when_capacity_is_zero(mut array_list: ArrayList, value: i32) {
        rebut::assume!(array_list.capacity() == 0);
        let _ = array_list.add(value);
        assert_eq!(array_list.capacity(), 16);
    }

    /// Proved for all states with at most 4 elements: 40 paths.
    #[rebut::test]
    fn add_when_get_other_index_is_not_none(
        mut array_list: ArrayList,
        value: i32,
        other_index: usize,
    ) {
        rebut::assume!(array_list.get(other_index).is_some());
        let old_get_other_index = array_list.get(other_index);
        let _ = array_list.add(value);
        assert_eq!(array_list.get(other_index), old_get_other_index);
    }

    /// Proved for all states with at most 4 elements: 40 paths.
    #[rebut::test]
    fn add_when_count_is_capacity(mut array_list: ArrayList, value: i32) {
        rebut::assume!(array_list.count() == array_list.capacity());
        let old_capacity = array_list.capacity();
        let _ = array_list.add(value);
        assert!(array_list.capacity() > old_capacity);
    }

    /// Proved for all states with at most 4 elements: 40 paths.
    #[rebut::test]
    fn add_when_count_is_capacity_and_count_is_not_zero(mut array_list: ArrayList, value: i32) {
        rebut::assume!(array_list.count() == array_list.capacity());
        rebut::assume!(array_list.count() != 0);
        let old_capacity = array_list.capacity();
        let _ = array_list.add(value);
        assert_eq!(array_list.capacity(), old_capacity * 2);
    }

    /// Proved for all states with at most 4 elements: 120 paths.
    #[rebut::test]
    fn add_when_value_is_not_other_value(mut array_list: ArrayList, value: i32, other_value: i32) {
        rebut::assume!(value != other_value);
        let old_contains_other_value = array_list.contains(other_value);
        let _ = array_list.add(value);
        assert_eq!(array_list.contains(other_value), old_contains_other_value);
    }

    /// Proved for all states with at most 4 elements: 120 paths.
    #[rebut::test]
    fn add_when_not_contains_value(mut array_list: ArrayList, value: i32) {
        rebut::assume!(!array_list.contains(value));
        let old_count = array_list.count();
        let _ = array_list.add(value);
        assert_eq!(array_list.index_of(value), Some(old_count));
    }

    /// Proved for all states with at most 4 elements: 120 paths.
    #[rebut::test(rejections_max = 200)]
    fn add_when_contains_other_value(mut array_list: ArrayList, value: i32, other_value: i32) {
        rebut::assume!(array_list.contains(other_value));
        let old_index_of_other_value = array_list.index_of(other_value);
        let _ = array_list.add(value);
        assert_eq!(array_list.index_of(other_value), old_index_of_other_value);
    }

    /// Proved for all states with at most 4 elements: 109 paths.
    #[rebut::test]
    fn insert_panics_when_count_is_below_index(
        mut array_list: ArrayList,
        index: usize,
        value: i32,
    ) {
        rebut::assume!(array_list.count() < index);
        rebut::assert_panics!(array_list.insert(index, value), "the index is out of range");
    }

    /// Proved for all states with at most 4 elements: 109 paths.
    #[rebut::test]
    fn insert_increments_count(mut array_list: ArrayList, index: usize, value: i32) {
        rebut::assume!(array_list.count() >= index);
        let old_count = array_list.count();
        array_list.insert(index, value);
        assert_eq!(array_list.count(), old_count + 1);
        assert_eq!(array_list.get(index), Some(value));
        assert!(array_list.get(old_count).is_some());
        assert!(array_list.contains(value));
    }

    /// Proved for all states with at most 4 elements: 109 paths.
    #[rebut::test]
    fn insert_when_count_is_not_capacity(mut array_list: ArrayList, index: usize, value: i32) {
        rebut::assume!(array_list.count() >= index);
        rebut::assume!(array_list.count() != array_list.capacity());
        let old_capacity = array_list.capacity();
        array_list.insert(index, value);
        assert_eq!(array_list.capacity(), old_capacity);
    }

    /// Proved for all states with at most 4 elements: 109 paths.
    #[rebut::test(rejections_max = 200)]
    fn insert_when_capacity_is_zero(mut array_list: ArrayList, index: usize, value: i32) {
        rebut::assume!(array_list.count() >= index);
        rebut::assume!(array_list.capacity() == 0);
        array_list.insert(index, value);
        assert_eq!(array_list.capacity(), 16);
    }

    /// Proved for all states with at most 4 elements: 109 paths.
    #[rebut::test(rejections_max = 200)]
    fn insert_when_other_index_is_below_index(
        mut array_list: ArrayList,
        index: usize,
        value: i32,
        other_index: usize,
    ) {
        rebut::assume!(array_list.count() >= index);
        rebut::assume!(other_index < index);
        let old_get_other_index = array_list.get(other_index);
        array_list.insert(index, value);
        assert_eq!(array_list.get(other_index), old_get_other_index);
    }

    /// Proved for all states with at most 4 elements: 109 paths.
    #[rebut::test(rejections_max = 200)]
    fn insert_when_count_is_capacity(mut array_list: ArrayList, index: usize, value: i32) {
        rebut::assume!(array_list.count() >= index);
        rebut::assume!(array_list.count() == array_list.capacity());
        let old_capacity = array_list.capacity();
        array_list.insert(index, value);
        assert!(array_list.capacity() > old_capacity);
    }

    /// Proved for all states with at most 4 elements: 109 paths.
    #[rebut::test(rejections_max = 200)]
    fn insert_when_count_is_capacity_and_count_is_not_zero(
        mut array_list: ArrayList,
        index: usize,
        value: i32,
    ) {
        rebut::assume!(array_list.count() >= index);
        rebut::assume!(array_list.count() == array_list.capacity());
        rebut::assume!(array_list.count() != 0);
        let old_capacity = array_list.capacity();
        array_list.insert(index, value);
        assert_eq!(array_list.capacity(), old_capacity * 2);
    }

    /// Proved for all states with at most 2 elements: 75 paths.
    #[rebut::test]
    fn insert_when_value_is_not_other_value(
        mut array_list: ArrayList,
        index: usize,
        value: i32,
        other_value: i32,
    ) {
        rebut::assume!(array_list.count() >= index);
        rebut::assume!(value != other_value);
        let old_contains_other_value = array_list.contains(other_value);
        array_list.insert(index, value);
        assert_eq!(array_list.contains(other_value), old_contains_other_value);
    }

    /// Proved for all states with at most 2 elements: 75 paths.
    #[rebut::test]
    fn insert_when_not_contains_value(mut array_list: ArrayList, index: usize, value: i32) {
        rebut::assume!(array_list.count() >= index);
        rebut::assume!(!array_list.contains(value));
        array_list.insert(index, value);
        assert_eq!(array_list.index_of(value), Some(index));
    }

    /// Proved for all states with at most 2 elements: 75 paths.
    #[rebut::test(rejections_max = 200)]
    fn insert_when_index_of_value_is_some_index(
        mut array_list: ArrayList,
        index: usize,
        value: i32,
    ) {
        rebut::assume!(array_list.index_of(value) == Some(index));
        let old_index_of_value = array_list.index_of(value);
        array_list.insert(index, value);
        assert_eq!(array_list.index_of(value), old_index_of_value);
    }

    /// Proved for all states with at most 2 elements: 75 paths.
    #[rebut::test]
    fn insert_when_index_is_zero(mut array_list: ArrayList, index: usize, value: i32) {
        rebut::assume!(index == 0);
        array_list.insert(index, value);
        assert_eq!(array_list.index_of(value), Some(index));
    }

    /// Proved for all states with at most 4 elements: 29 paths.
    #[rebut::test]
    fn set_panics_when_get_index_is_none(mut array_list: ArrayList, index: usize, value: i32) {
        rebut::assume!(array_list.get(index).is_none());
        rebut::assert_panics!(array_list.set(index, value), "the index is out of range");
    }

    /// Proved for all states with at most 4 elements: 29 paths.
    #[rebut::test]
    fn set_keeps_count(mut array_list: ArrayList, index: usize, value: i32) {
        rebut::assume!(array_list.get(index).is_some());
        let old_count = array_list.count();
        let old_capacity = array_list.capacity();
        array_list.set(index, value);
        assert_eq!(array_list.count(), old_count);
        assert_eq!(array_list.capacity(), old_capacity);
        assert_eq!(array_list.get(index), Some(value));
        assert!(array_list.contains(value));
    }

    /// Proved for all states with at most 4 elements: 29 paths.
    #[rebut::test]
    fn set_when_index_is_not_other_index(
        mut array_list: ArrayList,
        index: usize,
        value: i32,
        other_index: usize,
    ) {
        rebut::assume!(array_list.get(index).is_some());
        rebut::assume!(index != other_index);
        let old_get_other_index = array_list.get(other_index);
        array_list.set(index, value);
        assert_eq!(array_list.get(other_index), old_get_other_index);
    }

    /// Proved for all states with at most 2 elements: 49 paths.
    #[rebut::test]
    fn set_when_not_contains_value(mut array_list: ArrayList, index: usize, value: i32) {
        rebut::assume!(array_list.get(index).is_some());
        rebut::assume!(!array_list.contains(value));
        array_list.set(index, value);
        assert_eq!(array_list.index_of(value), Some(index));
    }

    /// Proved for all states with at most 2 elements: 49 paths.
    #[rebut::test(rejections_max = 200)]
    fn set_when_index_is_zero(mut array_list: ArrayList, index: usize, value: i32) {
        rebut::assume!(array_list.get(index).is_some());
        rebut::assume!(index == 0);
        array_list.set(index, value);
        assert_eq!(array_list.index_of(value), Some(index));
    }

    /// Proved for all states with at most 2 elements: 49 paths.
    #[rebut::test(rejections_max = 200)]
    fn set_when_index_of_value_is_some_index(
        mut array_list: ArrayList,
        index: usize,
        value: i32,
        other_value: i32,
    ) {
        rebut::assume!(array_list.index_of(value) == Some(index));
        let old_index_of_other_value = array_list.index_of(other_value);
        array_list.set(index, value);
        assert_eq!(array_list.index_of(other_value), old_index_of_other_value);
    }

    /// Proved for all states with at most 4 elements: 50 paths.
    #[rebut::test]
    fn remove_at_panics_when_get_index_is_none(mut array_list: ArrayList, index: usize) {
        rebut::assume!(array_list.get(index).is_none());
        rebut::assert_panics!(array_list.remove_at(index), "the index is out of range");
    }

    /// Proved for all states with at most 4 elements: 50 paths.
    #[rebut::test]
    fn remove_at_decrements_count(mut array_list: ArrayList, index: usize) {
        rebut::assume!(array_list.get(index).is_some());
        let old_count = array_list.count();
        let old_capacity = array_list.capacity();
        array_list.remove_at(index);
        assert_eq!(array_list.count(), old_count - 1);
        assert_eq!(array_list.capacity(), old_capacity);
    }

    /// Proved for all states with at most 4 elements: 50 paths.
    #[rebut::test(rejections_max = 200)]
    fn remove_at_when_other_index_is_below_index(
        mut array_list: ArrayList,
        index: usize,
        other_index: usize,
    ) {
        rebut::assume!(array_list.get(index).is_some());
        rebut::assume!(other_index < index);
        let old_get_other_index = array_list.get(other_index);
        array_list.remove_at(index);
        assert_eq!(array_list.get(other_index), old_get_other_index);
    }

    /// Proved for all states with at most 4 elements: 106 paths.
    #[rebut::test]
    fn remove_at_when_index_of_other_value_is_not_some_index(
        mut array_list: ArrayList,
        index: usize,
        other_value: i32,
    ) {
        rebut::assume!(array_list.get(index).is_some());
        rebut::assume!(array_list.index_of(other_value) != Some(index));
        let old_contains_other_value = array_list.contains(other_value);
        array_list.remove_at(index);
        assert_eq!(array_list.contains(other_value), old_contains_other_value);
    }

    /// Proved for all states with at most 4 elements: 81 paths.
    #[rebut::test]
    fn remove_keeps_capacity(mut array_list: ArrayList, value: i32) {
        let old_capacity = array_list.capacity();
        let old_count = array_list.count();
        array_list.remove(value);
        assert_eq!(array_list.capacity(), old_capacity);
        assert!(array_list.count() <= old_count);
    }

    /// Proved for all states with at most 4 elements: 153 paths.
    #[rebut::test(rejections_max = 200)]
    fn remove_when_contains_value(mut array_list: ArrayList, value: i32) {
        rebut::assume!(array_list.contains(value));
        let old_count = array_list.count();
        array_list.remove(value);
        assert_eq!(array_list.count(), old_count - 1);
    }

    /// Proved for all states with at most 4 elements: 153 paths.
    #[rebut::test]
    fn remove_when_not_contains_value(mut array_list: ArrayList, value: i32, other_value: i32) {
        rebut::assume!(!array_list.contains(value));
        let old_count = array_list.count();
        let old_index_of_other_value = array_list.index_of(other_value);
        array_list.remove(value);
        assert_eq!(array_list.count(), old_count);
        assert_eq!(array_list.index_of(other_value), old_index_of_other_value);
    }

    /// Proved for all states with at most 4 elements: 153 paths.
    #[rebut::test]
    fn remove_when_value_is_not_other_value(
        mut array_list: ArrayList,
        value: i32,
        other_value: i32,
    ) {
        rebut::assume!(value != other_value);
        let old_contains_other_value = array_list.contains(other_value);
        array_list.remove(value);
        assert_eq!(array_list.contains(other_value), old_contains_other_value);
    }

    /// Proved for all states with at most 4 elements: 21 paths.
    #[rebut::test]
    fn reverse_keeps_count(mut array_list: ArrayList, other_value: i32) {
        let old_count = array_list.count();
        let old_capacity = array_list.capacity();
        let old_contains_other_value = array_list.contains(other_value);
        array_list.reverse();
        assert_eq!(array_list.count(), old_count);
        assert_eq!(array_list.capacity(), old_capacity);
        assert_eq!(array_list.contains(other_value), old_contains_other_value);
    }

    /// Proved for all states with at most 4 elements: 9 paths.
    #[rebut::test]
    fn trim_to_size_keeps_count(mut array_list: ArrayList, other_index: usize, other_value: i32) {
        let old_count = array_list.count();
        let old_get_other_index = array_list.get(other_index);
        let old_contains_other_value = array_list.contains(other_value);
        let old_index_of_other_value = array_list.index_of(other_value);
        array_list.trim_to_size();
        assert_eq!(array_list.count(), old_count);
        assert_eq!(array_list.capacity(), old_count);
        assert_eq!(array_list.get(other_index), old_get_other_index);
        assert_eq!(array_list.contains(other_value), old_contains_other_value);
        assert_eq!(array_list.index_of(other_value), old_index_of_other_value);
    }

    /// Proved for all states with at most 4 elements: 9 paths.
    #[rebut::test]
    fn clear_sets_count_to_zero(mut array_list: ArrayList, other_value: i32) {
        let old_capacity = array_list.capacity();
        array_list.clear();
        assert_eq!(array_list.count(), 0);
        assert_eq!(array_list.capacity(), old_capacity);
        assert!(!array_list.contains(other_value));
    }
}
