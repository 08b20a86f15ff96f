#[rebut::test(cases = "many")]
fn property(n: u8) {}

fn main() {}
