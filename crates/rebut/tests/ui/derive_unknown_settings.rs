#[derive(rebut::Generate)]
#[generate(filters = |_| true)]
struct Point {
    #[generate(minimum = 1)]
    x: u8,
    #[generate]
    y: u8,
}

#[derive(rebut::Generate)]
enum Shape {
    #[generate(wieght = 1)]
    Circle,
    #[generate(skip = true)]
    Square,
}

fn main() {}
