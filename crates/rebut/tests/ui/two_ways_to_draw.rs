#[rebut::test]
fn property(
    #[from(rebut::just(1))]
    #[generate(default)]
    n: u8,
    #[generate(default, value = 3)] m: u8,
) {
}

fn main() {}
