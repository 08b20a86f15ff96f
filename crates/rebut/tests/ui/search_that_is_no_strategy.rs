fn greedy(_steps: u64) -> rebut::search::Climbing {
    rebut::search::Climbing::default()
}

#[rebut::test(search = greedy)]
fn bare_name(n: u8) {}

#[rebut::test(search = "climbing", isolate = "always")]
fn quoted(n: u8) {}

fn main() {
    greedy(1);
}
