#[rebut::test(isolate = sometimes, verbosity = loud)]
fn property(n: u8) {}

fn main() {}
