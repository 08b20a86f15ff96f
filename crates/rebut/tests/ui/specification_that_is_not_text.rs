#[rebut::test(spec = calendar)]
fn property(title: String) {}

fn main() {}
