//! Uses what depends on what cannot be built.

#[rebut::test]
fn waits(number: u8) {
    chained::wait_long();
    assert!(app::double(number) >= number.into());
}
