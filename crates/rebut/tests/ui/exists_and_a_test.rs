#[rebut::exists]
#[rebut::test]
fn property(n: u8) -> bool {
    n > 3
}

fn main() {}
