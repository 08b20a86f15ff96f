use rstest::rstest;

#[rebut::test]
#[rstest]
#[case(1)]
fn rows(#[case] _limit: u8, _number: u8) {}
