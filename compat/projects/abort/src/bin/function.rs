fn main() {
    rebut::check(|case| {
        let number: u8 = case.draw_as("number", rebut::any());
        assert!(number < 200);
    });
}
