//! A list whose elements know the next one. They are kept in a vector, and know each other by
//! index.

/// A list of numbers. With `BUG`, it has a mistake: see [`LinkedList::remove`].
#[derive(Clone, Debug, Default)]
pub struct LinkedList<const BUG: bool = false> {
    nodes: Vec<Node>,
    head: Option<usize>,
    tail: Option<usize>,
}

#[derive(Clone, Debug)]
struct Node {
    value: i32,
    next: Option<usize>,
}

impl<const BUG: bool> LinkedList<BUG> {
    /// An empty list.
    #[must_use]
    pub fn new() -> Self {
        LinkedList { nodes: Vec::new(), head: None, tail: None }
    }

    /// Adds a number at the end.
    pub fn add(&mut self, value: i32) {
        let added = self.nodes.len();
        self.nodes.push(Node { value, next: None });
        match self.tail {
            Some(tail) => self.nodes[tail].next = Some(added),
            None => self.head = Some(added),
        }
        self.tail = Some(added);
    }

    /// Takes out a number where it is for the first time; whether it was there.
    ///
    /// The mistake, with `BUG`: after the last of several is taken out, it is still the last, so
    /// what is added next is lost.
    pub fn remove(&mut self, value: i32) -> bool {
        let mut before: Option<usize> = None;
        let mut here = self.head;
        while let Some(index) = here {
            let Node { value: found, next } = self.nodes[index];
            if found == value {
                match before {
                    Some(before) => self.nodes[before].next = next,
                    None => self.head = next,
                }
                if self.tail == here && !(BUG && before.is_some()) {
                    self.tail = before;
                }
                return true;
            }
            before = Some(index);
            here = next;
        }
        false
    }

    /// The numbers in order.
    #[must_use]
    pub fn to_vec(&self) -> Vec<i32> {
        let mut list = Vec::new();
        let mut here = self.head;
        while let Some(index) = here {
            list.push(self.nodes[index].value);
            here = self.nodes[index].next;
        }
        list
    }
}
