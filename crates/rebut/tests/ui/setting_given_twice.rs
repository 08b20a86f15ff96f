#[rebut::test(cases = 10, cases = 20)]
fn property(n: u8) {}

fn main() {}
