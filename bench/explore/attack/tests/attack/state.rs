//! State that lives from case to case in one process: statics, thread-locals, caches and leaks.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU8, AtomicU32, Ordering};
use std::sync::{LazyLock, Mutex, Once, OnceLock, PoisonError, RwLock};

use attack::{Counter, cached_square, first, fresh, highest, is_new, log, nested, open};
use attack_dependency::ticket;

// false (easy): 0; 0
#[rebut::test]
fn the_next_number_is_zero(_n: u8) {
    assert_eq!(fresh(), 0);
}

// false (easy): 0; 0; 0; 0; 0; 0; 0; 0
#[rebut::test]
fn fewer_than_eight_tickets_are_given(_n: u8) {
    assert!(ticket() < 7);
}

// false (easy): 1; 2
#[rebut::test]
fn what_is_closed_opens(_n: u32) {
    assert_eq!(open(), Ok(()));
}

// false (easy): 1; 2
#[rebut::test]
fn the_first_number_is_this(n: u32) {
    assert_eq!(first(n), n);
}

// false (easy): 5; 5
#[rebut::test]
fn every_number_is_new(n: u32) {
    assert!(is_new(n));
}

// false (easy): 1; 257
#[rebut::test]
fn squares_are_squares(root: u16) {
    assert_eq!(cached_square(root), u32::from(root).pow(2));
}

// false (easy): 9; 3
#[rebut::test]
fn the_highest_number_is_this(n: u16) {
    assert_eq!(highest(n), usize::from(n));
}

// false (easy): 7; 7
#[rebut::test]
fn levels_start_at_zero(level: u8) {
    assert_eq!(nested(level), 0);
}

// false (easy): 1; 1
#[rebut::test]
fn logs_have_one_line(n: u8) {
    assert_eq!(log(if n == 0 { "nothing" } else { "something" }), 1);
}

static LAST: AtomicU32 = AtomicU32::new(0);

// false (rare): 27_182_818; 31_415_927
#[rebut::test]
fn no_number_follows_this(n: u32) {
    let last = LAST.swap(n, Ordering::Relaxed);
    assert!(last != 27_182_818 || n != 31_415_927);
}

// false (hidden): 16_180_339; 16_180_340
#[rebut::test]
fn differences_to_the_last_number_are_not_one(n: u32) {
    static LAST: AtomicU32 = AtomicU32::new(0);
    let last = LAST.swap(n, Ordering::Relaxed);
    assert!(n.wrapping_sub(last) != 1 || last != 16_180_339);
}

static IS_ARMED: AtomicBool = AtomicBool::new(false);

// false (rare): 57_721_566; 1
#[rebut::test]
fn the_alarm_never_rings(n: u32) {
    let is_armed = IS_ARMED.load(Ordering::Relaxed);
    if n == 57_721_566 {
        IS_ARMED.store(true, Ordering::Relaxed);
    }
    assert!(!is_armed);
}

static BALANCE: AtomicI32 = AtomicI32::new(100);

// false (easy): 90; 90
#[rebut::test]
fn balances_stay_positive(amount: u8) {
    let balance = BALANCE.load(Ordering::Relaxed);
    if amount <= 100 {
        BALANCE.store(balance - i32::from(amount), Ordering::Relaxed);
    }
    assert!(BALANCE.load(Ordering::Relaxed) >= 0);
}

thread_local! {
    static SEEN: RefCell<BTreeSet<u64>> = const { RefCell::new(BTreeSet::new()) };
    static PARITY: Cell<bool> = const { Cell::new(false) };
}

// false (rare): 7_046_029_254_386_353_131; 7_046_029_254_386_353_131
#[rebut::test]
fn this_identifier_comes_once(identifier: u64) {
    if identifier == 7_046_029_254_386_353_131 {
        assert!(SEEN.with_borrow_mut(|seen| seen.insert(identifier)));
    }
}

// false (easy): 1; 1
#[rebut::test]
fn parities_are_those_of_the_number(n: u8) {
    let parity = PARITY.get() ^ (n % 2 == 1);
    PARITY.set(parity);
    assert_eq!(parity, n % 2 == 1);
}

static SETUP: Once = Once::new();

