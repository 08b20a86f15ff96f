use rebut::Program;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::fmt::Display;
use std::rc::Rc;

#[derive(Debug, Clone, Default)]
pub struct Ring<T, const N: usize> {
    items: VecDeque<T>,
}

#[rebut::contract(with(T = u8, N = 3))]
#[invariant(self.items.len() <= N)]
impl<T: Clone + PartialEq, const N: usize> Ring<T, N> {
    pub fn new() -> Self {
        Ring { items: VecDeque::new() }
    }

    pub fn push(&mut self, item: T) -> Option<T> {
        let old = if self.items.len() > N { self.items.pop_front() } else { None };
        self.items.push_back(item);
        old
    }

    pub fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        for item in items {
            self.push(item);
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &T> + '_ {
        self.items.iter()
    }
}

// expect: failed: keeps `self.items.len() <= N`
#[rebut::test]
fn rings_are_bounded(program: Program<Ring<u8, 3>>) {
    program.run();
}

#[derive(Debug, Clone)]
pub struct Text {
    buffer: String,
    cursor: usize,
}

#[rebut::contract]
#[model(Reference, self.buffer == model.text)]
impl Text {
    pub fn new(start: &str) -> Text {
        Text { buffer: start.to_owned(), cursor: start.len() }
    }

    pub fn insert<S: AsRef<str>>(&mut self, text: S) {
        self.buffer.insert_str(self.cursor, text.as_ref());
        self.cursor += text.as_ref().len();
    }

    pub fn left(&mut self) -> bool {
        match self.buffer[..self.cursor].chars().next_back() {
            Some(c) => {
                self.cursor -= c.len_utf8();
                true
            }
            None => false,
        }
    }

    pub fn delete(&mut self) -> Option<char> {
        if self.cursor < self.buffer.len() && self.buffer.is_char_boundary(self.cursor + 1) {
            Some(self.buffer.remove(self.cursor))
        } else {
            None
        }
    }

    pub fn before(&self) -> &str {
        &self.buffer[..self.cursor]
    }

    #[model(skip)]
    pub fn split(&self) -> (&str, &str) {
        self.buffer.split_at(self.cursor)
    }

    #[model(skip)]
    pub fn show(&self, prefix: &impl Display, count: &mut usize) -> String {
        *count += 1;
        format!("{prefix}{}", self.buffer)
    }

    pub fn into_text(self) -> String {
        self.buffer
    }
}

#[derive(Clone)]
pub struct Reference {
    text: String,
    position: usize,
}

impl Reference {
    fn new(start: &str) -> Reference {
        Reference { text: start.to_owned(), position: start.chars().count() }
    }

    fn byte(&self) -> usize {
        self.text.char_indices().nth(self.position).map_or(self.text.len(), |(at, _)| at)
    }

    fn insert<S: AsRef<str>>(&mut self, text: S) {
        let at = self.byte();
        self.text.insert_str(at, text.as_ref());
        self.position += text.as_ref().chars().count();
    }

    fn left(&mut self) -> bool {
        let moves = self.position > 0;
        self.position -= usize::from(moves);
        moves
    }

    fn delete(&mut self) -> Option<char> {
        let at = self.byte();
        (at < self.text.len()).then(|| self.text.remove(at))
    }

    fn before(&self) -> &str {
        &self.text[..self.byte()]
    }

    fn split(&self) -> (&str, &str) {
        self.text.split_at(self.byte())
    }

    fn show(&self, prefix: &dyn Display, count: &mut usize) -> String {
        *count += 1;
        format!("{prefix}{}", self.text)
    }

    fn into_text(self) -> String {
        self.text
    }
}

// Deleting wants a character of one byte.
// expect: failed: broken model: `Text::delete`
#[rebut::test]
fn texts_match_their_model(program: Program<Text>) {
    program.run();
}

/// Money of two owners.
#[derive(Debug)]
pub struct Wallet(u32);

#[rebut::contract]
impl Wallet {
    pub fn with(n: u32) -> Option<Wallet> {
        (n > 0).then_some(Wallet(n))
    }

    #[requires(amount <= self.0)]
    #[ensures(self.0 + other.0 == old(self.0) + old(other.0))]
    pub fn give(&mut self, other: &mut Wallet, amount: u32) -> Result<(), String> {
        if amount == 13 {
            other.0 += amount;
            return Err("unlucky".into());
        }
        self.0 -= amount;
        other.0 += amount;
        Ok(())
    }

    #[ensures(result.0 == old(self.0) + old(other.0))]
    pub fn merge(self, other: Box<Wallet>) -> Wallet {
        Wallet(self.0 + other.0)
    }
}

// expect: failed: Wallet::
#[rebut::test]
fn money_is_kept(program: Program<Wallet>) {
    program.run();
}

#[rebut::contract]
pub trait Observer {
    fn changed(&self, subject: &Subject, old: u8);

