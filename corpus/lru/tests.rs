//! A cache that forgets what was not used for the longest time.

extern crate lru;
extern crate rebut;

use lru::LruCache;
use rebut::Function;
use std::collections::{BTreeSet, VecDeque};
use std::convert::TryFrom;
use std::num::{NonZeroU8, NonZeroUsize};

fn cache<K: std::hash::Hash + Eq, V>(cap: NonZeroU8) -> LruCache<K, V> {
    LruCache::new(NonZeroUsize::from(cap))
}

// expect: failed: capacity overflow
#[rebut::test]
fn any_capacity_can_be_requested(#[from(1 << 62..)] cap: usize) {
    let cap = NonZeroUsize::new(cap).unwrap();
    assert_eq!(LruCache::<u64, u64>::new(cap).cap(), cap);
}

// expect: passed
#[rebut::test]
fn the_newest_entry_is_never_forgotten(cap: NonZeroU8, entries: Vec<(char, Result<u8, String>)>) {
    let mut cache = cache(cap);
    for (key, value) in entries {
        cache.put(key, value.clone());
        assert_eq!(cache.peek(&key), Some(&value));
        assert!(cache.len() <= cache.cap().get());
    }
}

// Entries are forgotten.
// expect: failed
#[rebut::test]
fn the_length_is_the_number_of_keys(#[from(1..=5)] cap: usize, keys: &[i16]) {
    let mut cache = LruCache::new(NonZeroUsize::new(cap).unwrap());
    for key in keys {
        cache.put(key, ());
    }
    let distinct: BTreeSet<&i16> = keys.iter().collect();
    assert_eq!(cache.len(), distinct.len());
}

// Reading is a use.
// expect: failed
#[rebut::test]
fn reading_keeps_the_order(values: [Option<char>; 3], read: u8) {
    let mut cache = LruCache::unbounded();
    for (key, value) in values.into_iter().enumerate() {
        cache.put(key, value);
    }
    let before: Vec<usize> = cache.iter().map(|(key, _)| *key).collect();
    if cache.get(&usize::from(read)).is_none() {
        return;
    }
    let after: Vec<usize> = cache.iter().map(|(key, _)| *key).collect();
    assert_eq!(before, after);
}

// No key comes twice, so nothing is pushed out.
// expect: vacuous
#[rebut::test]
fn what_is_pushed_out_is_older(keys: BTreeSet<i32>) {
    let mut cache = LruCache::unbounded();
    for key in keys {
        match cache.push(key, key) {
            None => continue,
            Some((old, value)) => assert!(old < key && value == old),
        }
    }
}

// expect: passed
#[rebut::test]
fn nothing_is_pushed_out_of_an_unbounded_cache(keys: BTreeSet<i32>) {
    let mut cache = LruCache::unbounded();
    for key in keys {
        if let Some((old, ())) = cache.push(key, ()) {
            panic!("{} was pushed out", old);
        }
    }
}

// expect: proved: 48
#[rebut::test]
fn four_uses_of_two_keys(#[from(1..=3_usize)] cap: usize, keys: [bool; 4]) {
    let mut cache = LruCache::new(NonZeroUsize::new(cap).unwrap());
    let mut newest: VecDeque<bool> = VecDeque::new();
    for key in keys {
        cache.get_or_insert(key, || !key);
        newest.retain(|other| *other != key);
        newest.push_front(key);
        newest.truncate(cap);
    }
    assert!(cache.iter().eq(newest.iter().map(|key| (key, if *key { &false } else { &true }))));
}

// expect: passed
#[rebut::test]
fn a_memo_is_the_function(cap: NonZeroU8, arguments: Vec<u8>, f: Function<u8, Option<u16>>) {
    let mut memo = cache(cap);
    for argument in arguments {
        let value = *memo.get_or_insert(argument, || f.call(argument));
        assert_eq!(value, f.call(argument));
    }
}

// The function can fail, and a failure is not remembered.
// expect: failed
#[rebut::test]
fn loading_succeeds(keys: Vec<&str>, load: impl Fn(u8) -> Result<u8, String>) -> Result<(), String> {
    let mut cache = LruCache::unbounded();
    for key in &keys {
        let length = u8::try_from(key.len()).map_err(|error| error.to_string())?;
        let loaded = *cache.try_get_or_insert(*key, || load(length))?;
        assert_eq!(cache.peek(key), Some(&loaded));
    }
    Ok(())
}

