#[rebut::test(cases = 3)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_tokio(n: u8) {
    assert_eq!(n, n);
}

#[rebut::test(runtime = smol)]
#[tokio::test]
async fn on_smol_and_tokio(n: u8) {
    assert_eq!(n, n);
}

#[rebut::test]
#[rstest]
#[case(1)]
fn with_rows(#[case] n: u8, m: u8) {
    assert_eq!(n, m);
}

#[rebut::test]
#[test_log::test]
fn with_a_log(n: u8) {
    assert_eq!(n, n);
}

#[rebut::test]
#[gtest]
fn with_expectations(n: u8) {
    assert_eq!(n, n);
}

// What `#[serial]` above the attribute leaves of `fn serial(n: u8) { assert_eq!(n, n) }`.
#[rebut::test]
fn serial() {
    serial_test::local_serial_core(vec![""], None, || assert_eq!(n, n));
}

fn main() {}
