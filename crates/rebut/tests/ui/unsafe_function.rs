#[rebut::test]
unsafe fn property(n: u8) {}

fn main() {}
