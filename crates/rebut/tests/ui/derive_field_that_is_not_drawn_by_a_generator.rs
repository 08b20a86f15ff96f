struct NotOne;

#[derive(rebut::Generate)]
struct Field {
    #[generate(NotOne)]
    length: f64,
}

fn main() {}
