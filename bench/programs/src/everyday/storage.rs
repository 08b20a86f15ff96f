//! Subjects that store values: a cache, a ring buffer, an interval set, an arena, a heap, a trie.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A cache of eight entries that evicts the least recently used one. Bug: storing a known key does
/// not count as a use.
#[derive(Debug)]
pub struct Cache {
    /// The least recently used entry first.
    entries: Vec<(u8, u16)>,
    expected: Vec<(u8, u16)>,
}

#[rebut::contract]
impl Cache {
    pub fn start() -> Cache {
        Cache { entries: Vec::new(), expected: Vec::new() }
    }

    pub fn put(&mut self, key: u8, value: u16) {
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.0 == key) {
            entry.1 = value;
        } else {
            if self.entries.len() == 8 {
                self.entries.remove(0);
            }
            self.entries.push((key, value));
        }
        self.expected.retain(|entry| entry.0 != key);
        if self.expected.len() == 8 {
            self.expected.remove(0);
        }
        self.expected.push((key, value));
    }

    pub fn get(&mut self, key: u8) {
        let touch = |entries: &mut Vec<(u8, u16)>| {
            let at = entries.iter().position(|entry| entry.0 == key)?;
            let entry = entries.remove(at);
            entries.push(entry);
            Some(entry.1)
        };
        assert_eq!(touch(&mut self.entries), touch(&mut self.expected), "the value of the key");
    }
}

/// A ring buffer that starts with 16 places and doubles. Bug: growing a wrapped buffer leaves the
/// part at the front where it is.
#[derive(Debug)]
pub struct Ring {
    places: Vec<u8>,
    start: usize,
    len: usize,
    expected: VecDeque<u8>,
}

#[rebut::contract]
impl Ring {
    pub fn start() -> Ring {
        Ring { places: vec![0; 16], start: 0, len: 0, expected: VecDeque::new() }
    }

    pub fn push_back(&mut self, item: u8) {
        if self.len == self.places.len() {
            self.places.resize(2 * self.len, 0);
        }
        let end = (self.start + self.len) % self.places.len();
        self.places[end] = item;
        self.len += 1;
        self.expected.push_back(item);
    }

    #[requires(self.len > 0)]
    pub fn pop_front(&mut self) {
        let item = self.places[self.start];
        self.start = (self.start + 1) % self.places.len();
        self.len -= 1;
        assert_eq!(Some(item), self.expected.pop_front(), "the first item");
    }

    #[requires(self.len > 0)]
    pub fn last(&self) {
        let end = (self.start + self.len - 1) % self.places.len();
        assert_eq!(Some(&self.places[end]), self.expected.back(), "the last item");
    }
}

/// A set of ranges. Bug: a new range that covers several old ones is merged with the first alone.
#[derive(Debug)]
pub struct Ranges {
    /// Sorted, without overlap.
    ranges: Vec<(u8, u8)>,
    expected: BTreeSet<u8>,
}

#[rebut::contract]
impl Ranges {
    pub fn start() -> Ranges {
        Ranges { ranges: Vec::new(), expected: BTreeSet::new() }
    }

    #[requires(from < to)]
    pub fn insert(&mut self, from: u8, to: u8) {
        let at = self.ranges.iter().position(|&(_, end)| end >= from);
        match at {
            Some(at) if self.ranges[at].0 <= to => {
                let (first, end) = self.ranges[at];
                self.ranges[at] = (first.min(from), end.max(to));
            }
            Some(at) => self.ranges.insert(at, (from, to)),
            None => self.ranges.push((from, to)),
        }
        self.expected.extend(from..to);
    }

    #[requires(from < to)]
    pub fn remove(&mut self, from: u8, to: u8) {
        let mut left = Vec::new();
        for &(start, end) in &self.ranges {
            left.extend([(start, end.min(from)), (start.max(to), end)]);
        }
        left.retain(|(start, end)| start < end);
        self.ranges = left;
        self.expected.retain(|number| !(from..to).contains(number));
    }

    pub fn len(&self) {
        let len: usize = self.ranges.iter().map(|(from, to)| usize::from(to - from)).sum();
        assert_eq!(len, self.expected.len(), "how many numbers are in the ranges");
    }
}

/// An arena whose keys have a generation. Bug: the generation has three bits, so that a key is valid
/// again once its place was used eight more times.
#[derive(Debug)]
pub struct Arena {
    /// The generation of each place and its value.
    places: Vec<(u8, Option<u16>)>,
    free: Vec<u8>,
    stale: Vec<Key>,
}

/// The key of a value: its place and its generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key(u8);

#[rebut::contract]
impl Arena {
    pub fn start() -> Arena {
        Arena { places: Vec::new(), free: Vec::new(), stale: Vec::new() }
    }

