#[rebut::exists(spec = "calendar.json")]
fn property(title: String) -> bool {
    title.is_empty()
}

fn main() {}
