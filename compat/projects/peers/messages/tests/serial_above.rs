#[serial_test::serial]
#[rebut::test]
fn alone(number: u8) {
    assert!(number < 200);
}
