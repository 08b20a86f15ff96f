#[derive(rebut::Generate)]
struct Field {
    #[generate(rebut::booleans())]
    length: f64,
}

fn main() {}
