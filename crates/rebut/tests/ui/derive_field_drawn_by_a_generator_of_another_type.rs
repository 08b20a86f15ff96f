#[derive(rebut::Generate)]
struct Field {
    #[from(rebut::booleans())]
    length: f64,
    #[generate(from = rebut::booleans())]
    width: f64,
}

fn main() {}
