#[derive(rebut::Generate)]
enum Chain {
    Left(Box<Chain>),
    Right((u8, Box<Self>)),
}

fn main() {}
