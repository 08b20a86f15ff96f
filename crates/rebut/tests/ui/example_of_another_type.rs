#[rebut::test]
#[example("one")]
fn property(n: u8) {}

fn main() {}
