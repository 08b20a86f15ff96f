#[rebut::test]
fn holds(number: u8) {
    assert!(number / 2 <= 127);
}

#[rebut::test]
fn aborts(number: u32) {
    if number >= 300 {
        std::process::abort();
    }
}

#[rebut::test]
fn overflows(number: u32) {
    fn deep(number: u32) -> u32 {
        if std::hint::black_box(number) == u32::MAX { 0 } else { 1 + deep(number + 1) }
    }
    if number >= 300 {
        deep(0);
    }
}

#[rebut::test(deadline = "300ms")]
fn hangs(number: u32) {
    if number >= 300 {
        loop {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
    }
}

#[rebut::test]
fn exits(number: u32) {
    if number >= 300 {
        std::process::exit(3);
    }
}

#[rebut::test]
fn exits_well(number: u32) {
    if number >= 300 {
        std::process::exit(0);
    }
}
