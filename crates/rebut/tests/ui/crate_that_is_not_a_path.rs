#[rebut::test(crate = "rebut")]
fn property(n: u8) {}

fn main() {}
