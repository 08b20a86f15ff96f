//! Statics that live across cases, and others.

use rebut::prelude::*;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{LazyLock, Mutex, OnceLock};

static COUNT: AtomicU32 = AtomicU32::new(0);

#[rebut::test]
fn state_counter(number: u8) {
    let before = COUNT.fetch_add(1, Ordering::Relaxed);
    assert!(before < 1000 || number == 0);
}

thread_local! {
    static LAST: Cell<u8> = const { Cell::new(0) };
    static SEEN: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

#[rebut::test]
fn state_last_input(number: u8) {
    assert!(LAST.replace(number) == 0);
}

#[rebut::test]
fn state_list_of_a_thread(number: u8) {
    SEEN.with_borrow_mut(|seen| seen.push(number));
    SEEN.with_borrow(|seen| assert!(seen.len() == 1));
}

static FIRST: OnceLock<u8> = OnceLock::new();

#[rebut::test]
fn state_first_input(number: u8) {
    assert!(*FIRST.get_or_init(|| number) == number);
}

static CACHE: LazyLock<Mutex<HashMap<u8, u16>>> = LazyLock::new(Mutex::default);

#[rebut::test]
fn state_cache(number: u8) {
    let mut cache = CACHE.lock().expect("one thread");
    assert!(*cache.entry(number % 2).or_insert(u16::from(number)) == u16::from(number));
}

static BOXED: LazyLock<Box<Mutex<Vec<u8>>>> = LazyLock::new(Box::default);

#[rebut::test]
fn state_in_the_heap(number: u8) {
    BOXED.lock().expect("one thread").push(number);
    assert!(BOXED.lock().expect("one thread").len() == 1);
}

static SETUP: std::sync::Once = std::sync::Once::new();

#[rebut::test]
fn state_of_a_setup(number: u8) {
    let mut has_run = false;
    SETUP.call_once(|| has_run = true);
    assert!(has_run || number == 0);
}

static SQUARES: LazyLock<Vec<u32>> = LazyLock::new(|| (0..256).map(|n| n * n).collect());

#[rebut::test]
fn lazy_table(number: u8) {
    assert!(SQUARES[usize::from(number) % 4] <= 9);
}

thread_local! {
    static UNITS: RefCell<Vec<&'static str>> = RefCell::new(vec!["m", "km"]);
}

#[rebut::test]
fn lazy_table_of_a_thread(is_far: bool) {
    assert!(UNITS.with_borrow(|units| units[usize::from(is_far)].ends_with('m')));
}

#[rebut::test]
fn output_and_hash_tables(number: u8) {
    let mut names = HashMap::new();
    names.insert(1, format!("{number}"));
    println!("{names:?}");
    assert!(names.len() == 1);
}

#[rebut::test]
fn local_state(numbers: [u8; 2]) {
    let total = Cell::new(0u16);
    numbers.iter().for_each(|number| total.set(total.get() + u16::from(*number)));
    assert!(total.get() <= 510);
}
