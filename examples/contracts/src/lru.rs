//! A cache that forgets what was not used for longest, and says so. It makes room and calls
//! back before it takes the new entry in: a callback that inserts takes the room.

/// What is called with the cache and the key that it forgot.
pub type OnEvict = Box<dyn FnMut(&mut Lru, u8)>;

/// At most `capacity` entries, those used last at the end.
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

    /// Calls `on_evict` from now on.
    pub fn on_evict(&mut self, on_evict: OnEvict) {
        self.on_evict = Some(on_evict);
    }

    /// Takes an entry in, and forgets another if there is no room.
    #[ensures(self.len() <= self.capacity)]
    pub fn insert(&mut self, key: u8, value: u16) {
        self.entries.retain(|(known, _)| *known != key);
        if self.entries.len() == self.capacity {
            let (forgotten, _) = self.entries.remove(0);
            if let Some(mut on_evict) = self.on_evict.take() {
                on_evict(self, forgotten);
                self.on_evict.get_or_insert(on_evict);
            }
        }
        self.entries.push((key, value));
    }

    /// The value of a key, which is used by that.
    pub fn get(&mut self, key: u8) -> Option<u16> {
        let at = self.entries.iter().position(|(known, _)| *known == key)?;
        let entry = self.entries.remove(at);
        self.entries.push(entry);
        Some(entry.1)
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

impl std::fmt::Debug for Lru {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} entries of {}", self.entries.len(), self.capacity)
    }
}
