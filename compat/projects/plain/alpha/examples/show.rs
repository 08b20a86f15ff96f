fn main() {
    rebut::check(|case| {
        let number: u8 = case.draw_as("number", rebut::any());
        assert!(number < 200);
    });
}

#[rebut::test]
fn in_an_example(number: u32) {
    assert!(number < 70);
}
