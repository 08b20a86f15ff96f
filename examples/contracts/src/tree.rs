//! A B-tree of two levels, ordered by a function of the user. It looks for a key in one way when
//! it takes it out and in another when it asks whether it is there: with a function that
//! contradicts itself, the two disagree.

/// A leaf with more keys is split.
const LEAF_MAX: usize = 3;

/// Keys in the order of `is_less`.
pub struct Tree {
    leaves: Vec<Vec<u8>>,
    is_less: Box<dyn Fn(u8, u8) -> bool>,
}

#[rebut::contract]
#[invariant(self.leaves.iter().all(|leaf| leaf.len() <= LEAF_MAX), "leaves are split in time")]
impl Tree {
    /// An empty tree.
    pub fn new(is_less: Box<dyn Fn(u8, u8) -> bool>) -> Tree {
        Tree { leaves: vec![Vec::new()], is_less }
    }

    /// Adds a key. Whatever the function says, nothing but the order depends on it.
    #[ensures(self.len() == old(self.len()) + 1)]
    pub fn insert(&mut self, key: u8) {
        let at = self.leaf(key);
        let leaf = &mut self.leaves[at];
        let place = leaf.partition_point(|&known| (self.is_less)(known, key));
        leaf.insert(place, key);
        if leaf.len() > LEAF_MAX {
            let upper = leaf.split_off(leaf.len() / 2);
            self.leaves.insert(at + 1, upper);
        }
    }

    /// Takes a key out, if it is there.
    pub fn remove(&mut self, key: u8) -> bool {
        if !self.leaves.iter().any(|leaf| leaf.contains(&key)) {
            return false;
        }
        let at = self.leaf(key);
        let leaf = &mut self.leaves[at];
        let place = leaf.iter().position(|&known| known == key);
        leaf.remove(place.expect("the key is in the leaf that it belongs to"));
        true
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.leaves.iter().map(Vec::len).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The leaf that a key belongs to.
    fn leaf(&self, key: u8) -> usize {
        let is_before = |leaf: &Vec<u8>| leaf.last().is_some_and(|&last| (self.is_less)(last, key));
        self.leaves.partition_point(is_before).min(self.leaves.len() - 1)
    }
}

impl std::fmt::Debug for Tree {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(&self.leaves).finish()
    }
}
