//! A table of keys and values with open addressing, after the `Hashtable` of .NET.

/// A table of numbers.
#[derive(Clone, Debug)]
pub struct Hashtable {
    buckets: Vec<Bucket>,
    count: usize,
    /// Buckets that are not free.
    occupied: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bucket {
    Free,
    /// A key was here; whoever looks for another goes on.
    Left,
    Used {
        key: u8,
        value: i32,
    },
}

impl Default for Hashtable {
    fn default() -> Self {
        Hashtable { buckets: vec![Bucket::Free; 2], count: 0, occupied: 0 }
    }
}

impl Hashtable {
    /// How many keys there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// The value of a key.
    #[must_use]
    pub fn get(&self, key: u8) -> Option<i32> {
        self.find(key).and_then(|index| self.buckets[index].value())
    }

    /// Whether a key is there.
    #[must_use]
    pub fn contains_key(&self, key: u8) -> bool {
        self.find(key).is_some()
    }

    /// Whether a value is there.
    #[must_use]
    pub fn contains_value(&self, value: i32) -> bool {
        self.buckets.iter().any(|bucket| bucket.value() == Some(value))
    }

    /// Adds a key.
    ///
    /// # Panics
    /// If it is there already.
    pub fn add(&mut self, key: u8, value: i32) {
        assert!(!self.contains_key(key), "the key is there already");
        self.insert(key, value);
    }

    /// Sets the value of a key.
    pub fn set(&mut self, key: u8, value: i32) {
        match self.find(key) {
            Some(index) => self.buckets[index] = Bucket::Used { key, value },
            None => self.insert(key, value),
        }
    }

    /// Takes out a key; its value, if it was there.
    pub fn remove(&mut self, key: u8) -> Option<i32> {
        let index = self.find(key)?;
        self.count -= 1;
        std::mem::replace(&mut self.buckets[index], Bucket::Left).value()
    }

    /// Takes out a key, which has to be there; its value.
    ///
    /// # Panics
    /// If it is not there.
    pub fn take(&mut self, key: u8) -> i32 {
        self.remove(key).expect("there is no such key")
    }

    /// Takes out all keys.
    pub fn clear(&mut self) {
        self.buckets.fill(Bucket::Free);
        (self.count, self.occupied) = (0, 0);
    }

    fn insert(&mut self, key: u8, value: i32) {
        self.grow_if_full();
        let index = self.probes(key).find(|index| self.buckets[*index].value().is_none());
        if let Some(index) = index {
            self.occupied += usize::from(self.buckets[index] == Bucket::Free);
            self.buckets[index] = Bucket::Used { key, value };
            self.count += 1;
        }
    }

    fn find(&self, key: u8) -> Option<usize> {
        for index in self.probes(key) {
            match self.buckets[index] {
                Bucket::Free => return None,
                Bucket::Used { key: known, .. } if known == key => return Some(index),
                _ => {}
            }
        }
        None
    }

    /// The buckets of a key, in the order in which they are looked at.
    fn probes(&self, key: u8) -> impl Iterator<Item = usize> + use<> {
        let (first, size) = (usize::from(key), self.buckets.len());
        (0..size).map(move |step| (first + step) % size)
    }

    /// Makes room for twice as many keys, if there is none.
    fn grow_if_full(&mut self) {
        if self.occupied < self.buckets.len() {
            return;
        }
        let size = self.buckets.len() * 2;
        let buckets = std::mem::replace(&mut self.buckets, vec![Bucket::Free; size]);
        (self.count, self.occupied) = (0, 0);
        for bucket in buckets {
            if let Bucket::Used { key, value } = bucket {
                self.insert(key, value);
            }
        }
    }
}

impl Bucket {
    fn value(self) -> Option<i32> {
        match self {
            Bucket::Used { value, .. } => Some(value),
            Bucket::Free | Bucket::Left => None,
        }
    }
}

/// A table that up to two keys were put into, of which the first may have been taken out again.
#[cfg(test)]
impl rebut::Generate for Hashtable {
    fn generate(source: &mut rebut::Source) -> Hashtable {
        use rebut::Generator as _;

        let mut table = Hashtable::default();
        let entries = rebut::vecs(rebut::any::<(u8, i32)>()).max_size(2).draw(source);
        for (key, value) in &entries {
            table.set(*key, *value);
        }
        if let Some((key, _)) = entries.first()
            && bool::generate(source)
        {
            table.remove(*key);
        }
        table
    }
}

#[cfg(test)]
include!("../inferred/hashtable.rs");
