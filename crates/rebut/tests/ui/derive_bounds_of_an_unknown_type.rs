struct Meters(f64);

#[derive(rebut::Generate)]
struct Field {
    #[generate(min_value = 3)]
    length: Meters,
}

fn main() {}
