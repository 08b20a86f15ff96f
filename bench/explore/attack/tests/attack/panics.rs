//! Panics: what is caught, what aborts, and how deep a call can be.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Mutex;

/// Fails for one number.
fn checked(n: u32) -> u32 {
    assert_ne!(n, 86_602_540, "this one is refused");
    n
}

/// A value whose end is noticed.
struct Noticed<'a>(&'a Mutex<u32>);

impl Drop for Noticed<'_> {
    fn drop(&mut self) {
        if let Ok(mut drops) = self.0.lock() {
            *drops += 1;
        }
    }
}

// false (rare): 86_602_540
#[rebut::test]
fn nothing_is_caught(n: u32) {
    assert!(catch_unwind(|| checked(n)).is_ok());
}

// false (rare): 70_710_678
#[rebut::test]
fn panics_are_not_caught(n: u32) {
    if n == 70_710_678 {
        let caught = catch_unwind(|| assert_ne!(n, 70_710_678));
        assert!(caught.is_ok());
    }
}

// false (rare): 57_735_026
#[rebut::test]
fn nothing_is_dropped_by_a_panic(n: u32) {
    let drops = Mutex::new(0);
    let result = catch_unwind(AssertUnwindSafe(|| {
        let _noticed = Noticed(&drops);
        assert_ne!(n, 57_735_026);
        std::mem::forget(_noticed);
    }));
    drop(result);
    assert_eq!(drops.into_inner().unwrap_or(9), 0);
}

// false (rare): 50_000_017
#[rebut::test]
fn locks_are_not_poisoned(n: u32) {
    let lock = Mutex::new(n);
    let _ = catch_unwind(AssertUnwindSafe(|| {
        let guard = lock.lock();
        let number = guard.as_deref().map_or(0, |number| *number);
        assert_ne!(number, 50_000_017);
    }));
    assert!(!lock.is_poisoned());
}

// false (rare): 44_721_359
#[rebut::test]
fn the_message_of_a_panic_is_not_this(n: u32) {
    let caught = catch_unwind(|| assert!(n != 44_721_359, "number 44721359"));
    let message = caught.err().and_then(|payload| payload.downcast::<&str>().ok());
    assert!(message.is_none_or(|message| !message.starts_with("number")));
}

// false (rare): 40_824_829
#[rebut::test]
fn payloads_are_lost(n: u32) {
    if n == 40_824_829 {
        let caught = catch_unwind(|| resume_unwind(Box::new(n)));
        assert!(caught.is_err_and(|payload| payload.downcast_ref::<u32>() != Some(&n)));
    }
}

// false (easy): 0
#[rebut::test]
fn divisions_do_not_panic(n: u8) {
    assert!(catch_unwind(|| 100 / n).is_ok());
}

// false (rare): 37_796_447
#[rebut::test]
fn this_test_does_not_abort(n: u32) {
    if n == 37_796_447 {
        std::process::abort();
    }
}

// false (rare): 35_355_339
#[rebut::test]
fn this_test_does_not_exit(n: u32) {
    if n == 35_355_339 {
        std::process::exit(3);
    }
}

/// Needs a deep stack for a large number.
fn depth(n: u64) -> u64 {
    let frame = std::hint::black_box([n; 512]);
    if n == 0 { 0 } else { 1 + depth(frame[3] - 1) }
}

// false (rare): 33_333_331
#[rebut::test]
fn the_stack_is_deep_enough(n: u32) {
    if n == 33_333_331 {
        assert_eq!(depth(6_000), 6_000);
    }
}

// false (rare): 31_622_777
#[rebut::test]
fn threads_do_not_panic(n: u32) {
    if n == 31_622_777 {
        assert!(!catch_unwind(|| panic!("now")).is_err_and(|_| !std::thread::panicking()));
    }
}

struct Bomb(u32);

impl Drop for Bomb {
    fn drop(&mut self) {
        assert!(!std::thread::panicking() || self.0 != 30_151_134);
    }
}

// false (rare): 30_151_134
#[rebut::test]
fn panics_in_drops_do_not_abort(n: u32) {
    let caught = catch_unwind(|| {
        let bomb = Bomb(n);
        assert!(bomb.0 != 30_151_134);
    });
    assert!(caught.is_ok());
}

// false (rare): 28_867_513
#[rebut::test]
fn code_behind_a_caught_panic_is_not_reached(n: u32) {
    if n == 28_867_513 {
        let _ = catch_unwind(|| panic!("gone"));
        unreachable!("the panic was caught");
    }
}

// false (rare): 27_735_009
#[rebut::test]
fn a_second_attempt_is_the_first(n: u32) {
    let mut attempts = 0;
    while attempts < 3 {
        attempts += 1;
        let attempt = attempts;
        if catch_unwind(move || assert!(n != 27_735_009 || attempt > 1)).is_ok() {
            break;
        }
    }
    assert_eq!(attempts, 1);
}

// true: nothing panics, so nothing is to be caught.
#[rebut::test]
fn results_pass_through(n: u32) {
    assert_eq!(catch_unwind(|| n / 2).ok(), Some(n / 2));
}

// true: the depth is at most 16.
#[rebut::test]
fn shallow_recursion_returns(n: u8) {
    assert_eq!(depth(u64::from(n % 16)), u64::from(n % 16));
}

// true: drops run at the end of a block.
#[rebut::test]
fn values_are_dropped_once(n: u8) {
    let drops = Mutex::new(u32::from(n));
    drop(Noticed(&drops));
    assert_eq!(drops.into_inner().ok(), Some(u32::from(n) + 1));
}
