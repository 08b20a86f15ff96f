#[rebut::test]
#[tokio::test]
async fn reads(_number: u8) {}
