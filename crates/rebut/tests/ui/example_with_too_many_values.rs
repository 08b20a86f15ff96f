#[rebut::test]
#[example(1, 2)]
fn property(n: u8) {}

fn main() {}
