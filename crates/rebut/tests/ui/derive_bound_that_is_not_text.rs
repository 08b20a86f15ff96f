#[derive(rebut::Generate)]
#[generate(bound = T)]
struct Field<T> {
    value: T,
}

fn main() {}
