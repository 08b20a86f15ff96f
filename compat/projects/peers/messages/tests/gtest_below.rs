use googletest::prelude::*;

#[rebut::test]
#[gtest]
fn expected(number: u8) {
    expect_that!(number, lt(200));
}
