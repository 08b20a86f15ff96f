#[rebut::test(memory = "lots")]
fn property(n: u8) {}

fn main() {}
