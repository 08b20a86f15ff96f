fn main() {
    rebut::check(|case| {
        let number: u8 = case.draw_as("number", rebut::any());
        assert!(number < 200);
    });
}

#[rebut::test]
fn in_a_binary(number: u32) {
    assert!(number < 60);
}
