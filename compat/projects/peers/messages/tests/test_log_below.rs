#[rebut::test]
#[test_log::test]
fn logged(_number: u8) {}
