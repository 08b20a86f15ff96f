//! A table of keys and values with open addressing, after the `Hashtable` of .NET 1.1: how keys
//! are hashed and compared is said by whoever makes the table.

/// How keys are hashed and compared. Equal keys have to hash alike, and a key equals itself.
pub trait Comparer {
    /// A number for a key.
    fn hash(&self, key: u8) -> u8;

    /// Whether two keys are the same.
    fn equals(&self, one: u8, other: u8) -> bool;
}

/// Keys as they are.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

impl Comparer for Plain {
    fn hash(&self, key: u8) -> u8 {
        key
    }

    fn equals(&self, one: u8, other: u8) -> bool {
        one == other
    }
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

/// A table of numbers.
#[derive(Clone, Debug)]
pub struct HashTable<C = Plain> {
    comparer: C,
    buckets: Vec<Bucket>,
    count: usize,
    /// Buckets that are not free.
    occupied: usize,
}

impl<C: Comparer> HashTable<C> {
    /// An empty table with so many buckets, and at least one.
    #[must_use]
    pub fn new(comparer: C, buckets: usize) -> Self {
        HashTable { comparer, buckets: vec![Bucket::Free; buckets.max(1)], count: 0, occupied: 0 }
    }

    /// How many keys there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Adds a key.
    ///
    /// # Errors
    /// The value that is there already.
    pub fn add(&mut self, key: u8, value: i32) -> Result<(), i32> {
        match self.get(key) {
            Some(known) => Err(known),
            None => {
                self.set(key, value);
                Ok(())
            }
        }
    }

    /// Sets the value of a key; the one before.
    pub fn set(&mut self, key: u8, value: i32) -> Option<i32> {
        if let Some(index) = self.find(key) {
            let before = std::mem::replace(&mut self.buckets[index], Bucket::Used { key, value });
            return value_of(before);
        }
        self.grow_if_full();
        let index = self.probes(key).find(|index| !is_used(self.buckets[*index]));
        if let Some(index) = index {
            self.occupied += usize::from(self.buckets[index] == Bucket::Free);
            self.buckets[index] = Bucket::Used { key, value };
            self.count += 1;
        }
        None
    }

    /// The value of a key.
    #[must_use]
    pub fn get(&self, key: u8) -> Option<i32> {
        self.find(key).and_then(|index| value_of(self.buckets[index]))
    }

    /// Whether a key is there.
    #[must_use]
    pub fn contains_key(&self, key: u8) -> bool {
        self.find(key).is_some()
    }

    /// Whether a value is there.
    #[must_use]
    pub fn contains_value(&self, value: i32) -> bool {
        self.buckets.iter().any(|bucket| value_of(*bucket) == Some(value))
    }

    /// Takes out a key; its value.
    pub fn remove(&mut self, key: u8) -> Option<i32> {
        let index = self.find(key)?;
        self.count -= 1;
        value_of(std::mem::replace(&mut self.buckets[index], Bucket::Left))
    }

    /// Takes out all keys.
    pub fn clear(&mut self) {
        self.buckets.fill(Bucket::Free);
        (self.count, self.occupied) = (0, 0);
    }

    /// All keys, in no order that means anything.
    #[must_use]
    pub fn keys(&self) -> Vec<u8> {
        let key = |bucket: &Bucket| match bucket {
            Bucket::Used { key, .. } => Some(*key),
            _ => None,
        };
        self.buckets.iter().filter_map(key).collect()
    }

    fn find(&self, key: u8) -> Option<usize> {
        for index in self.probes(key) {
            match self.buckets[index] {
                Bucket::Free => return None,
                Bucket::Used { key: known, .. } if self.comparer.equals(known, key) => {
                    return Some(index);
                }
                _ => {}
            }
        }
        None
    }

    /// The buckets of a key, in the order in which they are looked at.
    fn probes(&self, key: u8) -> impl Iterator<Item = usize> + use<C> {
        let (first, size) = (usize::from(self.comparer.hash(key)), self.buckets.len());
        (0..size).map(move |step| (first + step) % size)
    }

    /// Leaves a quarter free.
    fn grow_if_full(&mut self) {
        if (self.occupied + 1) * 4 <= self.buckets.len() * 3 {
            return;
        }
        let size = self.buckets.len() * 2;
        let buckets = std::mem::replace(&mut self.buckets, vec![Bucket::Free; size]);
        self.occupied = self.count;
        for bucket in buckets {
            if let Bucket::Used { key, .. } = bucket {
                let index = self.probes(key).find(|index| !is_used(self.buckets[*index]));
                if let Some(index) = index {
                    self.buckets[index] = bucket;
                }
            }
        }
    }
}

fn is_used(bucket: Bucket) -> bool {
    matches!(bucket, Bucket::Used { .. })
}

fn value_of(bucket: Bucket) -> Option<i32> {
    match bucket {
        Bucket::Used { value, .. } => Some(value),
        Bucket::Free | Bucket::Left => None,
    }
}
