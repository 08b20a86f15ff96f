#[rebut::test(inputs = 100, differ = "title different-lengths")]
fn property(title: String) {}

fn main() {}
