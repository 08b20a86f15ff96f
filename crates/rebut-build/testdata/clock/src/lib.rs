//! A crate that reads the clock.

use std::time::{Duration, Instant, SystemTime};

/// Whether something takes no longer than that.
pub fn is_quick(limit: Duration, work: impl FnOnce()) -> bool {
    let begin = Instant::now();
    work();
    begin.elapsed() <= limit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rebut::test]
    fn large_numbers_are_timed(n: u8) {
        if n > 100 {
            assert!(is_quick(Duration::from_secs(60), || ()));
        }
    }

    #[rebut::test]
    fn the_date_is_read(n: u8) {
        assert!(n < 100 || SystemTime::now() > SystemTime::UNIX_EPOCH);
    }

    #[rebut::test]
    fn some_sleep(n: u8) {
        if n == 7 {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}
