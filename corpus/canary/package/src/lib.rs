//! Functions with a bug, for the canaries of the corpus.

/// Halves small numbers.
pub fn half(number: u32) -> u32 {
    assert!(number < 100, "too large");
    number / 2
}
