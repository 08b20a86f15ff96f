//! A model whose counterparts convert their arguments.

use std::collections::BTreeMap;

use crate::fault::tick;

#[derive(Clone, Debug)]
pub struct Ledger {
    entries: Vec<(u16, u32)>,
}

#[rebut::contract]
#[model(BTreeMap<u32, u64>, self.entries.len() <= model.len(), model.keys().all(|from| *from < 100_000))]
impl Ledger {
    pub fn new() -> Ledger {
        tick("new");
        Ledger { entries: Vec::new() }
    }

    #[model(model.insert(u32::from(from), u64::from(to)).map(|to| u32::try_from(to).unwrap()))]
    pub fn insert(&mut self, from: u16, to: u32) -> Option<u32> {
        tick("insert");
        match self.entries.iter_mut().find(|entry| entry.0 == from) {
            Some(entry) => Some(std::mem::replace(&mut entry.1, to)),
            None => {
                self.entries.push((from, to));
                None
            }
        }
    }

    #[model(model.get(&u32::from(key)).map(|key| *key as u32))]
    pub fn get(&self, key: u16) -> Option<u32> {
        tick("get");
        self.entries.iter().find(|entry| entry.0 == key && key != 3).map(|entry| entry.1)
    }

    #[model(model.len() + { let n = usize::from(n); n })]
    pub fn count(&self, n: u8) -> usize {
        tick("count");
        self.entries.len() + usize::from(n)
    }

    #[model(model.retain(|from, _| *from != u32::from(from_key)))]
    pub fn remove(&mut self, from_key: u16) {
        tick("remove");
        self.entries.retain(|(from, _)| *from != from_key);
    }

    #[model(model.values().map(|model| *model as u32).max())]
    pub fn largest(&self) -> Option<u32> {
        tick("largest");
        self.entries.iter().map(|entry| entry.1).max()
    }

    #[model(model.append(other))]
    pub fn absorb(&mut self, other: &mut Ledger) {
        tick("absorb");
        self.entries.append(&mut other.entries);
    }
}
