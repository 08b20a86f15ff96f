#[rebut::test]
fn property(#[form(rebut::just(1))] n: u8) {}

fn main() {}
