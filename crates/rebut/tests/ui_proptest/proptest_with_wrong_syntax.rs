use proptest::prelude::*;
use rebut::proptest;

proptest! {
    #![config(ProptestConfig::with_cases(5))]

    #[test]
    fn numbers_are_small(number in any::<u8>()) {
        assert!(number < 255);
    }
}

proptest! {
    #[test]
    fn parameters_need_a_strategy(number = any::<u8>()) {}
}

proptest! {
    #[test]
    async fn sleeps(number in any::<u8>()) {}
}

fn main() {
    proptest!(ProptestConfig::with_cases(5), number in any::<u8>());
}
