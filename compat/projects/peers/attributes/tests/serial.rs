use std::sync::atomic::{AtomicUsize, Ordering};

use serial_test::serial;

static RUNNING: AtomicUsize = AtomicUsize::new(0);

fn alone() {
    assert_eq!(RUNNING.fetch_add(1, Ordering::SeqCst), 0);
    std::thread::yield_now();
    RUNNING.fetch_sub(1, Ordering::SeqCst);
}

#[rebut::test]
#[serial]
fn first(_number: u64) {
    alone();
}

#[rebut::test]
#[serial]
fn second(_number: u64) {
    alone();
}
