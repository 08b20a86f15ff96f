#[rebut::test]
fn property(n: u8) -> Option<u8> {
    Some(n)
}

fn main() {}
