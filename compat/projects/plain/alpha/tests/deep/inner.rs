#[rebut::test]
fn nested(number: u32) {
    super::common::is_small(number);
}
