#[derive(rebut::Generate)]
union Bits {
    float: f32,
    integer: u32,
}

fn main() {}
