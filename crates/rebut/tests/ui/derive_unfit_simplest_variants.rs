#[derive(rebut::Generate)]
enum List {
    #[generate(simplest)]
    End,
    #[generate(simplest)]
    Item(Box<List>),
    #[generate(simplest, skip)]
    Other,
}

fn main() {}
