#[rebut::test]
fn same(number: u32) {
    assert!(number < 30, "beta in it");
}
