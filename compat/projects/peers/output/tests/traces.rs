#[rebut::test]
fn traced(number: u8) {
    let subscriber = tracing_subscriber::fmt().with_test_writer().finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    tracing::info!("saw {number}");
    assert!(number < 200);
}
