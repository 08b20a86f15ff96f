#[rebut::test]
fn inline_in_a_loop(number: u8) {
    insta::allow_duplicates! {
        insta::assert_snapshot!(if number < 250 { "small" } else { "large" }, @"small");
    }
}

#[rebut::test]
fn inline_without_duplicates(number: u8) {
    insta::assert_snapshot!(if number < 250 { "small" } else { "large" }, @"small");
}
