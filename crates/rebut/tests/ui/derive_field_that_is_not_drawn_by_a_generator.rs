struct NotOne;

#[derive(rebut::Generate)]
struct Field {
    #[from(NotOne)]
    length: f64,
}

fn main() {}
