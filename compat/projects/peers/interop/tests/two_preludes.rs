//! Both preludes in one file.

use proptest::prelude::*;
use rebut::prelude::*;

proptest! {
    #[test]
    fn by_proptest(number in any::<u8>(), other in Just(3u8)) {
        prop_assert!(u16::from(number) + u16::from(other) < 600);
    }
}

#[rebut::test]
fn by_rebut(#[from(vecs(0..10))] list: Vec<u8>, text: String) {
    assume!(list.len() < 50);
    assert!(text.len() < 1_000_000);
}
