use rebut::proptest;

proptest! {
    #[test]
    fn numbers_are_small(number in rebut::integers::<u8>()) {
        assert!(number < 255);
    }
}

fn main() {}
