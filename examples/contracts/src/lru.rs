//! A cache that evicts the least recently used entry and then calls back. The callback runs before
//! the new entry is in: if it inserts an entry of its own, there is one too many.

/// A callback for the cache and the key that was evicted.
pub type OnEvict = Box<dyn FnMut(&mut Lru, u8)>;

/// At most `capacity` entries, the most recently used one last.
pub struct Lru {
    capacity: usize,
    entries: Vec<(u8, u16)>,
    on_evict: Option<OnEvict>,
}

#[rebut::contract]
impl Lru {
    /// An empty cache.
    #[requires(capacity > 0)]
    #[ensures(result.is_empty())]
    pub fn new(capacity: u8) -> Lru {
        Lru { capacity: usize::from(capacity), entries: Vec::new(), on_evict: None }
    }

    /// Sets the callback.
    pub fn on_evict(&mut self, on_evict: OnEvict) {
        self.on_evict = Some(on_evict);
    }

    /// Inserts an entry. If the cache is full, evicts the least recently used one.
    #[ensures(self.len() <= self.capacity)]
    pub fn insert(&mut self, key: u8, value: u16) {
        self.entries.retain(|(known, _)| *known != key);
        if self.entries.len() == self.capacity {
            let (evicted, _) = self.entries.remove(0);
            self.call_back(evicted);
        }
        self.entries.push((key, value));
    }

    /// Returns the value of a key, and marks the entry as used.
    pub fn get(&mut self, key: u8) -> Option<u16> {
        let at = self.entries.iter().position(|(known, _)| *known == key)?;
        let entry = self.entries.remove(at);
        self.entries.push(entry);
        Some(entry.1)
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

impl Lru {
    fn call_back(&mut self, evicted: u8) {
        if let Some(mut on_evict) = self.on_evict.take() {
            on_evict(self, evicted);
            // The callback may have set another one.
            self.on_evict.get_or_insert(on_evict);
        }
    }
}

impl std::fmt::Debug for Lru {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} entries of {}", self.entries.len(), self.capacity)
    }
}