    #[requires(self.places.len() < 32)]
    pub fn insert(&mut self, value: u16) -> Key {
        let place = self.free.pop().unwrap_or_else(|| {
            self.places.push((0, None));
            (self.places.len() - 1) as u8
        });
        let (generation, free) = &mut self.places[usize::from(place)];
        *free = Some(value);
        let key = Key(place << 3 | *generation);
        assert!(!self.stale.contains(&key), "the key of a removed value is valid again");
        key
    }

    pub fn remove(&mut self, key: Key) -> Option<u16> {
        let place = self.places.get_mut(usize::from(key.0 >> 3))?;
        if place.0 != key.0 & 7 {
            return None;
        }
        let value = place.1.take()?;
        place.0 = (place.0 + 1) & 7;
        self.free.push(key.0 >> 3);
        self.stale.push(key);
        Some(value)
    }

    pub fn get(&self, key: Key) -> Option<u16> {
        let place = self.places.get(usize::from(key.0 >> 3))?;
        place.1.filter(|_| place.0 == key.0 & 7)
    }
}

/// A heap whose priorities can become smaller. Bug: `pop` does not record the new position of the
/// item that it moves to the front.
#[derive(Debug)]
pub struct Heap {
    items: Vec<(u8, u8)>,
    /// The position of each item.
    positions: BTreeMap<u8, usize>,
    expected: BTreeMap<u8, u8>,
}

#[rebut::contract]
impl Heap {
    pub fn start() -> Heap {
        Heap { items: Vec::new(), positions: BTreeMap::new(), expected: BTreeMap::new() }
    }

    #[requires(!self.expected.contains_key(&item))]
    pub fn push(&mut self, item: u8, priority: u8) {
        self.items.push((priority, item));
        self.positions.insert(item, self.items.len() - 1);
        self.expected.insert(item, priority);
        self.up(self.items.len() - 1);
    }

    pub fn pop(&mut self) {
        let least = self.expected.values().min().copied();
        if self.items.is_empty() {
            assert_eq!(least, None);
            return;
        }
        let (priority, item) = self.items.swap_remove(0);
        self.positions.remove(&item);
        self.down(0);
        assert_eq!(Some(priority), least, "the least priority");
        self.expected.remove(&item);
    }

    #[requires(self.expected.get(&item).is_some_and(|old| *old > priority))]
    pub fn decrease(&mut self, item: u8, priority: u8) {
        let at = self.positions[&item];
        self.items[at].0 = priority;
        self.expected.insert(item, priority);
        self.up(at);
    }
}

impl Heap {
    fn up(&mut self, mut at: usize) {
        while at > 0 && self.items[at].0 < self.items[(at - 1) / 2].0 {
            self.exchange(at, (at - 1) / 2);
            at = (at - 1) / 2;
        }
    }

    fn down(&mut self, mut at: usize) {
        loop {
            let children = [2 * at + 1, 2 * at + 2];
            let children = children.into_iter().filter(|child| *child < self.items.len());
            let Some(least) = children.min_by_key(|child| self.items[*child].0) else { return };
            if self.items[at].0 <= self.items[least].0 {
                return;
            }
            self.exchange(at, least);
            at = least;
        }
    }

    fn exchange(&mut self, one: usize, other: usize) {
        self.items.swap(one, other);
        self.positions.insert(self.items[one].1, one);
        self.positions.insert(self.items[other].1, other);
    }
}

/// A set of words as a tree. Bug: removing a word also removes the word that it begins with, if
/// nothing else follows that one.
#[derive(Debug)]
pub struct Trie {
    root: Node,
    expected: BTreeSet<String>,
}

#[derive(Debug, Default)]
struct Node {
    is_word: bool,
    next: BTreeMap<char, Node>,
}

impl Node {
    /// Returns whether the node can go.
    fn remove(&mut self, mut rest: std::str::Chars<'_>) -> bool {
        let Some(first) = rest.next() else {
            self.is_word = false;
            return self.next.is_empty();
        };
        if self.next.get_mut(&first).is_some_and(|next| next.remove(rest)) {
            self.next.remove(&first);
            return self.next.is_empty();
        }
        false
    }
}

#[rebut::contract]
impl Trie {
    pub fn start() -> Trie {
        Trie { root: Node::default(), expected: BTreeSet::new() }
    }

    pub fn insert(&mut self, word: String) {
        let mut node = &mut self.root;
        for letter in word.chars() {
            node = node.next.entry(letter).or_default();
        }
        node.is_word = true;
        self.expected.insert(word);
    }

    pub fn remove(&mut self, word: String) {
        if self.expected.remove(&word) {
            self.root.remove(word.chars());
        }
    }

    pub fn contains(&self, word: String) {
        let mut node = Some(&self.root);
        for letter in word.chars() {
            node = node.and_then(|node| node.next.get(&letter));
        }
        let is_found = node.is_some_and(|node| node.is_word);
        assert_eq!(is_found, self.expected.contains(&word), "whether the word is in the set");
    }
}