// false (easy): 3; 4
#[rebut::test]
fn setups_run(n: u8) {
    let mut has_run = false;
    SETUP.call_once(|| has_run = true);
    assert!(has_run, "{n}");
}

static LIMIT: OnceLock<u8> = OnceLock::new();

// false (easy): 0; 1
#[rebut::test]
fn numbers_are_at_most_the_limit(n: u8) {
    assert!(n <= *LIMIT.get_or_init(|| n));
}

static NAMES: LazyLock<RwLock<Vec<String>>> = LazyLock::new(RwLock::default);

// false (easy): 'a'; 'b'
#[rebut::test]
fn there_is_one_name(letter: char) {
    let mut names = NAMES.write().unwrap_or_else(PoisonError::into_inner);
    names.push(letter.to_string());
    assert_eq!(names.len(), 1);
}

static PARTS: Mutex<Vec<u32>> = Mutex::new(Vec::new());

// false (rare): 31_622_776; 46_415_888; 68_129_206
#[rebut::test]
fn three_parts_never_come_together(part: u32) {
    let mut parts = PARTS.lock().unwrap_or_else(PoisonError::into_inner);
    if [31_622_776, 46_415_888, 68_129_206].contains(&part) && !parts.contains(&part) {
        parts.push(part);
    }
    assert!(parts.len() < 3);
}

static POISONED: Mutex<u32> = Mutex::new(0);

// false (rare): 10_000_019; 10_000_019
#[rebut::test]
fn the_lock_is_never_left_behind(n: u32) {
    if n == 10_000_019 {
        let guard = POISONED.try_lock();
        assert!(guard.is_ok());
        std::mem::forget(guard);
    }
}

// false (easy): 2; 2
#[rebut::test]
fn leaked_numbers_are_read_as_written(n: u8) {
    static KEPT: Mutex<Option<&'static u8>> = Mutex::new(None);
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let before = kept.replace(Box::leak(Box::new(n)));
    assert_eq!(before, None);
}

// false (easy): 0; 0
#[rebut::test]
fn functions_with_a_counter_are_called_once(_n: u8) {
    static CALLS: AtomicU8 = AtomicU8::new(0);
    assert_eq!(CALLS.fetch_add(1, Ordering::Relaxed), 0);
}

// false (hidden): 11; 44
#[rebut::test]
fn no_sum_with_the_one_before_is_55(n: u64) {
    static SUM: Mutex<u64> = Mutex::new(0);
    let mut sum = SUM.lock().unwrap_or_else(PoisonError::into_inner);
    let total = sum.wrapping_add(n);
    *sum = n;
    assert!(total != 55 || n == 55);
}

// true: the counter belongs to the case.
#[rebut::test]
fn counters_of_a_case_start_at_one(n: u8) {
    let mut counter = Counter::default();
    assert_eq!(counter.next(), 1, "{n}");
}

// true: the static is read and never written.
#[rebut::test]
fn constant_tables_stay(n: u8) {
    static TABLE: [u8; 4] = [1, 2, 4, 8];
    assert_eq!(TABLE[usize::from(n % 4)], 1 << (n % 4));
}

// true (open): what is initialized lazily does not depend on the case.
#[rebut::test]
fn lazy_tables_are_the_same_for_all_cases(n: u8) {
    static SQUARES: LazyLock<Vec<u32>> = LazyLock::new(|| (0..=255).map(|n| n * n).collect());
    assert_eq!(SQUARES[usize::from(n)], u32::from(n) * u32::from(n));
}

// true (open): the key determines the value, so it does not matter which case computed it.
#[rebut::test]
fn squares_below_256_are_squares(root: u8) {
    static SQUARES: Mutex<BTreeMap<u8, u32>> = Mutex::new(BTreeMap::new());
    let mut squares = SQUARES.lock().unwrap_or_else(PoisonError::into_inner);
    let square = *squares.entry(root).or_insert(u32::from(root) * u32::from(root));
    assert_eq!(square, u32::from(root).pow(2));
}

// true (open): a counter of calls may have any value.
#[rebut::test]
fn tickets_are_different(n: u8) {
    let (one, other) = (ticket(), ticket());
    assert_ne!(one, other, "{n}");
}
