#[rebut::test]
fn property(f: impl Fn(u8) -> u8) {}

fn main() {}
