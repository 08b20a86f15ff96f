#[derive(rebut::Generate)]
struct Field {
    #[from(1..=9)]
    length: u8,
    #[from(rebut::strings())]
    name: String,
}

fn main() {}
