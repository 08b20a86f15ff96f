#[rebut::test]
struct Property;

fn main() {}
