#[rebut::test]
#[example]
fn property(n: u8) {}

fn main() {}
