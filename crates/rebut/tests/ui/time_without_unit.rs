#[rebut::test(deadline = 500, time_budget = "500 parsecs")]
fn property(n: u8) {}

fn main() {}
