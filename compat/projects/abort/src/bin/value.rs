fn main() {
    let report = rebut::Check::new("small").seed(1).run(|case| {
        let number: u8 = case.draw_as("number", rebut::any());
        assert!(number < 200);
    });
    println!("{report}");
}
