use rstest::rstest;

#[rstest]
#[case(1)]
#[rebut::test]
fn rows(#[case] _limit: u8, _number: u8) {}
