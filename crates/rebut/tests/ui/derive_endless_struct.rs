#[derive(rebut::Generate)]
struct Chain {
    name: u8,
    next: Box<Chain>,
}

fn main() {}
