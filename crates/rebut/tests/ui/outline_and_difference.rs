#[rebut::test(spec = "calendar.json", outline = "sanity", differ = "title not-equal")]
fn property(title: String) {}

fn main() {}
