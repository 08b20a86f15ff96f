#[rebut::test]
fn property<T: Copy, const N: usize>(value: [T; N]) {}

fn main() {}
