struct Metres(f64);

#[derive(rebut::Generate)]
struct Field {
    length: Metres,
}

fn main() {}
