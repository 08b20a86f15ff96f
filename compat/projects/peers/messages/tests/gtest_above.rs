use googletest::prelude::*;

#[gtest]
#[rebut::test]
fn expected(number: u8) {
    expect_that!(number, lt(200));
}
