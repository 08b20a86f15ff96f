//! An iterator with methods that have the names of those of `Iterator`.

use crate::fault::tick;

#[derive(Clone, Debug)]
pub struct Steps(u8);

impl Iterator for Steps {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        self.0 = self.0.checked_sub(1)?;
        Some(self.0)
    }
}

#[rebut::contract]
impl Steps {
    pub fn new(n: u8) -> Steps {
        tick("new");
        Steps(n)
    }

    pub fn last(&self) -> u8 {
        tick("last");
        self.0
    }

    pub fn take(&mut self, n: u8) -> u8 {
        tick("take");
        self.0 = self.0.saturating_sub(n);
        self.0
    }

    pub fn find(&mut self, n: u8) -> bool {
        tick("find");
        self.0 == n
    }

    pub fn count(&mut self) -> usize {
        tick("count");
        usize::from(self.0)
    }

    pub fn sum(&self) -> u8 {
        tick("sum");
        self.0
    }
}
