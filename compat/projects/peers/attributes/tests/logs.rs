#[test_log::test(rebut::test)]
fn logged(number: u8) {
    log::info!("saw {number}");
    assert!(number < 200);
}

#[rebut::test]
fn by_env_logger(number: u8) {
    let _ = env_logger::builder().is_test(true).filter_level(log::LevelFilter::Info).try_init();
    log::info!("saw {number}");
    assert!(number < 200);
}
