#[rebut::exists]
struct Property;

fn main() {}
