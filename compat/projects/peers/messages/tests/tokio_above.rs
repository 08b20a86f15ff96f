#[tokio::test]
#[rebut::test]
async fn reads(_number: u8) {}
