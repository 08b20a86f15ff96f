#[rebut::test]
fn property(#[from(NotOne)] n: u8) {}

struct NotOne;

fn main() {}
