#[derive(rebut::Generate)]
struct Callbacks {
    many: Box<dyn Fn(u8, u8, u8, u8) -> u8>,
    mixed: Box<dyn Fn(&str, u8) -> u8>,
}

fn main() {}
