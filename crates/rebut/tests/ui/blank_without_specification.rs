#[rebut::test]
fn property(#[blank("event.title")] title: String) {}

fn main() {}
