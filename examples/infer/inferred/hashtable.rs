#[cfg(test)]
mod inferred {
    use super::*;

    /// Checked on 200 paths, but not on all.
    #[rebut::test]
    fn always(hashtable: Hashtable, other_key: u8) {
        assert_eq!(hashtable.contains_key(other_key), hashtable.get(other_key).is_some());
    }

    /// Checked on 200 paths, but not on all.
    #[rebut::test(rejections_max = 200)]
    fn add_panics_when_contains_key(mut hashtable: Hashtable, key: u8, value: i32) {
        rebut::assume!(hashtable.contains_key(key));
        rebut::assert_panics!(hashtable.add(key, value), "the key is there already");
    }

    /// Checked on 200 paths, but not on all.
    #[rebut::test]
    fn add_increments_count(mut hashtable: Hashtable, key: u8, value: i32) {
        rebut::assume!(!hashtable.contains_key(key));
        let old_count = hashtable.count();
        hashtable.add(key, value);
        assert_eq!(hashtable.count(), old_count + 1);
        assert_eq!(hashtable.get(key), Some(value));
        assert!(hashtable.contains_value(value));
    }

    /// Checked on 200 paths, but not on all.
    #[rebut::test]
    fn add_when_key_is_not_other_key(mut hashtable: Hashtable, key: u8, value: i32, other_key: u8) {
        rebut::assume!(!hashtable.contains_key(key));
        rebut::assume!(key != other_key);
        let old_get_other_key = hashtable.get(other_key);
        hashtable.add(key, value);
        assert_eq!(hashtable.get(other_key), old_get_other_key);
    }

    /// Checked on 200 paths, but not on all.
    #[rebut::test]
    fn add_when_value_is_not_other_value(
        mut hashtable: Hashtable,
        key: u8,
        value: i32,
        other_value: i32,
    ) {
        rebut::assume!(!hashtable.contains_key(key));
        rebut::assume!(value != other_value);
        let old_contains_value_other_value = hashtable.contains_value(other_value);
        hashtable.add(key, value);
        assert_eq!(hashtable.contains_value(other_value), old_contains_value_other_value);
    }

    /// Proved for all states with at most 1 elements: 40 paths.
    #[rebut::test]
    fn set_sets_get_key_to_some_value(mut hashtable: Hashtable, key: u8, value: i32) {
        let old_count = hashtable.count();
        hashtable.set(key, value);
        assert_eq!(hashtable.get(key), Some(value));
        assert!(hashtable.contains_value(value));
        assert!(hashtable.count() >= old_count);
    }

    /// Proved for all states with at most 1 elements: 40 paths.
    #[rebut::test(rejections_max = 200)]
    fn set_when_contains_key(mut hashtable: Hashtable, key: u8, value: i32) {
        rebut::assume!(hashtable.contains_key(key));
        let old_count = hashtable.count();
        hashtable.set(key, value);
        assert_eq!(hashtable.count(), old_count);
    }

    /// Proved for all states with at most 1 elements: 40 paths.
    #[rebut::test]
    fn set_when_not_contains_key(mut hashtable: Hashtable, key: u8, value: i32) {
        rebut::assume!(!hashtable.contains_key(key));
        let old_count = hashtable.count();
        hashtable.set(key, value);
        assert_eq!(hashtable.count(), old_count + 1);
    }

    /// Proved for all states with at most 1 elements: 40 paths.
    #[rebut::test]
    fn set_when_key_is_not_other_key(mut hashtable: Hashtable, key: u8, value: i32, other_key: u8) {
        rebut::assume!(key != other_key);
        let old_get_other_key = hashtable.get(other_key);
        hashtable.set(key, value);
        assert_eq!(hashtable.get(other_key), old_get_other_key);
    }

    /// Proved for all states: 131 paths.
    #[rebut::test]
    fn remove_returns_get_key(mut hashtable: Hashtable, key: u8) {
        let old_get_key = hashtable.get(key);
        let old_count = hashtable.count();
        let result = hashtable.remove(key);
        assert_eq!(result, old_get_key);
        assert!(hashtable.get(key).is_none());
        assert!(hashtable.count() <= old_count);
    }

    /// Proved for all states: 131 paths.
    #[rebut::test(rejections_max = 200)]
    fn remove_when_contains_key(mut hashtable: Hashtable, key: u8) {
        rebut::assume!(hashtable.contains_key(key));
        let old_count = hashtable.count();
        let _ = hashtable.remove(key);
        assert_eq!(hashtable.count(), old_count - 1);
    }

    /// Proved for all states: 131 paths.
    #[rebut::test]
    fn remove_when_not_contains_key(mut hashtable: Hashtable, key: u8) {
        rebut::assume!(!hashtable.contains_key(key));
        let old_count = hashtable.count();
        let _ = hashtable.remove(key);
        assert_eq!(hashtable.count(), old_count);
    }

    /// Proved for all states: 131 paths.
    #[rebut::test]
    fn remove_when_key_is_not_other_key(mut hashtable: Hashtable, key: u8, other_key: u8) {
        rebut::assume!(key != other_key);
        let old_get_other_key = hashtable.get(other_key);
        let _ = hashtable.remove(key);
        assert_eq!(hashtable.get(other_key), old_get_other_key);
    }

    /// Proved for all states: 97 paths.
    #[rebut::test]
    fn remove_when_not_contains_value_other_value(
        mut hashtable: Hashtable,
        key: u8,
        other_value: i32,
    ) {
        rebut::assume!(!hashtable.contains_value(other_value));
        let _ = hashtable.remove(key);
        assert!(!hashtable.contains_value(other_value));
    }

    /// Proved for all states: 131 paths.
    #[rebut::test]
    fn take_panics_when_not_contains_key(mut hashtable: Hashtable, key: u8) {
        rebut::assume!(!hashtable.contains_key(key));
        rebut::assert_panics!(hashtable.take(key), "there is no such key");
    }

    /// Proved for all states: 131 paths.
    #[rebut::test(rejections_max = 200)]
    fn take_decrements_count(mut hashtable: Hashtable, key: u8) {
        rebut::assume!(hashtable.contains_key(key));
        let old_count = hashtable.count();
        let _ = hashtable.take(key);
        assert_eq!(hashtable.count(), old_count - 1);
        assert!(hashtable.get(key).is_none());
    }

    /// Proved for all states: 131 paths.
    #[rebut::test(rejections_max = 200)]
    fn take_when_key_is_not_other_key(mut hashtable: Hashtable, key: u8, other_key: u8) {
        rebut::assume!(hashtable.contains_key(key));
        rebut::assume!(key != other_key);
        let old_get_other_key = hashtable.get(other_key);
        let _ = hashtable.take(key);
        assert_eq!(hashtable.get(other_key), old_get_other_key);
    }

    /// Proved for all states: 97 paths.
    #[rebut::test(rejections_max = 200)]
    fn take_when_not_contains_value_other_value(
        mut hashtable: Hashtable,
        key: u8,
        other_value: i32,
    ) {
        rebut::assume!(hashtable.contains_key(key));
        rebut::assume!(!hashtable.contains_value(other_value));
        let _ = hashtable.take(key);
        assert!(!hashtable.contains_value(other_value));
    }

    /// Proved for all states: 43 paths.
    #[rebut::test]
    fn clear_sets_count_to_zero(mut hashtable: Hashtable, other_key: u8, other_value: i32) {
        hashtable.clear();
        assert_eq!(hashtable.count(), 0);
        assert!(hashtable.get(other_key).is_none());
        assert!(!hashtable.contains_value(other_value));
    }
}
