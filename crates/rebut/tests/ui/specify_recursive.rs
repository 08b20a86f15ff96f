#[derive(rebut::Specify)]
struct List {
    rest: Option<Box<List>>,
}

fn main() {}
