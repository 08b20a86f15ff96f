#[rebut::test]
fn property(#[from(1..10, 20..30)] n: u8, #[generate(1..10, default)] m: u8) {}

fn main() {}