    #[ensures(result != Some(0))]
    fn name(&self) -> Option<u8> {
        None
    }
}

#[derive(Default)]
pub struct Subject {
    value: Cell<u8>,
    observers: RefCell<Vec<Rc<dyn Observer>>>,
}

#[rebut::contract]
impl Subject {
    pub fn new() -> Subject {
        Subject::default()
    }

    #[program(changes)]
    pub fn register(&self, observer: Rc<dyn Observer>) {
        self.observers.borrow_mut().push(observer);
    }

    #[program(changes)]
    pub fn set(&self, value: u8) {
        let old = self.value.replace(value);
        for observer in self.observers.borrow().iter() {
            observer.changed(self, old);
        }
    }

    #[ensures(result == self.value.get())]
    pub fn get(&self) -> u8 {
        self.value.get()
    }
}

// An observer that registers another one.
// expect: failed: RefCell already borrowed
#[rebut::test]
fn observers_may_register(program: Program<Subject>) {
    program.run();
}

/// Keys to values.
#[derive(Debug, Clone, Default)]
pub struct Cache {
    map: BTreeMap<String, Vec<u8>>,
    hits: Cell<u32>,
}

#[rebut::contract]
#[invariant(self.map.len() <= 2, "the cache is small")]
impl Cache {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn get_or_insert_with<F>(&mut self, key: &str, make: F) -> &mut Vec<u8>
    where
        F: FnOnce(&str) -> Vec<u8>,
    {
        self.hits.set(self.hits.get() + 1);
        self.map.entry(key.to_owned()).or_insert_with(|| make(key))
    }

    pub fn values(&self) -> Vec<&Vec<u8>> {
        self.map.values().collect()
    }

    pub fn largest(&self) -> Option<(&String, &Vec<u8>)> {
        self.map.iter().max_by_key(|(_, list)| list.len())
    }

    #[requires(self.map.len() > 1)]
    pub fn evict(&mut self, choose: impl Fn(&str, &[u8]) -> bool) -> usize {
        let before = self.map.len();
        self.map.retain(|key, list| !choose(key, list));
        before - self.map.len()
    }
}

// expect: failed: the cache is small
#[rebut::test]
fn caches_are_small(program: Program<Cache>) {
    program.run();
}

/// A state machine with an enum.
#[derive(Debug, Clone, Copy, PartialEq, rebut::Generate)]
pub enum Event {
    Open,
    Close { force: bool },
    Knock(u8),
}

#[derive(Debug, Clone, PartialEq)]
pub enum Door {
    Open,
    Closed { knocks: u8 },
}

#[rebut::contract]
#[invariant(!matches!(self, Door::Closed { knocks } if *knocks > 2), "at most two knocks")]
impl Door {
    pub fn closed() -> Door {
        Door::Closed { knocks: 0 }
    }

    #[ensures(event != Event::Open || *self == Door::Open)]
    pub fn on(&mut self, event: Event) {
        *self = match (&*self, event) {
            (_, Event::Open) => Door::Open,
            (Door::Open, Event::Close { force: false }) => Door::Open,
            (_, Event::Close { .. }) => Door::closed(),
            (Door::Closed { knocks }, Event::Knock(times)) => Door::Closed { knocks: knocks + times.min(1) },
            (Door::Open, Event::Knock(_)) => Door::Open,
        };
    }
}

// expect: failed: at most two knocks
#[rebut::test]
fn doors_are_closed(program: Program<Door>) {
    program.run();
}

/// Nobody can make it.
pub struct Sealed(BTreeMap<u8, u8>);

#[rebut::contract]
impl Sealed {
    #[requires(n > 5)]
    pub fn set(&mut self, n: u8) {
        assert!(n > 7);
        self.0.insert(n, n);
    }
}

// expect: vacuous
#[rebut::test]
fn sealed_objects(program: Program<Sealed>) {
    program.run();
}

// Its requirement is never true, and a warning says so.
#[derive(Debug)]
pub struct Never(u64);

#[rebut::contract]
impl Never {
    pub fn new() -> Never {
        Never(1)
    }

    #[requires(self.0 == 0 && n == 918_273_645_546_372_819)]
    pub fn explode(&mut self, n: u64) {
        assert!(n == 0);
    }
}

// expect: passed
#[rebut::test]
fn never_called(program: Program<Never>) {
    program.run();
}

#[rebut::contract]
#[requires(low <= high)]
#[ensures(low <= result && result <= high)]
fn clamp(number: i32, low: i32, high: i32) -> i32 {
    if number < low { low } else if number > high && number != 77 { high } else { number }
}

// expect: failed: clamp
#[rebut::test]
fn clamping(program: Program<clamp>) {
    program.run();
}

// expect: passed
#[rebut::test]
fn clamping_by_hand(number: i16, #[from(-5..5)] low: i32, high: u8) {
    rebut::assume!(low <= i32::from(high));
    let _ = clamp(i32::from(number) * 100, low, i32::from(high));
}
