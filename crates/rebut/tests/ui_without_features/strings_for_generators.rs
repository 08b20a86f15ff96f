use rebut::prelude::*;

#[derive(Clone, Debug, Generate)]
struct Order {
    #[generate("[A-Z]{3}-[0-9]+")]
    number: String,
    #[generate(vecs("[a-z]+"))]
    marks: Vec<String>,
}

fn main() {}
