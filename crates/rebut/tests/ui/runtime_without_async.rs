fn block_on<T>(value: T) -> T {
    value
}

#[rebut::test(runtime = block_on)]
fn property(n: u8) {}

fn main() {}
