//! Uses what cannot be built.
use blocked::wait;

#[rebut::test]
fn waits(number: u8) {
    wait();
    assert!(app::double(number) >= number.into());
}
