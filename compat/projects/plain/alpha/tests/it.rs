#[rebut::test]
fn same(number: u32) {
    assert!(number < 2000, "alpha in it");
}
