#[rebut::test]
fn property(#[from(rebut::booleans())] n: u8) {}

fn main() {}
