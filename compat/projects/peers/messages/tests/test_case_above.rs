use test_case::test_case;

#[test_case(1)]
#[rebut::test]
fn rows(_limit: u8, _number: u8) {}
