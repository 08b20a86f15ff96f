use proptest::prelude::*;
use rebut::proptest;

proptest! {
    #[test]
    fn returns_something(number in any::<u8>()) -> bool {
        number < 255
    }
}

fn main() {}
