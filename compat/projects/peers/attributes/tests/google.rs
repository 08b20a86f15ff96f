use googletest::prelude::*;

#[rebut::test]
fn verified(number: u8) -> googletest::Result<()> {
    verify_that!(number, lt(200))
}

#[rebut::test]
fn asserted(number: u8) {
    assert_that!(number, lt(200));
}
