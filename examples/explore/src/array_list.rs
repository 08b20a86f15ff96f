//! A list that grows, after the `ArrayList` of .NET: a fixed array, how much of it is used, and a
//! version that every change counts up.

/// A list of numbers. With `BUG`, it has a mistake: see [`ArrayList::insert`].
#[derive(Clone, Debug)]
pub struct ArrayList<const BUG: bool = false> {
    items: Box<[i32]>,
    size: usize,
    version: u32,
}

/// An index that is not one of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfRange;

impl<const BUG: bool> ArrayList<BUG> {
    /// An empty list with room for so many numbers.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        ArrayList { items: vec![0; capacity].into(), size: 0, version: 0 }
    }

    /// How many numbers there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.size
    }

    /// How many numbers there is room for.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.items.len()
    }

    /// What every change counts up.
    #[must_use]
    pub fn version(&self) -> u32 {
        self.version
    }

    /// Adds a number at the end; where it is now.
    pub fn add(&mut self, value: i32) -> usize {
        self.ensure_capacity(self.size + 1);
        self.items[self.size] = value;
        self.version += 1;
        self.size += 1;
        self.size - 1
    }

    /// Puts a number before the one at the index, or at the end.
    ///
    /// The mistake, with `BUG`: if the list is full, one number too few is moved aside.
    ///
    /// # Errors
    /// If the index is behind the end.
    pub fn insert(&mut self, index: usize, value: i32) -> Result<(), OutOfRange> {
        if index > self.size {
            return Err(OutOfRange);
        }
        let was_full = self.size == self.items.len();
        self.ensure_capacity(self.size + 1);
        let end = if BUG && was_full { self.size.max(index + 1) - 1 } else { self.size };
        self.items.copy_within(index..end, index + 1);
        self.items[index] = value;
        self.size += 1;
        self.version += 1;
        Ok(())
    }

    /// The number at an index.
    ///
    /// # Errors
    /// If there is none.
    pub fn get(&self, index: usize) -> Result<i32, OutOfRange> {
        if index >= self.size { Err(OutOfRange) } else { Ok(self.items[index]) }
    }

    /// Puts another number at an index.
    ///
    /// # Errors
    /// If there is none.
    pub fn set(&mut self, index: usize, value: i32) -> Result<(), OutOfRange> {
        if index >= self.size {
            return Err(OutOfRange);
        }
        self.items[index] = value;
        self.version += 1;
        Ok(())
    }

    /// Takes out the number at an index.
    ///
    /// # Errors
    /// If there is none.
    pub fn remove_at(&mut self, index: usize) -> Result<i32, OutOfRange> {
        let removed = self.get(index)?;
        self.items.copy_within(index + 1..self.size, index);
        self.size -= 1;
        self.version += 1;
        Ok(removed)
    }

    /// Where a number is for the first time.
    #[must_use]
    pub fn index_of(&self, value: i32) -> Option<usize> {
        (0..self.size).find(|index| self.items[*index] == value)
    }

    /// Where a number is for the last time.
    #[must_use]
    pub fn last_index_of(&self, value: i32) -> Option<usize> {
        (0..self.size).rev().find(|index| self.items[*index] == value)
    }

    /// Turns the list round.
    pub fn reverse(&mut self) {
        for index in 0..self.size / 2 {
            self.items.swap(index, self.size - 1 - index);
        }
        self.version += 1;
    }

    /// Gives the room back that is not used.
    pub fn trim_to_size(&mut self) {
        self.items = self.items[..self.size].into();
        self.version += 1;
    }

    /// Takes out all numbers; the room stays.
    pub fn clear(&mut self) {
        self.size = 0;
        self.version += 1;
    }

    fn ensure_capacity(&mut self, least: usize) {
        if self.items.len() < least {
            let twice = if self.items.is_empty() { 4 } else { self.items.len() * 2 };
            let mut items = vec![0; twice.max(least)];
            items[..self.size].copy_from_slice(&self.items[..self.size]);
            self.items = items.into();
        }
    }

    /// As [`remove_at`](ArrayList::remove_at) for the last number, without a new version: for
    /// those who put it back.
    pub(crate) fn pop_unseen(&mut self) -> Option<i32> {
        self.size = self.size.checked_sub(1)?;
        Some(self.items[self.size])
    }
}
