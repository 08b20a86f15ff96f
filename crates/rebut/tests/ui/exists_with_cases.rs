#[rebut::exists(cases = 9)]
fn property(n: u8) -> bool {
    n > 3
}

#[rebut::test(steps = 9)]
fn other(n: u8) -> bool {
    n > 3
}

#[rebut::not_exists(step = 9)]
fn third(n: u8) -> bool {
    n > 3
}

fn main() {}
