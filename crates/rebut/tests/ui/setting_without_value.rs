#[rebut::test(cases)]
fn property(n: u8) {}

fn main() {}
