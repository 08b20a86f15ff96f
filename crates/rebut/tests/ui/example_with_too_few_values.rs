#[rebut::test]
#[example(1)]
fn property(n: u8, text: String) {}

fn main() {}
