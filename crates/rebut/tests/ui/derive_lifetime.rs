#[derive(rebut::Generate)]
struct Word<'a> {
    text: &'a str,
}

fn main() {}
