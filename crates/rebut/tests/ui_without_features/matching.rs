use rebut::prelude::*;

#[derive(Clone, Debug, Generate)]
struct Order {
    #[generate(matches = "[A-Z]{3}-[0-9]+")]
    number: String,
    #[generate(matches = "[a-z]")]
    mark: Vec<u8>,
}

fn main() {
    let _ = bytes_matching("[a-z]+");
    let _ = try_strings_matching("[a-z]+").is_ok();
}
