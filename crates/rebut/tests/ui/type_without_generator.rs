struct Metres(f64);

#[rebut::test]
fn property(length: Metres) {}

fn main() {}
