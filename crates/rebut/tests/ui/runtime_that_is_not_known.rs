#[rebut::test(runtime = "tokyo")]
async fn misspelled(n: u8) {
    assert_eq!(n, n);
}

#[rebut::test(runtime = tokio(threads = 2))]
async fn with_an_unknown_setting(n: u8) {
    assert_eq!(n, n);
}

#[rebut::test(runtime = Runtime::new().unwrap().block_on)]
async fn a_method(n: u8) {
    assert_eq!(n, n);
}

fn main() {}
