#[rebut::test]
fn property(value: &dyn std::fmt::Debug) {}

fn main() {}
