#[derive(rebut::Generate)]
struct Callbacks {
    many: Box<dyn Fn(u8, u8, u8, u8) -> u8>,
    mixed: fn(&str, u8) -> u8,
}

fn main() {}
