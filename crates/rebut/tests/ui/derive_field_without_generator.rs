struct Meters(f64);

#[derive(rebut::Generate)]
struct Field {
    length: Meters,
}

fn main() {}
