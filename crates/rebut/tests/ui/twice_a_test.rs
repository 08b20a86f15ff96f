#[rebut::test]
#[test]
fn property(n: u8) {}

fn main() {}
