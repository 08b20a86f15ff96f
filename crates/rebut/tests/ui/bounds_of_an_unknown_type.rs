struct Meters(f64);

#[rebut::test]
fn property(#[generate(min_value = 3)] length: Meters) {}

fn main() {}
