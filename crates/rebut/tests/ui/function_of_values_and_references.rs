#[rebut::test]
fn property(mixed: impl Fn(&str, u8) -> u8, many: &dyn Fn(u8, u8, u8, u8) -> u8) {}

#[derive(rebut::Generate)]
struct Callbacks {
    mixed: fn(u8, &str) -> u8,
}

fn main() {}
