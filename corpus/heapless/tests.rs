//! Collections in arrays.

use core::fmt::Write;
use heapless::binary_heap::{BinaryHeap, Max};
use heapless::index_map::FnvIndexMap;
use heapless::{CString, Deque, HistoryBuf, LinearMap, String as Text, Vec as List};
use std::collections::{BTreeMap, VecDeque};

// expect: passed
#[rebut::test]
fn text_holds_a_prefix_by_characters(text: &str) {
    let mut held: Text<10> = Text::new();
    for c in text.chars() {
        if held.push(c).is_err() {
            break;
        }
    }
    assert!(text.starts_with(held.as_str()));
    assert!(held.len() > 6 || held.as_str() == text);
}

// A string that does not fit is refused as a whole.
// expect: failed
#[rebut::test]
fn text_is_cut_if_it_does_not_fit(text: String, prefix: char) {
    let mut held: Text<8> = Text::new();
    held.push(prefix).unwrap();
    let _ = held.push_str(&text);
    assert!(held.len() > 4 || text.is_empty() || text.len() < 4, "{held:?}");
}

// expect: passed
#[rebut::test]
fn deque_agrees_with_std(steps: Vec<(bool, Option<i16>)>) {
    let mut deque: Deque<i16, 4> = Deque::new();
    let mut model = VecDeque::new();
    for (front, step) in steps {
        match (front, step) {
            (true, Some(item)) if model.len() < 4 => {
                deque.push_front(item).unwrap();
                model.push_front(item);
            }
            (false, Some(item)) if model.len() < 4 => {
                deque.push_back(item).unwrap();
                model.push_back(item);
            }
            (true, None) => assert_eq!(deque.pop_front(), model.pop_front()),
            (false, None) => assert_eq!(deque.pop_back(), model.pop_back()),
            (true, Some(item)) => assert_eq!(deque.push_front(item), Err(item)),
            (false, Some(item)) => assert_eq!(deque.push_back(item), Err(item)),
        }
        assert!(deque.iter().eq(&model));
    }
}

// expect: passed
#[rebut::test]
fn heap_pops_in_order(items: [u32; 6]) -> bool {
    let mut heap: BinaryHeap<u32, Max, 6> = BinaryHeap::new();
    for item in items {
        heap.push(item).unwrap();
    }
    let popped: Vec<u32> = std::iter::from_fn(|| heap.pop()).collect();
    popped.is_sorted_by(|one, two| one >= two) && popped.len() == 6
}

// The capacity of a map is a power of two, and an insert beyond it is an error.
// expect: failed: called `Result::unwrap()` on an `Err` value
#[rebut::test]
fn map_takes_all_entries(entries: BTreeMap<u16, (bool, char)>) {
    let mut map = FnvIndexMap::<u16, (bool, char), 4>::new();
    for (key, value) in &entries {
        map.insert(*key, *value).unwrap();
    }
    assert_eq!(map.len(), entries.len());
}

// expect: passed
#[rebut::test]
fn index_map_agrees_with_std(steps: Vec<(u8, Option<char>)>) {
    let mut map = FnvIndexMap::<u8, char, 8>::new();
    let mut model = BTreeMap::new();
    for (key, value) in steps {
        match value {
            Some(value) if model.len() < 8 || model.contains_key(&key) => {
                assert_eq!(map.insert(key, value), Ok(model.insert(key, value)));
            }
            Some(value) => assert_eq!(map.insert(key, value), Err((key, value))),
            None => assert_eq!(map.remove(&key), model.remove(&key)),
        }
    }
    for key in 0..=255 {
        assert_eq!(map.get(&key), model.get(&key));
    }
}

// A full buffer forgets its oldest element.
// expect: failed
#[rebut::test]
fn history_starts_with_the_first_element(first: u64, others: Vec<u64>, note: Option<Option<u8>>) {
    let mut history: HistoryBuf<u64, 4> = HistoryBuf::new();
    history.write(first);
    history.extend(others);
    assert_eq!(history.oldest(), Some(&first), "{note:?}");
}

// expect: proved: 625
#[rebut::test]
fn resizing_fails_beyond_the_capacity(#[from(0..25)] len: usize, #[from(0..25)] new_len: usize) {
    let mut list: List<u8, 12> = List::new();
    let fits = list.resize(len, 1).is_ok();
    assert_eq!(fits, len <= 12);
    assert_eq!(list.resize(new_len, 2).is_ok(), new_len <= 12);
}

// Bytes with a zero in them are an error.
// expect: failed
#[rebut::test]
fn bytes_become_a_c_string(bytes: &[u8]) -> Result<(), String> {
    if bytes.len() > 5 {
        return Ok(());
    }
    let mut with_nul = bytes.to_vec();
    with_nul.push(0);
    let string = CString::<8>::from_bytes_with_nul(&with_nul).map_err(|error| format!("{error:?}"))?;
    assert_eq!(string.as_bytes(), bytes);
    Ok(())
}

// expect: failed
#[rebut::test]
fn numbers_fit_into_eight_bytes(number: i32, width: Option<bool>) -> Result<(), core::fmt::Error> {
    let mut text: Text<8> = Text::new();
    match width {
        Some(true) => write!(text, "{number:+}"),
        Some(false) => write!(text, "{number:x}"),
        None => write!(text, "{number}"),
    }
}

// Nobody types a version into a random string.
// expect: vacuous
#[rebut::test]
fn versions_fit(text: String) {
    let mut parts: List<u32, 3> = List::new();
    for part in text.split('.') {
        let Ok(number) = part.parse() else { return };
        if parts.push(number).is_err() {
            return;
        }
    }
    if parts.is_full() {
        assert!(text.len() >= 5);
    }
}

/// Settings of a device.
#[derive(Debug)]
pub struct Settings {
    map: LinearMap<u8, i16, 3>,
    writes: u32,
}

#[rebut::contract]
#[model(BTreeMap<u8, i16>, self.map.len() == model.len())]
impl Settings {
    pub fn new() -> Settings {
        Settings { map: LinearMap::new(), writes: 0 }
    }

    #[requires(self.map.len() < 3 || self.map.contains_key(&key), "there is room")]
    pub fn insert(&mut self, key: u8, value: i16) -> Option<i16> {
        self.writes += 1;
        self.map.insert(key, value).unwrap()
    }

    pub fn remove(&mut self, key: &u8) -> Option<i16> {
        self.map.remove(key)
    }

    #[model(model.values().copied().next())]
    pub fn first(&self) -> Option<i16> {
        self.map.values().next().copied()
    }

    #[model(skip)]
    #[ensures(result as usize >= self.map.len())]
    pub fn writes(&self) -> u32 {
        self.writes
    }
}

// The map is in the order of inserts, its model in that of keys.
// expect: failed: broken model: `Settings::first` returns
#[rebut::test]
fn settings_are_sorted(program: rebut::Program<Settings>) {
    program.run();
}
