use rebut::proptest;

proptest! {
    #[test]
    fn takes_nothing() {}
}

fn main() {}
