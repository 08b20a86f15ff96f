#[derive(rebut::Generate)]
enum Never {
    #[generate(skip)]
    A,
    #[generate(skip)]
    B(u8),
}

fn main() {}
