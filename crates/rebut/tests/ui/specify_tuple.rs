#[derive(rebut::Specify)]
struct Point(i32, i32);

fn main() {}
