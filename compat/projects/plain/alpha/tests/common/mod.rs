pub fn is_small(number: u32) {
    assert!(number < 90);
}
