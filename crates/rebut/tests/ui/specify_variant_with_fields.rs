#[derive(rebut::Specify)]
enum Shape {
    Point,
    Circle(u8),
}

fn main() {}
