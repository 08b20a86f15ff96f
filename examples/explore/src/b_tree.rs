//! A B-tree of small nodes: at most three keys in each, so that few keys make it split.

/// A set of numbers.
#[derive(Clone, Debug, Default)]
pub struct BTree {
    root: Node,
}

/// Keys in order, and one more child than there are keys, or none.
#[derive(Clone, Debug, Default)]
struct Node {
    keys: Vec<i32>,
    children: Vec<Node>,
}

/// The most keys of a node.
const KEYS_MAX: usize = 3;

impl BTree {
    /// An empty set.
    #[must_use]
    pub fn new() -> BTree {
        BTree::default()
    }

    /// Adds a number; whether it is new.
    pub fn insert(&mut self, key: i32) -> bool {
        if self.root.is_full() {
            let root = std::mem::take(&mut self.root);
            self.root.children.push(root);
            self.root.split(0);
        }
        self.root.insert(key)
    }

    /// Whether a number is there.
    #[must_use]
    pub fn contains(&self, key: i32) -> bool {
        let mut node = &self.root;
        loop {
            match node.place(key) {
                Ok(_) => return true,
                Err(index) => match node.children.get(index) {
                    Some(child) => node = child,
                    None => return false,
                },
            }
        }
    }

    /// The numbers in order.
    #[must_use]
    pub fn to_vec(&self) -> Vec<i32> {
        let mut keys = Vec::new();
        self.root.collect(&mut keys);
        keys
    }

    /// How many levels there are, if all leaves are on the same one.
    #[must_use]
    pub fn levels(&self) -> Option<usize> {
        self.root.levels()
    }
}

impl Node {
    fn is_full(&self) -> bool {
        self.keys.len() == KEYS_MAX
    }

    /// Where a key is, or the child where it would be.
    fn place(&self, key: i32) -> Result<usize, usize> {
        let index = self.keys.iter().position(|known| key <= *known).unwrap_or(self.keys.len());
        if self.keys.get(index) == Some(&key) { Ok(index) } else { Err(index) }
    }

    /// Adds a key to a node that is not full.
    fn insert(&mut self, key: i32) -> bool {
        let Err(mut index) = self.place(key) else { return false };
        if self.children.is_empty() {
            self.keys.insert(index, key);
            return true;
        }
        if self.children[index].is_full() {
            self.split(index);
            if key == self.keys[index] {
                return false;
            }
            index += usize::from(key > self.keys[index]);
        }
        self.children[index].insert(key)
    }

    /// Makes two of a full child; the key in its middle moves up.
    fn split(&mut self, index: usize) {
        let child = &mut self.children[index];
        let mut right = Node { keys: child.keys.split_off(2), children: Vec::new() };
        if !child.children.is_empty() {
            right.children = child.children.split_off(2);
        }
        if let Some(middle) = child.keys.pop() {
            self.keys.insert(index, middle);
            self.children.insert(index + 1, right);
        }
    }

    fn collect(&self, keys: &mut Vec<i32>) {
        for index in 0..=self.keys.len() {
            if let Some(child) = self.children.get(index) {
                child.collect(keys);
            }
            keys.extend(self.keys.get(index));
        }
    }

    fn levels(&self) -> Option<usize> {
        let mut levels = None;
        for child in &self.children {
            let below = child.levels()?;
            if levels.is_some_and(|known| known != below) {
                return None;
            }
            levels = Some(below);
        }
        Some(levels.unwrap_or(0) + 1)
    }
}
