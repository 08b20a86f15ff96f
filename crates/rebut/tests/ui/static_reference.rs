#[rebut::test]
fn property(text: &'static str) {}

fn main() {}
