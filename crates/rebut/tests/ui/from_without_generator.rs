#[rebut::test]
fn property(#[from] n: u8) {}

fn main() {}
