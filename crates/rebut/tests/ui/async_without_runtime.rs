#[rebut::test]
async fn property(n: u8) {}

fn main() {}
