#[rebut::test]
extern "C" fn property(n: u8) {}

fn main() {}
