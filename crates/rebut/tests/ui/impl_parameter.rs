#[rebut::test]
fn property(values: impl Iterator<Item = u8>) {}

fn main() {}