#[rebut::mock]
pub trait Backend {
    fn load(&self, key: u8) -> Option<String>;
}

/// Reads through a cache.
fn read_twice(backend: &dyn Backend, key: u8) -> (Option<String>, Option<String>) {
    let mut cache: LruCache<u8, Option<String>> = LruCache::new(NonZeroUsize::MIN);
    let first = cache.get_or_insert(key, || backend.load(key)).clone();
    (first, backend.load(key))
}

// expect: failed
#[rebut::test]
fn cached_values_are_current(backend: MockBackend, key: u8) {
    let (cached, current) = read_twice(&backend, key);
    assert_eq!(cached, current);
}

/// A cache of strings.
#[derive(Debug)]
pub struct Texts {
    cache: LruCache<u8, String>,
}

#[rebut::contract]
#[model(Recent, self.cache.len() == model.entries.len())]
#[invariant(self.cache.len() <= self.cache.cap().get())]
impl Texts {
    pub fn with_cap(cap: u8) -> Texts {
        Texts { cache: LruCache::new(NonZeroUsize::new(usize::from(cap % 4) + 1).unwrap()) }
    }

    pub fn put(&mut self, key: u8, text: String) -> Option<String> {
        self.cache.put(key, text)
    }

    pub fn get(&mut self, key: u8) -> Option<String> {
        self.cache.get(&key).cloned()
    }

    pub fn peek(&self, key: u8) -> Option<&str> {
        self.cache.peek(&key).map(String::as_str)
    }

    /// Gives the oldest text to a function.
    #[model({ model.entries.pop_back(); })]
    pub fn evict(&mut self, mut gone: impl FnMut(u8, &str)) {
        if let Some((key, text)) = self.cache.pop_lru() {
            gone(key, &text);
        }
    }
}

/// The same with a list, in which reading is not a use.
pub struct Recent {
    cap: usize,
    entries: VecDeque<(u8, String)>,
}

impl Recent {
    fn with_cap(cap: u8) -> Recent {
        Recent { cap: usize::from(cap % 4) + 1, entries: VecDeque::new() }
    }

    fn put(&mut self, key: u8, text: String) -> Option<String> {
        let old = self.entries.iter().position(|entry| entry.0 == key).and_then(|at| self.entries.remove(at));
        self.entries.push_front((key, text));
        self.entries.truncate(self.cap);
        old.map(|entry| entry.1)
    }

    fn get(&mut self, key: u8) -> Option<String> {
        self.peek(key).map(str::to_owned)
    }

    fn peek(&self, key: u8) -> Option<&str> {
        self.entries.iter().find(|entry| entry.0 == key).map(|entry| entry.1.as_str())
    }
}

// expect: failed: broken model
#[rebut::test]
fn texts_are_a_list_of_the_newest(program: rebut::Program<Texts>) {
    program.run();
}

/// The functions of the cache itself.
#[rebut::contract(of = LruCache<u8, (u8, char)>)]
pub trait Cache {
    fn unbounded() -> Self;

    #[ensures(self.len() <= cap.get())]
    fn resize(&mut self, cap: NonZeroUsize);

    #[ensures(self.peek(&k) == Some(&v))]
    fn put(&mut self, k: u8, v: (u8, char)) -> Option<(u8, char)>;

    fn get(&mut self, k: &u8) -> Option<&(u8, char)>;

    #[ensures(!self.contains(k))]
    fn pop(&mut self, k: &u8) -> Option<(u8, char)>;

    fn promote(&mut self, k: &u8);

    #[ensures(!self.contains(k) || self.peek_lru().map(|entry| entry.0) == Some(k))]
    fn demote(&mut self, k: &u8);

    fn get_or_insert(&mut self, k: u8, f: impl FnOnce() -> (u8, char)) -> &(u8, char);
}

// expect: passed
#[rebut::test]
fn cache_keeps_its_contract(program: rebut::Program<Cache>) {
    program.run();
}
