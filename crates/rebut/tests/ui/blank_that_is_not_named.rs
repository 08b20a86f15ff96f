#[rebut::test(spec = "calendar.json")]
fn unnamed(#[blank] title: String) {}

#[rebut::test(spec = "calendar.json")]
fn pattern((start, end): (i64, i64)) {}

#[rebut::test(spec = "calendar.json")]
fn number(#[blank(1)] title: String) {}

fn main() {}
