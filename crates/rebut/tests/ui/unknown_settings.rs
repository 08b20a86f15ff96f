#[rebut::test(case = 10, color = red)]
fn property(n: u8) {}

fn main() {}
