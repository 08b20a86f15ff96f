#[derive(rebut::Generate)]
enum Never {}

fn main() {}
