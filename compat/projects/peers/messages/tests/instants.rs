#[rebut::test]
fn later(_time: std::time::Instant) {}
