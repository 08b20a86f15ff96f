#[rebut::test]
fn fails(number: u32) {
    assert!(number < 11);
}
