//! Another `#[test]`, and quickcheck in the same file.

use quickcheck::quickcheck;
use rebut::test;

quickcheck! {
    fn sums(a: u8, b: u8) -> bool {
        u16::from(a) + u16::from(b) < 600
    }
}

#[test]
fn shadowed(number: u8) {
    assert!(number < 200);
}
