//! Parameters with the name of their property, and of functions that other parameters use.

#[rebut::test]
fn name(name: String) {
    assert!(name.len() < 3);
}

fn limits() -> std::ops::Range<u8> {
    1..10
}

#[rebut::test]
#[example(4, 3)]
fn limit(#[from(limits())] limit: u8, #[from(0..=limit)] other: u8) {
    assert!(other <= limit);
    assert!(limit < 5);
}
