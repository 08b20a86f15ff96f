#[rebut::test(case = 10, colour = red)]
fn property(n: u8) {}

fn main() {}
