#[rebut::exists]
fn property(n: u8) {
    assert!(n > 3);
}

#[rebut::not_exists]
fn other(n: u8) {
    assert!(n > 3);
}

fn main() {}
