#[derive(rebut::Generate)]
struct Field {
    #[generate(1..10)]
    name: String,
    #[generate(0.5..1.0)]
    count: u8,
    #[generate(["no", "yes"])]
    answer: bool,
}

fn main() {}
